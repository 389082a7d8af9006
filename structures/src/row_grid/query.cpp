// Box queries, and lists of all elements and rows.
#include <algorithm>
#include <limits>

#include "structures/src/row_grid/search.hpp"
#include "structures/src/row_grid/state.hpp"

namespace throng::structures {

using namespace detail;

namespace {

float within(double v) {
    constexpr double largest = std::numeric_limits<float>::max();
    return static_cast<float>(std::clamp(v, -largest, largest));
}

}  // namespace

Status RowGrid::State::find_overlaps(const Box& box, ElementId omitted, IdAnswers& found) const {
    if (where_.empty()) return {};
    // Branch-free: hits are unpredictable.
    const auto take = [&](const GridRow::Node* nodes, std::size_t count) {
        while (count != 0) {
            const std::size_t here = std::min<std::size_t>(count, IdAnswers::capacity / 2);
            ElementId* to = found.room(here);
            if (to == nullptr) return false;
            std::size_t hits = 0;
            for (std::size_t i = 0; i < here; ++i) {
                to[hits] = nodes[i].id;
                hits += static_cast<std::size_t>(overlap(nodes[i].box, box) & (nodes[i].id != omitted));
            }
            found.wrote(hits);
            nodes += here;
            count -= here;
        }
        return true;
    };
    (void)search_rows(lattice_, rows_.data(), box, take);
    return {};
}

void RowGrid::State::list_elements(IdAnswers& list) const {
    for (const GridRow& row : rows_)
        for (std::uint32_t c = 0; c < row.cells(); ++c)
            for (std::uint32_t n = row.first_in(c); n != GridRow::none; n = row.next_in(c, n))
                if (!list.put(row.nodes[n].id)) return;
}

void RowGrid::State::list_parts(PartAnswers& list) const {
    const double width = 1 / double{lattice_.inverse_width}, height = 1 / double{lattice_.inverse_height};
    for (std::uint32_t r = 0; r < rows_.size(); ++r) {
        const GridRow& row = rows_[r];
        if (row.bytes() == 0) continue;
        const bool oversized = r == rows();
        // The cell of the oversized elements is the whole grid.
        const std::uint32_t high = oversized ? rows() : 1, wide = oversized ? columns() : 1;
        const auto box = [&](std::uint32_t column, std::uint32_t columns) {
            const double x = lattice_.origin_x + column * width,
                         y = lattice_.origin_y + (oversized ? 0 : r * height);
            return Box{within(x), within(y), within(x + columns * width), within(y + high * height)};
        };
        if (!oversized && !list.put({box(0, columns()), 0, 0, false})) return;
        for (std::uint32_t c = 0; c < row.cells(); ++c) {
            std::uint32_t count = 0;
            for (std::uint32_t n = row.first_in(c); n != GridRow::none; n = row.next_in(c, n)) ++count;
            if (count != 0 && !list.put({box(c, wide), oversized ? 0u : 1u, count, true})) return;
        }
    }
}

}  // namespace throng::structures
