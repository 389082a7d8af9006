#include "cluster/src/world/moves.hpp"

#include <algorithm>
#include <numeric>

namespace throng::cluster::detail {

bool Moves::settle() noexcept {
    const std::size_t count = comers.size();
    if (!order_.resize(count) || !places_.resize(count) ||
        !runs_.reserve(std::min(stayers(), leavers.size() + count + 1)))
        return false;
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return comers.ids[a] < comers.ids[b]; });
    std::uint32_t came = 0, place = 0;
    const auto come = [&] { places_[came++] = place++; };
    if (they_stay_)
        for_each_stay([&](std::size_t first, std::size_t end) {
            const GlobalId *at = ids_.data() + first, *const behind = ids_.data() + end;
            while (at != behind) {
                const GlobalId* const next =
                    came == count ? behind : std::lower_bound(at, behind, comers.ids[order_[came]]);
                const auto stay = static_cast<std::uint32_t>(next - at);
                if (stay != 0)  // there is room
                    (void)runs_.push_back({static_cast<std::uint32_t>(at - ids_.data()), place, stay});
                at = next;
                place += stay;
                if (at != behind) come();
            }
        });
    while (came != count) come();
    return true;
}

Moves::Source Moves::source(std::size_t place) const noexcept {
    const std::uint32_t* const came = std::lower_bound(places_.begin(), places_.end(), place);
    if (came != places_.end() && *came == place)
        return {true, order_[static_cast<std::size_t>(came - places_.begin())]};
    const Run* const next = std::upper_bound(runs_.begin(), runs_.end(), place,
                                             [](std::size_t one, const Run& run) { return one < run.place; });
    return {false, next[-1].first + (place - next[-1].place)};
}

bool Moves::keep(const Box* handed_in) noexcept {
    if (!kept_.resize(they_stay_ ? leavers.size() : ids_.size())) return false;
    for (std::size_t k = 0; k < kept_.size(); ++k) kept_[k] = handed_in[they_stay_ ? leavers[k].element : k];
    return true;
}

void Moves::undo(Box* array, Box* handed_in) const noexcept {
    move_runs(handed_in, &Run::first, array, &Run::place, 1);
    for (std::size_t k = 0; k < kept_.size(); ++k) handed_in[they_stay_ ? leavers[k].element : k] = kept_[k];
}

Census Moves::census(Census handed_in) const noexcept {
    Census all = they_stay_ ? handed_in : Census();
    for (std::size_t k = 0; they_stay_ && k < leavers.size(); ++k) all.subtract(ids_[leavers[k].element]);
    for (const GlobalId id : comers.ids) all.add(id);
    return all;
}

void Moves::release() noexcept {
    const std::size_t few = size() / 16 + 1024;
    release_ample(leavers, few);
    release_ample(runs_, few);
    if (kept_.capacity() > 4 * leavers.size() + few) kept_.release();
    if (comers.ids.capacity() <= 4 * comers.size() + few) return;
    comers.release();
    order_.release();
    places_.release();
}

}  // namespace throng::cluster::detail
