// A world laid out in rows by the kernels alone, for measuring them one by one: what the engine does around
// them (choosing the grid, keeping memory, running blocks) is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "simd/kernels.hpp"
#include "simd/types.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::bench {

class WorldRows {
public:
    // Builds the rows once, so that `view` can be queried at once.
    WorldRows(const simd::Kernels& kernels, const std::string& scenario, std::size_t agents);

    // The steps of building. Each leaves behind what the next one needs, and may be repeated: `sort` wants a
    // `scatter` before it, since it turns the records into arrays in their own place.
    void count();
    void scatter();
    void sort();
    // The largest extents, row by row.
    void measure();

    const simd::Kernels& kernels() const { return kernels_; }
    const workload::World& world() const { return world_; }
    const simd::View& view() const { return view_; }
    std::size_t agents() const { return world_.size(); }

private:
    struct alignas(64) Line {
        float values[16];
    };

    simd::Columns columns() const;
    void lay_out();
    void collect_oversized();

    const simd::Kernels& kernels_;
    workload::World world_;
    simd::View view_{};
    std::vector<simd::Row> rows_;
    std::vector<std::uint16_t> row_of_;
    std::vector<std::uint32_t> histogram_;
    std::vector<simd::Record*> begins_, cursors_;
    std::vector<std::uint32_t> strides_;
    std::vector<std::vector<std::uint32_t>> cells_;
    std::vector<std::vector<Line>> data_;
    std::vector<Line> oversized_;
    std::vector<std::byte> scratch_;
};

// The 64-byte lines of a vector's memory as plain floats.
template <class Line>
float* floats(std::vector<Line>& lines) {
    return lines.front().values;
}

}  // namespace throng::bench
