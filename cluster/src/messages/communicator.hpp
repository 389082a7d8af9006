// The engine's own copy of the host's communicator, and what was sent through it.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "throng/cluster/report.hpp"
#include "throng/cluster/status.hpp"
#include "throng/geometry.hpp"

namespace throng::cluster::detail {

inline ClusterStatus mpi_failure(int error) noexcept {
    ClusterStatus status;
    status.trouble = Trouble::mpi_failed;
    status.mpi_error = error;
    return status;
}

inline ClusterStatus refusal(const Status& status, int rank, GlobalId id = 0) noexcept {
    ClusterStatus refused;
    refused.trouble = Trouble::refused;
    refused.status = status;
    refused.rank = rank;
    refused.id = id;
    return refused;
}

class Communicator {
public:
    Communicator() noexcept = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;
    ~Communicator();

    // MPI_SUCCESS, or what went wrong.
    int duplicate(MPI_Comm from) noexcept;

    // After an error of MPI no call is made any more: nobody knows what is on its way, and to whom.
    ClusterStatus failed(int error) const noexcept {
        if (error_ == MPI_SUCCESS) error_ = error;
        return mpi_failure(error);
    }
    // Ok, or the first error.
    ClusterStatus status() const noexcept {
        return error_ == MPI_SUCCESS ? ClusterStatus() : mpi_failure(error_);
    }

    MPI_Comm get() const noexcept { return comm_; }
    int rank() const noexcept { return rank_; }
    int size() const noexcept { return size_; }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0, size_ = 1;
    mutable int error_ = MPI_SUCCESS;
};

// Whether MPI was begun and has not ended.
bool mpi_runs() noexcept;
// Whether all ranks have what they need to begin. False for none of them, or if MPI fails.
bool all_have(MPI_Comm communicator, bool mine) noexcept;

// The box around those of all ranks.
ClusterStatus unite(const Communicator& ranks, Box& box) noexcept;

// Adds the time of its life to a number of seconds.
class Stopwatch {
public:
    explicit Stopwatch(double& seconds) noexcept : seconds_(seconds), begin_(MPI_Wtime()) {}
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    ~Stopwatch() { seconds_ += MPI_Wtime() - begin_; }

private:
    double& seconds_;
    double begin_;
};

}  // namespace throng::cluster::detail
