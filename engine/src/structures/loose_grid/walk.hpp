// The walk that all queries share: over the tight cells that a box covers, to the loose
// cells whose bounds it overlaps.
#pragma once

#include "engine/src/structures/loose_grid/state.hpp"

namespace throng {

// Visits each loose cell once, until `take(cell)` returns false; returns whether it never did. A loose cell
// is visited only in the tight cell of its reference point, the lower left corner of the intersection with
// the query (Dittrich and Seeger 2000).
template <class Take>
bool LooseGrid::State::each_cell(const Box& box, Take&& take) const {
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

}  // namespace throng
