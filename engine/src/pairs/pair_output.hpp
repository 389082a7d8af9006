// The outputs for pairs, whatever work finds them: a list, the host's memory, a visitor, or a count. The work
// is cut into blocks that run in parallel, and their pairs are joined in the order of the blocks:
//
//     blocks()                    the number of blocks
//     prepare(executor)           reserves what they need while they run
//     run(block, space, sink)     runs one; false if there is no memory
//     stop()                      whether the host wanted it to end
//     agents_in_block()           an estimate of the agents in one block
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "base/outcome.hpp"
#include "engine/src/answers/lists/place_answers.hpp"
#include "engine/src/answers/lists/sinks.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "throng/frame.hpp"

namespace throng::detail {

// A sink that passes on blocks of pairs until it is told to stop.
template <class Take>
class Pass : public HandOn<Pass<Take>, simd::PairSink, 2048> {
public:
    Pass(Take& take, const std::atomic<bool>& stop, const parallel::Stop& host) noexcept
        : take_(take), stop_(stop), host_(host) {}
    bool take(const Pair* pairs, const NothingBeside*, std::size_t count) noexcept {
        if (stop_.load(std::memory_order_relaxed) || host_.is_wanted()) return false;
        take_(pairs, count);
        return true;
    }

private:
    Take& take_;
    const std::atomic<bool>& stop_;
    const parallel::Stop& host_;
};

// Passes on every block's pairs as they are found: take(pairs, count), on any thread, until `stop` is set.
template <class Work, class Take>
Status pass_pairs(Store& store, const Executor& executor, const Work& work, std::atomic<bool>& stop,
                  Take&& take) noexcept {
    if (!work.prepare(executor)) return {Code::out_of_memory};
    const auto run = [&](std::size_t block, PairSpace& space) {
        if (stop.load(std::memory_order_relaxed)) return true;
        Pass pass(take, stop, work.stop());
        const bool enough = work.run(block, space, pass.sink());
        if (enough)
            pass.flush();
        else
            stop.store(true, std::memory_order_relaxed);
        return enough;
    };
    return outcome(work.stop(), with_spaces(store.spaces.pairs, executor, work.blocks(), run));
}

// The number of pairs fluctuates strongly: one large agent that moves has dozens.
inline void keep_pairs_ample(Buffer<Pair>& list) noexcept {
    keep_ample(list, list.size() + list.size() / 8 + 8 * simd::pair_slack);
}

// Runs one block after the other, straight into the list.
template <class Work>
Status list_serially(Store& store, const Work& work, Buffer<Pair>& list) noexcept {
    const Lease<PairSpace> space(store.spaces.pairs);
    std::atomic<bool> out_of_memory{false};
    KeepPairs keep(&list, &out_of_memory);
    simd::PairSink sink{};
    if (!space || !keep.open(sink, 0)) return {Code::out_of_memory};
    for (std::size_t block = 0; block < work.blocks() && !sink.stopped; ++block)
        if (!work.run(block, *space, sink)) return {Code::out_of_memory};
    if (!keep.close(sink)) return {Code::out_of_memory};
    keep_pairs_ample(list);
    return outcome(work.stop(), {});
}

// Runs one block after the other, straight into the host's memory.
template <class Work>
Status fill_serially(Store& store, const Work& work, std::span<Pair> out, std::uint64_t& found) noexcept {
    const Lease<PairSpace> space(store.spaces.pairs);
    if (!space) return {Code::out_of_memory};
    FillMemory<simd::PairSink, 1024> fill(out);
    for (std::size_t block = 0; block < work.blocks(); ++block)
        if (!work.run(block, *space, fill.sink())) return {Code::out_of_memory};
    found = fill.finish().total;
    return outcome(work.stop(), {});
}

// Runs the blocks and appends their pairs. What has no spot in the host's memory is counted and takes none
// of the engine's.
template <class Work>
Status append_pairs(Store& store, const Executor& executor, const Work& work,
                    Destination<Pair>& result) noexcept {
    constexpr std::size_t between_calls = 256;  // of the sink, if it keeps no more
    const std::size_t most =
        result.growing == nullptr ? result.fixed.size() : std::numeric_limits<std::size_t>::max();
    const Lease<PairTable> table(store.spaces.pair_tables);
    if (!table) return {Code::out_of_memory};
    const SpacesInTurn<PairSpace> spaces{store.spaces.pairs, table->spaces, table->pieces};
    std::atomic<bool> out_of_memory{false};
    const auto find = [&, lease = LateLease<PairSpace>(store.spaces.pairs)](
                          std::size_t block, PairSpace& space, std::uint64_t& size) mutable {
        PairSpace* const scratch = lease.get();
        KeepPairs keep(&space.pairs, &out_of_memory, nullptr, nullptr, most);
        simd::PairSink sink{};
        const bool found = scratch != nullptr &&
                           keep.open(sink, 0, std::min(work.agents_in_block() / 2, most) + between_calls) &&
                           work.run(block, *scratch, sink) && keep.close(sink);
        size = keep.found();
        return found;
    };
    const auto place = [&](std::size_t, const PairSpace& space, std::uint64_t begin) {
        result.copy(space.pairs, begin);
    };
    // What blocks need while they run is in other spaces.
    Status status{Code::out_of_memory};
    if (spaces.take(executor, work.blocks()) && work.prepare(executor))
        status = append_in_turn(executor, spaces, result, find, place);
    if (status.ok()) {
        table->pair_room.follow(std::min(longest(table->pieces), most) + 2 * simd::pair_slack);
        for (PairSpace* space : table->spaces) (void)space->pairs.reserve(table->pair_room.count);
    }
    store.spaces.pairs.put_back_all(table->spaces);
    return outcome(work.stop(), status);
}

// Adds all pairs of a frame, whether it is published or not, to a list, in the order of Frame::pairs.
Status list_all_pairs(const FrameState& frame, const Executor& executor, Buffer<Pair>& list) noexcept;

// --- The four forms of a query for pairs ---

template <class Work>
Status list_pairs(Store& store, const Executor& executor, const Work& work, Buffer<Pair>& list) noexcept {
    if (parallel::workers_of(executor) == 1 || work.blocks() == 1) return list_serially(store, work, list);
    Destination<Pair> result{&list, {}, list.size()};
    const Status status = append_pairs(store, executor, work, result);
    if (!status.ok()) return status;
    (void)list.resize(static_cast<std::size_t>(result.found));
    keep_pairs_ample(list);
    return {};
}

template <class Work>
Filled fill_pairs(Store& store, const Executor& executor, const Work& work, std::span<Pair> out) noexcept {
    const bool serially = parallel::workers_of(executor) == 1 || work.blocks() == 1;
    Destination<Pair> result{nullptr, out};
    const Status status = serially ? fill_serially(store, work, out, result.found)
                                   : append_pairs(store, executor, work, result);
    if (!status.ok()) return {.status = status};
    return filled(result.found, out.size());
}

template <class Work>
Count count_pairs(Store& store, const Executor& executor, const Work& work) noexcept {
    std::atomic<std::uint64_t> total{0};
    std::atomic<bool> stop{false};
    const Status status = pass_pairs(store, executor, work, stop, [&](const Pair*, std::size_t count) {
        total.fetch_add(count, std::memory_order_relaxed);
    });
    if (!status.ok()) return {.status = status};
    return {.status = {}, .total = total.load(std::memory_order_relaxed)};
}

template <class Work>
Status visit_pairs(Store& store, const Executor& executor, const Work& work, PairVisitor visitor,
                   std::atomic<bool>& stop) noexcept {
    std::atomic<bool> threw{false};
    const Status status = pass_pairs(store, executor, work, stop, [&](const Pair* pairs, std::size_t count) {
        try {
            if (visitor(pairs, count)) return;
        } catch (...) {
            threw.store(true, std::memory_order_relaxed);
        }
        stop.store(true, std::memory_order_relaxed);
    });
    return status.ok() && threw.load(std::memory_order_relaxed) ? Status{Code::visitor_threw} : status;
}

}  // namespace throng::detail
