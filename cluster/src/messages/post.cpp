// No rank may wait for a message that another cannot send. So a rank that has no memory for what comes takes
// it all the same, into no room: MPI then drops what does not fit and says MPI_ERR_TRUNCATE, and the message
// is gone. The exchange ends as it does everywhere, with a status.
#include "cluster/src/messages/post.hpp"

#include <climits>

namespace throng::cluster::detail {

namespace {

constexpr int parcel_tag = 71;

ClusterStatus no_memory_for_parcels(const Communicator& ranks) noexcept {
    return refusal(Status(Code::out_of_memory), ranks.rank());
}

}  // namespace

bool Post::prepare() noexcept {
    const std::size_t ranks = static_cast<std::size_t>(ranks_.size());
    return counts_.resize(2 * ranks) && requests_.resize(2 * ranks) && inbox_.reserve(1024);
}

int Post::send(std::span<const Word> words, int to, Traffic& traffic, MPI_Request& request) noexcept {
    ++traffic.messages;
    traffic.bytes += words.size() * sizeof(Word);
    return MPI_Isend(words.data(), static_cast<int>(words.size()), MPI_UINT64_T, to, parcel_tag, ranks_.get(),
                     &request);
}

ClusterStatus Post::receive(int from, double& waited, void* take, Taker taker) noexcept {
    const Stopwatch waiting(waited);
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status came;
    int count = 0;
    int error = MPI_Mprobe(from, parcel_tag, ranks_.get(), &message, &came);
    if (error == MPI_SUCCESS) error = MPI_Get_count(&came, MPI_UINT64_T, &count);
    if (error != MPI_SUCCESS) return mpi_failure(error);
    const bool fits = inbox_.resize(static_cast<std::size_t>(count));
    error = MPI_Mrecv(inbox_.data(), fits ? count : 0, MPI_UINT64_T, &message, MPI_STATUS_IGNORE);
    if (!fits) return no_memory_for_parcels(ranks_);
    if (error != MPI_SUCCESS) return mpi_failure(error);
    taker(take, from, {inbox_.data(), inbox_.size()});
    return {};
}

ClusterStatus Post::neighbours(const Parcels& parcels, std::span<const int> peers, Traffic& traffic,
                               double& waited, void* take, Taker taker) noexcept {
    ClusterStatus status;
    for (std::size_t p = 0; p < peers.size(); ++p) {
        const int error = send(parcels.of(peers[p]), peers[p], traffic, requests_[p]);
        if (error != MPI_SUCCESS) return mpi_failure(error);
    }
    for (const int peer : peers) {
        const ClusterStatus one = receive(peer, waited, take, taker);
        if (status.ok()) status = one;
        if (one.trouble == Trouble::mpi_failed) return one;
    }
    const Stopwatch waiting(waited);
    const int error = MPI_Waitall(static_cast<int>(peers.size()), requests_.data(), MPI_STATUSES_IGNORE);
    if (error != MPI_SUCCESS) return mpi_failure(error);
    return status;
}

// Posts a receive for each rank from which words come; `asked` counts them.
ClusterStatus Post::receive_all(std::size_t& asked, double& waited) noexcept {
    const Stopwatch waiting(waited);
    const std::size_t ranks = static_cast<std::size_t>(ranks_.size());
    int error = MPI_Alltoall(counts_.data(), 1, MPI_INT, counts_.data() + ranks, 1, MPI_INT, ranks_.get());
    if (error != MPI_SUCCESS) return mpi_failure(error);
    std::size_t words = 0;
    for (std::size_t r = 0; r < ranks; ++r)
        if (static_cast<int>(r) != ranks_.rank()) words += static_cast<std::size_t>(counts_[ranks + r]);
    const bool fits = inbox_.resize(words);
    std::size_t at = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
        const int count = counts_[ranks + r];
        if (count == 0 || static_cast<int>(r) == ranks_.rank()) continue;
        error = MPI_Irecv(fits ? inbox_.data() + at : nullptr, fits ? count : 0, MPI_UINT64_T,
                          static_cast<int>(r), parcel_tag, ranks_.get(), &requests_[asked]);
        if (error != MPI_SUCCESS) return mpi_failure(error);
        ++asked;
        at += static_cast<std::size_t>(count);
    }
    return fits ? ClusterStatus() : no_memory_for_parcels(ranks_);
}

ClusterStatus Post::any(const Parcels& parcels, Traffic& traffic, double& waited, void* take,
                        Taker taker) noexcept {
    const std::size_t ranks = static_cast<std::size_t>(ranks_.size());
    for (std::size_t r = 0; r < ranks; ++r) {
        const std::size_t words = parcels.of(static_cast<int>(r)).size();
        counts_[r] = words > INT_MAX ? 0 : static_cast<int>(words);
    }
    std::size_t asked = 0;
    const ClusterStatus status = receive_all(asked, waited);
    if (status.trouble == Trouble::mpi_failed) return status;
    for (std::size_t r = 0; r < ranks; ++r) {
        if (counts_[r] == 0 || static_cast<int>(r) == ranks_.rank()) continue;
        const int error =
            send(parcels.of(static_cast<int>(r)), static_cast<int>(r), traffic, requests_[asked]);
        if (error != MPI_SUCCESS) return mpi_failure(error);
        ++asked;
    }
    {
        const Stopwatch waiting(waited);
        const int error = MPI_Waitall(static_cast<int>(asked), requests_.data(), MPI_STATUSES_IGNORE);
        if (!status.ok()) return status;
        if (error != MPI_SUCCESS) return mpi_failure(error);
    }
    std::size_t at = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
        if (static_cast<int>(r) == ranks_.rank()) {
            const std::span<const Word> own = parcels.of(static_cast<int>(r));
            if (!own.empty()) taker(take, static_cast<int>(r), own);
            continue;
        }
        const std::size_t count = static_cast<std::size_t>(counts_[ranks + r]);
        if (count != 0) taker(take, static_cast<int>(r), {inbox_.data() + at, count});
        at += count;
    }
    return {};
}

}  // namespace throng::cluster::detail
