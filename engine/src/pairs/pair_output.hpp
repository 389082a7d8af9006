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

#include "base/as_kernel.hpp"
#include "base/outcome.hpp"
#include "base/unwritten.hpp"
#include "engine/src/answers/lists/keep_all.hpp"
#include "engine/src/answers/lists/place_answers.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "throng/frame.hpp"

namespace throng::detail {

// A sink that passes on blocks of pairs until it is told to stop.
template <class Take>
struct Pass {
    Take& take;
    const std::atomic<bool>& stop;
    const parallel::Stop& host;
    Unwritten<Pair, 2048 + simd::pair_slack> buffer;

    Pass(Take& t, const std::atomic<bool>& s, const parallel::Stop& h) noexcept : take(t), stop(s), host(h) {}
    simd::PairSink sink() noexcept {
        simd::Pair* begin = as_kernel(buffer.data());
        return {begin, begin + buffer.size() - simd::pair_slack, full, this, false};
    }
    static void full(simd::PairSink& sink) {
        Pass& pass = *static_cast<Pass*>(sink.context);
        const auto count = static_cast<std::size_t>(sink.at - as_kernel(pass.buffer.data()));
        sink.at = as_kernel(pass.buffer.data());
        sink.stopped = pass.stop.load(std::memory_order_relaxed) || pass.host.is_wanted();
        if (count != 0 && !sink.stopped) pass.take(pass.buffer.data(), count);
    }
};

// Passes on every block's pairs as they are found: take(pairs, count), on any thread, until `stop` is set.
template <class Work, class Take>
Status pass_pairs(Store& store, const Executor& executor, const Work& work, std::atomic<bool>& stop,
                  Take&& take) noexcept {
    if (!work.prepare(executor)) return {Code::out_of_memory};
    std::atomic<bool> out_of_memory{false};
    const parallel::Ran ran = parallel::for_blocks(executor, work.blocks(), [&](std::size_t block) {
        if (stop.load(std::memory_order_relaxed)) return;
        const Lease<PairSpace> space(store.spaces.pairs);
        Pass pass(take, stop, work.stop());
        simd::PairSink sink = pass.sink();
        if (!space || !work.run(block, *space, sink)) {
            out_of_memory.store(true, std::memory_order_relaxed);
            stop.store(true, std::memory_order_relaxed);
            return;
        }
        pass.full(sink);
    });
    return outcome(work.stop(), outcome(ran, out_of_memory));
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
    KeepPairs keep{&list, &out_of_memory};
    simd::PairSink sink{};
    if (!space || !keep.open(sink, 0)) return {Code::out_of_memory};
    for (std::size_t block = 0; block < work.blocks() && !sink.stopped; ++block)
        if (!work.run(block, *space, sink)) return {Code::out_of_memory};
    if (!keep.close(sink)) return {Code::out_of_memory};
    keep_pairs_ample(list);
    return outcome(work.stop(), {});
}

// A sink for the host's memory, which is written directly while whole vectors fit. Then pairs go to a small
// buffer, from which as many are copied as fit, and the others are counted.
struct FillPairs {
    std::span<Pair> out;
    std::uint64_t found = 0;  // what was passed on before the sink's present buffer
    Unwritten<Pair, 1024 + simd::pair_slack> buffer;

    explicit FillPairs(std::span<Pair> to) noexcept : out(to) {}
    simd::PairSink sink() noexcept {
        if (out.size() <= simd::pair_slack) return to_buffer();
        simd::Pair* const begin = as_kernel(out.data());
        return {begin, begin + out.size() - simd::pair_slack, full, this, false};
    }
    static void full(simd::PairSink& sink) { static_cast<FillPairs*>(sink.context)->pass_on(sink); }
    void pass_on(simd::PairSink& sink) noexcept {
        const bool is_out = found == 0 && out.size() > simd::pair_slack;
        const auto count = static_cast<std::size_t>(sink.at - as_kernel(is_out ? out.data() : buffer.data()));
        if (!is_out && found < out.size())
            std::copy_n(buffer.data(),
                        std::min<std::size_t>(count, out.size() - static_cast<std::size_t>(found)),
                        out.data() + found);
        found += count;
        sink = to_buffer();
    }

private:
    simd::PairSink to_buffer() noexcept {
        simd::Pair* const begin = as_kernel(buffer.data());
        return {begin, begin + buffer.size() - simd::pair_slack, full, this, false};
    }
};

// Runs one block after the other, straight into the host's memory.
template <class Work>
Status fill_serially(Store& store, const Work& work, std::span<Pair> out, std::uint64_t& found) noexcept {
    const Lease<PairSpace> space(store.spaces.pairs);
    if (!space) return {Code::out_of_memory};
    FillPairs fill(out);
    simd::PairSink sink = fill.sink();
    for (std::size_t block = 0; block < work.blocks(); ++block)
        if (!work.run(block, *space, sink)) return {Code::out_of_memory};
    fill.pass_on(sink);
    found = fill.found;
    return outcome(work.stop(), {});
}

// A sink that keeps the first pairs of a block in a growing buffer, and counts the others.
class KeepFirstPairs {
public:
    KeepFirstPairs(Buffer<Pair>& pairs, std::size_t most, std::atomic<bool>& out_of_memory) noexcept
        : pairs_(pairs), most_(most), out_of_memory_(out_of_memory) {}

    // There is room for `more`.
    bool open(simd::PairSink& sink, std::size_t more) noexcept {
        pairs_.clear();
        sink = {nullptr, nullptr, full, this, false};
        return make_room(sink, 0, std::min(more, most_));
    }
    // Adopts what was written. Returns false if there was not enough memory for it.
    bool close(const simd::PairSink& sink) noexcept { return !sink.stopped && adopt(sink); }
    std::uint64_t found() const noexcept { return pairs_.size() + left_out_; }

private:
    static constexpr std::size_t least = 256;  // between two calls

    bool adopt(const simd::PairSink& sink) noexcept {
        const auto have = static_cast<std::size_t>(sink.at - as_kernel(pairs_.data()));
        left_out_ += have - std::min(have, most_);
        return pairs_.resize(std::min(have, most_));
    }
    bool make_room(simd::PairSink& sink, std::size_t have, std::size_t more) noexcept {
        if (!pairs_.reserve(have + std::max(more, least) + simd::pair_slack)) return false;
        sink.at = as_kernel(pairs_.data()) + have;
        sink.limit = as_kernel(pairs_.data()) + pairs_.capacity() - simd::pair_slack;
        return true;
    }
    static void full(simd::PairSink& sink) {
        KeepFirstPairs& keep = *static_cast<KeepFirstPairs*>(sink.context);
        (void)keep.adopt(sink);
        const std::size_t have = keep.pairs_.size(), more = std::min(have / 2, keep.most_ - have);
        if (!keep.out_of_memory_.load(std::memory_order_relaxed) && keep.make_room(sink, have, more)) return;
        // Until the kernel sees the stop flag, what it still finds overwrites what it found.
        keep.out_of_memory_.store(true, std::memory_order_relaxed);
        sink.stopped = true;
        sink.at = as_kernel(keep.pairs_.data());
    }

    Buffer<Pair>& pairs_;
    const std::size_t most_;
    std::atomic<bool>& out_of_memory_;
    std::uint64_t left_out_ = 0;
};

// Runs the blocks and appends their pairs. What has no spot in the host's memory is counted and takes none
// of the engine's.
template <class Work>
Status append_pairs(Store& store, const Executor& executor, const Work& work,
                    Destination<Pair>& result) noexcept {
    const std::size_t most =
        result.growing == nullptr ? result.fixed.size() : std::numeric_limits<std::size_t>::max();
    const Lease<PairTable> table(store.spaces.pair_tables);
    const std::size_t slots = slots_for(executor, work.blocks());
    if (!table) return {Code::out_of_memory};
    Buffer<PairSpace*>& spaces = table->spaces;
    // What blocks need while they run is in other spaces.
    const bool enough = store.spaces.pairs.take_all(spaces, slots) && work.prepare(executor) &&
                        resize_amply(table->pieces, work.blocks());
    std::atomic<bool> out_of_memory{!enough};
    const auto find = [&, lease = LateLease<PairSpace>(store.spaces.pairs)](
                          std::size_t block, std::size_t slot, std::uint64_t& size) mutable {
        PairSpace* const scratch = lease.get();
        Buffer<Pair>& pairs = spaces[slot]->pairs;
        KeepFirstPairs keep(pairs, most, out_of_memory);
        simd::PairSink sink{};
        const bool found = scratch != nullptr && keep.open(sink, work.agents_in_block() / 2) &&
                           work.run(block, *scratch, sink) && keep.close(sink);
        size = keep.found();
        return found;
    };
    const auto place = [&](std::size_t, std::size_t slot, std::uint64_t begin) {
        result.copy(spaces[slot]->pairs, begin);
    };
    const Status status = enough ? append_in_turn(executor, table->pieces, slots, result, find, place)
                                 : Status{Code::out_of_memory};
    if (status.ok()) {
        table->pair_room.follow(std::min(longest(table->pieces), most) + 2 * simd::pair_slack);
        for (PairSpace* space : spaces) (void)space->pairs.reserve(table->pair_room.count);
    }
    store.spaces.pairs.put_back_all(spaces);
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
    return {
        .status = {}, .total = result.found, .written = std::min<std::uint64_t>(result.found, out.size())};
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
