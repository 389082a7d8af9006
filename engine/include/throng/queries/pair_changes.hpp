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
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "throng/containers/buffer.hpp"
#include "throng/export.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"

namespace throng {

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
