// What a rank has of one frame: the agents that it owns, its ghosts, the local frame over both, and the cuts
// under which that was made. An update makes the next one beside it, and only if every rank has succeeded the
// two change places.
//
//     element   0 .. owned - 1 | owned .. agents.size() - 1        each part by ascending global id
//     local id  the place among all elements by global id, so that of two agents that are as near as each
//               other the local engine takes the one that the engine of all agents would
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
#include "throng/containers/buffer.hpp"
#include "throng/frame.hpp"
#include "throng/memory.hpp"

namespace throng::cluster::detail {

struct World {
    explicit World(MemoryResource* memory) noexcept
        : agents(memory), element_of(memory), local_of(memory), peers(memory) {}

    void swap(World& other) noexcept {
        agents.swap(other.agents);
        element_of.swap(other.element_of);
        local_of.swap(other.local_of);
        peers.swap(other.peers);
        std::swap(owned, other.owned);
        std::swap(held, other.held);
        std::swap(extras, other.extras);
        std::swap(frame, other.frame);
        std::swap(census, other.census);
        std::swap(sizes, other.sizes);
        std::swap(reach, other.reach);
        std::swap(largest_place, other.largest_place);
    }

    bool has_ghosts() const noexcept { return owned != agents.size(); }
    bool is_ghost(std::size_t element) const noexcept { return element >= owned; }
    // Without ghosts the two are the same.
    std::size_t element(AgentId local) const noexcept { return has_ghosts() ? element_of[local] : local; }
    AgentId local(std::size_t element) const noexcept {
        return has_ghosts() ? local_of[element] : static_cast<AgentId>(element);
    }
    // The local id of an agent, or none if it is not here.
    AgentId find(GlobalId id) const noexcept {
        const GlobalId* const all = agents.ids.data();
        for (const auto& [begin, end] :
             {std::pair(all, all + owned), std::pair(all + owned, all + agents.size())}) {
            const GlobalId* const at = std::lower_bound(begin, end, id);
            if (at != end && *at == id) return local(static_cast<std::size_t>(at - all));
        }
        return no_agent;
    }
    GlobalId global(AgentId local) const noexcept { return agents.ids[element(local)]; }

    // How far beyond a rank's part its ghosts reach. A distance is rounded, and so is its square; what is
    // added to it is more than that. A distance whose square is infinite finds all.
    static double widened(double distance) noexcept {
        constexpr double endless = 1.8e19;
        if (distance >= endless) return std::numeric_limits<double>::infinity();
        return distance * (1 + 0x1p-18) + 0x1p-70;
    }
    double margin() const noexcept { return widened(reach + sizes.common); }
    double margin_of(const Box& box) const noexcept {
        return sizes.is_giant(box) ? widened(reach + sizes.largest) : margin();
    }

    AgentTable agents;
    std::size_t owned = 0;
    std::size_t held = 0;  // handed in by this rank
    Extras extras;
    throng::detail::Buffer<std::uint32_t> element_of;
    throng::detail::Buffer<AgentId> local_of;
    throng::detail::Buffer<int> peers;  // the ranks that ghosts come from or go to
    Frame frame;
    Census census;  // of the whole cluster
    Sizes sizes;
    double reach = 0;
    double largest_place = 0;  // with room for what moves away
};

}  // namespace throng::cluster::detail
