// No rank may wait for a letter that another cannot send. So a rank without memory sends empty parcels and
// takes what comes, letter by letter. The caller keeps it or not. The exchange ends as it does everywhere,
// with a status.
#include "cluster/src/messages/post.hpp"

#include <algorithm>

namespace throng::cluster::detail {

namespace {

constexpr int letter_tag = 71;
constexpr std::size_t letter_words = 8192;

ClusterStatus no_memory_for_requests(const Communicator& ranks) noexcept {
    return refusal(Status(Code::out_of_memory), ranks.rank());
}

}  // namespace

bool Post::prepare(std::size_t largest_record) noexcept {
    const std::size_t ranks = static_cast<std::size_t>(ranks_.size());
    return counts_.resize(2 * ranks) && requests_.reserve(2 * ranks) &&
           inbox_.resize_exactly(std::max(letter_words, largest_record));
}

std::size_t Post::full_letter(const Parcels& parcels) const noexcept {
    return std::max(letter_words / parcels.record_words(), std::size_t{1}) * parcels.record_words();
}

int Post::send(const Parcels& parcels, int to, bool always, Traffic& traffic) noexcept {
    const std::span<const Word> words = parcels.of(to);
    const std::size_t full = full_letter(parcels);
    for (std::size_t at = 0; at < words.size() || (always && at == words.size()); at += full) {
        const std::size_t count = std::min(full, words.size() - at);
        ++traffic.messages;
        traffic.bytes += count * sizeof(Word);
        (void)requests_.push_back(MPI_REQUEST_NULL);  // there is room
        const int error = MPI_Isend(words.data() + at, static_cast<int>(count), MPI_UINT64_T, to, letter_tag,
                                    ranks_.get(), requests_.end() - 1);
        if (error != MPI_SUCCESS) return error;
    }
    return MPI_SUCCESS;
}

int Post::receive(int from, std::size_t& words, double& waited) noexcept {
    const Stopwatch waiting(waited);
    MPI_Status came;
    int count = 0;
    int error = MPI_Recv(inbox_.data(), static_cast<int>(inbox_.size()), MPI_UINT64_T, from, letter_tag,
                         ranks_.get(), &came);
    if (error == MPI_SUCCESS) error = MPI_Get_count(&came, MPI_UINT64_T, &count);
    words = static_cast<std::size_t>(count);
    return error;
}

int Post::wait(double& waited) noexcept {
    const Stopwatch waiting(waited);
    return MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
}

bool Post::all_has_arrived() noexcept {
    if (requests_.size() == 0 || !mpi_runs()) return true;
    int done = 0;
    const int error =
        MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
    return error == MPI_SUCCESS && done != 0;
}

// No later exchange begins, and what was sent stays where it is.
ClusterStatus Post::end(Parcels& parcels, int error) const noexcept {
    parcels.keep();
    return ranks_.failed(error);
}

ClusterStatus Post::neighbours(Parcels& parcels, std::span<const int> peers, Traffic& traffic, double& waited,
                               void* take, Taker taker) noexcept {
    ClusterStatus status = ranks_.status();
    if (!status.ok()) return status;
    const std::size_t full = full_letter(parcels);
    std::size_t letters = 0;
    for (const int peer : peers) letters += parcels.of(peer).size() / full + 1;
    requests_.clear();
    if (!requests_.reserve(letters)) {
        parcels.clear();
        status = no_memory_for_requests(ranks_);
    }
    for (const int peer : peers) {
        const int error = send(parcels, peer, true, traffic);
        if (error != MPI_SUCCESS) return end(parcels, error);
    }
    for (const int peer : peers) {
        std::size_t words = full;
        while (words == full) {
            const int error = receive(peer, words, waited);
            if (error != MPI_SUCCESS) return end(parcels, error);
            if (words != 0) taker(take, peer, {inbox_.data(), words});
        }
    }
    const int error = wait(waited);
    if (error != MPI_SUCCESS) return end(parcels, error);
    requests_.clear();
    return status;
}

ClusterStatus Post::any(Parcels& parcels, Traffic& traffic, double& waited, void* take,
                        Taker taker) noexcept {
    ClusterStatus status = ranks_.status();
    if (!status.ok()) return status;
    const std::size_t ranks = static_cast<std::size_t>(ranks_.size()), full = full_letter(parcels);
    std::size_t letters = 0;
    for (std::size_t r = 0; r < ranks; ++r)
        letters += (parcels.of(static_cast<int>(r)).size() + full - 1) / full;
    requests_.clear();
    if (!requests_.reserve(letters)) {
        parcels.clear();
        status = no_memory_for_requests(ranks_);
    }
    for (std::size_t r = 0; r < ranks; ++r) counts_[r] = parcels.of(static_cast<int>(r)).size();
    {
        const Stopwatch waiting(waited);
        const int error = MPI_Alltoall(counts_.data(), 1, MPI_UINT64_T, counts_.data() + ranks, 1,
                                       MPI_UINT64_T, ranks_.get());
        if (error != MPI_SUCCESS) return end(parcels, error);
    }
    for (int r = 0; r < ranks_.size(); ++r) {
        const int error = r == ranks_.rank() ? MPI_SUCCESS : send(parcels, r, false, traffic);
        if (error != MPI_SUCCESS) return end(parcels, error);
    }
    for (int r = 0; r < ranks_.size(); ++r) {
        if (r == ranks_.rank()) {
            if (!parcels.of(r).empty()) taker(take, r, parcels.of(r));
            continue;
        }
        std::size_t words = 0;
        for (Word left = counts_[ranks + static_cast<std::size_t>(r)]; left != 0; left -= words) {
            const int error = receive(r, words, waited);
            if (error != MPI_SUCCESS) return end(parcels, error);
            taker(take, r, {inbox_.data(), words});
        }
    }
    const int error = wait(waited);
    if (error != MPI_SUCCESS) return end(parcels, error);
    requests_.clear();
    return status;
}

}  // namespace throng::cluster::detail
