// The outcome of a collective call. Every rank gets the same one: whose input was at fault, and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "throng/export.hpp"
#include "throng/status.hpp"

namespace throng::cluster {

// The id of an agent over the whole cluster: any number that the host likes.
using GlobalId = std::uint64_t;

enum class Trouble : std::uint8_t {
    none,
    refused,           // a rank's input or memory: `status` says what was wrong, `rank` where
    mpi_failed,        // a call of MPI returned `mpi_error`
    partition_failed,  // Zoltan could not cut the world
    not_conserved,     // agents were lost or doubled on the way: a fault of this library, or of the network
    beyond_reach,      // a distance is beyond `reach` or `radius` of all ranks in the last update
    differs,           // options or configurations that must be the same on all ranks differ
    other_ranks,       // the other cluster is not on the same ranks
    not_cut,           // the other cluster has no cuts yet
    host_failed,       // a step of the host's own failed on a rank, as that rank said: ClusterEngine::agree
    file_failed,       // a file could not be opened, read or written: `mpi_error` is the class of the error
    not_saved,         // the file is no saved cluster, or one of another version or byte order
    damaged,           // a saved cluster that is too short or too long, or whose bytes have changed
};

// A sentence for people. The pointer is always valid.
THRONG_API const char* describe(Trouble trouble) noexcept;

struct [[nodiscard]] ClusterStatus {
    static constexpr int no_rank = -1;

    Trouble trouble = Trouble::none;
    // With `refused`: what the rank's own engine would have said of its part of the input. With
    // `beyond_reach` the argument says which distance: `options` for pairs, `radii` for neighbours.
    Status status;
    // The lowest rank at fault, if it is a rank's.
    int rank = no_rank;
    int mpi_error = 0;
    // With `duplicate_id`: the id.
    GlobalId id = 0;

    constexpr bool ok() const noexcept { return trouble == Trouble::none; }
    constexpr explicit operator bool() const noexcept { return ok(); }
    // Whether its status has that code, whatever the rank and the index.
    friend constexpr bool operator==(const ClusterStatus& one, Code what) noexcept {
        return one.ok() ? what == Code::ok : what != Code::ok && one.status == what;
    }
    friend constexpr bool operator==(const ClusterStatus& one, const ClusterStatus& other) noexcept {
        return one.trouble == other.trouble && one.status == other.status && one.rank == other.rank &&
               one.mpi_error == other.mpi_error && one.id == other.id;
    }
};

// The sentence together with rank and index, such as "a coordinate is not a finite number (index 17) on
// rank 3". Writes as much as fits, with a terminating zero, and returns the length of the whole text.
THRONG_API std::size_t describe(const ClusterStatus& status, std::span<char> text) noexcept;

}  // namespace throng::cluster
