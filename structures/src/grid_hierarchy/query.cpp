// The queries of a GridHierarchy.
#include <algorithm>
#include <bit>

#include "base/box_math.hpp"
#include "structures/src/grid_hierarchy/state.hpp"
#include "structures/src/rows/listed_elements.hpp"

namespace throng::structures {

using namespace detail;

namespace {

// Of the 8 x 8 places from (x, y) on, those from (left, bottom) to (right, top).
std::uint64_t places_between(std::uint32_t left, std::uint32_t bottom, std::uint32_t right, std::uint32_t top,
                             std::uint32_t x, std::uint32_t y) noexcept {
    if (left > x + 7 || bottom > y + 7 || right < x || top < y) return 0;
    const std::uint32_t first = left > x ? left - x : 0, last = std::min(right - x, 7u);
    const std::uint32_t low = bottom > y ? bottom - y : 0, high = std::min(top - y, 7u);
    const std::uint64_t row = (std::uint64_t{2} << last) - (std::uint64_t{1} << first);
    const std::uint64_t rows = (~std::uint64_t{0} << (low * 8)) & (~std::uint64_t{0} >> ((7 - high) * 8));
    return row * 0x0101010101010101u & rows;
}

template <class Visit>
bool for_each_bit(std::uint64_t bits, Visit&& visit) {
    for (; bits != 0; bits &= bits - 1)
        if (!visit(static_cast<std::uint32_t>(std::countr_zero(bits)))) return false;
    return true;
}

}  // namespace

// Every element that overlaps the box has its lower left corner in these cells. The reach is rounded upwards.
GridHierarchy::State::Window GridHierarchy::State::window(const Box& box, unsigned level) const noexcept {
    const double reach = reach_[level] * (1 + 0x1p-40);
    return {columns_.cell(box.min_x - reach) >> (3 * level), rows_.cell(box.min_y - reach) >> (3 * level),
            columns_.cell(box.max_x) >> (3 * level), rows_.cell(box.max_y) >> (3 * level)};
}

template <class Visit>
bool GridHierarchy::State::visit_lists_of(const Region& region, const Window* windows, unsigned first_level,
                                          unsigned last_level, Visit&& visit) const {
    const std::uint32_t x = region.place % width_, y = region.place / width_;
    const auto places = [](const Window& w, std::uint32_t left, std::uint32_t bottom) {
        return places_between(w.left, w.bottom, w.right, w.top, left, bottom);
    };
    if (last_level >= 2 && first_level <= 2 && region.list != none) {
        const Window& w = windows[2];
        if (w.left <= x && x <= w.right && w.bottom <= y && y <= w.top && !visit(region.list)) return false;
    }
    if (last_level >= 1 && first_level <= 1 && region.listed != 0) {
        const Word lists = region.listed & places(windows[1], x * 8, y * 8);
        if (!for_each_bit(lists, [&](std::uint32_t k) { return visit(region.lists[k]); })) return false;
    }
    if (first_level > 0 || region.occupied == 0) return true;
    const Window& w = windows[0];
    const Window coarse{w.left >> 3, w.bottom >> 3, w.right >> 3, w.top >> 3};
    return for_each_bit(region.occupied & places(coarse, x * 8, y * 8), [&](std::uint32_t k) {
        const SubRegion& sub_region = sub_regions_[region.sub_regions[k]];
        const Word cells = sub_region.occupied & places(w, x * 64 + k % 8 * 8, y * 64 + k / 8 * 8);
        return for_each_bit(cells, [&](std::uint32_t c) { return visit(sub_region.lists[c]); });
    });
}

// Every list of these levels that may have an element which overlaps the box, once.
template <class Visit>
bool GridHierarchy::State::visit_lists(const Box& box, unsigned first_level, unsigned last_level,
                                       Visit&& visit) const {
    if (last_level == world_level && world_list_ != none && !visit(world_list_)) return false;
    // A level without elements has no window, and that of regions is the hull of all.
    Window windows[world_level];
    Window hull{~0u, ~0u, 0, 0};
    for (unsigned level = first_level; level < world_level; ++level) {
        Window& w = windows[level];
        w = {1, 1, 0, 0};
        if (level > last_level || sizes_[level] == 0) continue;
        w = window(box, level);
        const unsigned shift = 6 - 3 * level;
        hull = {std::min(hull.left, w.left >> shift), std::min(hull.bottom, w.bottom >> shift),
                std::max(hull.right, w.right >> shift), std::max(hull.top, w.top >> shift)};
    }
    if (hull.left > hull.right) return true;
    // From one occupied region to the next, which may be many empty rows further up.
    std::size_t row = std::size_t{hull.bottom} * width_;
    const std::size_t last = std::size_t{hull.top} * width_ + hull.right;
    std::size_t at = occupied_.find_next(row + hull.left);
    while (at <= last) {
        if (at >= row + width_) row = at / width_ * width_;
        const std::size_t column = at - row;
        if (column < hull.left) {
            at = row + hull.left;
        } else if (column > hull.right) {
            at = row + width_ + hull.left;
        } else {
            if (!visit_lists_of(regions_[world_[at]], windows, first_level, last_level, visit)) return false;
            ++at;
        }
        at = occupied_.find_next(at);
    }
    return true;
}

Status GridHierarchy::State::find_overlaps(const Box& box, ElementId omitted, IdAnswers& found) const {
    if (elements_.empty()) return {};
    ListReader reader(
        elements_, found,
        [&](ElementId id, const Element& element) { return overlap(element.box, box) & (id != omitted); },
        [](ElementId id) { return id; });
    if (visit_lists(box, 0, world_level, reader)) reader.read();
    return {};
}

// Every element larger than a cell queries all finer levels, and its own level for elements with a lower id.
bool GridHierarchy::State::find_larger_pairs(PairAnswers& found) const {
    if (sizes_[0] == size()) return true;
    return visit_all_lists([&](ElementId list, unsigned level, const Box&) {
        if (level == 0) return true;
        for (ElementId id = list; id != none; id = elements_[id].next) {
            const Box box = elements_[id].box;
            const auto make = [id](ElementId other) { return Pair{id, other}; };
            ListReader smaller(
                elements_, found, [&](ElementId, const Element& other) { return overlap(other.box, box); },
                make);
            if (!visit_lists(box, 0, level - 1, smaller) || !smaller.read()) return false;
            ListReader equal(
                elements_, found,
                [&](ElementId at, const Element& other) { return overlap(other.box, box) & (at < id); },
                make);
            if (!visit_lists(box, level, level, equal) || !equal.read()) return false;
        }
        return true;
    });
}

// `visit(list, level, bounds)`, the coarser ones first.
template <class Visit>
bool GridHierarchy::State::visit_all_lists(Visit&& visit) const {
    const auto bounds = [this](std::uint32_t x, std::uint32_t y, std::uint32_t cells) {
        return Box{columns_.begin(x), rows_.begin(y), columns_.begin(x + cells), rows_.begin(y + cells)};
    };
    if (elements_.empty()) return true;
    if (!visit(
            world_list_, 3u,
            Box{columns_.begin(0), rows_.begin(0), columns_.begin(width_ * 64), rows_.begin(height_ * 64)}))
        return false;
    bool going_on = true;
    occupied_.for_each([&](std::size_t at) {
        const Region& region = regions_[world_[at]];
        const std::uint32_t x = region.place % width_ * 64, y = region.place / width_ * 64;
        going_on = visit(region.list, 2u, bounds(x, y, 64));
        return going_on =
                   going_on && for_each_bit(region.occupied | region.listed, [&](std::uint32_t k) {
                       const std::uint32_t sub_x = x + k % 8 * 8, sub_y = y + k / 8 * 8;
                       if (!visit(region.lists[k], 1u, bounds(sub_x, sub_y, 8))) return false;
                       if ((region.occupied >> k & 1) == 0) return true;
                       const SubRegion& sub_region = sub_regions_[region.sub_regions[k]];
                       return for_each_bit(sub_region.occupied, [&](std::uint32_t c) {
                           return visit(sub_region.lists[c], 0u, bounds(sub_x + c % 8, sub_y + c / 8, 1));
                       });
                   });
    });
    return going_on;
}

void GridHierarchy::State::list_elements(IdAnswers& list) const {
    visit_all_lists([&](ElementId first, unsigned, const Box&) {
        for (ElementId id = first; id != none; id = elements_[id].next)
            if (!list.put(id)) return false;
        return true;
    });
}

void GridHierarchy::State::list_parts(PartAnswers& list) const {
    visit_all_lists([&](ElementId first, unsigned level, const Box& bounds) {
        Part part{.box = bounds, .depth = world_level - level, .leaf = level == 0};
        for (ElementId id = first; id != none; id = elements_[id].next) ++part.elements;
        return list.put(part);
    });
}

}  // namespace throng::structures
