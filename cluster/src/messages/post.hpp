// Sends parcels and hands out what came: to the neighbouring ranks alone, or to any. A parcel goes in letters
// of whole records, and each rank has had room for a letter since the start. So no rank, even without memory,
// ever receives what does not fit: OpenMPI 4.1 then writes past the end of a buffer, instead of
// MPI_ERR_TRUNCATE.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "cluster/src/messages/communicator.hpp"
#include "cluster/src/messages/parcels.hpp"
#include "throng/cluster/report.hpp"
#include "throng/memory.hpp"

namespace throng::cluster::detail {

class Post {
public:
    Post(const Communicator& ranks, MemoryResource* memory) noexcept
        : ranks_(ranks), counts_(memory), requests_(memory), inbox_(memory) {}

    // Whether all that was sent has arrived. If not, after an error of MPI, MPI still owns the memory of
    // parcels and requests.
    bool all_has_arrived() noexcept;

    // What every exchange needs, taken once; the same on all ranks.
    bool prepare(std::size_t largest_record) noexcept;

    // To each peer, and from each in this order: at least one letter, which may be empty. If a rank is a peer
    // of another, both are peers of each other. `take(rank, words)` is called for each letter that came.
    template <class Take>
    ClusterStatus to_neighbours(Parcels& parcels, std::span<const int> peers, Traffic& traffic,
                                double& waited, Take&& take) noexcept {
        return neighbours(parcels, peers, traffic, waited, erase(take), &call<std::remove_reference_t<Take>>);
    }
    // To any ranks: all tell each other how much comes, and then send it.
    template <class Take>
    ClusterStatus to_any(Parcels& parcels, Traffic& traffic, double& waited, Take&& take) noexcept {
        return any(parcels, traffic, waited, erase(take), &call<std::remove_reference_t<Take>>);
    }
    // To each peer and from each, where both know how much it is: `arrivals` is opened for what comes. All
    // memory is there, so only MPI can fail.
    ClusterStatus exchange(Parcels& parcels, Parcels& arrivals, std::span<const int> peers, Traffic& traffic,
                           double& waited) noexcept;

private:
    using Taker = void (*)(void* take, int rank, std::span<const Word> words);
    template <class Take>
    static void* erase(Take& take) noexcept {
        return const_cast<void*>(static_cast<const void*>(&take));
    }
    template <class Take>
    static void call(void* take, int rank, std::span<const Word> words) {
        (*static_cast<Take*>(take))(rank, words);
    }

    ClusterStatus neighbours(Parcels& parcels, std::span<const int> peers, Traffic& traffic, double& waited,
                             void* take, Taker call) noexcept;
    ClusterStatus any(Parcels& parcels, Traffic& traffic, double& waited, void* take, Taker call) noexcept;
    // How many words of these records a letter has if more follow.
    std::size_t full_letter(const Parcels& parcels) const noexcept;
    // Sends a parcel in letters, an empty one too if `always`; the requests go behind the others.
    int send(const Parcels& parcels, int to, bool always, Traffic& traffic) noexcept;
    int receive(int from, std::size_t& words, double& waited) noexcept;
    int wait(double& waited) noexcept;
    ClusterStatus end(Parcels& parcels, int error) const noexcept;

    const Communicator& ranks_;
    throng::detail::Buffer<Word> counts_;  // how many words go to each rank, and then how many come
    throng::detail::Buffer<MPI_Request> requests_;
    throng::detail::Buffer<Word> inbox_;
};

}  // namespace throng::cluster::detail
