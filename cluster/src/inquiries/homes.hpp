// Answers on their way to where the host keeps its agents. All ranks call these together, also those that
// have failed, which their state says.
#pragma once

#include "cluster/src/world/cluster_state.hpp"
#include "throng/cluster/results.hpp"

namespace throng::cluster::detail {

// Each pair goes to the rank that handed in its first agent.
ClusterStatus bring_home(ClusterState& state, PairList& pairs) noexcept;
// Each list of an owned agent, with numbers, goes to the rank that handed that agent in.
ClusterStatus bring_home(ClusterState& state, Lists& lists, bool with_numbers) noexcept;

}  // namespace throng::cluster::detail
