// Neighbours with a skin: lists that are made for a radius a little larger than needed, and kept and
// completed for as long as few agents have crossed the margin. Where agents move little from frame to frame,
// most frames then cost no search. Such lists are known as Verlet lists, after L. Verlet, "Computer
// experiments on classical fluids", Physical Review 159 (1967).
//
//     throng::KeptNeighbours kept({.radius = 2, .skin = 0.5f});    // kept by the host from frame to frame
//     status = kept.update(frame);
//     for (const throng::AgentId other : kept.lists()[id]) if (close(id, other)) meet(id, other);
//
// List i has every agent that is within `radius` of agent i in this frame and shares a height with it, by the
// definitions of queries/neighbours.hpp, to the last bit. It may have others, too: lists are made by `Within`
// with the radius `radius + skin`, a sum of floats, for the frame in which they were made, and behind those
// are agents that have come within `radius` since, those of one call by id. An agent may have gone far away
// since then, so the host compares distances where it matters.
//
// Each call compares the centres of all agents with those at which the lists were made, and looks around
// those that have moved by more than half the skin, less a margin for rounding of about two millionths of
// radius + skin. What is within `radius` of these and is not in their lists is added: that shifts the lists
// behind it, which costs a tenth of new ones at most. The lists are made again if more than one agent in
// sixteen has moved that far; if more pairs were added than one for 64 agents, where a pair of which both
// have moved that far counts twice; or if agents were added or removed, if others are ghosts, or `id_bound`
// is another. A skin of zero keeps lists only while nothing moves. So with fewer than 64 agents, one that
// comes to others costs a search for all, and so does each frame in which one is added or removed. In a world
// that wraps around, one agent that has moved that far is enough.
//
// Frames may come in any order and from any engine, since only centres, bands of heights and periods are
// compared, by id. There are no filters. On storeys, and in a world that wraps around, lists are made at the
// agents' own heights. An agent whose band has changed since counts as one that has moved that far. On
// storeys, if more than one agent in sixteen changed its band since the call before, lists are made at every
// height. Elsewhere they have agents at all heights, and heights may change while nothing moves. A host that
// wants some agents only looks at their labels when it reads a list; one that wants the nearest, or a radius
// for each agent, keeps lists for the largest radius and chooses from them.
//
// It keeps its memory between calls: that of the lists, and 8 bytes for each id, or 16 where frames are made
// by commits, by updates with ids of the host's own, or under another rounding mode. Lists at the agents' own
// heights take 8 bytes more for each id. Other updates of an
// engine whose frames were asked for such lists lately also write the centres by id. That takes them a tenth
// longer and 8 bytes an agent in each frame, and it saves each of these calls several times as much.
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

// What kept lists have. Negative numbers are refused as `inverted`, and those that are not finite, or whose
// sum is not, as `not_finite`.
struct KeptNeighbourhood {
    // How far to look; it must be given.
    float radius = std::numeric_limits<float>::infinity();
    // How much further when lists are made. The larger it is, the longer are the lists, and the longer they
    // are kept.
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

    // Those of the last frame. Empty after a call that failed; then the next one makes lists.
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
    // Whether these lists are of as many agents of a like world, and makes them otherwise.
    bool fit(const Frame& frame) const noexcept;
    Status make(const Frame& frame, const Point* now, std::size_t changed) noexcept;
    // Lists that have been made have offsets.
    bool has_lists() const noexcept { return !lists_.offsets().empty(); }

    KeptNeighbourhood wanted_;
    NeighbourLists lists_;
    // Where each agent was when the lists were made; infinitely far away where there was none.
    detail::Buffer<Point> centres_;
    // Where each is now, if the frame does not say so by id, and what is added to the lists of some.
    detail::Buffer<Point> gathered_;
    detail::Buffer<Pair> entries_;
    detail::Buffer<std::uint32_t> ghosts_;  // a bit for each id
    detail::Buffer<Band> bands_;            // where lists are at the agents' own heights: those, by id
    Point period_;                          // of the world; 0 where it does not wrap around
    std::size_t agents_ = 0;
    std::size_t added_ = 0;  // pairs, since the lists were made
    std::uint64_t times_rebuilt_ = 0;
    bool was_rebuilt_ = false, by_band_ = false;
};

}  // namespace throng
