#include "cluster/src/values/links.hpp"

#include <algorithm>

namespace throng::cluster::detail {

namespace {

// Where some ids are among others; both ascend, and all are there. They lie close to each other at a border.
void find_each(std::span<const GlobalId> some, std::span<const GlobalId> all, std::size_t first,
               std::uint32_t* places) noexcept {
    std::size_t at = 0;
    for (const GlobalId id : some) {
        std::size_t step = 1;
        while (at + step < all.size() && all[at + step] < id) {
            at += step;
            step *= 2;
        }
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(at + step + 1, all.size()));
        at = static_cast<std::size_t>(std::lower_bound(begin, end, id) - all.begin());
        *places++ = static_cast<std::uint32_t>(first + at);
    }
}

void find_all(const GhostLists& lists, std::span<const GlobalId> all, std::size_t first,
              throng::detail::Buffer<std::uint32_t>& places) noexcept {
    for (const GhostLists::Part& part : lists.parts)
        find_each({lists.agents.ids.data() + part.begin, part.end - part.begin}, all, first,
                  places.data() + part.begin);
}

}  // namespace

bool find_places(ClusterState& state) noexcept {
    HostValues& values = state.values;
    if (values.are_placed) return true;
    const World& world = state.now;
    const GhostLists &told = state.links.told(), &heard = state.links.heard();
    if (!values.told.resize(told.agents.size()) || !values.heard.resize(heard.agents.size()) ||
        !values.listed.resize(world.ghosts))
        return false;
    const GlobalId* const ids = world.agents.ids.data();
    find_all(told, {ids, world.owned}, 0, values.told);
    find_all(heard, {ids + world.owned, world.ghosts}, world.owned, values.heard);
    for (const int peer : peers_of(state)) {
        const std::span<const std::uint32_t> places = heard_from(state, peer);
        for (std::size_t k = 0; k < places.size(); ++k)
            values.listed[places[k] - world.owned] = {peer, static_cast<std::uint32_t>(k)};
    }
    return values.are_placed = true;
}

Status fault_of(const ConstValues& values, std::size_t wanted) noexcept {
    if (values.data() == nullptr && values.size() != 0) return {Code::null_view, Argument::values};
    if (values.size() != wanted) return {Code::size_mismatch, Argument::values};
    if (values.numbers() == 0) return {Code::bad_config, Argument::values};
    if (values.bytes() / values.numbers() != bytes_of(values.number()))
        return {Code::too_large, Argument::values};
    return {};
}

std::uint64_t shared_values(std::uint64_t call, const ConstValues& values) noexcept {
    return Census::mix(Census::mix(values.numbers()) ^
                       (call << 8 | static_cast<std::uint64_t>(values.number())));
}

}  // namespace throng::cluster::detail
