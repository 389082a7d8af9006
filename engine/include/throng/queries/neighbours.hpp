// Neighbours: which agents are within a radius of each agent, or of any points, and which are the nearest.
//
//     status = frame.neighbours({.radius = 2}, lists);                      // of all agents at once
//     for (const throng::AgentId other : lists[id]) meet(id, other);
//     status = frame.neighbours({.count = 8, .distances = true}, lists);    // the eight nearest of each
//     status = frame.neighbours({.count = 8, .max_radius = 5}, lists);      // the same, but none beyond 5
//     status = frame.neighbours(places, {.radius = 2}, lists);              // of any points
//     status = frame.neighbours({.radius = 2}, lists, throng::Filter{.categories = player});  // players only
//     status = frame.count_neighbours({.radius = 2}, counts);               // how many there are
//     const throng::NearestNeighbour one = frame.nearest(eye, {.self = me});     // the nearest to a point
//     if (one.neighbour.found()) greet(one.neighbour.id);
//     status = frame.neighbours_in(frame.static_layer(), {.radius = 2, .agents_as = AgentsAs::boxes}, lists);
//
// Definitions, in float, each operation rounded by itself:
// - The centre of an agent, from which it looks, is x = min_x / 2 + max_x / 2, and y likewise.
// - The squared distance to another agent's centre is dx * dx + dy * dy. With AgentsAs::boxes it goes to the
//   nearest point of the other's box. With AgentsAs::circles, the distance to the centre less the radius of
//   the largest circle in the box (queries/pairs.hpp), or 0 if that is negative, is squared; it is never less
//   than the squared distance to the box.
// - An agent is within a radius if its squared distance is radius * radius or less.
// - The nearest agent has the least squared distance. At equal distances the lowest id comes first.
//
// Between centres the size of boxes does not matter. If boxes are far larger than the distances between
// agents, the first large searches make a second frame, of centres alone. That takes 20 to 50 ns for each
// agent, and about as much memory as the frame.
//
// Distances are rounded, so unlike overlaps they can differ between rounding modes. If the mode is not to
// nearest, b - a may round to another size than a - b, and it is unspecified which of them a search takes.
// Then an agent within a rounding error of the radius may be in only one of two lists, and instruction sets
// or calls may differ. If subnormal numbers are flushed to zero, a distance of less than 1.1e-19 on an axis
// counts as none, and so does such a radius.
//
// A radius of zero finds what is at the very same place. Negative radii are refused as `inverted`, and those
// that are not finite as `not_finite`; the `max_radius` of the nearest may be infinite. A radius whose square
// is too large for a float finds all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "throng/agents_as.hpp"
#include "throng/boxes.hpp"
#include "throng/export.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"
#include "throng/views/visitors.hpp"

namespace throng {

namespace detail {
// What is wanted: `Within` or `Nearest` in one form.
struct Neighbourhood {
    float radius;
    ViewedSpan<float> radii;
    AgentsAs agents_as;
    bool with_self, distances, in_row_order;
    bool is_nearest = false;
    std::uint32_t max_count = 0;  // of the nearest
    bool either_reaches = false, half = false;
};
}  // namespace detail

// All agents within a radius. A call tells it from `Nearest` by the named members: `{.radius = 2}`.
struct Within {
    // How far to look. It must be given.
    float radius = std::numeric_limits<float>::infinity();
    // A radius for each agent by its id, or for each point, instead of `radius`: as many as points, or at
    // least `Frame::id_bound()` for agents.
    detail::ViewedSpan<float> radii = {};
    // What is found of agents: their centres, their boxes, or the largest circles in the boxes.
    AgentsAs agents_as = AgentsAs::centres;
    // With `radii`: two agents are in each other's lists if the radius of either one reaches the other. With
    // one radius that is always so.
    bool either_reaches = false;
    // Each pair once, in the list of the lower id, or of the owned one if the other is a ghost. With `radii`,
    // two agents are a pair if either one reaches the other.
    bool half = false;
    // Whether an agent is in its own list. It makes no difference for points.
    bool with_self = false;
    // Whether squared distances are written too.
    bool distances = false;
    // The lists of agents in the order of the frame's rows instead of by id; `agents()` says which agent each
    // belongs to. It is the fastest, and visits neighbours one after the other.
    bool in_row_order = false;

    // Refused as `bad_config`: `in_row_order` for points; `half` with `with_self`; and `half` or
    // `either_reaches` for points, another frame, a static layer, boxes, circles, and blocks or row order
    // with `radii`.

    operator detail::Neighbourhood() const noexcept {  // NOLINT(google-explicit-constructor): the same
        return {radius, radii, agents_as, with_self, distances, in_row_order, false, 0, either_reaches, half};
    }
};

// The nearest agents, the nearest first. Agent a may be among the nearest of b while b is not among those of
// a. So there is no `half` and no `either_reaches`: for these, ask for all within a radius with distances,
// and sort.
struct Nearest {
    // The largest `count`. More, and zero, are refused as `bad_config`.
    static constexpr std::uint32_t count_limit = 64;

    // How many at most.
    std::uint32_t count = 1;
    // How far to look, for all or for each, like `radius` and `radii` of `Within`.
    float max_radius = std::numeric_limits<float>::infinity();
    detail::ViewedSpan<float> max_radii = {};
    AgentsAs agents_as = AgentsAs::centres;
    bool with_self = false;
    bool distances = false;
    bool in_row_order = false;

    operator detail::Neighbourhood() const noexcept {  // NOLINT(google-explicit-constructor): the same
        return {max_radius, max_radii, agents_as, with_self, distances, in_row_order, true, count};
    }
};

// An agent, and its squared distance: infinite without an agent.
struct Neighbour {
    AgentId id = no_agent;
    float squared_distance = std::numeric_limits<float>::infinity();

    constexpr bool found() const noexcept { return id != no_agent; }
    friend constexpr bool operator==(const Neighbour&, const Neighbour&) = default;
};

struct [[nodiscard]] NearestNeighbour {
    Status status;
    Neighbour neighbour;
    // Whether the id is that of an element of the static layer; only in answers of `with_static`.
    bool is_static = false;
};

namespace detail {
using NeighbourVisitor = AnyVisitor<Neighbour>;
struct ListResult;
}  // namespace detail

// Lists of neighbours. For agents, list i is that of id i, empty if the id is not in use; or in row order it
// is that of `agents()[i]`. For points, list i is that of point i. It is a range of ranges:
//
//     for (std::span<const throng::AgentId> list : lists) ...
class NeighbourLists : public AnswerLists<AgentId> {
public:
    explicit NeighbourLists(MemoryResource* memory = nullptr) noexcept
        : AnswerLists(memory), distances_(memory), agents_(memory) {}

    THRONG_API std::span<const AgentId> ids() const noexcept;
    // The squared distances in the same order, of all lists or of one. Empty unless they were asked for.
    THRONG_API std::span<const float> squared_distances() const noexcept;
    template <class Distance = float>
    std::span<const Distance> squared_distances(std::size_t list) const noexcept {
        return this->template list_of<Distance>(distances_, list);
    }
    // In row order, the agent that each list belongs to.
    THRONG_API std::span<const AgentId> agents() const noexcept;

    // Sorts each list by id, together with its distances. If the executor fails, there are no lists.
    THRONG_API Status sort(const Executor& executor = {}) noexcept;
    void clear() noexcept {
        AnswerLists::clear();
        distances_.clear();
        agents_.clear();
    }
    std::size_t bytes() const noexcept { return AnswerLists::bytes() + distances_.bytes() + agents_.bytes(); }

private:
    friend class Frame;
    friend struct detail::ListResult;
    friend struct detail::ListParts;
    template <class Answers>
    friend class detail::BlocksThatFit;
    void keep_first(std::size_t lists) noexcept {
        AnswerLists::keep_first(lists);
        if (distances_.size() != 0) (void)distances_.resize(answers_.size());
        if (agents_.size() != 0) (void)agents_.resize(lists);
    }

    detail::Buffer<float> distances_;
    detail::Buffer<AgentId> agents_;
};

// --- Kept lists --------------------------------------------------------------------------------------------

// Neighbours with a skin: lists made for a radius a little larger than needed, then kept and completed while
// few agents have crossed the margin. If agents move little from frame to frame, most frames cost no search.
// These are Verlet lists: L. Verlet, "Computer experiments on classical fluids", Phys. Rev. 159 (1967).
//
//     throng::KeptNeighbours kept({.radius = 2, .skin = 0.5f});    // kept by the host from frame to frame
//     status = kept.update(frame);
//     for (const throng::AgentId other : kept.lists()[id]) if (close(id, other)) meet(id, other);
//
// List i has every agent that is within `radius` of agent i in this frame and shares a height with it, by the
// definitions above, to the last bit. It may have others too, and an agent may have gone
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
