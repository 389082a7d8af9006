#include "cluster/src/messages/communicator.hpp"

namespace throng::cluster::detail {

bool mpi_runs() noexcept {
    int begun = 0, ended = 0;
    return MPI_Initialized(&begun) == MPI_SUCCESS && MPI_Finalized(&ended) == MPI_SUCCESS && begun != 0 &&
           ended == 0;
}

int Communicator::duplicate(MPI_Comm from) noexcept {
    if (!mpi_runs()) return MPI_ERR_OTHER;
    if (from == MPI_COMM_NULL) return MPI_ERR_COMM;
    int error = MPI_Comm_dup(from, &comm_);
    if (error != MPI_SUCCESS) return error;
    // Errors come back as values instead of ending the program.
    error = MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    if (error == MPI_SUCCESS) error = MPI_Comm_rank(comm_, &rank_);
    if (error == MPI_SUCCESS) error = MPI_Comm_size(comm_, &size_);
    return error;
}

bool all_have(MPI_Comm communicator, bool mine) noexcept {
    int here = mine ? 1 : 0, everywhere = here;
    if (!mpi_runs() || communicator == MPI_COMM_NULL) return mine;  // what is wrong is found next
    if (MPI_Allreduce(&here, &everywhere, 1, MPI_INT, MPI_MIN, communicator) != MPI_SUCCESS) return false;
    return everywhere != 0;
}

ClusterStatus unite(const Communicator& ranks, Box& box) noexcept {
    const float mine[] = {-box.min_x, -box.min_y, box.max_x, box.max_y};
    float all[4] = {};
    if (!ranks.status().ok()) return ranks.status();
    const int error = MPI_Allreduce(mine, all, 4, MPI_FLOAT, MPI_MAX, ranks.get());
    if (error != MPI_SUCCESS) return ranks.failed(error);
    box = {-all[0], -all[1], all[2], all[3]};
    return {};
}

Communicator::~Communicator() {
    if (comm_ != MPI_COMM_NULL && mpi_runs()) MPI_Comm_free(&comm_);
}

}  // namespace throng::cluster::detail
