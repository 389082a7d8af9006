// What a rank needs to move the host's values along the lists of ghosts: where the agents of those lists lie
// in the host's arrays, and work space.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cluster/src/messages/parcels.hpp"
#include "throng/cluster/status.hpp"
#include "throng/memory.hpp"

namespace throng::cluster::detail {

// Where a ghost is in the lists of its owner: the same place in both lists.
struct Listed {
    int rank;
    std::uint32_t index;
};

// What an agent gets from a pair, by the other agent. The source says where the value is, and its last bit
// whether it is taken away.
struct Term {
    GlobalId other;
    std::uint64_t source;
};

// Where the terms of an agent begin and end.
struct Terms {
    std::uint32_t begin, end;
};

struct HostValues {
    explicit HostValues(MemoryResource* memory) noexcept
        : told(memory),
          heard(memory),
          listed(memory),
          arrivals(memory),
          terms(memory),
          of_agents(memory),
          inbox(memory) {}

    bool are_placed = false;                            // since the last update
    throng::detail::Buffer<std::uint32_t> told, heard;  // the place of each in the lists of GhostLinks
    throng::detail::Buffer<Listed> listed;              // for each ghost

    // Work space.
    Parcels arrivals;
    throng::detail::Buffer<Term> terms;  // of agent 0, of agent 1, ...
    throng::detail::Buffer<Terms> of_agents;
    throng::detail::Buffer<Word> inbox;
};

}  // namespace throng::cluster::detail
