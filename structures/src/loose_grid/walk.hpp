// The walk that all queries share: to the loose cells whose bounds a box overlaps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/box_math.hpp"
#include "structures/src/loose_grid/state.hpp"

namespace throng::structures {

// Visits each loose cell once, until `take(cell)` returns false; returns whether it never did. Near cells are
// found from their own places, and others by their links. One that is linked is visited only in the tight
// cell of its reference point, the lower left corner of the intersection with the query (Dittrich and Seeger
// 2000).
template <class Take>
bool LooseGrid::State::each_cell(const Box& box, Take&& take) const {
    const bool all_near = !has_far_cells();
    const std::uint32_t left = columns_(box.min_x - detail::rounded_up(widest_near_)),
                        right = columns_(box.max_x);
    const std::uint32_t low = rows_(box.min_y), high = rows_(box.max_y);
    for (std::uint32_t row = low - std::min(low, 1u); row <= high; ++row) {
        if (row_sizes_[row] == 0) continue;
        const Cell* const cells = &cells_[std::size_t{row} * config_.columns];
        for (std::uint32_t column = left; column <= right; ++column) {
            const Cell& cell = cells[column];
            if (detail::overlap(cell.bounds, box) && (all_near || is_near(cell.bounds)) && !take(cell))
                return false;
        }
    }
    return all_near || each_far_cell(box, take);
}

template <class Take>
bool LooseGrid::State::each_far_cell(const Box& box, Take&& take) const {
    if (is_unlinked_) {
        for (const Cell& cell : cells_)
            if (detail::overlap(cell.bounds, box) && !is_near(cell.bounds) && !take(cell)) return false;
        return true;
    }
    for (std::uint32_t node = tight_[wide_list()]; node != none; node = nodes_[node].next) {
        const Cell& cell = cells_[nodes_[node].cell];
        if (cell.bounds.overlaps(box) && !take(cell)) return false;
    }
    const TightRange range = tight_range(box);
    for (std::uint32_t y = range.y0; y <= range.y1; ++y) {
        for (std::uint32_t x = range.x0; x <= range.x1; ++x) {
            for (std::uint32_t node = tight_[tight_at(x, y)]; node != none; node = nodes_[node].next) {
                const Cell& cell = cells_[nodes_[node].cell];
                if (!cell.bounds.overlaps(box)) continue;
                if (x != range.x0 && tight_x_(cell.bounds.min_x) != x) continue;
                if (y != range.y0 && tight_y_(cell.bounds.min_y) != y) continue;
                if (!take(cell)) return false;
            }
        }
    }
    return true;
}

}  // namespace throng::structures
