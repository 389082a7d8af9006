// What two neighbouring ranks know that they told each other. For each agent that was sent as a ghost in the
// last frame, the receiver has the box, and the sender knows that. If the agent is sent again, each edge goes
// as a number of steps, from one float to the next: the lower ones from the last frame, the upper ones from
// where the old size would put them. Most agents move little and keep their size, so that is two bytes for a
// lower edge and one for an upper. Heights go likewise, in steps from the last frame. An agent that is new,
// or has another label, is sent whole.
//
//     parcel   how many go by steps, and how many whole       one word
//              a bit for each of the last frame, set if it goes by steps
//              steps: four numbers each, or six with heights, of one to five bytes
//              whole records
//
// The lists of both ranks are in the order of ids. They change only with a frame that all ranks have made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "cluster/src/messages/parcels.hpp"
#include "cluster/src/world/agent_table.hpp"
#include "throng/memory.hpp"

namespace throng::cluster::detail {

// The ghosts that went to each rank, or came from it, one rank after another.
struct GhostLists {
    explicit GhostLists(MemoryResource* memory) noexcept : agents(memory), parts(memory) {}

    struct Part {
        std::uint32_t begin = 0, end = 0;
    };
    bool begin(int ranks, const Extras& of_all = {}) noexcept;
    const Part& of(int rank) const noexcept { return parts[static_cast<std::size_t>(rank)]; }
    Part& of(int rank) noexcept { return parts[static_cast<std::size_t>(rank)]; }
    void swap(GhostLists& other) noexcept {
        agents.swap(other.agents);
        parts.swap(other.parts);
        std::swap(extras, other.extras);
    }

    AgentTable agents;
    Extras extras;
    throng::detail::Buffer<Part> parts;  // of each rank
};

class GhostLinks {
public:
    explicit GhostLinks(MemoryResource* memory) noexcept
        : next_told(memory), next_heard(memory), told_(memory), heard_(memory), matches_(memory) {}

    // Takes what every exchange needs, so that no exchange fails for lack of it.
    bool prepare(int ranks) noexcept;
    // Packs `next_told` for these ranks. False without memory.
    bool pack(Parcels& parcels, std::span<const int> peers) noexcept;
    // Reads a whole parcel of a rank into `next_heard`; an empty one means that the rank has failed.
    bool unpack(int rank, std::span<const Word> words) noexcept;
    // What was told and heard is the base for the next frame.
    void keep() noexcept {
        told_.swap(next_told);
        heard_.swap(next_heard);
    }

    // Those of the published frame.
    const GhostLists& told() const noexcept { return told_; }
    const GhostLists& heard() const noexcept { return heard_; }

    GhostLists next_told, next_heard;

private:
    // Finds those that go by steps, and returns how many words the parcel takes.
    std::size_t match(int rank) noexcept;

    GhostLists told_, heard_;
    // For each that is told next: its place among those that were told, if it goes by steps.
    throng::detail::Buffer<std::uint32_t> matches_;
};

}  // namespace throng::cluster::detail
