// The routes of the host's values between ranks. Both ends of a route have the same agents in the same order:
//
//     owners    told(rank)    places of owned agents that are ghosts on that rank
//     ghosts    heard(rank)   places of ghosts that that rank owns
#pragma once

#include <cstdint>
#include <span>

#include "cluster/src/world/cluster_state.hpp"
#include "throng/cluster/values.hpp"

namespace throng::cluster::detail {

// Finds the places, once after each update. False without memory.
bool find_places(ClusterState& state) noexcept;

inline std::span<const std::uint32_t> told_to(const ClusterState& state, int rank) noexcept {
    const GhostLists::Part part = state.links.told().of(rank);
    return {state.values.told.data() + part.begin, part.end - part.begin};
}
inline std::span<const std::uint32_t> heard_from(const ClusterState& state, int rank) noexcept {
    const GhostLists::Part part = state.links.heard().of(rank);
    return {state.values.heard.data() + part.begin, part.end - part.begin};
}
inline std::span<const int> peers_of(const ClusterState& state) noexcept {
    return {state.now.peers.data(), state.now.peers.size()};
}

Status fault_of(const ConstValues& values, std::size_t wanted) noexcept;
// What has to be the same on all ranks: the kind of call, and what a value is.
std::uint64_t shared_values(std::uint64_t call, const ConstValues& values) noexcept;

}  // namespace throng::cluster::detail
