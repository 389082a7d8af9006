// What saving and loading have in common: which calls are refused, and which status a fault of a file gives.
#pragma once

#include <mpi.h>

#include "cluster/src/world/cluster_state.hpp"

namespace throng::cluster::detail {

inline void fail_if_refused(ClusterState& state, const char* path) noexcept {
    state.trouble = {};
    if (path == nullptr) state.fail(Status(Code::null_view));
    // The host has its agents in arrays of its own, in an order that it knows.
    if (state.config.agents_stay) state.fail({Code::bad_config, Argument::options});
}

inline void fail_by_file(ClusterState& state, int error) noexcept {
    if (error == MPI_SUCCESS) return;
    ClusterStatus status = state.trouble_here(Trouble::file_failed);
    status.mpi_error = error;
    state.fail(status);
}

}  // namespace throng::cluster::detail
