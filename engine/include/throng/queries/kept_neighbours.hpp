// Neighbours with a skin: lists made for a radius a little larger than needed, then kept and completed while
// few agents have crossed the margin. If agents move little from frame to frame, most frames cost no search.
// These are Verlet lists: L. Verlet, "Computer experiments on classical fluids", Phys. Rev. 159 (1967).
//
//     throng::KeptNeighbours kept({.radius = 2, .skin = 0.5f});    // kept by the host from frame to frame
//     status = kept.update(frame);
//     for (const throng::AgentId other : kept.lists()[id]) if (close(id, other)) meet(id, other);
//
// List i has every agent that is within `radius` of agent i in this frame and shares a height with it, by the
// definitions of queries/neighbours.hpp, to the last bit. It may have others too, and an agent may have gone
// far away since the list was made. So compare distances where it matters. A list begins with what `Within`
// with the radius `radius + skin`, a sum of floats, found in the frame for which lists were made. Behind
// those come agents that have come within `radius` since, call by call, those of one call by id.
//
// Each call compares the centres of all agents with their centres when the lists were made. It searches
// around each agent that has moved by more than half the skin, less about two millionths of radius + skin for
// rounding, and adds to its list what is missing within `radius`. Adding shifts the lists behind; that costs
// at most a tenth of new lists. The lists are made again if one of these is true:
// - More than one agent in sixteen has moved that far; in a world that wraps around, one agent is enough.
// - More pairs were added than one for 64 agents; a pair counts twice if both have moved that far. So with
//   fewer than 64 agents, one added pair is enough.
// - Agents were added or removed, other agents are ghosts, or `id_bound` has changed.
//
// With a skin of zero, lists are kept only while nothing moves.
//
// Frames may come in any order and from any engine: only centres, bands of heights and periods are compared,
// by id. There are no filters. On storeys, and in a world that wraps around, lists are made at the agents'
// own heights. There an agent whose band has changed counts as one that has moved that far. If on storeys
// more than one agent in sixteen changed its band since the last call, lists are made at every height.
// Elsewhere lists have agents at all heights, and heights may change while nothing moves. To choose among
// agents, look at their labels when you read a list. For the nearest, or a radius for each agent, keep lists
// for the largest radius and choose from them.
//
// Memory is kept between calls: the lists, and 8 bytes for each id. It is 16 bytes for frames made by
// commits, by updates with ids of the host's own, or under another rounding mode. Lists at the agents' own
// heights take 8 more. Other updates also write the centres by id, if such lists were made of the engine's
// frames lately. These updates take a tenth longer and 8 bytes an agent in each frame, and save each call of
// `update` here several times as much.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "throng/containers/buffer.hpp"
#include "throng/export.hpp"
#include "throng/geometry.hpp"
#include "throng/heights.hpp"
#include "throng/memory.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/status.hpp"

namespace throng {

class Frame;

// Negative numbers are refused as `inverted`; numbers, or a sum, that are not finite as `not_finite`.
struct KeptNeighbourhood {
    // How far to look. It must be given.
    float radius = std::numeric_limits<float>::infinity();
    // How much further to look when lists are made. A larger skin makes longer lists, which are kept longer.
    float skin = 0;
    // Each pair once, as `Within::half`.
    bool half = false;
};

class THRONG_API KeptNeighbours {
public:
    explicit KeptNeighbours(const KeptNeighbourhood& wanted, MemoryResource* memory = nullptr) noexcept
        : wanted_(wanted),
          lists_(memory),
          centres_(memory),
          gathered_(memory),
          entries_(memory),
          ghosts_(memory),
          bands_(memory) {}

    // Completes the lists for a frame, or makes them again.
    Status update(const Frame& frame) noexcept;

    // The lists of the last frame. Empty after a call that failed; then the next one makes lists.
    const NeighbourLists& lists() const noexcept { return lists_; }
    const KeptNeighbourhood& wanted() const noexcept { return wanted_; }
    // Whether the last call made lists, and how many calls did so far.
    bool was_rebuilt() const noexcept { return was_rebuilt_; }
    std::uint64_t times_rebuilt() const noexcept { return times_rebuilt_; }

    // Drops the lists and keeps the memory; the next call makes lists.
    void clear() noexcept {
        lists_.clear();
        bands_.clear();
        was_rebuilt_ = false;
    }
    std::size_t bytes() const noexcept {
        return lists_.bytes() + centres_.bytes() + gathered_.bytes() + entries_.bytes() + ghosts_.bytes() +
               bands_.bytes();
    }

private:
    // Whether these lists are of as many agents of a like world. If not, makes them again.
    bool fit(const Frame& frame) const noexcept;
    Status make(const Frame& frame, const Point* now, std::size_t changed) noexcept;
    // Lists that have been made have offsets.
    bool has_lists() const noexcept { return !lists_.offsets().empty(); }

    KeptNeighbourhood wanted_;
    NeighbourLists lists_;
    // Where each agent was when the lists were made; infinitely far away for an unused id.
    detail::Buffer<Point> centres_;
    // Where each agent is now, if the frame does not have that by id; and what is added to some lists.
    detail::Buffer<Point> gathered_;
    detail::Buffer<Pair> entries_;
    detail::Buffer<std::uint32_t> ghosts_;  // a bit for each id
    detail::Buffer<Band> bands_;            // by id, if lists are at the agents' own heights
    Point period_;                          // of the world; 0 where it does not wrap around
    std::size_t agents_ = 0;
    std::size_t added_ = 0;  // pairs, since the lists were made
    std::uint64_t times_rebuilt_ = 0;
    bool was_rebuilt_ = false, by_band_ = false;
};

}  // namespace throng
