// What a throng_cluster is, and how C's structs become C++'s.
#pragma once

#include <mpi.h>

#include <optional>

#include "throng/cluster.hpp"
#include "throng/executor.hpp"
#include "throng_cluster.h"

struct throng_cluster {
    std::optional<throng::LimitedThreads> threads;  // before the engine that runs on them
    std::optional<throng::cluster::ClusterEngine> engine;
    throng::cluster::PairList pairs;
    throng::detail::Buffer<throng::cluster::ClusterPair> read_pairs;  // where C wants their ids
    throng::cluster::Lists lists;
    throng::cluster::RankReports reports;
};

namespace throng::cluster::c {

throng_cluster_status status_of(const ClusterStatus& status) noexcept;

// Of this rank, which the cluster adds.
inline ClusterStatus refusal(Code code, Argument argument = {}) noexcept {
    ClusterStatus status;
    status.trouble = Trouble::refused;
    status.status = Status(code, argument);
    return status;
}
inline throng_cluster_status refused(Code code, Argument argument = {}) noexcept {
    return status_of(refusal(code, argument));
}

// Makes a call with the engine of a handle, which may be NULL.
template <class Handle, class Call>
throng_cluster_status with(Handle* handle, const Call& call) noexcept {
    return handle == nullptr ? refused(Code::null_view) : call(*handle, *handle->engine);
}
inline Filter filter_of(const throng_cluster_filter* filter) noexcept {
    if (filter == nullptr) return {};
    return {.categories = filter->categories, .not_in_group = filter->not_in_group};
}

inline std::span<const GlobalId> selves_of(const std::uint64_t* selves, std::uint64_t count) noexcept {
    return selves == nullptr ? std::span<const GlobalId>() : std::span<const GlobalId>(selves, count);
}

inline std::span<const ClusterPair> pairs_of(const throng_cluster_pair* pairs, std::uint64_t count) noexcept {
    return {reinterpret_cast<const ClusterPair*>(pairs), static_cast<std::size_t>(count)};
}
inline Boxes boxes_of(const float* boxes, std::uint64_t count) noexcept {
    return Boxes::of(std::span<const Box>(reinterpret_cast<const Box*>(boxes), count));
}

// What was listed, or nothing where the call failed.
throng_cluster_status give(const throng_cluster& cluster, const ClusterStatus& status,
                           throng_cluster_lists* lists) noexcept;

}  // namespace throng::cluster::c
