// What a rank needs to move the host's values along the lists of ghosts: where the agents of those lists lie
// in the host's arrays, and work space.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cluster/src/messages/parcels.hpp"
#include "throng/cluster/status.hpp"
#include "throng/memory.hpp"

namespace throng::cluster::detail {

// Where a ghost is in the lists of its owner: the same place in both lists.
struct Listed {
    int rank;
    std::uint32_t index;
};

// What an agent gets from a pair: the places of the agent and of the other one, and where the value is.
struct PairTerm {
    std::uint32_t place, other, source;
};

// The work space of sum_pairs: terms by buckets of agents whose places follow each other.
struct PairTerms {
    static constexpr std::size_t most_buckets = 256;
    // One for each bucket, and one for ghosts.
    using Counts = std::array<std::uint32_t, most_buckets + 1>;

    explicit PairTerms(MemoryResource* memory) noexcept
        : counts(memory), terms(memory), came(memory), inbox(memory), sorted(memory), ends(memory) {}

    std::span<const PairTerm> bucket(std::size_t bucket) const noexcept {
        return {terms.data() + begins[bucket], begins[bucket + 1] - begins[bucket]};
    }
    std::span<const PairTerm> bucket_that_came(std::size_t bucket) const noexcept {
        return {came.data() + came_begins[bucket], came_begins[bucket + 1] - came_begins[bucket]};
    }

    throng::detail::Buffer<Counts> counts;  // of each part of the pairs
    throng::detail::Buffer<PairTerm> terms, came;
    throng::detail::Buffer<Word> inbox;  // records of the terms that came
    std::array<std::uint32_t, most_buckets + 2> begins, came_begins;
    // By agent and by the other one, and where those of each agent end.
    throng::detail::Buffer<std::uint64_t> sorted;
    throng::detail::Buffer<std::uint32_t> ends;
};

struct HostValues {
    explicit HostValues(MemoryResource* memory) noexcept
        : told(memory), heard(memory), listed(memory), arrivals(memory), pair_terms(memory) {}

    bool are_placed = false;                            // since the last update
    throng::detail::Buffer<std::uint32_t> told, heard;  // the place of each in the lists of GhostLinks
    throng::detail::Buffer<Listed> listed;              // for each ghost

    // Work space.
    Parcels arrivals;
    PairTerms pair_terms;
};

}  // namespace throng::cluster::detail
