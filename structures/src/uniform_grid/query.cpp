// The queries of a UniformGrid.
#include <cmath>

#include "structures/src/rows/listed_elements.hpp"
#include "structures/src/uniform_grid/state.hpp"

namespace throng::structures {

using namespace detail;

namespace {

// Whether a box around (x, y) overlaps another: the same as Box::around and Box::overlaps.
inline bool touches(float x, float y, float reach, const Box& box) noexcept {
    return (x - reach <= box.max_x) & (x + reach >= box.min_x) & (y - reach <= box.max_y) &
           (y + reach >= box.min_y);
}

}  // namespace

Box UniformGrid::State::box_of(ElementId id) const noexcept { return assumed_box(elements_[id]); }

// The range of centres whose boxes reach a side: the sum of a centre and the reach was rounded, by at most
// 2^-24 of itself.
double UniformGrid::State::lower(float side) const noexcept {
    return double{side} - reach_ - std::abs(double{side}) * 0x1p-22;
}
double UniformGrid::State::upper(float side) const noexcept {
    return double{side} + reach_ + std::abs(double{side}) * 0x1p-22;
}

Status UniformGrid::State::find_overlaps(const Box& box, ElementId omitted, IdAnswers& found) const {
    if (elements_.empty()) return {};
    ListReader reader(
        elements_, found,
        [&box, omitted, reach = reach_](ElementId id, const Element& element) {
            return touches(element.x, element.y, reach, box) & (id != omitted);
        },
        [](ElementId id) { return id; });
    const std::uint32_t first = columns_.cell(lower(box.min_x)), last = columns_.cell(upper(box.max_x));
    const std::uint32_t top = rows_.cell(upper(box.max_y));
    for (std::uint32_t row = rows_.cell(lower(box.min_y)); row <= top; ++row)
        if (row_sizes_[row] != 0 && !reader.take(&heads_[cell({first, row})], last + 1 - first)) return {};
    reader.read();
    return {};
}

// `visit(cell, list)` for each cell that is not empty, until it returns false.
template <class Visit>
void UniformGrid::State::visit_lists(Visit&& visit) const {
    if (elements_.empty()) return;
    for (Place at{0, 0}; at.row < rows_.cells(); ++at.row)
        for (at.column = 0; row_sizes_[at.row] != 0 && at.column < columns_.cells(); ++at.column)
            if (const ElementId list = heads_[cell(at)]; list != no_element && !visit(at, list)) return;
}

void UniformGrid::State::list_elements(IdAnswers& list) const {
    visit_lists([&](const Place&, ElementId id) {
        for (; id != no_element; id = elements_[id].next)
            if (!list.put(id)) return false;
        return true;
    });
}

void UniformGrid::State::list_parts(PartAnswers& list) const {
    visit_lists([&](const Place& at, ElementId id) {
        Part part{.box = {columns_.begin(at.column), rows_.begin(at.row), columns_.begin(at.column + 1),
                          rows_.begin(at.row + 1)}};
        for (; id != no_element; id = elements_[id].next) ++part.elements;
        return list.put(part);
    });
}

}  // namespace throng::structures
