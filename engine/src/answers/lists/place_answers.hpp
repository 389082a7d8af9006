// How batches put together the answers of their blocks: hits (engine/src/query/batch_lists.cpp) and lists of
// neighbours (engine/src/neighbours/list_batch.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "base/blocks.hpp"
#include "engine/src/answers/lists/sinks.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/store/spaces.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "parallel/in_turn.hpp"
#include "throng/executor.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// The place for answers: a growing buffer, or memory of the host, which may be too small.
template <class T>
struct Destination {
    Buffer<T>* growing;
    std::span<T> fixed;
    std::uint64_t found = 0;
    ListRoom* bound = nullptr;  // null if there is none

    bool is_growing() const noexcept { return growing != nullptr; }
    // Keeps new answers behind the present ones, if it grows.
    template <class Sink>
    KeepAll<Sink> keep(std::atomic<bool>& out_of_memory) const noexcept {
        return KeepAll<Sink>(growing, &out_of_memory, nullptr, bound);
    }
    T* data() const noexcept { return growing != nullptr ? growing->data() : fixed.data(); }
    std::uint64_t room() const noexcept { return growing != nullptr ? growing->capacity() : fixed.size(); }
    // How many have a spot before it grows. In memory of the host, answers without a spot are left out.
    std::uint64_t spots() const noexcept { return growing != nullptr ? room() : ~std::uint64_t{0}; }
    // Makes room for `count` answers and one vector more.
    bool grow(std::uint64_t count) noexcept {
        if (bound != nullptr && !bound->admits(count)) return false;
        if (growing == nullptr) return true;
        (void)growing->resize(static_cast<std::size_t>(found));
        return reserve_amply(*growing, count + simd::gap);
    }
    void copy(const Buffer<T>& some, std::uint64_t begin) const noexcept {
        if (begin < room() && some.size() != 0)
            std::memcpy(
                data() + begin, some.data(),
                static_cast<std::size_t>(std::min<std::uint64_t>(some.size(), room() - begin)) * sizeof(T));
    }
};

// How many slots these pieces take turns in.
inline std::size_t slots_for(const Executor& executor, std::size_t pieces) noexcept {
    const std::size_t workers = parallel::workers_of(executor);
    return std::min(pieces, workers == 1 ? 1 : 8 * workers);
}

// Pieces that take turns in spaces of a pool, which stay taken.
template <class Space>
struct SpacesInTurn {
    Pool<Space>& pool;
    Buffer<Space*>& taken;
    Buffer<parallel::Piece>& pieces;

    bool take(const Executor& executor, std::size_t count) const noexcept {
        return pool.take_all(taken, slots_for(executor, count)) && resize_amply(pieces, count);
    }
};

// Appends pieces, one behind the other: find(piece, space, size) and place(piece, space, begin) are those of
// parallel::InTurn::find. After a failure the result is void.
template <class Space, class Result, class Find>
Status append_in_turn(const Executor& executor, const SpacesInTurn<Space>& spaces, Result& result,
                      const Find& find, CallIn<void(std::size_t, Space&, std::uint64_t)> place) noexcept {
    const std::size_t slots = spaces.taken.size(), count = spaces.pieces.size();
    const auto find_in = [&, mine = find](std::size_t p, std::size_t slot, std::uint64_t& size) mutable {
        return mine(p, *spaces.taken[slot], size);
    };
    const auto place_from = [&](std::size_t p, std::size_t slot, std::uint64_t begin) {
        place(p, *spaces.taken[slot], begin);
    };
    parallel::InTurn turn({spaces.pieces.data(), count}, result.found);
    while (turn.found() != count) {
        const parallel::Ran ran = turn.find(executor, slots, result.spots(), find_in, place_from);
        if (!ran) return outcome(ran);
        if (turn.stopped()) return {Code::out_of_memory};
        const std::uint64_t end = turn.end();
        result.found = std::min(end, result.spots());  // so far there may be something
        if (!result.grow(end)) return {Code::out_of_memory};
        const parallel::Ran placed = turn.place_others(executor, place_from);
        if (!placed) return outcome(placed);
        result.found = end;
    }
    return {};
}

using EndsOf = parallel::Call<std::uint64_t*(std::size_t)>;

// Appends pieces of lists. Piece p has the lists from ends_of(p) up to ends_of(p + 1). find(p, space, ends,
// size) finds them, and where each list ends among them; it returns false if no more are wanted. copy(space,
// begin) copies them to their spot. All workers call the same `find`.
template <class Space, class Result>
Status place_in_turn(const Executor& executor, const SpacesInTurn<Space>& spaces, std::size_t pieces,
                     Result& result, EndsOf ends_of,
                     CallIn<bool(std::size_t, Space&, std::uint64_t*, std::uint64_t&)> find,
                     CallIn<void(const Space&, std::uint64_t)> copy) noexcept {
    if (!spaces.take(executor, pieces)) return {Code::out_of_memory};
    return append_in_turn(
        executor, spaces, result,
        [&](std::size_t p, Space& space, std::uint64_t& size) { return find(p, space, ends_of(p), size); },
        [&](std::size_t p, const Space& space, std::uint64_t begin) {
            if (begin != 0)
                std::for_each(ends_of(p), ends_of(p + 1), [&](std::uint64_t& end) { end += begin; });
            copy(space, begin);
        });
}

// All spaces want room for this many answers, since it is a matter of chance which of them are used.
inline std::size_t longest(const Buffer<parallel::Piece>& pieces) noexcept {
    std::uint64_t size = 0;
    for (const parallel::Piece& piece : pieces) size = std::max(size, piece.size);
    return static_cast<std::size_t>(size);
}

// A block's answers go to a stream of its space.
template <class Sink>
KeepAll<Sink> keep_stream(AnswerSpace& space, std::size_t number, std::atomic<bool>& out_of_memory,
                          [[maybe_unused]] bool distances, ListRoom* room) noexcept {
    Buffer<typename Carried<Sink>::Beside>* beside = nullptr;
    if constexpr (std::is_same_v<Sink, simd::ListSink>)
        if (distances) beside = &space.distances[number];
    return KeepAll<Sink>(&space.streams[number], &out_of_memory, beside, room);
}

// Appends pieces of lists as place_in_turn does: find(piece, space, sinks, ends) writes those of a piece to
// the first of two sinks. If there is nothing to join they go straight to the result; then there is no space.
// The pieces of the next frame may be `times` as long.
template <class Sink, class Result>
Status append_lists(const Executor& executor, const SpacesInTurn<AnswerSpace>& spaces, std::size_t pieces,
                    std::size_t times, bool distances, Result& result, EndsOf ends_of,
                    CallIn<bool(std::size_t, AnswerSpace*, Sink*, std::uint64_t*)> find,
                    parallel::Call<void(const AnswerSpace&, std::uint64_t)> copy) noexcept {
    std::atomic<bool> out_of_memory{false};
    if (result.is_growing() && (pieces == 1 || parallel::workers_of(executor) == 1)) {
        KeepAll<Sink> keep = result.template keep<Sink>(out_of_memory);
        Sink sinks[2];
        bool enough = keep.open(sinks[0], static_cast<std::size_t>(result.found));
        for (std::size_t p = 0; p < pieces && enough && !sinks[0].stopped; ++p)
            enough = find(p, nullptr, sinks, ends_of(p));
        if (!enough || !keep.close_amply(sinks[0])) return {Code::out_of_memory};
        if (result.found != 0)
            std::for_each(ends_of(0), ends_of(pieces), [&](std::uint64_t& end) { end += result.found; });
        result.found = keep.found();
        return {};
    }
    const auto find_piece = [&](std::size_t p, AnswerSpace& space, std::uint64_t* ends, std::uint64_t& size) {
        KeepAll<Sink> keep = keep_stream<Sink>(space, 0, out_of_memory, distances, result.bound);
        Sink sinks[2];
        const bool enough = keep.open(sinks[0], 0) && find(p, &space, sinks, ends) && keep.close(sinks[0]);
        size = keep.found();
        return enough;
    };
    const Status status = place_in_turn(executor, spaces, pieces, result, ends_of, find_piece, copy);
    if (!status.ok()) return status;
    for (AnswerSpace* space : spaces.taken) {
        keep_ample(space->streams[0], times * longest(spaces.pieces) + 2 * KeepAll<Sink>::slack);
        if (distances) (void)space->distances[0].reserve(space->streams[0].capacity());
    }
    return {};
}

// Each of some blocks, which has a space, writes answers to a stream for each of `parts`: search(block,
// space, sinks, out_of_memory) returns false if there is no memory.
template <class Sink>
Status search_into_streams(
    const Executor& executor, const Buffer<AnswerSpace*>& blocks, std::size_t parts, bool distances,
    ListRoom* room,
    CallIn<bool(std::size_t, AnswerSpace&, Sink*, const std::atomic<bool>&)> search) noexcept {
    std::atomic<bool> out_of_memory{false};
    const parallel::Ran ran = parallel::for_blocks(executor, blocks.size(), [&](std::size_t b) {
        AnswerSpace& space = *blocks[b];
        KeepAll<Sink> keep[AnswerSpace::max_streams];
        Sink sinks[AnswerSpace::max_streams + 1];  // the last is for what goes nowhere
        bool enough = !out_of_memory.load(std::memory_order_relaxed);
        for (std::size_t p = 0; p < parts && enough; ++p) {
            keep[p] = keep_stream<Sink>(space, p, out_of_memory, distances, room);
            enough = keep[p].open(sinks[p], 0);
        }
        enough = enough && search(b, space, sinks, out_of_memory);
        for (std::size_t p = 0; p < parts && enough; ++p) enough = keep[p].close(sinks[p]);
        if (!enough) out_of_memory.store(true, std::memory_order_relaxed);
    });
    return outcome(ran, out_of_memory);
}

// Appends the answers of parts. A part is a range of the queries, and size_of(part) is how many answers it
// has in the streams of all blocks. place(part, begin, end, space) puts these at [begin, end) with a work
// space for which ready(space) was true. Both return false if there is no memory.
template <class Result>
Status place_parts(
    const FrameState& frame, const Executor& executor, std::size_t parts, Result& result,
    parallel::Call<std::uint64_t(std::size_t)> size_of, parallel::Call<bool(AnswerSpace&)> ready,
    parallel::Call<bool(std::size_t, std::uint64_t, std::uint64_t, AnswerSpace&)> place) noexcept {
    std::uint64_t begin_of[AnswerSpace::max_streams + 1];
    begin_of[0] = result.found;
    for (std::size_t p = 0; p < parts; ++p) begin_of[p + 1] = begin_of[p] + size_of(p);
    if (!result.grow(begin_of[parts])) return {Code::out_of_memory};
    const Status status = with_spaces(
        frame.store->spaces.answers, executor, parts, parallel::at_once(executor, parts), ready,
        [&](std::size_t p, AnswerSpace& space) { return place(p, begin_of[p], begin_of[p + 1], space); });
    if (status.ok()) result.found = begin_of[parts];
    return status;
}

}  // namespace throng::detail
