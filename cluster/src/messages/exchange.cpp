// Messages of a size that both sides know: they go straight to where they belong.
#include "cluster/src/messages/post.hpp"

namespace throng::cluster::detail {

namespace {

constexpr int known_tag = 72;

}  // namespace

ClusterStatus Post::exchange(Parcels& parcels, Parcels& arrivals, std::span<const int> peers,
                             Traffic& traffic, double& waited) noexcept {
    if (const ClusterStatus ended = ranks_.status(); !ended.ok()) return ended;
    requests_.clear();  // there has been room for two of each rank since the start
    int error = MPI_SUCCESS;
    for (std::size_t k = 0; k < 2 * peers.size() && error == MPI_SUCCESS; ++k) {
        const bool comes = k < peers.size();  // all receives are posted first
        const int peer = peers[comes ? k : k - peers.size()];
        const std::span<const Word> words = (comes ? arrivals : parcels).of(peer);
        if (words.empty()) continue;
        const int count = static_cast<int>(words.size());
        (void)requests_.push_back(MPI_REQUEST_NULL);
        MPI_Request* const request = requests_.end() - 1;
        if (comes) {
            error = MPI_Irecv(arrivals.place(peer, words.size()), count, MPI_UINT64_T, peer, known_tag,
                              ranks_.get(), request);
        } else {
            error = MPI_Isend(words.data(), count, MPI_UINT64_T, peer, known_tag, ranks_.get(), request);
            ++traffic.messages;
            traffic.bytes += words.size() * sizeof(Word);
        }
    }
    if (error == MPI_SUCCESS) error = wait(waited);
    if (error != MPI_SUCCESS) {
        arrivals.keep();
        return end(parcels, error);
    }
    requests_.clear();
    return {};
}

}  // namespace throng::cluster::detail
