// The nodes that a query of a RowGrid has to test.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/box_math.hpp"
#include "structures/src/row_grid/cells.hpp"
#include "structures/src/row_grid/grid_row.hpp"

namespace throng::structures::detail {

// Calls take(nodes, count) with the nodes of the cells `first` to `last` of a row, some at a time. Stops and
// returns false once `take` does.
template <class Take>
bool search_cells(const GridRow& row, std::uint32_t first, std::uint32_t last, Take&& take) {
    if (row.sorted) {
        const std::uint32_t begin = row.heads[first], end = row.heads[last + 1];
        return take(row.nodes.data() + begin, std::size_t{end} - begin);
    }
    for (std::uint32_t c = first; c <= last; ++c)
        for (std::uint32_t n = row.heads[c]; n != GridRow::none; n = row.nodes[n].next)
            if (!take(&row.nodes[n], std::size_t{1})) return false;
    return true;
}

// The same with all nodes that may overlap a box, including oversized ones. `rows` includes the row of these.
template <class Take>
bool search_rows(const simd::Grid& l, const GridRow* rows, const Box& box, Take&& take) {
    const std::uint32_t lowest = row_at(l, box.min_y - rounded_up(l.common_height)),
                        highest = row_at(l, box.max_y);
    const std::uint32_t right = column_at(l, box.max_x);
    for (std::uint32_t r = lowest; r <= highest; ++r) {
        const GridRow& row = rows[r];
        if (row.size == 0 || row.top < box.min_y) continue;
        const std::uint32_t left = column_at(l, box.min_x - rounded_up(row.width));
        if (!search_cells(row, left, right, take)) return false;
    }
    const GridRow& oversized = rows[l.rows];
    return oversized.size == 0 || take(oversized.nodes.data(), oversized.nodes.size());
}

}  // namespace throng::structures::detail
