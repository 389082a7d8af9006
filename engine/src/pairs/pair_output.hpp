// The outputs for pairs, whatever work finds them: a list, the host's memory, a visitor, or a count. The work
// is cut into blocks that run in parallel, and their pairs are joined in the order of the blocks:
//
//     blocks()                    the number of blocks
//     prepare(executor)           reserves what they need while they run
//     run(block, space, sink)     runs one; false if there is no memory
//     agents_in_block()           an estimate of the agents in one block
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "engine/src/base/as_kernel.hpp"
#include "engine/src/memory/outcome.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "throng/frame.hpp"

namespace throng::detail {

// A sink that keeps everything in one growing buffer. The blocks of one search share a flag: once one of them
// runs out of memory, all stop.
struct Keep {
    Buffer<Pair>& pairs;
    std::atomic<bool>& out_of_memory;

    bool open(simd::PairSink& sink, std::size_t room) noexcept {
        if (!pairs.reserve(room + 2 * simd::pair_slack)) return false;
        sink = {as_kernel(pairs.data()), limit(), full, this, false};
        return true;
    }
    // Adopts what was written. Returns false if there was not enough memory for it.
    bool close(const simd::PairSink& sink) noexcept { return !sink.stopped && pairs.resize(size(sink)); }

private:
    simd::Pair* limit() noexcept { return as_kernel(pairs.data()) + pairs.capacity() - simd::pair_slack; }
    std::size_t size(const simd::PairSink& sink) noexcept {
        return static_cast<std::size_t>(sink.at - as_kernel(pairs.data()));
    }
    static void full(simd::PairSink& sink) {
        Keep& keep = *static_cast<Keep*>(sink.context);
        const std::size_t have = keep.size(sink);
        (void)keep.pairs.resize(have);
        if (keep.out_of_memory.load(std::memory_order_relaxed) ||
            !keep.pairs.reserve(have + have / 2 + 2 * simd::pair_slack)) {
            // Until the kernel sees the stop flag, its further pairs overwrite old ones.
            keep.out_of_memory.store(true, std::memory_order_relaxed);
            sink.stopped = true;
            sink.at = as_kernel(keep.pairs.data());
            return;
        }
        sink.at = as_kernel(keep.pairs.data()) + have;
        sink.limit = keep.limit();
    }
};

// A sink that passes on blocks of pairs until it is told to stop.
template <class Take>
struct Pass {
    Take& take;
    const std::atomic<bool>& stop;
    std::array<Pair, 2048 + simd::pair_slack> buffer;

    Pass(Take& t, const std::atomic<bool>& s) noexcept : take(t), stop(s) {}
    simd::PairSink sink() noexcept {
        simd::Pair* begin = as_kernel(buffer.data());
        return {begin, begin + buffer.size() - simd::pair_slack, full, this, false};
    }
    static void full(simd::PairSink& sink) {
        Pass& pass = *static_cast<Pass*>(sink.context);
        const auto count = static_cast<std::size_t>(sink.at - as_kernel(pass.buffer.data()));
        sink.at = as_kernel(pass.buffer.data());
        sink.stopped = pass.stop.load(std::memory_order_relaxed);
        if (count != 0 && !sink.stopped) pass.take(pass.buffer.data(), count);
    }
};

// Passes on every block's pairs as they are found: take(pairs, count), on any thread, until `stop` is set.
template <class Work, class Take>
Status pass_pairs(Store& store, const Executor& executor, const Work& work, std::atomic<bool>& stop,
                  Take&& take) noexcept {
    if (!work.prepare(executor)) return {Code::out_of_memory};
    std::atomic<bool> out_of_memory{false};
    const bool ran = parallel::for_blocks(executor, work.blocks(), [&](std::size_t block) {
        if (stop.load(std::memory_order_relaxed)) return;
        const Lease<PairSpace> space(store.pair_spaces);
        Pass pass(take, stop);
        simd::PairSink sink = pass.sink();
        if (!space || !work.run(block, *space, sink)) {
            out_of_memory.store(true, std::memory_order_relaxed);
            stop.store(true, std::memory_order_relaxed);
            return;
        }
        pass.full(sink);
    });
    return outcome(ran, out_of_memory);
}

// The number of pairs fluctuates strongly: one large agent that moves has dozens.
inline void keep_pairs_ample(Buffer<Pair>& list) noexcept {
    keep_ample(list, list.size() + list.size() / 8 + 8 * simd::pair_slack);
}

// Runs one block after the other, straight into the list.
template <class Work>
Status list_serially(Store& store, const Work& work, Buffer<Pair>& list) noexcept {
    const Lease<PairSpace> space(store.pair_spaces);
    std::atomic<bool> out_of_memory{false};
    Keep keep{list, out_of_memory};
    simd::PairSink sink{};
    if (!space || !keep.open(sink, 0)) return {Code::out_of_memory};
    for (std::size_t block = 0; block < work.blocks() && !sink.stopped; ++block)
        if (!work.run(block, *space, sink)) return {Code::out_of_memory};
    if (!keep.close(sink)) return {Code::out_of_memory};
    keep_pairs_ample(list);
    return {};
}

// The pairs of each block in a work space of its own.
class PairBlocks {
public:
    explicit PairBlocks(Store& store) noexcept : store_(store), table_(store.pair_tables) {}
    PairBlocks(const PairBlocks&) = delete;
    ~PairBlocks() {
        if (!table_) return;
        // In reverse, so that each is put before the others at once: the pool keeps them in the order of memory.
        for (std::size_t i = table_->spaces.size(); i-- > 0;)
            if (table_->spaces[i] != nullptr) store_.pair_spaces.put_back(table_->spaces[i]);
        table_->spaces.clear();
    }

    // Runs the blocks [first, first + count).
    template <class Work>
    Status find(const Executor& executor, const Work& work, std::size_t first, std::size_t count) noexcept {
        if (!table_ || !take_spaces(count)) return {Code::out_of_memory};
        std::atomic<bool> out_of_memory{false};
        const bool ran = parallel::for_blocks(executor, count, [&](std::size_t block) {
            if (!find_block(work, first + block, *table_->spaces[block], out_of_memory))
                out_of_memory.store(true, std::memory_order_relaxed);
        });
        if (const Status bad = outcome(ran, out_of_memory); !bad.ok()) return bad;
        keep_spaces_ample();
        return {};
    }
    std::size_t total() const noexcept {
        std::size_t sum = 0;
        for (const PairSpace* space : table_->spaces) sum += space->pairs.size();
        return sum;
    }
    // Copies the first `room` pairs, in order. Returns false if the executor failed.
    bool copy(const Executor& executor, Pair* out, std::size_t room) const noexcept {
        const Buffer<PairSpace*>& spaces = table_->spaces;
        return parallel::for_blocks(executor, spaces.size(), [&](std::size_t block) {
            std::size_t at = 0;
            for (std::size_t b = 0; b < block; ++b) at += spaces[b]->pairs.size();
            if (at >= room) return;
            const Buffer<Pair>& some = spaces[block]->pairs;
            std::memcpy(out + at, some.data(), std::min(some.size(), room - at) * sizeof(Pair));
        });
    }

private:
    bool take_spaces(std::size_t count) noexcept {
        Buffer<PairSpace*>& spaces = table_->spaces;
        while (spaces.size() > count) {
            store_.pair_spaces.put_back(spaces[spaces.size() - 1]);
            (void)spaces.resize(spaces.size() - 1);
        }
        if (!spaces.reserve(count)) return false;
        while (spaces.size() < count) {
            PairSpace* space = store_.pair_spaces.take();
            if (space == nullptr) return false;
            (void)spaces.push_back(space);
        }
        return true;
    }
    template <class Work>
    static bool find_block(const Work& work, std::size_t block, PairSpace& space,
                           std::atomic<bool>& out_of_memory) noexcept {
        Keep keep{space.pairs, out_of_memory};
        simd::PairSink sink{};
        space.pairs.clear();
        if (out_of_memory.load(std::memory_order_relaxed)) return false;
        if (!keep.open(sink, work.agents_in_block() / 2) || !work.run(block, space, sink)) return false;
        return keep.close(sink);
    }
    void keep_spaces_ample() noexcept {
        for (const PairSpace* space : table_->spaces)
            table_->pair_room.follow(space->pairs.size() + 2 * simd::pair_slack);
        for (PairSpace* space : table_->spaces) (void)space->pairs.reserve(table_->pair_room.count);
    }

    Store& store_;
    Lease<PairTable> table_;
};

// --- The four forms of a query for pairs ---

template <class Work>
Status list_pairs(Store& store, const Executor& executor, const Work& work, Buffer<Pair>& list) noexcept {
    if (executor.parallel_for == nullptr || work.blocks() == 1) return list_serially(store, work, list);
    // A few blocks for each worker at a time, so their pairs are still in a cache when they are copied to the
    // list.
    const std::size_t wave = std::max<std::size_t>(parallel::workers_of(executor) * 8, 16);
    PairBlocks blocks(store);
    for (std::size_t first = 0; first < work.blocks(); first += wave) {
        const std::size_t count = std::min(wave, work.blocks() - first), before = list.size();
        if (const Status status = blocks.find(executor, work, first, count); !status.ok()) return status;
        const std::size_t found = blocks.total();
        if (!reserve_amply(list, before + found) || !list.resize(before + found))
            return {Code::out_of_memory};
        if (!blocks.copy(executor, list.data() + before, found)) return {Code::bad_executor};
    }
    keep_pairs_ample(list);
    return {};
}

template <class Work>
Filled fill_pairs(Store& store, const Executor& executor, const Work& work, std::span<Pair> out) noexcept {
    PairBlocks blocks(store);
    if (const Status status = blocks.find(executor, work, 0, work.blocks()); !status.ok())
        return {.status = status};
    const std::size_t total = blocks.total(), room = std::min(total, out.size());
    if (!blocks.copy(executor, out.data(), room)) return {.status = {Code::bad_executor}};
    return {.status = {}, .total = total, .written = room};
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
Status visit_pairs(Store& store, const Executor& executor, const Work& work, PairVisitor visitor) noexcept {
    std::atomic<bool> threw{false};
    std::atomic<bool> stop{false};
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
