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
#include "engine/src/plan/foreseen_opens.hpp"
#include "engine/src/plan/sample.hpp"
#include "engine/src/plan/tuner.hpp"
#include "simd/row_kernels.hpp"

namespace throng::detail {

// What a few agents tell of a frame: its work without that of oversized agents at one place, and how many are oversized.
struct Foreseen {
    std::uint64_t work = 0;
    double oversized = 0;
    std::uint64_t sharing = 0;
    double error = 0.25;      // the share by which pairs may be wrong
    std::uint64_t opens = 0;  // the part of `sharing` that agents on islands look at outside of them
};

// Foreseen pairs may be wrong by a quarter, or less where many of a sample share a cell, the number of oversized agents by a tenth.
inline std::uint64_t least_of(const Foreseen& foreseen) noexcept {
    const auto work = static_cast<double>(foreseen.work),
               searches = 0.9 * Tuner::work_of_oversized * foreseen.oversized;
    return static_cast<std::uint64_t>(work - foreseen.error * std::max(work - searches, 0.0));
}

// One agent in so many tells what a frame would cost, and no more than so many tell it. At a glance that is hardly more than
// nothing, and shows a frame that costs many times as much as a plain one.
inline constexpr std::size_t closely = 16, loosely = 200, at_a_glance = 800, max_foreseen = 512;

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
            kernels.rows->find_regions(map.tables().tiles, map.tables().regions, x.data(), y.data(), count,
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
                 opens = one_in == closely && map.has_islands()
                             ? ForeseenOpens(map, {cells.data(), common})
                                   .looks(weight, {regions.data(), sample}, sampled_box)
                             : 0,
                 sharing = in_cells + opens, searches = surely(oversized) * weight * Tuner::work_of_oversized;
    return {static_cast<std::uint64_t>(sharing + searches), static_cast<double>(oversized) * weight,
            static_cast<std::uint64_t>(sharing), std::min(0.25, 2 / std::sqrt(std::max(others, 1.0))),
            static_cast<std::uint64_t>(opens)};
}

}  // namespace throng::detail
