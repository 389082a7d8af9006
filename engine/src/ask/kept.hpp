// What is kept of the answer to a single query: a number, whether there is any, the host's memory full of
// ids, or the arguments of a visitor. Each is handed from image to image of the query, and from part to part:
//
//     bool add(const FrameState&, const Query&, const Filter&);     // false: it has enough
//     bool take(const AgentId*, const Box*, std::size_t);           // the same for agents that were found
//     Answer answer(const Status&) const;                          // of what is returned by value
//     of_both_kinds    // agents and elements together; else only of agents
//     counts_each      // an agent that several images find must be taken once
#pragma once

#include <exception>
#include <span>
#include <type_traits>

#include "engine/src/answers/lists/sinks.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "simd/types.hpp"
#include "throng/compiler.hpp"
#include "throng/labels.hpp"
#include "throng/results.hpp"
#include "throng/views/visitors.hpp"

namespace throng::detail {

struct KeptCount {
    static constexpr bool of_both_kinds = true, counts_each = true, has_boxes = false;
    std::uint64_t total = 0;

    template <class Query>
    THRONG_ALWAYS_INLINE bool add(const FrameState& frame, const Query& query,
                                  const Filter& filter) noexcept {
        total += query.count(frame, filter);
        return true;
    }
    bool take(const AgentId*, const Box*, std::size_t count) noexcept {
        total += count;
        return true;
    }
    Count answer(const Status& status) const noexcept {
        return {.status = status, .total = status.ok() ? total : 0};
    }
};

struct KeptAny {
    static constexpr bool of_both_kinds = true, counts_each = false, has_boxes = false;
    bool found = false;

    template <class Query>
    THRONG_ALWAYS_INLINE bool add(const FrameState& frame, const Query& query,
                                  const Filter& filter) noexcept {
        found = query.any(frame, filter);
        return !found;
    }
    Found answer(const Status& status) const noexcept { return {.status = status, .found = found}; }
};

// Calls a visitor of ids, or of ids and boxes: from a buffer on the stack, or with covered runs in place. At
// first a small part of the buffer is used: a visitor that soon has enough stops the search soon, and one
// that wants all is called once more. An exception of the visitor is held back until the kernel has returned.
template <class Visitor, bool with_boxes = std::is_same_v<Visitor, BoxVisitor>>
class Visit : public HandOn<Visit<Visitor>, simd::IdSink, with_boxes ? 256 : 1024, with_boxes> {
    using Base = HandOn<Visit, simd::IdSink, with_boxes ? 256 : 1024, with_boxes>;
    using Base::sink_;

public:
    static constexpr bool of_both_kinds = false, counts_each = true, has_boxes = with_boxes;

    explicit Visit(Visitor visitor) noexcept : visitor_(visitor) {
        sink_.limit = sink_.begin + first_room;
        sink_.full = first_full;
        if constexpr (!has_boxes) sink_.run = run;
    }

    template <class Query>
    THRONG_ALWAYS_INLINE bool add(const FrameState& frame, const Query& query,
                                  const Filter& filter) noexcept {
        query.find(frame, filter, sink_);
        return !sink_.stopped;
    }
    bool take(const AgentId* ids, const Box* boxes, std::size_t count) noexcept {
        try {
            if constexpr (has_boxes)
                return visitor_(ids, boxes, count);
            else
                return visitor_(ids, count);
        } catch (...) {
            thrown_ = std::current_exception();
            return false;
        }
    }
    // All agents of a row.
    bool add_row(const simd::Row& row) noexcept {
        const RowArrays arrays(row);
        for (std::size_t i = 0; i < row.count && !sink_.stopped; ++i) {
            if (!has_agent(row, i)) continue;
            if (sink_.at == sink_.limit) sink_.full(sink_);
            Base::beside()[static_cast<std::size_t>(sink_.at - sink_.begin)] = arrays.box(i);
            *sink_.at++ = arrays.id[i];
        }
        return !sink_.stopped;
    }
    // Passes on the last agents, and the visitor's exception.
    void finish() {
        Base::flush();
        if (thrown_) std::rethrow_exception(thrown_);
    }

private:
    static constexpr std::size_t first_room = 32;

    static void first_full(simd::IdSink& sink) {
        Base::full(sink);
        sink.full = Base::full;
        sink.limit = sink.begin + Base::at_once;
    }
    static void run(simd::IdSink& sink, const AgentId* ids, std::size_t count) {
        if (!sink.stopped && count != 0) sink.stopped = !Base::self(sink).take(ids, nullptr, count);
    }

    Visitor visitor_;
    std::exception_ptr thrown_;
};

// Fills the host's memory.
class Fill : public FillMemory<simd::IdSink, 256> {
public:
    static constexpr bool of_both_kinds = false, counts_each = true, has_boxes = false;

    using FillMemory::FillMemory;

    template <class Query>
    THRONG_ALWAYS_INLINE bool add(const FrameState& frame, const Query& query,
                                  const Filter& filter) noexcept {
        query.find(frame, filter, sink_);
        return true;
    }
    bool take(const AgentId* ids, const Box*, std::size_t count) noexcept {
        FillMemory::take(ids, count);
        return true;
    }
};

}  // namespace throng::detail
