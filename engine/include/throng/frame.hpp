// A Frame is one moment of the world, as the engine published it: immutable, and cheap to copy. Any number of
// threads may ask any frame anything at any time, without a lock, also while the engine writes the next one;
// a frame lives on after later ones were published, and even after its engine is gone, until its last copy is
// dropped. Rows that did not change are shared between frames, so holding an old one costs what has changed
// since.
//
// Floating point: a frame may be asked under any rounding mode, whichever it was made under, and the answers
// are the same: searches allow for what rounding can do to the place of a coordinate. Where the asking thread
// flushes subnormal numbers to zero, it compares boxes as such a thread does: edges below 1.2e-38 count as
// zero, and so touch. Only `validate` has to be called under the rounding mode of the writer, since it
// computes again where each agent belongs. Boxes that are given as centres and half extents become corners on
// the thread that asks, under its mode.
//
// Answers come in an order that depends on the history of the engine's input alone: not on the executor, the
// number of threads, or the instruction set. Agents come row by row, in a row by cell, in a cell by id, and
// those too large for the grid last.
//
//     frame.overlaps(box, [](throng::AgentId id) { ... });    one question
//     frame.overlaps(throng::Boxes::of(boxes), hits);         many, answers in the order of the std::vector
//     frame.pairs(list);                                      every overlapping pair once
//
// Batches and pairs run on the executor of the engine, or on the one given with `on`. Single questions run on
// the calling thread. Nothing here throws, except what a visitor of a single question throws itself.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "throng/boxes.hpp"
#include "throng/executor.hpp"
#include "throng/export.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/reports.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"

namespace throng {

namespace detail {
struct FrameState;

// A visitor without its type: false stops the search.
struct IdVisitor {
    void* visitor;
    bool (*visit)(void* visitor, const AgentId* ids, std::size_t count);
};
struct PairVisitor {
    void* visitor;
    void (*visit)(void* visitor, const Pair* pairs, std::size_t count);
};
}  // namespace detail

// Called with one id, or with a span of ids that is valid during the call. Returning false stops the search;
// returning nothing goes on.
template <class Visitor>
concept AgentVisitor =
    std::invocable<Visitor&, AgentId> || std::invocable<Visitor&, std::span<const AgentId>>;

class THRONG_API Frame {
public:
    // An empty frame: it has no agents and answers every query with nothing. So does one that was moved from.
    Frame() noexcept = default;
    Frame(const Frame& other) noexcept;
    Frame(Frame&& other) noexcept
        : state_(std::exchange(other.state_, nullptr)), executor_(other.executor_) {}
    Frame& operator=(Frame other) noexcept {
        std::swap(state_, other.state_);
        executor_ = other.executor_;
        return *this;
    }
    ~Frame();

    // How many agents there are.
    std::size_t size() const noexcept;
    // Counts the engine's published frames, from 1; 0 for an empty frame.
    std::uint64_t number() const noexcept;
    // The same frame with its parallel work on another executor, such as the serial one inside a job of the
    // host's.
    Frame on(const Executor& executor) const noexcept;

    // --- Who overlaps this box? ----------------------------------------------------------------------------

    // One question, answered as it is found, on this thread. A visitor of spans gets whole runs of agents,
    // and costs least.
    template <AgentVisitor Visitor>
    Status overlaps(const Box& box, Visitor&& visitor) const {
        return visit_overlaps(box, nullptr, untyped(visitor));
    }
    // Into memory of the host's: as many as fit, and how many there were.
    Found overlaps(const Box& box, std::span<AgentId> out) const noexcept {
        return find_one(box, nullptr, out);
    }
    // A batch. Questions are sorted into packets inside, so any order is fine; the answers come in the
    // caller's. On failure the hits are empty, and the status names the offending question.
    Status overlaps(const Boxes& boxes, Hits& hits) const noexcept { return find_all(boxes, nullptr, hits); }
    // A batch into memory of the host's. `offsets` has one element more than there are boxes and is always
    // filled; `ids` gets what fits, counted in `written`: all answers from the first on, in order.
    Found overlaps(const Boxes& boxes, std::span<std::uint64_t> offsets,
                   std::span<AgentId> ids) const noexcept {
        return find_all(boxes, nullptr, offsets, ids);
    }

    // How many overlap it: the cost follows the border of the box, not its area.
    Found count(const Box& box) const noexcept;
    Status count(const Boxes& boxes, std::span<std::uint32_t> counts) const noexcept {
        return count_all(boxes, nullptr, counts);
    }

    // Whether any does. `found` is 1 or 0; a batch writes one byte, 1 or 0, for every box.
    Found any(const Box& box) const noexcept;
    Status any(const Boxes& boxes, std::span<std::uint8_t> answers) const noexcept {
        return any_all(boxes, nullptr, answers);
    }

    // --- Who of these overlaps it? -------------------------------------------------------------------------
    //
    // The same with a filter (see labels.hpp): only agents that it admits are found, and stretches of rows
    // without any are not looked at. Answers keep the order that they have without one.

    template <AgentVisitor Visitor>
    Status overlaps(const Box& box, const Filter& filter, Visitor&& visitor) const {
        return visit_overlaps(box, &filter, untyped(visitor));
    }
    Found overlaps(const Box& box, const Filter& filter, std::span<AgentId> out) const noexcept {
        return find_one(box, &filter, out);
    }
    // Filters for each question have to be as many as the boxes.
    Status overlaps(const Boxes& boxes, const Filters& filters, Hits& hits) const noexcept {
        return find_all(boxes, &filters, hits);
    }
    Found overlaps(const Boxes& boxes, const Filters& filters, std::span<std::uint64_t> offsets,
                   std::span<AgentId> ids) const noexcept {
        return find_all(boxes, &filters, offsets, ids);
    }
    Found count(const Box& box, const Filter& filter) const noexcept;
    Status count(const Boxes& boxes, const Filters& filters, std::span<std::uint32_t> counts) const noexcept {
        return count_all(boxes, &filters, counts);
    }
    Found any(const Box& box, const Filter& filter) const noexcept;
    Status any(const Boxes& boxes, const Filters& filters, std::span<std::uint8_t> answers) const noexcept {
        return any_all(boxes, &filters, answers);
    }

    // --- Who overlaps whom? --------------------------------------------------------------------------------

    // Every overlapping pair once. On failure the list is empty.
    Status pairs(PairList& list) const noexcept { return list_pairs(nullptr, list); }
    Found pairs(std::span<Pair> out) const noexcept { return fill_pairs(nullptr, out); }
    Found count_pairs() const noexcept { return count_pairs_of(nullptr); }
    // In blocks, as they are found: called on the executor's threads, several at a time and in no certain
    // order. Each call gets some pairs that are valid during the call.
    template <std::invocable<std::span<const Pair>> Visitor>
    Status for_each_pair(Visitor&& visitor) const noexcept {
        return visit_pairs(nullptr, untyped_pairs(visitor));
    }
    // The same for those pairs that a filter admits.
    Status pairs(PairList& list, const PairFilter& filter) const noexcept {
        return list_pairs(&filter, list);
    }
    Found pairs(std::span<Pair> out, const PairFilter& filter) const noexcept {
        return fill_pairs(&filter, out);
    }
    Found count_pairs(const PairFilter& filter) const noexcept { return count_pairs_of(&filter); }
    template <std::invocable<std::span<const Pair>> Visitor>
    Status for_each_pair(const PairFilter& filter, Visitor&& visitor) const noexcept {
        return visit_pairs(&filter, untyped_pairs(visitor));
    }

    // Every pair of an agent of this frame and one of another, `a` of this one and `b` of the other. The
    // smaller one is asked of the larger one. In the order of the one that asks.
    Status pairs_with(const Frame& other, PairList& list) const noexcept;
    Found pairs_with(const Frame& other, std::span<Pair> out) const noexcept;
    Found count_pairs_with(const Frame& other) const noexcept;
    template <std::invocable<std::span<const Pair>> Visitor>
    Status for_each_pair_with(const Frame& other, Visitor&& visitor) const noexcept {
        return visit_pairs_with(other, untyped_pairs(visitor));
    }

    // --- Together with what never moves (static_layer.hpp) -------------------------------------------------

    // The layer that the engine had when it published this frame, as a frame of its own, on the same
    // executor; an empty one if it had none.
    Frame static_layer() const noexcept;

    // Agents and elements of the layer, each with their own ids. A visitor that returns false ends its own
    // part.
    template <AgentVisitor Visitor, AgentVisitor ElementVisitor>
    Status overlaps(const Box& box, Visitor&& agents, ElementVisitor&& elements) const {
        const Status status = overlaps(box, agents);
        return status.ok() ? static_layer().overlaps(box, elements) : status;
    }
    Status overlaps(const Boxes& boxes, Hits& agents, Hits& elements) const noexcept;
    // Agents and elements together.
    Found count_including_static(const Box& box) const noexcept;
    Status count_including_static(const Boxes& boxes, std::span<std::uint32_t> counts) const noexcept;
    Found any_including_static(const Box& box) const noexcept;
    Status any_including_static(const Boxes& boxes, std::span<std::uint8_t> answers) const noexcept;

    // Every pair of an agent `a` and an element `b` of the layer that overlap.
    Status static_pairs(PairList& list) const noexcept { return pairs_with(static_layer(), list); }
    Found static_pairs(std::span<Pair> out) const noexcept { return pairs_with(static_layer(), out); }
    Found count_static_pairs() const noexcept { return count_pairs_with(static_layer()); }
    template <std::invocable<std::span<const Pair>> Visitor>
    Status for_each_static_pair(Visitor&& visitor) const noexcept {
        return visit_pairs_with(static_layer(), untyped_pairs(visitor));
    }

    // --- About the frame -----------------------------------------------------------------------------------

    // What a question would look at; a batch is summed up.
    Explain explain(const Box& box) const noexcept;
    Explain explain(const Boxes& boxes) const noexcept;
    Explain explain(const Box& box, const Filter& filter) const noexcept;
    Explain explain(const Boxes& boxes, const Filters& filters) const noexcept;
    Tuning tuning() const noexcept;
    // Checks every row, cell and agent. For tests and bug reports: it reads everything, on this thread.
    Validation validate() const noexcept;
    // A hash of the whole content, the same wherever the same input history led to it. Labels belong to
    // it, a static layer does not.
    std::uint64_t fingerprint() const noexcept;

private:
    friend class Engine;
    friend class StaticLayer;
    Frame(detail::FrameState* state, const Executor& executor) noexcept
        : state_(state), executor_(executor) {}

    template <class V>
    static bool call(void* visitor, const AgentId* ids, std::size_t count) {
        V& v = *static_cast<V*>(visitor);
        if constexpr (std::invocable<V&, std::span<const AgentId>>) {
            if constexpr (std::is_void_v<std::invoke_result_t<V&, std::span<const AgentId>>>) {
                v(std::span<const AgentId>(ids, count));
                return true;
            } else {
                return static_cast<bool>(v(std::span<const AgentId>(ids, count)));
            }
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                if constexpr (std::is_void_v<std::invoke_result_t<V&, AgentId>>) {
                    v(ids[i]);
                } else if (!static_cast<bool>(v(ids[i]))) {
                    return false;
                }
            }
            return true;
        }
    }
    template <class Visitor>
    static detail::IdVisitor untyped(Visitor& visitor) noexcept {
        return {const_cast<void*>(static_cast<const void*>(std::addressof(visitor))), &call<Visitor>};
    }
    template <class Visitor>
    static detail::PairVisitor untyped_pairs(Visitor& visitor) noexcept {
        return {const_cast<void*>(static_cast<const void*>(std::addressof(visitor))),
                [](void* v, const Pair* pairs, std::size_t count) {
                    (*static_cast<Visitor*>(v))(std::span<const Pair>(pairs, count));
                }};
    }

    // A filter that is null admits everyone.
    Status visit_overlaps(const Box& box, const Filter* filter, detail::IdVisitor visitor) const;
    Found find_one(const Box& box, const Filter* filter, std::span<AgentId> out) const noexcept;
    Status find_all(const Boxes& boxes, const Filters* filters, Hits& hits) const noexcept;
    Found find_all(const Boxes& boxes, const Filters* filters, std::span<std::uint64_t> offsets,
                   std::span<AgentId> ids) const noexcept;
    Status count_all(const Boxes& boxes, const Filters* filters,
                     std::span<std::uint32_t> counts) const noexcept;
    Status any_all(const Boxes& boxes, const Filters* filters,
                   std::span<std::uint8_t> answers) const noexcept;
    Status list_pairs(const PairFilter* filter, PairList& list) const noexcept;
    Found fill_pairs(const PairFilter* filter, std::span<Pair> out) const noexcept;
    Found count_pairs_of(const PairFilter* filter) const noexcept;
    Status visit_pairs(const PairFilter* filter, detail::PairVisitor visitor) const noexcept;
    Status visit_pairs_with(const Frame& other, detail::PairVisitor visitor) const noexcept;

    detail::FrameState* state_ = nullptr;
    Executor executor_;
};

}  // namespace throng
