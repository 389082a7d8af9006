#include <algorithm>

#include "cluster/src/reporting/tracked_memory.hpp"
#include "cluster/src/world/cluster_state.hpp"
#include "throng/cluster/cluster_engine.hpp"
#include "throng/cluster/report.hpp"

namespace throng::cluster {

namespace detail {

namespace {

RankReport report_of_this_rank(const ClusterState& state) noexcept {
    const ClusterReport &update = state.report, &queries = state.asking;
    const TrackedMemory& memory = *static_cast<const TrackedMemory*>(state.memory);
    RankReport mine;
    mine.owned = state.now.owned;
    mine.ghosts = state.now.ghosts;
    mine.pairs = state.pair_count;
    mine.bytes = memory.bytes();
    mine.most_bytes = memory.most_bytes();
    mine.update_seconds = update.seconds;
    mine.partition_seconds = update.partition_seconds;
    mine.migration_seconds = update.migration_seconds;
    mine.ghosting_seconds = update.ghosting_seconds;
    mine.build_seconds = update.build_seconds;
    mine.query_seconds = queries.seconds;
    mine.waited_seconds = update.waited_seconds + queries.waited_seconds;
    mine.busy_seconds = std::max(0.0, mine.update_seconds + mine.query_seconds - mine.waited_seconds);
    return mine;
}

}  // namespace

}  // namespace detail

ClusterStatus ClusterEngine::reports(RankReports& reports) noexcept {
    reports.ranks_.clear();
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    detail::ClusterState& state = *state_;
    const RankReport mine = detail::report_of_this_rank(state);
    state.trouble = {};
    state.need(reports.ranks_.resize(static_cast<std::size_t>(state.ranks.size())));
    // What this call waits for is no part of what it reports.
    ClusterReport own;
    ClusterStatus all = detail::agree(state.ranks, state.trouble, own);
    if (all.ok()) {
        const int bytes = static_cast<int>(sizeof mine);
        const int error =
            MPI_Allgather(&mine, bytes, MPI_BYTE, reports.ranks_.data(), bytes, MPI_BYTE, state.ranks.get());
        if (error != MPI_SUCCESS) all = state.ranks.failed(error);
    }
    if (!all.ok()) reports.ranks_.clear();
    return all;
}

}  // namespace throng::cluster
