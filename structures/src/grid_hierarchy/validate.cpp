// Checks a GridHierarchy: lists, words and counts must agree.
#include <bit>

#include "structures/src/grid_hierarchy/state.hpp"

namespace throng::structures {

using namespace detail;

// Returns whether to go on: a list without an end stops the check.
bool GridHierarchy::State::validate_list(ElementId list, const Place& p, std::size_t* counts,
                                         IndexValidation& state) const noexcept {
    static constexpr unsigned shifts[] = {0, 3, 6, 32};
    const auto at_level = [&p](std::uint32_t cell) {
        return static_cast<std::uint32_t>(std::uint64_t{cell} >> shifts[p.level]);
    };
    for (ElementId id = list; id != none; id = elements_[id].next) {
        if (!elements_.contains(id)) {
            state.note("a list of an element that there is not", id);
            return true;
        }
        const Box& box = elements_[id].box;
        if (check(box) != Code::ok) {
            state.note("a box that is not finite, or inverted", id);
        } else {
            const Place is = place(box);
            if (is.level != p.level || at_level(is.x) != at_level(p.x) || at_level(is.y) != at_level(p.y))
                state.note("an element in a list that is not its own", id);
            if (!(extent(box) <= reach_[p.level])) state.note("an element beyond the reach of its level", id);
        }
        if (++counts[p.level] > size()) {
            state.note("a list that does not end", id);
            return false;
        }
    }
    return true;
}

void GridHierarchy::State::validate_region(Index index, std::size_t* counts,
                                           IndexValidation& state) const noexcept {
    const Region& region = regions_[index];
    const std::uint32_t x = region.place % width_ * 64, y = region.place / width_ * 64;
    if (!validate_list(region.list, {x, y, 2}, counts, state)) return;
    for (std::uint32_t k = 0; k < 64; ++k) {
        const std::uint32_t sub_x = x + k % 8 * 8, sub_y = y + k / 8 * 8;
        if ((region.lists[k] != none) != ((region.listed & bit(k)) != 0))
            state.note("a list that is not noted", index);
        if (!validate_list(region.lists[k], {sub_x, sub_y, 1}, counts, state)) return;
        const Index sub = region.sub_regions[k];
        if ((sub != none) != ((region.made & bit(k)) != 0))
            state.note("a sub-region that is not noted", index);
        if (sub == none) {
            if ((region.occupied & bit(k)) != 0)
                state.note("an occupied sub-region that there is not", index);
            continue;
        }
        if (!sub_regions_.contains(sub) || sub_regions_[sub].where != Word{index} * 64 + k) {
            state.note("a sub-region that there is not, or is elsewhere", index);
            continue;
        }
        const SubRegion& sub_region = sub_regions_[sub];
        if ((sub_region.occupied != 0) != ((region.occupied & bit(k)) != 0))
            state.note("a sub-region whose occupation is not noted", sub);
        for (std::uint32_t c = 0; c < 64; ++c) {
            if ((sub_region.lists[c] != none) != ((sub_region.occupied & bit(c)) != 0))
                state.note("a cell whose occupation is not noted", sub);
            if (!validate_list(sub_region.lists[c], {sub_x + c % 8, sub_y + c / 8, 0}, counts, state)) return;
        }
    }
}

IndexValidation GridHierarchy::State::validate() const noexcept {
    IndexValidation state;
    if (!elements_.validate() || !regions_.validate() || !sub_regions_.validate())
        state.note("a list of free slots is broken", 0);
    if (!occupied_.validate()) state.note("the set of occupied regions is broken", 0);
    std::size_t counts[world_level + 1] = {}, regions = 0, sub_regions = 0;
    validate_list(world_list_, {0, 0, world_level}, counts, state);
    for (std::size_t at = 0; at < world_.size(); ++at) {
        const Index index = world_[at];
        if (index == none) {
            if (occupied_.test(at)) state.note("an occupied region that there is not", at);
            continue;
        }
        if (!regions_.contains(index) || regions_[index].place != at) {
            state.note("a region that there is not, or is elsewhere", at);
            continue;
        }
        ++regions;
        sub_regions += static_cast<std::size_t>(std::popcount(regions_[index].made));
        if (regions_[index].empty() == occupied_.test(at))
            state.note("a region whose occupation is not noted", at);
        validate_region(index, counts, state);
    }
    if (regions != regions_.size()) state.note("a region that is nowhere", regions);
    if (sub_regions != sub_regions_.size()) state.note("a sub-region that is nowhere", sub_regions);
    std::size_t linked = 0;
    for (unsigned level = 0; level <= world_level; ++level) {
        if (counts[level] != sizes_[level]) state.note("a level of another size", level);
        linked += counts[level];
    }
    if (linked != size()) state.note("an element in no list", linked);
    return state;
}

}  // namespace throng::structures
