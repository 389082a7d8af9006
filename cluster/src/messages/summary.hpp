// What all ranks must know of each other, in one sum: whether anybody's input is at fault, how many agents
// there are and which, how large they are, and who has most to do. Numbers are integers, so the order in
// which MPI adds them up does not matter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cluster/src/messages/communicator.hpp"
#include "throng/cluster/status.hpp"

namespace throng::cluster::detail {

// How many agents have a half extent of some power of two, and the largest of these.
struct SizeClass {
    std::uint64_t count = 0;
    double largest = 0;
};
inline constexpr std::size_t size_classes = 64;

// A sum over agents that tells which they are: two sets of ids with one sum are taken to be the same.
struct Census {
    std::uint64_t count = 0, ids = 0, mixed = 0;

    static std::uint64_t mix(GlobalId id) noexcept {
        std::uint64_t z = id + 0x9E3779B97F4A7C15ull;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    void add(GlobalId id) noexcept {
        ++count;
        ids += id;
        mixed += mix(id);
    }
    void subtract(GlobalId id) noexcept {
        --count;
        ids -= id;
        mixed -= mix(id);
    }
    void add(const Census& other) noexcept {
        count += other.count;
        ids += other.ids;
        mixed += other.mixed;
    }
    friend bool operator==(const Census&, const Census&) = default;
};

// A value of a rank.
struct OfRank {
    std::uint64_t value = 0;
    std::int32_t rank = 0;
};

struct Summary {
    ClusterStatus fault;          // that of the lowest rank
    Census census;                // of what was handed in
    Census kept;                  // of what is owned afterwards
    std::uint64_t newcomers = 0;  // ids that may be there twice
    std::uint64_t jumps = 0;
    std::uint64_t work = 0;     // of all
    std::uint64_t busiest = 0;  // the largest of one rank
    std::uint64_t pairs = 0;    // as they were last listed
    double reach = 0;           // the largest of pairs, and of neighbours
    double radius = 0;
    double largest_place = 0;  // the largest number among coordinates, without its sign
    std::uint32_t labels = 0;  // how many ranks give labels
    std::uint32_t heights = 0;
    std::uint64_t flags = 0;   // how many ranks want something, or have more to send
    std::uint64_t shared = 0;  // what has to be the same on all ranks, as a number
    OfRank least, largest;     // of these; the sum sees to it
    std::array<SizeClass, size_classes> sizes = {};
};

// The sum of all ranks, on all ranks. A call that failed gives a summary with that fault; so do ranks that
// differ in what they should share.
Summary sum_up(const Communicator& ranks, const Summary& mine, ClusterReport& report) noexcept;
// The same for a fault alone: what all ranks say of it.
ClusterStatus agree(const Communicator& ranks, const ClusterStatus& mine, ClusterReport& report) noexcept;

}  // namespace throng::cluster::detail
