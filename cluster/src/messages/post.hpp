// Sends parcels and hands out what came: to the neighbouring ranks alone, or to any.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "cluster/src/messages/communicator.hpp"
#include "cluster/src/messages/parcels.hpp"
#include "throng/cluster/report.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/memory.hpp"

namespace throng::cluster::detail {

class Post {
public:
    Post(const Communicator& ranks, MemoryResource* memory) noexcept
        : ranks_(ranks), counts_(memory), requests_(memory), inbox_(memory) {}

    // What every exchange needs, taken once.
    bool prepare() noexcept;

    // One message to each peer and one from each, in this order, empty or not. The peers of a rank have it
    // among theirs. `take(rank, words)` is called for what came.
    template <class Take>
    ClusterStatus to_neighbours(const Parcels& parcels, std::span<const int> peers, Traffic& traffic,
                                double& waited, Take&& take) noexcept {
        return neighbours(parcels, peers, traffic, waited, erase(take), &call<std::remove_reference_t<Take>>);
    }
    // To any ranks: all tell each other how much comes, and then send what there is.
    template <class Take>
    ClusterStatus to_any(const Parcels& parcels, Traffic& traffic, double& waited, Take&& take) noexcept {
        return any(parcels, traffic, waited, erase(take), &call<std::remove_reference_t<Take>>);
    }

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

    ClusterStatus neighbours(const Parcels& parcels, std::span<const int> peers, Traffic& traffic,
                             double& waited, void* take, Taker call) noexcept;
    ClusterStatus any(const Parcels& parcels, Traffic& traffic, double& waited, void* take,
                      Taker call) noexcept;
    // Receives one message of a peer and hands it out.
    ClusterStatus receive(int from, double& waited, void* take, Taker call) noexcept;
    ClusterStatus receive_all(std::size_t& asked, double& waited) noexcept;
    int send(std::span<const Word> words, int to, Traffic& traffic, MPI_Request& request) noexcept;

    const Communicator& ranks_;
    throng::detail::Buffer<int> counts_;  // how many words go to each rank, and then how many come
    throng::detail::Buffer<MPI_Request> requests_;
    throng::detail::Buffer<Word> inbox_;
};

}  // namespace throng::cluster::detail
