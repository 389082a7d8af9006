// Queries, and lists of all elements and cells.
#include <algorithm>

#include "base/box_math.hpp"
#include "structures/src/loose_grid/walk.hpp"
#include "structures/src/rows/listed_elements.hpp"

namespace throng::structures {

using namespace detail;

Status LooseGrid::State::find_overlaps(const Box& box, ElementId omitted, IdAnswers& found) const {
    each_cell(box, [&](const Cell& cell) { return find_in_cell(cell, box, omitted, found); });
    return {};
}

// Elements of a cell inside the query need no test.
bool LooseGrid::State::find_in_cell(const Cell& cell, const Box& box, ElementId omitted,
                                    IdAnswers& found) const {
    return put_hits(records_, cell.head, box, encloses(box, cell.bounds), omitted, found);
}

void LooseGrid::State::list_elements(IdAnswers& list) const {
    for (const Cell& cell : cells_)
        for (std::uint32_t slot = cell.head; slot != none; slot = records_[slot].next)
            if (!list.put(records_[slot].id)) return;
}

void LooseGrid::State::list_parts(PartAnswers& list) const {
    const Box& e = config_.extents;
    const auto edge = [](float min, float max, double share) {
        return static_cast<float>(double{min} + (double{max} - double{min}) * std::min(share, 1.0));
    };
    const auto x = [&](std::uint32_t c) {
        return edge(e.min_x, e.max_x, 1.0 * c * config_.tight_columns / config_.columns);
    };
    const auto y = [&](std::uint32_t r) {
        return edge(e.min_y, e.max_y, 1.0 * r * config_.tight_rows / config_.rows);
    };
    for (std::uint32_t r = 0; r < tight_rows_; ++r)
        for (std::uint32_t c = 0; c < tight_columns_; ++c)
            if (tight_[tight_at(c, r)] != none)
                if (!list.put({{x(c), y(r), x(c + 1), y(r + 1)}, 0, 0, false})) return;
    for (const Cell& cell : cells_) {
        std::uint32_t elements = 0;
        for (std::uint32_t slot = cell.head; slot != none; slot = records_[slot].next) ++elements;
        if (elements != 0 && !list.put({cell.bounds, 1, elements, true})) return;
    }
}

}  // namespace throng::structures
