// Prepares queries for one pass over boxes. The largest ones, or all if they are very few, are compared with
// every box. The others are in the cells of a grid, and each box looks at one cell. If cells would take
// longer, all queries are compared with every box. If an engine is the fastest of the three, the index says
// so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "simd/box_tree.hpp"
#include "simd/query_kernels.hpp"
#include "throng/boxes.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

class QueryIndex {
public:
    explicit QueryIndex(MemoryResource* memory) noexcept : memory_(memory) {}

    // For the nearest, the lists hold what has to be looked at.
    // `queries` are legal, and stay where they are. The boxes may be anything, and serve to choose the cells.
    // Returns false if there is no memory.
    enum class Wanted { numbers, lists, nearest };
    [[nodiscard]] bool make(std::span<const simd::Query> queries, const Boxes& boxes, Wanted wanted) noexcept;

    // The part of the boxes that the mean query overlaps, by a sample of both.
    static double part_found(std::span<const simd::Query> queries, const Boxes& boxes) noexcept;

    std::span<const simd::Query> queries() const noexcept { return queries_; }
    // The numbers of the queries that are compared with every box.
    std::span<const std::uint32_t> alone() const noexcept { return {alone_.data(), alone_.size()}; }
    // The others; null if there are none.
    const simd::QueryCells* cells() const noexcept { return in_cells_.size() == 0 ? nullptr : &cells_; }
    // Whether a pass over the boxes would take longer than an engine of them.
    bool is_slower_than_an_engine() const noexcept { return is_slow_; }

private:
    // What cells have to fit, by a sample of the boxes: the size of nearly all of them, and where they and
    // the queries are.
    struct Sample {
        double box_width = 0, box_height = 0;
        Box ground;
    };
    Sample look_at(const Boxes& boxes) const noexcept;
    [[nodiscard]] bool part(const Box& ground) noexcept;
    void compare_all() noexcept;
    void choose_grid(const Sample& sample, std::size_t boxes) noexcept;
    [[nodiscard]] bool fill() noexcept;
    std::size_t count_entries() const noexcept;
    [[nodiscard]] bool fill_row(Buffer<float>& data, std::size_t count, simd::Row& row) noexcept;
    double expected_steps(const Boxes& boxes) const noexcept;

    MemoryResource* const memory_;
    std::span<const simd::Query> queries_;
    Buffer<std::uint32_t> alone_{memory_}, in_cells_{memory_};
    simd::QueryCells cells_{};
    Buffer<std::uint32_t> starts_{memory_}, occupied_{memory_};
    Buffer<float> by_cell_{memory_}, all_{memory_};
    std::uint32_t all_cells_[2]{};
    bool is_slow_ = false;
};

}  // namespace throng::detail
