#include "cluster/src/world/moves.hpp"

#include <algorithm>
#include <numeric>

namespace throng::cluster::detail {

std::size_t Moves::leavers_before(std::size_t element) const noexcept {
    const Send* const at =
        std::lower_bound(leavers.begin(), leavers.end(), element,
                         [](const Send& one, std::size_t limit) { return one.element < limit; });
    return static_cast<std::size_t>(at - leavers.begin());
}

bool Moves::settle() noexcept {
    const std::size_t count = comers.size();
    if (!order_.resize(count) || !places_.resize(count)) return false;
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return comers.ids[a] < comers.ids[b]; });
    const GlobalId* stay = ids_.data();
    for (std::size_t k = 0; k < count; ++k) {
        places_[k] = static_cast<std::uint32_t>(k);
        if (!they_stay_) continue;
        stay = std::lower_bound(stay, ids_.data() + ids_.size(), comers.ids[order_[k]]);
        const std::size_t lower = static_cast<std::size_t>(stay - ids_.data());
        places_[k] += static_cast<std::uint32_t>(lower - leavers_before(lower));
    }
    return true;
}

Moves::Source Moves::source(std::size_t place) const noexcept {
    const std::uint32_t* const came = std::lower_bound(places_.begin(), places_.end(), place);
    const std::size_t before = static_cast<std::size_t>(came - places_.begin());
    if (came != places_.end() && *came == place) return {true, order_[before]};
    // The stayer of this number: behind as many leavers as come before it.
    const std::size_t stayer = place - before;
    std::size_t low = 0, high = leavers.size();
    while (low != high) {
        const std::size_t middle = low + (high - low) / 2;
        if (leavers[middle].element - middle <= stayer)
            low = middle + 1;
        else
            high = middle;
    }
    return {false, stayer + low};
}

bool Moves::keep(const Box* handed_in) noexcept {
    if (!kept_.resize(they_stay_ ? leavers.size() : ids_.size())) return false;
    for (std::size_t k = 0; k < kept_.size(); ++k) kept_[k] = handed_in[they_stay_ ? leavers[k].element : k];
    return true;
}

void Moves::undo(Box* array, Box* handed_in) const noexcept {
    if (!they_stay_) {
        std::copy(kept_.begin(), kept_.end(), handed_in);
        return;
    }
    Box* to = array;
    for (std::size_t k = 0, from = 0; k <= comers.size(); ++k) {
        const std::size_t end = k < comers.size() ? places_[k] : size();
        std::memmove(to, array + from, (end - from) * sizeof(Box));
        to += end - from;
        from = end + 1;
    }
    // From the end to the front, since an element is never before its place among those that stay.
    std::size_t end = ids_.size(), stay = stayers();
    for (std::size_t k = leavers.size(); k-- != 0;) {
        const std::size_t leaver = leavers[k].element, count = end - leaver - 1;
        stay -= count;
        std::memmove(handed_in + leaver + 1, array + stay, count * sizeof(Box));
        handed_in[end = leaver] = kept_[k];
    }
    std::memmove(handed_in, array, end * sizeof(Box));
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
    if (kept_.capacity() > 4 * leavers.size() + few) kept_.release();
    if (comers.ids.capacity() <= 4 * comers.size() + few) return;
    comers.release();
    order_.release();
    places_.release();
}

}  // namespace throng::cluster::detail
