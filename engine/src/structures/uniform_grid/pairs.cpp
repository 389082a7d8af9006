// All pairs of a UniformGrid, row by row: two elements are a pair if their assumed boxes overlap.
#include <algorithm>
#include <limits>

#include "engine/src/structures/rows/linked_cells.hpp"
#include "engine/src/structures/uniform_grid/state.hpp"

namespace throng {

namespace {

// Turns the centres of a packed row into boxes, the same as `UniformGrid::box`.
void make_boxes(detail::PackedRow& row, float reach) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    const auto make = [&](float* __restrict low, float* __restrict high) {
        for (std::uint32_t i = 0; i < row.count; ++i) {
            const float centre = low[i];
            low[i] = std::max(centre - reach, -largest);
            high[i] = std::min(centre + reach, largest);
        }
    };
    make(row.min_x, row.max_x);
    make(row.min_y, row.max_y);
}

}  // namespace

void UniformGrid::State::pack_row(std::uint32_t row, detail::NeighbourRows& rows) const noexcept {
    detail::PackedRow& to = rows.turn();
    if (row == rows_.cells() || row_sizes_[row] == 0) return;
    detail::LinkedCells cells(rows, to);
    const ElementId* const heads = heads_.data() + cell({0, row});
    const std::uint32_t columns = columns_.cells();
    for (std::uint32_t column = 0; column < columns; ++column) cells.add(column, heads[column]);
    (void)cells.pack(elements_, [&to](const Element& element, std::uint32_t i) {
        to.min_x[i] = element.x;
        to.min_y[i] = element.y;
    });
    make_boxes(to, reach_);
    rows.packed();
}

Status UniformGrid::State::find_pairs(detail::PairAnswers& found) {
    if (elements_.empty()) return {};
    detail::NeighbourRows rows(*kernels_, pair_space_, found);
    rows.set_columns(columns_.origin() - reach_, columns_.side(), columns_.cells());
    const std::size_t most = *std::max_element(row_sizes_.begin(), row_sizes_.end());
    if (!rows.reserve(most, columns_.cells())) return {Code::out_of_memory};
    pack_row(0, rows);
    for (std::uint32_t row = 0; row < rows_.cells() && !rows.stopped(); ++row) {
        pack_row(row + 1, rows);
        rows.find();
    }
    rows.finish();
    return {};
}

}  // namespace throng
