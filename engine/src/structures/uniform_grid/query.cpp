// The queries of a UniformGrid.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/src/base/box_check.hpp"
#include "engine/src/structures/uniform_grid/state.hpp"

namespace throng {

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

// Walks several lists in lockstep: their first elements, then the second elements of those that have one, and
// so on. Branch-free: the lengths of lists are unpredictable.
bool UniformGrid::State::find_in_lists(ElementId* lists, std::size_t count, const Box& box, ElementId omitted,
                                       IdAnswers& found) const {
    while (count != 0) {
        ElementId* out = found.room(count);
        if (out == nullptr) return false;
        std::size_t hits = 0, left = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const ElementId id = lists[i];
            const Element element = elements_[id];
            out[hits] = id;
            hits += static_cast<std::size_t>(touches(element.x, element.y, reach_, box) & (id != omitted));
            lists[left] = element.next;
            left += element.next != no_element;
        }
        found.wrote(hits);
        count = left;
    }
    return true;
}

Status UniformGrid::State::find(const Box& box, ElementId omitted, IdAnswers& found) const {
    if (const Code code = check(box); code != Code::ok) return {code, 0};
    if (elements_.empty()) return {};
    constexpr std::size_t lists_at_once = 64;
    static_assert(lists_at_once <= IdAnswers::capacity);
    ElementId lists[lists_at_once];
    std::size_t count = 0;
    const std::uint32_t first = columns_.cell(lower(box.min_x)), last = columns_.cell(upper(box.max_x));
    const std::uint32_t top = rows_.cell(upper(box.max_y));
    for (std::uint32_t row = rows_.cell(lower(box.min_y)); row <= top; ++row) {
        if (row_sizes_[row] == 0) continue;
        const ElementId* const heads = heads_.data() + cell({0, row});
        for (std::uint32_t column = first; column <= last;) {
            if (count == lists_at_once) {
                if (!find_in_lists(lists, count, box, omitted, found)) return {};
                count = 0;
            }
            const auto room = static_cast<std::uint32_t>(lists_at_once - count);
            const std::uint32_t end = last - column < room ? last + 1 : column + room;
            for (; column < end; ++column) {
                lists[count] = heads[column];
                count += heads[column] != no_element;
            }
        }
    }
    find_in_lists(lists, count, box, omitted, found);
    return {};
}

void UniformGrid::State::list_elements(IdAnswers& list) const {
    if (elements_.empty()) return;
    for (std::uint32_t row = 0; row < rows_.cells(); ++row) {
        if (row_sizes_[row] == 0) continue;
        for (std::uint32_t column = 0; column < columns_.cells(); ++column)
            for (ElementId id = heads_[cell({column, row})]; id != no_element; id = elements_[id].next)
                if (!list.put(id)) return;
    }
}

void UniformGrid::State::list_parts(PartAnswers& list) const {
    if (elements_.empty()) return;
    for (std::uint32_t row = 0; row < rows_.cells(); ++row) {
        if (row_sizes_[row] == 0) continue;
        for (std::uint32_t column = 0; column < columns_.cells(); ++column) {
            Part part{.box = {columns_.begin(column), rows_.begin(row), columns_.begin(column + 1),
                              rows_.begin(row + 1)}};
            for (ElementId id = heads_[cell({column, row})]; id != no_element; id = elements_[id].next)
                ++part.elements;
            if (part.elements != 0 && !list.put(part)) return;
        }
    }
}

}  // namespace throng
