// What a throng_cluster is, and how C's structs become C++'s. Those of throng.h are read by its own library.
#pragma once

#include <mpi.h>

#include <optional>
#include <utility>

#include "bindings/c/src/host.hpp"
#include "bindings/c/src/statuses.hpp"
#include "throng/cluster.hpp"
#include "throng_cluster.h"

struct throng_cluster {
    throng_cluster(throng::c_api::Host* its_host, throng::cluster::ClusterEngine&& its_engine,
                   bool its_agents_stay) noexcept
        : host(its_host),
          engine(std::move(its_engine)),
          agents_stay(its_agents_stay),
          pairs(its_host),
          read_pairs(its_host),
          lists(its_host),
          reports(its_host) {}

    throng::c_api::Host* host;
    throng::cluster::ClusterEngine engine;
    bool agents_stay;
    throng::cluster::PairList pairs;
    throng::detail::Buffer<throng::cluster::ClusterPair> read_pairs;  // where C wants their ids
    throng::cluster::Lists lists;
    throng::cluster::RankReports reports;
};

namespace throng::cluster::c {

throng_cluster_status status_of(const ClusterStatus& status) noexcept;

// Of this rank, which the cluster adds.
inline ClusterStatus refusal(const Status& status) noexcept {
    ClusterStatus refused;
    refused.trouble = Trouble::refused;
    refused.status = status;
    return refused;
}
// Of a call of each rank alone.
inline ClusterStatus alone(const ClusterEngine& engine, const Status& status) noexcept {
    if (status.ok()) return {};
    ClusterStatus refused = refusal(status);
    refused.rank = engine.rank();
    return refused;
}

// Makes a call with the engine of a handle, which may be NULL.
template <class Handle, class Call>
throng_cluster_status with(Handle* handle, const Call& call) noexcept {
    if (handle == nullptr) return status_of(refusal({c_api::null_pointer, c_api::handle}));
    return status_of(call(*handle, handle->engine));
}
// A call of all ranks: one whose arguments cannot be read on this rank is refused on all.
template <class Call>
ClusterStatus if_read(const Status& read, ClusterEngine& engine, const Call& call) noexcept {
    return read.ok() ? call() : engine.agree(refusal(read));
}

inline std::span<const GlobalId> selves_of(const std::uint64_t* selves, std::uint64_t count) noexcept {
    return {selves, selves == nullptr ? 0 : static_cast<std::size_t>(count)};
}

}  // namespace throng::cluster::c
