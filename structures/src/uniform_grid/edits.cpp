// Edits of one element.
#include <utility>

#include "structures/src/uniform_grid/state.hpp"

namespace throng::structures {

using namespace detail;

bool UniformGrid::State::fits(const Box& box, float& x, float& y) const noexcept {
    const bool in_x = centre_of(box.min_x, box.max_x, reach_, x);
    return centre_of(box.min_y, box.max_y, reach_, y) && in_x;
}

Status UniformGrid::State::insert_legal(const Box& box, ElementId& id) noexcept {
    Element element{0, 0, no_element};
    if (!fits(box, element.x, element.y)) return {Code::too_large, 0};
    const ElementId made = elements_.insert(element);
    if (made == no_element) return {Code::out_of_memory};
    link(made);
    id = made;
    return {};
}

Status UniformGrid::State::move_legal(ElementId id, const Box& box) noexcept {
    Element moved{0, 0, no_element};
    if (!fits(box, moved.x, moved.y)) return {Code::too_large, 0};
    Element& element = elements_[id];
    if (cell(place(moved)) == cell(place(element))) {
        element.x = moved.x;
        element.y = moved.y;
        return {};
    }
    unlink(id);
    element = moved;
    link(id);
    return {};
}

Status UniformGrid::State::remove_known(ElementId id) noexcept {
    unlink(id);
    elements_.erase(id);
    return {};
}

void UniformGrid::State::link(ElementId id) noexcept {
    const Place at = place(elements_[id]);
    ++row_sizes_[at.row];
    elements_[id].next = std::exchange(heads_[cell(at)], id);
}

void UniformGrid::State::unlink(ElementId id) noexcept {
    const Place at = place(elements_[id]);
    --row_sizes_[at.row];
    ElementId* link = &heads_[cell(at)];
    while (*link != id) link = &elements_[*link].next;
    *link = elements_[id].next;
}

}  // namespace throng::structures
