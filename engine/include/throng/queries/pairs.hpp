// Which pairs a call looks for, and what changed in them from one frame to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "throng/export.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"

namespace throng {

class Frame;
struct PairQuery;

// Which pairs are found: one agent has one of the categories `a`, and the other one of `b`, or the other way
// round. Pairs within a group may be left out; an agent without a group stays. The default admits every pair.
struct PairFilter {
    std::uint32_t a = all_categories, b = all_categories;
    bool other_groups_only = false;

    constexpr bool admits(const Label& one, const Label& other) const noexcept {
        const bool categories = (has_any(one.categories, a) && has_any(other.categories, b)) ||
                                (has_any(one.categories, b) && has_any(other.categories, a));
        return categories && !(other_groups_only && one.group == other.group && one.group != no_group);
    }
    // Without a distance a filter is enough: `pairs(list, PairFilter{.a = player, .b = enemy})`.
    constexpr operator PairQuery() const noexcept;  // NOLINT(google-explicit-constructor)
    friend constexpr bool operator==(const PairFilter&, const PairFilter&) = default;
};

// What a call for pairs looks for: agents that overlap or are close, and that the filter admits.
//
//     using throng::AgentsAs;
//     status = frame.pairs(list, {.agents_as = AgentsAs::circles});                // discs that touch
//     status = frame.pairs(list, {.within = 2, .agents_as = AgentsAs::circles});   // with a gap of up to 2
//     status = frame.pairs(list, {.within = 2, .agents_as = AgentsAs::centres});   // as neighbours are
//
// `within` is how far apart two boxes may be; with 0 they overlap. In double, each operation rounded by
// itself: dx is the largest of 0, b.min_x - a.max_x and a.min_x - b.max_x, dy likewise, and dx * dx + dy * dy
// is at most within * within. A negative distance is refused as `inverted`, one that is not finite as
// `not_finite`.
//
// `agents_as` says what must be that close: the agents' boxes, the largest circles in the boxes, or their
// centres. In float, each operation rounded by itself, as in queries/neighbours.hpp and for a Circle:
// - The centre of an agent is x = min_x / 2 + max_x / 2, and y likewise.
// - The radius of its circle is max_x / 2 - min_x / 2, or the same of y if that is less. A centre has none.
// - dx and dy are the differences of the centres, and dx * dx + dy * dy is at most the square of a.radius +
//   b.radius + within.
// - The boxes are that close too. Without rounding this would follow from the rest.
//
// So at a distance of 0, circles touch, and centres are at one place. An unknown value is refused as
// `bad_config`. All touching circles cost little more than all overlapping boxes. With a filter, a distance
// or a second frame, pairs of boxes are found first and then measured. Where boxes are so long or large that
// few of these are close, the engine makes a frame of the circles or the centres alone, in memory like that
// of the frame, and keeps it as long as the frame. Distances of circles and centres are rounded, and can
// differ between rounding modes.
//
// `with` is another frame, which has to live during the call: then `a` of each pair is an agent of the frame
// that is asked, and `b` one of `*with`. Null means pairs within one frame. With the frame itself, each agent
// is a pair with itself, and any two come as (a, b) and as (b, a). The smaller frame queries the larger. Two
// frames that do not wrap around alike are refused as `bad_config`.
//
//     const throng::Frame walls = frame.static_layer();
//     status = frame.pairs(list, {.with = &walls});
struct PairQuery {
    PairFilter filter = {};
    float within = 0;
    AgentsAs agents_as = AgentsAs::boxes;
    const Frame* with = nullptr;

    friend constexpr bool operator==(const PairQuery&, const PairQuery&) = default;
};

constexpr PairFilter::operator PairQuery() const noexcept { return {.filter = *this}; }

namespace detail {
// The pairs that only one of the two frames has, for one part of them.
struct LeftPairs {
    struct Piece {
        std::size_t begin, count;
        std::size_t end() const noexcept { return begin + count; }
    };
    Piece ended, began;
};
// Pairs [begin, end) of a list, of one agent.
struct PairRun {
    AgentId id;
    std::size_t begin, end;
    std::size_t spot;  // where they would begin if the runs of the list were in the order of ids
    std::size_t size() const noexcept { return end - begin; }
};
}  // namespace detail

// Which pairs began and which ended between two frames: which agents came into contact, and which parted.
//
//     throng::PairChanges contacts;    // kept by the host from frame to frame
//     status = contacts.update(frame);
//     for (const throng::Pair& pair : contacts.began()) touch(pair.a, pair.b);
//     for (const throng::Pair& pair : contacts.ended()) part(pair.a, pair.b);
//
// It keeps the pairs of the last frame, and compares the next frame with them. Within one frame, `a` is below
// `b`. With another frame, `contacts.update(frame, {.with = &walls})`, `a` is of the frame and `b` of the
// other one; keep one PairChanges for each two frames. Pairs that began or ended come in ascending order: by
// `a`, then by `b`. It is fastest if most pairs stay from one frame to the next, as in a simulation.
//
// The two frames may be any, of any engine, with any filter. Agents are compared by id. If an agent was
// removed and another got its id, a pair of both times has neither begun nor ended. If that matters, look at
// the handles of removed agents (Engine::handle). An agent replaced in its slot by `update(slots, boxes)`
// stays one agent for the library: the host ends its pairs itself. Pairs of removed agents have ended.
//
// It keeps its memory between calls: up to 60 bytes for each pair, and up to 8 for each id.
class THRONG_API PairChanges {
public:
    explicit PairChanges(MemoryResource* memory = nullptr) noexcept
        : pairs_(memory),
          found_(memory),
          began_(memory),
          ended_(memory),
          table_(memory),
          met_(memory),
          left_(memory),
          runs_(memory),
          found_runs_(memory) {}

    // Compares the pairs of a frame with those of the last one. On failure `began` and `ended` are empty, and
    // the next call compares with the same frame.
    Status update(const Frame& frame, const PairQuery& wanted = {}) noexcept;

    // The pairs that the last frame has and the one before lacked. For the first frame, all its pairs.
    std::span<const Pair> began() const noexcept;
    // The pairs that the frame before had and the last one lacks.
    std::span<const Pair> ended() const noexcept;
    // All pairs of the last frame, in the order of Frame::pairs. Within one frame `a` is below `b`.
    std::span<const Pair> pairs() const noexcept;

    // Forgets the frame seen last and keeps the memory.
    void clear() noexcept {
        pairs_.clear();
        began_.clear();
        ended_.clear();
        runs_.clear();
    }
    std::size_t bytes() const noexcept {
        return pairs_.bytes() + found_.bytes() + began_.bytes() + ended_.bytes() + table_.bytes() +
               met_.bytes() + left_.bytes() + runs_.bytes() + found_runs_.bytes();
    }

private:
    // Compares the pairs found in a frame with `oversized` oversized agents with those of the frame before.
    Status compare(std::size_t oversized, const Executor& executor) noexcept;
    bool make_room(const Executor& executor) noexcept;
    Status leave_out_common(const Executor& executor) noexcept;
    void join_left() noexcept;

    PairList pairs_;
    PairList found_;  // of the next frame, while it is compared
    PairList began_;
    PairList ended_;
    // Scratch of the comparison.
    detail::Buffer<std::uint16_t> table_;
    detail::Buffer<std::uint8_t> met_;
    detail::Buffer<detail::LeftPairs> left_;
    detail::Buffer<detail::PairRun> runs_, found_runs_;
};

}  // namespace throng
