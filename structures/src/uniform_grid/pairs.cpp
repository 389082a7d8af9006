// All pairs of a UniformGrid, row by row: two elements are a pair if their assumed boxes overlap.

#include "structures/src/rows/listed_elements.hpp"
#include "structures/src/rows/neighbour_rows.hpp"
#include "structures/src/uniform_grid/state.hpp"

namespace throng::structures {

using namespace detail;

void UniformGrid::State::pack_row(std::uint32_t row, NeighbourRows& rows) const noexcept {
    simd::Record* const to = rows.turn();
    if (row == rows_.cells() || row_sizes_[row] == 0) return;
    ElementId* const lists = rows.list();
    std::uint32_t count = 0;
    const ElementId* const heads = heads_.data() + cell({0, row});
    for (std::uint32_t column = 0, columns = columns_.cells(); column < columns; ++column) {
        lists[count] = heads[column];
        count += heads[column] != no_element;
    }
    const auto sort = [&](auto&& box_of) {
        // There is room for the largest row.
        rows.sort(write_lists(elements_, lists, count, rows.room(),
                              [=](const Element& element, ElementId id, std::uint32_t i) {
                                  const Box box = box_of(element);
                                  to[i] = {box.min_x, box.min_y, box.max_x, box.max_y, id};
                              }));
    };
    // To nearest, less than half of what the largest floats are apart leaves them as they are.
    if (reach_ < 0x1p102f)
        sort([r = reach_](const Element& element) { return Box::around(element.x, element.y, r, r); });
    else
        sort([this](const Element& element) { return assumed_box(element); });
}

Status UniformGrid::State::find_pairs(PairAnswers& found) {
    if (elements_.empty()) return {};
    NeighbourRows rows(*kernels_, pair_space_, found);
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

}  // namespace throng::structures
