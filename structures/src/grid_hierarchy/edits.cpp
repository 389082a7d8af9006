// Edits of one element, and the clean-up at the end of a frame.
#include <algorithm>
#include <bit>
#include <utility>

#include "structures/src/grid_hierarchy/state.hpp"

namespace throng::structures {

using namespace detail;

// Makes the region and sub-region of a place. If the edit then fails, they stay empty, which is allowed.
bool GridHierarchy::State::make_room(const Place& p) noexcept {
    if (p.level == world_level) return true;
    Index& at = world_[region_place(p)];
    if (at == none) {
        const Index made = regions_.insert({});
        if (made == none) return false;
        Region& region = regions_[made];
        region.place = region_place(p);
        std::fill_n(region.sub_regions, 64, none);
        std::fill_n(region.lists, 64, none);
        at = made;
    }
    if (p.level != 0) return true;
    const std::uint32_t k = place_of(p.x >> 3, p.y >> 3);
    if (regions_[at].sub_regions[k] != none) return true;
    const Index made = sub_regions_.insert({});
    if (made == none) return false;
    sub_regions_[made].where = Word{at} * 64 + k;
    std::fill_n(sub_regions_[made].lists, 64, none);
    regions_[at].sub_regions[k] = made;
    regions_[at].made |= bit(k);
    return true;
}

void GridHierarchy::State::link(ElementId id, const Place& p, ElementId& list) noexcept {
    Element& element = elements_[id];
    element.next = std::exchange(list, id);
    ++sizes_[p.level];
    reach_[p.level] = std::max(reach_[p.level], extent(element.box));
    if (element.next != none || p.level == world_level) return;
    const Index at = region_place(p);
    Region& region = regions_[world_[at]];
    const std::uint32_t k = place_of(p.x >> 3, p.y >> 3);
    if (region.empty() || p.level == 2) occupied_.set(at);
    if (p.level == 1) region.listed |= bit(k);
    if (p.level != 0) return;
    SubRegion& sub_region = sub_regions_[region.sub_regions[k]];
    sub_region.occupied |= bit(place_of(p.x, p.y));
    region.occupied |= bit(k);
}

void GridHierarchy::State::unlink(ElementId id, const Place& p) noexcept {
    ElementId* const list = list_at(p);
    ElementId* link = list;
    while (*link != id) link = &elements_[*link].next;
    *link = elements_[id].next;
    if (--sizes_[p.level] == 0) reach_[p.level] = 0;
    if (*list != none || p.level == world_level) return;
    Region& region = regions_[world_[region_place(p)]];
    const std::uint32_t k = place_of(p.x >> 3, p.y >> 3);
    if (p.level == 1) region.listed &= ~bit(k);
    if (p.level == 0) {
        SubRegion& sub_region = sub_regions_[region.sub_regions[k]];
        sub_region.occupied &= ~bit(place_of(p.x, p.y));
        if (sub_region.occupied == 0) region.occupied &= ~bit(k);
    }
    if (region.empty()) occupied_.reset(region.place);
}

Status GridHierarchy::State::insert_legal(const Box& box, ElementId& id) noexcept {
    const Place p = place(box);
    if (!make_room(p)) return {Code::out_of_memory};
    const ElementId made = elements_.insert({box, none});
    if (made == none) return {Code::out_of_memory};
    link(made, p, *list_at(p));
    id = made;
    return {};
}

Status GridHierarchy::State::move_legal(ElementId id, const Box& box) noexcept {
    const Place from = place(elements_[id].box), to = place(box);
    if (from == to) {
        reach_[to.level] = std::max(reach_[to.level], extent(box));
    } else {
        if (!make_room(to)) return {Code::out_of_memory};
        unlink(id, from);
    }
    elements_[id].box = box;
    if (from != to) link(id, to, *list_at(to));
    return {};
}

Status GridHierarchy::State::remove_known(ElementId id) noexcept {
    unlink(id, place(elements_[id].box));
    elements_.erase(id);
    return {};
}

void GridHierarchy::State::clean_up() noexcept {
    regions_.for_each([this](Index index, Region& region) {
        for (Word idle = region.made & ~region.occupied; idle != 0; idle &= idle - 1) {
            const auto k = static_cast<std::uint32_t>(std::countr_zero(idle));
            sub_regions_.erase(std::exchange(region.sub_regions[k], none));
            region.made &= ~bit(k);
        }
        if (!region.empty()) return;
        world_[region.place] = none;
        regions_.erase(index);
    });
}

}  // namespace throng::structures
