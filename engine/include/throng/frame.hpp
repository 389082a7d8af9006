// A Frame is one moment of the world, as the engine published it: immutable, and cheap to copy. Any number of
// threads may query any frame at any time, without a lock, also while the engine writes the next one; a frame
// lives on after later ones were published, and even after its engine is gone, until its last copy is dropped.
// Rows that did not change are shared between frames, so holding an old one costs what has changed since.
//
//     status = frame.for_each_overlap(box, [&](throng::AgentId id) { ... });   // one, answered as it is found
//     status = frame.overlaps(boxes, hits);                                    // many, answered in their order
//     status = frame.pairs(list);                                              // every overlapping pair once
//     status = frame.overlaps(boxes, hits, throng::Filter{.categories = player});
//
// A query is a box, or many; what it fills, or calls; and a filter, which comes last and may be left out (see
// labels.hpp): only agents that it admits are found, and stretches of rows without any are skipped. Answers
// keep the order that they have without one. `with_static` queries agents together with what never moves.
//
// Answers come in an order that depends on the history of the engine's input alone: not on the executor, the
// number of threads, or the instruction set. Agents come row by row, in a row by cell, in a cell by id, and
// those too large for the grid last.
//
// Batches and pairs run on the executor of the engine, or on the one given with `on`. Single queries run on
// the calling thread. Nothing here throws, except what a visitor of a single query throws itself.
//
// Floating point: a frame may be queried under any rounding mode, whichever it was made under, and the answers
// are the same: searches allow for what rounding can do to the place of a coordinate. Where the calling thread
// flushes subnormal numbers to zero, it compares boxes as such a thread does: edges below 1.2e-38 count as
// zero, and so touch. Only `validate` has to be called under the rounding mode of the writer, since it
// computes again where each agent belongs. Boxes that are given as centres and half extents become corners on
// the calling thread, under its mode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "throng/boxes.hpp"
#include "throng/executor.hpp"
#include "throng/export.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/reports.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"
#include "throng/visitors.hpp"

namespace throng {

namespace detail {
struct FrameState;
}

class WithStatic;

class THRONG_API Frame {
public:
    // An empty frame: it has no agents and answers every query with nothing. So does one that was moved from.
    Frame() noexcept = default;
    Frame(const Frame& other) noexcept;
    Frame(Frame&& other) noexcept
        : state_(std::exchange(other.state_, nullptr)),
          executor_(other.executor_),
          failure_(other.failure_) {}
    Frame& operator=(Frame other) noexcept {
        std::swap(state_, other.state_);
        executor_ = other.executor_;
        failure_ = other.failure_;
        return *this;
    }
    ~Frame();

    // Not ok for the frame of an engine that is not usable: every query returns the same status.
    Status status() const noexcept { return {failure_}; }
    // How many agents there are.
    std::size_t size() const noexcept;
    // Counts the engine's published frames, from 1; 0 for an empty frame.
    std::uint64_t number() const noexcept;
    // The same frame with its parallel work on another executor, such as the serial one inside a job of the
    // host's.
    Frame on(const Executor& executor) const noexcept;

    // --- Which agents overlap this box? --------------------------------------------------------------------

    // One query, answered as it is found, on this thread. A visitor of spans gets whole runs of agents, and
    // costs least; see visitors.hpp. The status may be dropped: an illegal box overlaps nothing.
    template <AgentVisitor Visitor>
    Status for_each_overlap(const Box& box, Visitor&& visitor, const Filter& filter = {}) const {
        return visit_overlaps(box, filter, detail::any_visitor<AgentId>(visitor));
    }
    // Into memory of the host's: as many as fit, and how many there were.
    Filled overlaps(const Box& box, std::span<AgentId> out, const Filter& filter = {}) const noexcept;
    // Into a vector of its own, for prototypes: it allocates, and throws what std::vector throws.
    std::vector<AgentId> overlapping(const Box& box, const Filter& filter = {}) const {
        std::vector<AgentId> found;
        static_cast<void>(for_each_overlap(
            box,
            [&found](std::span<const AgentId> ids) { found.insert(found.end(), ids.begin(), ids.end()); },
            filter));
        return found;
    }
    // A batch. Queries are sorted into packets inside, so any order is fine; the answers come in the caller's.
    // On failure the hits are empty, and the status names the offending query. Filters for each query have to
    // be as many as the boxes.
    Status overlaps(const Boxes& boxes, Hits& hits, const Filters& filters = {}) const noexcept;
    // A batch into memory of the host's. `offsets` has one element more than there are boxes and is always
    // filled; `ids` gets what fits, counted in `written`: all answers from the first on, in order.
    Filled overlaps(const Boxes& boxes, std::span<std::uint64_t> offsets, std::span<AgentId> ids,
                    const Filters& filters = {}) const noexcept;

    // How many overlap it: the cost follows the border of the box, not its area.
    Count count(const Box& box, const Filter& filter = {}) const noexcept;
    Status count(const Boxes& boxes, std::span<std::uint32_t> counts,
                 const Filters& filters = {}) const noexcept;

    // Whether any does. A batch writes one byte, 1 or 0, for every box.
    Found any(const Box& box, const Filter& filter = {}) const noexcept;
    Status any(const Boxes& boxes, std::span<std::uint8_t> answers,
               const Filters& filters = {}) const noexcept;

    // --- Which agents overlap each other? ------------------------------------------------------------------

    // Every overlapping pair once. On failure the list is empty.
    Status pairs(PairList& list, const PairFilter& filter = {}) const noexcept;
    Filled pairs(std::span<Pair> out, const PairFilter& filter = {}) const noexcept;
    Count count_pairs(const PairFilter& filter = {}) const noexcept;
    // In blocks, as they are found: called on the executor's threads, several at a time and in no certain
    // order. Each call gets some pairs that are valid during the call. A visitor that returns false ends the
    // search: calls that are under way on other threads are finished, and hardly any begin after it.
    template <VisitorOfSpans<Pair> Visitor>
    Status for_each_pair_concurrently(Visitor&& visitor, const PairFilter& filter = {}) const noexcept {
        return visit_pairs(filter, detail::any_visitor<Pair>(visitor));
    }

    // Every pair of an agent of this frame and one of another, `a` of this one and `b` of the other: agents
    // and walls, with `static_layer()`. The smaller frame queries the larger, and the pairs come in the order of
    // the smaller one.
    Status pairs_with(const Frame& other, PairList& list) const noexcept;
    Filled pairs_with(const Frame& other, std::span<Pair> out) const noexcept;
    Count count_pairs_with(const Frame& other) const noexcept;
    template <VisitorOfSpans<Pair> Visitor>
    Status for_each_pair_with_concurrently(const Frame& other, Visitor&& visitor) const noexcept {
        return visit_pairs_with(other, detail::any_visitor<Pair>(visitor));
    }

    // --- Together with what never moves (static_layer.hpp) -------------------------------------------------

    // The layer that the engine had when it published this frame, as a frame of its own, on the same
    // executor; an empty one if it had none.
    Frame static_layer() const noexcept;
    // Agents and elements of the layer in one query. It refers to this frame, which has to outlive it.
    WithStatic with_static() const noexcept;

    // --- About the frame -----------------------------------------------------------------------------------

    // What a query would look at; a batch is summed up.
    Explain explain(const Box& box, const Filter& filter = {}) const noexcept;
    Explain explain(const Boxes& boxes, const Filters& filters = {}) const noexcept;
    Tuning tuning() const noexcept;
    // Checks every row, cell and agent. For tests and bug reports: it reads everything, on this thread.
    Validation validate() const noexcept;
    // A hash of the whole content, the same wherever the same input history led to it. Labels belong to
    // it, a static layer does not.
    std::uint64_t fingerprint() const noexcept;

private:
    friend class Engine;
    friend class StaticLayer;
    friend class WithStatic;
    Frame(detail::FrameState* state, const Executor& executor) noexcept
        : state_(state), executor_(executor) {}
    explicit Frame(Status failure) noexcept : failure_(failure.code) {}

    Status visit_overlaps(const Box& box, const Filter& filter, detail::IdVisitor visitor) const;
    Status visit_pairs(const PairFilter& filter, detail::PairVisitor visitor) const noexcept;
    Status visit_pairs_with(const Frame& other, detail::PairVisitor visitor) const noexcept;

    detail::FrameState* state_ = nullptr;
    Executor executor_;
    Code failure_ = Code::ok;
};

// Queries about the agents of a frame and the elements of its static layer, each with their own ids. Pairs of
// the two are `frame.pairs_with(frame.static_layer(), list)`.
class THRONG_API WithStatic {
public:
    explicit WithStatic(const Frame& frame) noexcept : agents_(frame), elements_(frame.static_layer()) {}

    // A visitor that returns false ends its own part.
    template <AgentVisitor Visitor, AgentVisitor ElementVisitor>
    Status for_each_overlap(const Box& box, Visitor&& agents, ElementVisitor&& elements,
                            const Filter& filter = {}) const {
        const Status status = agents_.for_each_overlap(box, agents, filter);
        return status.ok() ? elements_.for_each_overlap(box, elements, filter) : status;
    }
    Status overlaps(const Boxes& boxes, Hits& agents, Hits& elements,
                    const Filters& filters = {}) const noexcept;
    // Agents and elements together.
    Count count(const Box& box, const Filter& filter = {}) const noexcept;
    Status count(const Boxes& boxes, std::span<std::uint32_t> counts,
                 const Filters& filters = {}) const noexcept;
    Found any(const Box& box, const Filter& filter = {}) const noexcept;
    Status any(const Boxes& boxes, std::span<std::uint8_t> answers,
               const Filters& filters = {}) const noexcept;

private:
    const Frame& agents_;
    Frame elements_;
};

inline WithStatic Frame::with_static() const noexcept { return WithStatic(*this); }

}  // namespace throng
