#include "engine/src/plan/glance.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/src/base/box_check.hpp"
#include "engine/src/base/sample.hpp"
#include "engine/src/plan/numbers.hpp"
#include "simd/row_kernels.hpp"

namespace throng::detail {

double work_at_a_glance(const simd::Kernels& kernels, const WorldMap& map, const Agents& agents) noexcept {
    constexpr std::size_t most = tuned::most_glanced;
    const std::size_t sample = std::min(agents.count() / tuned::glance_one_in, most);
    if (sample == 0) return 0;
    std::array<Box, most> boxes;
    std::array<float, most> x, y;
    for (std::size_t k = 0; k < sample; ++k) {
        boxes[k] = agents(sampled(k, sample, agents.count()));
        x[k] = boxes[k].min_x;
        y[k] = boxes[k].min_y;
    }
    std::array<std::uint16_t, most> regions{};
    if (map.has_islands())
        kernels.rows->find_regions(map.tables().tiles, map.tables().regions, x.data(), y.data(), sample,
                                   regions.data());
    std::array<CellNumber, most + 1> cells;
    std::size_t common = 0, oversized = 0;
    for (std::size_t k = 0; k < sample; ++k) {
        // The frame will refuse a box that is illegal; here it is one that shares no cell.
        if (check(boxes[k]) != Code::ok) continue;
        // Whether it is common is as good as random, so it is no branch.
        const Cell cell = map.cell_in(regions[k], boxes[k]);
        const bool is_common = cell.column != map.columns(cell.row);
        cells[common] = map.number_of(cell);
        common += is_common;
        oversized += !is_common;
    }
    const double one = static_cast<double>(agents.count()) / static_cast<double>(sample);
    const auto pairs = pairs_of_equals<most>(std::span(cells).first(common));
    return (surely(pairs) * one + surely(oversized) * tuned::work_of_oversized) / static_cast<double>(sample);
}

}  // namespace throng::detail
