// What a few agents tell of a frame before it is built.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/base/box_check.hpp"
#include "engine/src/frame/world_map.hpp"
#include "engine/src/plan/sample.hpp"
#include "engine/src/plan/tuner.hpp"

namespace throng::detail {

// What a few agents tell of a frame: its work without that of oversized agents at one place, and how many are oversized.
struct Foreseen {
    std::uint64_t work = 0;
    double oversized = 0;
    std::uint64_t sharing = 0;
    double error = 0.25;  // the share by which pairs may be wrong
};

// Foreseen pairs may be wrong by a quarter, or less where many of a sample share a cell, the number of oversized agents by a tenth.
inline std::uint64_t least_of(const Foreseen& foreseen) noexcept {
    const auto work = static_cast<double>(foreseen.work),
               searches = 0.9 * Tuner::work_of_oversized * foreseen.oversized;
    return static_cast<std::uint64_t>(work - foreseen.error * std::max(work - searches, 0.0));
}

// One agent in so many tells what a frame would cost, and no more than so many tell it. At a glance that is hardly more than
// nothing, and shows a frame that costs many times as much as a plain one.
inline constexpr std::size_t closely = 16, loosely = 200, at_a_glance = 800, max_foreseen = 512,
                             max_closely = 4096;

// What agents on islands look at outside of them, as a frame counts it (pairs_beside_islands), by the sorted cells of a sample.
// Where that is much, some of these agents tell which reach out of their tiles: each is `box_at(k)` in one of `regions`.
template <class BoxAt>
double foresee_opens(const WorldMap& map, std::span<CellNumber> cells, std::span<const std::uint16_t> regions,
                     double weight, BoxAt&& box_at) noexcept {
    constexpr std::uint32_t max_cuts = 256;
    if (map.cuts() > max_cuts) return 0;
    const auto before = [&](std::uint32_t region) {
        return region == map.regions() ? cells.end()
                                       : std::lower_bound(cells.begin(), cells.end(),
                                                          region == 0 ? 0 : map.tables().first_cell[region]);
    };
    std::array<double, max_cuts>
        for_each;  // what an agent on the islands of a cut looks at, if it reaches out
    std::array<std::uint32_t, max_cuts> looking;
    double work = 0;
    std::uint64_t all = 0;
    for (std::uint32_t c = 0; c < map.cuts(); ++c) {
        const WorldMap::Cut& cut = map.tables().cuts[c];
        const std::span<CellNumber> open(before(cut.region), before(cut.region + 1));
        const std::uint64_t pairs = open.size() < 2 ? 0 : pairs_of_equals<max_closely>(open);
        for_each[c] = pairs == 0 ? 0 : static_cast<double>(pairs) / static_cast<double>(open.size());
        work += for_each[c] * static_cast<double>(before(cut.end_island) - before(cut.first_island));
        all += pairs;
    }
    if (all == 0) return 0;
    const double weighted = weight * weight * surely(all) / static_cast<double>(all);
    const std::size_t sample = regions.size(), some = std::min(sample, max_foreseen);
    if (work * weighted <= weight * static_cast<double>(sample)) return work * weighted;
    std::fill_n(looking.begin(), map.cuts(), 0u);
    for (std::size_t k = 0; k < some; ++k) {
        const std::size_t at = sampled(k, some, sample);
        const Box box = box_at(at);
        const simd::Grid& grid = map.grid_of_region(regions[at]);
        if (check(box) == Code::ok && is_common(grid, box))
            map.visit_left_tiles(regions[at], box, [&](std::uint32_t cut) { ++looking[cut]; });
    }
    work = 0;
    for (std::uint32_t c = 0; c < map.cuts(); ++c) work += for_each[c] * looking[c];
    return work * weighted * static_cast<double>(sample) / static_cast<double>(some);
}

// The least work of a frame on this plan, as far as a few agents can tell: how often two of them share a
// cell. It costs so little only because the sample is small, so it sees much work only.
template <class BoxAt>
Foreseen foresee(const simd::Kernels& kernels, const WorldMap& map, std::size_t agents, BoxAt&& box_at,
                 std::size_t one_in) noexcept {
    const std::size_t sample = std::min(agents / one_in, one_in == closely ? max_closely : max_foreseen);
    std::array<Box, max_foreseen> boxes;  // from all over memory, so read first
    std::array<float, max_foreseen> x, y;
    std::array<std::uint16_t, max_closely> regions{};
    std::array<CellNumber, max_closely + 1> cells;
    std::size_t common = 0, oversized = 0;
    const auto sampled_box = [&](std::size_t k) { return Box(box_at(sampled(k, sample, agents))); };
    for (std::size_t begin = 0; begin < sample; begin += max_foreseen) {
        const std::size_t count = std::min(sample - begin, max_foreseen);
        for (std::size_t k = 0; k < count; ++k) {
            boxes[k] = sampled_box(begin + k);
            x[k] = boxes[k].min_x;
            y[k] = boxes[k].min_y;
        }
        if (map.has_islands())
            kernels.find_regions(map.tables().tiles, map.tables().regions, x.data(), y.data(), count,
                                 regions.data() + begin);
        for (std::size_t k = 0; k < count; ++k) {
            const Box& box = boxes[k];
            // The frame will refuse a box that is illegal; here it is one that shares no cell.
            if (check(box) != Code::ok) continue;
            // Whether it is common is as good as random, so it is no branch.
            const Cell cell = map.cell_in(regions[begin + k], box);
            const bool is_common = cell.column != map.columns(cell.row);
            cells[common] = map.number_of(cell);
            common += is_common;
            oversized += !is_common;
        }
    }
    const double weight = static_cast<double>(agents) / static_cast<double>(std::max(sample, std::size_t{1}));
    const std::uint64_t pairs = pairs_of_equals<max_closely>({cells.data(), common});
    const double in_cells = surely(pairs) * weight * weight,
                 others =
                     2 * static_cast<double>(pairs) / static_cast<double>(std::max(common, std::size_t{1})),
                 sharing = in_cells + (one_in == closely
                                           ? foresee_opens(map, {cells.data(), common},
                                                           {regions.data(), sample}, weight, sampled_box)
                                           : 0),
                 searches = surely(oversized) * weight * Tuner::work_of_oversized;
    return {static_cast<std::uint64_t>(sharing + searches), static_cast<double>(oversized) * weight,
            static_cast<std::uint64_t>(sharing), std::min(0.25, 2 / std::sqrt(std::max(others, 1.0)))};
}

}  // namespace throng::detail
