// One query, put to the parts of a frame on the calling thread: as it lies, or, in a world that wraps around,
// folded and with its images. `Query` is its form for the kernels:
//
//     explicit Query(const Given&);
//     Code fault() const;                  // of what is not legal
//
// Calls first test whether the frame is plain, and expand what they do then. This file is for other frames.
#pragma once

#include <exception>
#include <type_traits>

#include "engine/src/answers/lists/sinks.hpp"
#include "engine/src/ask/scope.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/torus/each_once.hpp"
#include "engine/src/torus/moves.hpp"
#include "simd/types.hpp"
#include "throng/compiler.hpp"
#include "throng/labels.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"
#include "throng/views/visitors.hpp"

namespace throng::detail {

// --- What is kept of the answer ---------------------------------------------------------------------------

// What is kept of the answer to a single query: a number, whether there is any, the host's memory full of
// ids, or the arguments of a visitor. Each is handed from image to image of the query, and from part to part:
//
//     bool add(const FrameState&, const Query&, const Filter&);     // false: it has enough
//     bool take(const AgentId*, const Box*, std::size_t);           // the same for agents that were found
//     Answer answer(const Status&) const;                          // of what is returned by value
//     of_both_kinds    // agents and elements together; else only of agents
//     counts_each      // an agent that several images find must be taken once
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

// --- The query, part by part ------------------------------------------------------------------------------

// Puts a folded query and its images to each part, until `keep` has enough.
template <class Query, class Given, class Keep>
void add_images(const Scope& scope, const Given& there, const Moves& moves, const Filter& filter,
                const Period& period, Keep& keep) noexcept {
    scope.each(filter, [&](const Part& part, const Filter& own) {
        if constexpr (requires { keep.begin_part(part.is_layer); }) keep.begin_part(part.is_layer);
        const auto ask = [&](const Given& at) { return keep.add(*part.frame, Query(at), own); };
        return ask(there) && moves.each([&](int k, int l) { return ask(moved(there, k, l, period)); });
    });
}

template <class Query, class Given, class Keep>
Status ask_around(const Scope& scope, const Given& given, const Filter& filter, Keep& keep) noexcept {
    if (!has_band(filter)) return check_band(filter);
    const Torus torus = scope.torus();
    if (const Code bad = Query(given).fault(); bad != Code::ok) return {bad, 0};
    if (goes_around_too_often(given, torus)) return refusal(Code::too_large, 0);
    const auto place = folded(given, torus.period);
    const Given& there = place;
    const Moves moves(torus, extent_of(there, torus));
    if constexpr (Keep::counts_each) {
        if (moves.repeats()) [[unlikely]] {
            EachOnce once(keep, scope.agents());
            add_images<Query>(scope, there, moves, filter, torus.period, once);
            return {once.has_memory() ? Code::ok : Code::out_of_memory};
        }
    }
    add_images<Query>(scope, there, moves, filter, torus.period, keep);
    return {};
}

// Without seams.
template <class Query, class Given, class Keep>
THRONG_ALWAYS_INLINE inline Status ask_as_it_lies(const Scope& scope, const Given& given,
                                                  const Filter& filter, Keep& keep) noexcept {
    if (!has_band(filter)) return check_band(filter);
    if (!scope.status().ok()) return scope.status();
    const Query query(given);
    if (const Code bad = query.fault(); bad != Code::ok) return {bad, 0};
    scope.each(filter, [&](const Part& part, const Filter& own) THRONG_ALWAYS_INLINE_LAMBDA {
        if constexpr (requires { keep.begin_part(part.is_layer); }) keep.begin_part(part.is_layer);
        return keep.add(*part.frame, query, own);
    });
    return {};
}

template <class Query, class Given, class Keep>
THRONG_NOINLINE Status ask_parts(const Frame& frame, const Given& given, const Filter& filter,
                                 Keep& keep) noexcept {
    const Scope scope = Keep::of_both_kinds ? Scope(frame) : Scope::of_agents(frame);
    return scope.wraps() ? ask_around<Query>(scope, given, filter, keep)
                         : ask_as_it_lies<Query>(scope, given, filter, keep);
}

// A few words are returned by value: an accumulator whose address is taken would lie in memory.
template <class Query, class Keep, class Given>
THRONG_NOINLINE auto answer_around(const Frame& frame, const Given& given, const Filter& filter) noexcept {
    Keep keep;
    const Status status = ask_around<Query>(Scope(frame), given, filter, keep);
    return keep.answer(status);
}
template <class Query, class Keep, class Given>
THRONG_NOINLINE auto answer_of_parts(const Frame& frame, const Given& given, const Filter& filter) noexcept {
    const Scope scope(frame);
    if (scope.wraps()) return answer_around<Query, Keep>(frame, given, filter);
    Keep keep;
    const Status status = ask_as_it_lies<Query>(scope, given, filter, keep);
    return keep.answer(status);
}

}  // namespace throng::detail
