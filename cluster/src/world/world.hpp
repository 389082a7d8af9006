// What a rank has of one frame: the agents that it owns, its ghosts, the local frame over both, and the cuts
// that it was made with.
//
//     place    0 .. owned - 1 | owned .. owned + ghosts - 1       each part by ascending global id
//
// The local frame has the same places as ids. So of agents that are as near as each other it takes owned ones
// before ghosts, and not the lowest global id: see queries/ghosts_alone.hpp.
//
// There is one set of arrays. An update writes the boxes of the next frame over those of the last one. It
// writes all else only once every rank has succeeded. If one has not, the boxes are read back from the local
// frame, and so are heights, which the host may have written in place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "cluster/src/messages/summary.hpp"
#include "cluster/src/partition/partition.hpp"
#include "cluster/src/world/agent_table.hpp"
#include "cluster/src/world/sizes.hpp"
#include "throng/frame.hpp"
#include "throng/memory.hpp"

namespace throng::cluster::detail {

// What is known of a frame beside its agents: the next frame's facts are put together beside the last one's.
struct FrameFacts {
    FrameFacts(MemoryResource* memory, const Plane& plane) noexcept
        : peers(memory), rounding(plane.rounding()) {}

    std::size_t elements() const noexcept { return owned + ghosts; }
    bool has_ghosts() const noexcept { return ghosts != 0; }
    bool is_ghost(std::size_t element) const noexcept { return element >= owned; }

    // How far beyond a rank's part its ghosts reach. A distance is rounded, and so is its square; what is
    // added to it is more than that. A distance whose square is infinite finds all.
    static double widened(double distance) noexcept {
        constexpr double endless = 1.8e19;
        if (distance >= endless) return std::numeric_limits<double>::infinity();
        return distance * (1 + 0x1p-18) + 0x1p-70;
    }
    double margin() const noexcept { return widened(reach + sizes.common) + rounding; }
    double margin_of(const Box& box) const noexcept {
        return sizes.is_giant(box) ? widened(reach + sizes.largest) + rounding : margin();
    }

    std::size_t owned = 0, ghosts = 0;
    std::size_t held = 0;  // handed in by this rank
    Extras extras;
    throng::detail::Buffer<int> peers;  // the ranks that ghosts come from or go to
    Frame frame;
    Census census;  // of the whole cluster
    Census own;     // of what is owned here
    Sizes sizes;
    double reach = 0;
    // The greatest distances that pairs and neighbours may be asked for: the largest that any rank had set
    // then.
    double pairs_within = 0, neighbours_within = 0;
    double largest_place = 0;  // with room for what moves away
    double rounding;           // at seams
};

struct World : FrameFacts {
    World(MemoryResource* memory, const Plane& plane) noexcept : FrameFacts(memory, plane), agents(memory) {}

    // The place of an agent, or none if it is not here.
    AgentId find(GlobalId id) const noexcept {
        const GlobalId* const all = agents.ids.data();
        for (const auto& [begin, end] :
             {std::pair(all, all + owned), std::pair(all + owned, all + elements())}) {
            const GlobalId* const at = std::lower_bound(begin, end, id);
            if (at != end && *at == id) return static_cast<AgentId>(at - all);
        }
        return no_agent;
    }
    GlobalId global(AgentId place) const noexcept { return agents.ids[place]; }
    // Of the ghost with that number among the ghosts.
    GlobalId ghost(AgentId number) const noexcept { return agents.ids[owned + number]; }

    // Puts back what was written for a frame that failed. Where the world wraps around, boxes are folded
    // then.
    void restore(AgentTable& before) noexcept {
        agents.restore(before);
        (void)agents.boxes.resize(elements());  // there is room
        (void)frame.for_each_agent([&](AgentId place, const Box& box) { agents.boxes[place] = box; });
        for (std::size_t place = 0; place < agents.heights.size(); ++place)
            agents.heights[place] = frame.height(static_cast<AgentId>(place));
    }

    AgentTable agents;
};

}  // namespace throng::cluster::detail
