// What is kept of the answer to a single query: a number, whether there is any, the host's memory full of
// ids, or what a visitor is called with. Each is handed from image to image of the query, and from part to
// part:
//
//     bool add(const FrameState&, const Query&, const Filter&);     // false: it has enough
//     bool take(const AgentId*, const Box*, std::size_t);           // the same for agents that were found
//     Answer answer(const Status&) const;                          // of what is returned by value
//     of_both_kinds    // agents and elements together; else only of agents
//     counts_each      // an agent that several images find must be taken once
#pragma once

#include <algorithm>
#include <exception>
#include <span>
#include <type_traits>

#include "base/unwritten.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/row_agents.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "simd/types.hpp"
#include "throng/compiler.hpp"
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
// first a small part of the buffer is used, so that a visitor that soon has enough stops the search soon, and
// one that wants all is called once more. An exception of the visitor is held back until the kernel has
// returned.
template <class Visitor>
class Visit {
public:
    static constexpr bool of_both_kinds = false, counts_each = true;
    static constexpr bool has_boxes = std::is_same_v<Visitor, BoxVisitor>;

    explicit Visit(Visitor visitor) noexcept : visitor_(visitor) {
        AgentId* const begin = ids_.data();
        sink_ = {begin, begin, begin + first_room, first_full, nullptr, this, false, nullptr};
        if constexpr (has_boxes)
            sink_.boxes = &boxes_[0].min_x;
        else
            sink_.run = run;
    }

    template <class Query>
    THRONG_ALWAYS_INLINE bool add(const FrameState& frame, const Query& query,
                                  const Filter& filter) noexcept {
        query.find(frame, filter, sink_);
        return !sink_.stopped;
    }
    bool take(const AgentId* ids, const Box* boxes, std::size_t count) noexcept {
        if (sink_.stopped || count == 0) return !sink_.stopped;
        try {
            if constexpr (has_boxes)
                sink_.stopped = !visitor_(ids, boxes, count);
            else
                sink_.stopped = !visitor_(ids, count);
        } catch (...) {
            thrown_ = std::current_exception();
            sink_.stopped = true;
        }
        return !sink_.stopped;
    }
    // All agents of a row.
    bool add_row(const simd::Row& row) noexcept {
        const RowArrays arrays(row);
        for (std::size_t i = 0; i < row.count && !sink_.stopped; ++i) {
            if (!has_agent(row, i)) continue;
            if (sink_.at == sink_.limit) sink_.full(sink_);
            boxes_[static_cast<std::size_t>(sink_.at - sink_.begin)] = arrays.box(i);
            *sink_.at++ = arrays.id[i];
        }
        return !sink_.stopped;
    }
    // Passes on the last agents, and what the visitor threw.
    void finish() {
        full(sink_);
        if (thrown_) std::rethrow_exception(thrown_);
    }

private:
    static constexpr std::size_t first_room = 32, room = has_boxes ? 256 : 1024;

    static void full(simd::IdSink& sink) {
        auto& visit = *static_cast<Visit*>(sink.context);
        (void)visit.take(sink.begin, visit.boxes_.data(), static_cast<std::size_t>(sink.at - sink.begin));
        sink.at = sink.begin;
    }
    static void first_full(simd::IdSink& sink) {
        full(sink);
        sink.full = full;
        sink.limit = sink.begin + room;
    }
    static void run(simd::IdSink& sink, const AgentId* ids, std::size_t count) {
        (void)static_cast<Visit*>(sink.context)->take(ids, nullptr, count);
    }

    Visitor visitor_;
    std::exception_ptr thrown_;
    simd::IdSink sink_;
    Unwritten<AgentId, room + simd::gap> ids_;
    Unwritten<Box, has_boxes ? room + simd::gap : 1> boxes_;
};

// Fills the host's memory. The kernel writes there directly while a vector still fits, and then into a
// buffer, from which as many ids are copied as fit.
class Fill {
public:
    static constexpr bool of_both_kinds = false, counts_each = true, has_boxes = false;

    explicit Fill(std::span<AgentId> out) noexcept : out_(out) {
        sink_ = {nullptr, nullptr, nullptr, full, nullptr, this, false};
        if (out.size() > simd::gap)
            sink_.begin = out.data(), sink_.limit = out.data() + out.size() - simd::gap;
        else
            sink_.begin = buffer_.data(), sink_.limit = buffer_.data() + buffer_.size() - simd::gap;
        sink_.at = sink_.begin;
    }

    template <class Query>
    THRONG_ALWAYS_INLINE bool add(const FrameState& frame, const Query& query,
                                  const Filter& filter) noexcept {
        query.find(frame, filter, sink_);
        return true;
    }
    bool take(const AgentId* ids, const Box*, std::size_t count) noexcept {
        if (found_ < out_.size())
            std::copy_n(ids, std::min(count, out_.size() - static_cast<std::size_t>(found_)),
                        out_.data() + found_);
        found_ += count;
        return true;
    }
    Filled finish() noexcept {
        pass_on(sink_);
        return {.status = {}, .total = found_, .written = std::min<std::uint64_t>(found_, out_.size())};
    }

private:
    void pass_on(const simd::IdSink& sink) noexcept {
        const auto count = static_cast<std::size_t>(sink.at - sink.begin);
        if (sink.begin == buffer_.data())
            (void)take(sink.begin, nullptr, count);
        else
            found_ += count;
    }
    static void full(simd::IdSink& sink) {
        auto& fill = *static_cast<Fill*>(sink.context);
        fill.pass_on(sink);
        sink.begin = sink.at = fill.buffer_.data();
        sink.limit = fill.buffer_.data() + fill.buffer_.size() - simd::gap;
    }

    const std::span<AgentId> out_;
    std::uint64_t found_ = 0;  // what was passed on before the sink's present buffer
    simd::IdSink sink_;
    Unwritten<AgentId, 256 + simd::gap> buffer_;
};

}  // namespace throng::detail
