// The queries of a UniformGrid.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/src/base/box_check.hpp"
#include "throng/structures/uniform_grid.hpp"

namespace throng {

namespace {

constexpr ElementId none = no_element;
// One element is compared with this many at once, in vectors.
constexpr std::uint32_t lanes = 4;
// The reach of a row's elements is computed for this many at once.
constexpr std::uint32_t piece = 256;

// Whether a box around (x, y) overlaps another: the same as Box::around and Box::overlaps.
inline bool touches(float x, float y, float reach, const Box& box) noexcept {
    return (x - reach <= box.max_x) & (x + reach >= box.min_x) & (y - reach <= box.max_y) &
           (y + reach >= box.min_y);
}

}  // namespace

Box UniformGrid::box(ElementId id) const noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    const Box b = Box::around(elements_[id].x, elements_[id].y, reach_, reach_);
    // Within a reach of the largest float.
    return {std::max(b.min_x, -largest), std::max(b.min_y, -largest), std::min(b.max_x, largest),
            std::min(b.max_y, largest)};
}

// The range of centres whose boxes reach a side: the sum of a centre and the reach was rounded, by at most
// 2^-24 of itself.
double UniformGrid::lower(float side) const noexcept {
    return double{side} - reach_ - std::abs(double{side}) * 0x1p-22;
}
double UniformGrid::upper(float side) const noexcept {
    return double{side} + reach_ + std::abs(double{side}) * 0x1p-22;
}

// Walks several lists in lockstep: their first elements, then the second elements of those that have one, and
// so on. Branch-free: the lengths of lists are unpredictable.
bool UniformGrid::find_in_lists(ElementId* lists, std::size_t count, const Box& box, ElementId omitted,
                                detail::IdAnswers& found) const {
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
            left += element.next != none;
        }
        found.wrote(hits);
        count = left;
    }
    return true;
}

Status UniformGrid::find(const Box& box, ElementId omitted, detail::IdAnswers& found) const {
    if (const Code code = detail::check(box); code != Code::ok) return {code, 0};
    if (elements_.empty()) return ready_.status();
    constexpr std::size_t most = 64;
    static_assert(most <= detail::IdAnswers::capacity);
    ElementId lists[most];
    std::size_t count = 0;
    const std::uint32_t first = columns_.cell(lower(box.min_x)), last = columns_.cell(upper(box.max_x));
    const std::uint32_t top = rows_.cell(upper(box.max_y));
    for (std::uint32_t row = rows_.cell(lower(box.min_y)); row <= top; ++row) {
        if (row_sizes_[row] == 0) continue;
        const ElementId* const heads = heads_.data() + cell({0, row});
        for (std::uint32_t column = first; column <= last;) {
            if (count == most) {
                if (!find_in_lists(lists, count, box, omitted, found)) return {};
                count = 0;
            }
            const auto room = static_cast<std::uint32_t>(most - count);
            const std::uint32_t end = last - column < room ? last + 1 : column + room;
            for (; column < end; ++column) {
                lists[count] = heads[column];
                count += heads[column] != none;
            }
        }
    }
    find_in_lists(lists, count, box, omitted, found);
    return {};
}

bool UniformGrid::Row::reserve(std::size_t elements, std::size_t in_all, std::size_t columns) noexcept {
    // Rows grow and shrink a little in every frame, and short ones by a large share.
    constexpr std::size_t few = 512;
    if (elements + lanes > x.capacity()) elements = std::max(elements + elements / 4, std::min(in_all, few));
    elements += lanes;
    return x.resize(elements) && y.resize(elements) && ids.resize(elements) &&
           begins.resize_exactly(columns + 1);
}

// Elements are scattered in memory, so those of cells ahead, and the next ones in their lists, are
// prefetched. Few cells have more than two elements: two are always copied from each, and counted afterwards.
void UniformGrid::copy_row(std::uint32_t row, Row& to) const noexcept {
    const ElementId* const heads = heads_.data() + cell({0, row});
    const ElementId some = elements_.range() - 1;
    const auto at = [&](ElementId id) -> const Element& { return elements_[std::min(id, some)]; };
    const std::uint32_t columns = columns_.cells();
    float* const x = to.x.data();
    float* const y = to.y.data();
    ElementId* const ids = to.ids.data();
    std::uint32_t* const begins = to.begins.data();
    std::uint32_t count = 0;
    for (std::uint32_t column = 0; column < columns; ++column) {
        __builtin_prefetch(&at(heads[column + look_ahead]));
        __builtin_prefetch(&at(at(heads[column + look_ahead * 2 / 3]).next));
        __builtin_prefetch(&at(at(at(heads[column + look_ahead / 3]).next).next));
        begins[column] = count;
        ElementId id = heads[column];
        const auto copy = [&] {
            const Element& element = at(id);
            x[count] = element.x;
            y[count] = element.y;
            ids[count] = id;
            count += id != none;
            id = element.next | (0u - (id == none));
        };
        copy();
        copy();
        while (id != none) copy();
    }
    begins[columns] = to.count = count;
    // Vectors read past the last element; the padding overlaps nothing.
    for (std::uint32_t k = 0; k < lanes; ++k) {
        x[count + k] = y[count + k] = std::numeric_limits<float>::quiet_NaN();
        ids[count + k] = none;
    }
}

// All elements in [from, to) that overlap the element. A vector may also test some at or after `to`; those do
// not overlap it, or are padding past the end of the row.
inline bool UniformGrid::find_partners(const Row& of, std::uint32_t element, const Row& row,
                                       std::uint32_t from, std::uint32_t to,
                                       detail::PairAnswers& found) const {
    const float reach = reach_;
    const Box box = Box::around(of.x[element], of.y[element], reach, reach);
    const ElementId id = of.ids[element];
    std::uint32_t i = from;
    do {
        Pair* const out = found.room(lanes);
        if (out == nullptr) return false;
        const float* const x = row.x.data() + i;
        const float* const y = row.y.data() + i;
        const ElementId* const ids = row.ids.data() + i;
        std::uint32_t hits[lanes];
        for (std::uint32_t k = 0; k < lanes; ++k) hits[k] = touches(x[k], y[k], reach, box);
        std::size_t count = 0;
        for (std::uint32_t k = 0; k < lanes; ++k) {
            out[count] = {id, ids[k]};
            count += hits[k];
        }
        found.wrote(count);
    } while ((i += lanes) < to);
    return true;
}

// The partners of an element are among those after it in its own row, and all of those in the next. The reach
// is computed for several elements at once, in vectors; those that reach into the next row are gathered
// first.
bool UniformGrid::find_pairs_of(std::uint32_t row, detail::PairAnswers& found) const {
    for (std::uint32_t begin = 0; begin < row_.count; begin += piece) {
        const std::uint32_t count = std::min(piece, row_.count - begin);
        const float* const x = row_.x.data() + begin;
        const float* const y = row_.y.data() + begin;
        std::uint32_t first[piece], last[piece], top[piece], upwards[piece];
        for (std::uint32_t i = 0; i < count; ++i) {
            first[i] = columns_.cell(lower(x[i] - reach_));
            last[i] = columns_.cell(upper(x[i] + reach_));
            top[i] = rows_.cell(upper(y[i] + reach_));
        }
        for (std::uint32_t i = 0; i < count; ++i)
            if (!find_partners(row_, begin + i, row_, begin + i + 1, row_.begins[last[i] + 1], found))
                return false;
        if (row_above_.count == 0) continue;
        std::uint32_t reaching = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            upwards[reaching] = i;
            reaching += top[i] != row;
        }
        for (std::uint32_t k = 0; k < reaching; ++k) {
            const std::uint32_t i = upwards[k];
            if (!find_partners(row_, begin + i, row_above_, row_above_.begins[first[i]],
                               row_above_.begins[last[i] + 1], found))
                return false;
        }
    }
    return true;
}

Status UniformGrid::find_pairs(detail::PairAnswers& found) {
    if (elements_.empty()) return ready_.status();
    const std::size_t most = *std::max_element(row_sizes_.begin(), row_sizes_.end());
    if (!row_.reserve(most, size(), columns_.cells()) || !row_above_.reserve(most, size(), columns_.cells()))
        return {Code::out_of_memory};
    row_above_.count = 0;
    if (row_sizes_[0] != 0) copy_row(0, row_above_);
    for (std::uint32_t row = 0; row < rows_.cells(); ++row) {
        std::swap(row_, row_above_);
        row_above_.count = 0;
        if (row + 1 < rows_.cells() && row_sizes_[row + 1] != 0) copy_row(row + 1, row_above_);
        if (!find_pairs_of(row, found)) break;
    }
    return {};
}

void UniformGrid::list_elements(detail::IdAnswers& list) const {
    if (elements_.empty()) return;
    for (std::uint32_t row = 0; row < rows_.cells(); ++row) {
        if (row_sizes_[row] == 0) continue;
        for (std::uint32_t column = 0; column < columns_.cells(); ++column)
            for (ElementId id = heads_[cell({column, row})]; id != none; id = elements_[id].next)
                if (!list.put(id)) return;
    }
}

void UniformGrid::list_parts(detail::PartAnswers& list) const {
    if (elements_.empty()) return;
    for (std::uint32_t row = 0; row < rows_.cells(); ++row) {
        if (row_sizes_[row] == 0) continue;
        for (std::uint32_t column = 0; column < columns_.cells(); ++column) {
            Part part{.box = {columns_.begin(column), rows_.begin(row), columns_.begin(column + 1),
                              rows_.begin(row + 1)}};
            for (ElementId id = heads_[cell({column, row})]; id != none; id = elements_[id].next)
                ++part.elements;
            if (part.elements != 0 && !list.put(part)) return;
        }
    }
}

}  // namespace throng
