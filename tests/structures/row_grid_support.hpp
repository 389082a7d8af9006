// What the tests of RowGrid share: a way into it, and a small grid.
#pragma once

#include "engine/src/structures/row_grid/state.hpp"
#include "support/test.hpp"
#include "throng/structures/row_grid.hpp"

namespace throng {

template <>
struct IndexInspector<RowGrid> {
    static auto& state(auto& index) { return index.template own<RowGrid::State>(); }
    static detail::GridRow& row(RowGrid& grid, std::size_t r) { return state(grid).rows_[r]; }
    static auto& where(RowGrid& grid, ElementId id) { return state(grid).where_[id]; }
};

namespace test {

inline constexpr float largest = std::numeric_limits<float>::max();

inline RowGrid::Config ten_rows() {
    return {.extents = {0, 0, 100, 100}, .cell_width = 2, .row_height = 10, .largest_common = 5};
}

}  // namespace test
}  // namespace throng
