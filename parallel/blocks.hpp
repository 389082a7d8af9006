// The parallel algorithms, all by numbered blocks. Each block writes to its own place, and results are joined
// in the order of the numbers, so no result can depend on the number of threads.
//
//     for_blocks(executor, count, f)          f(0) ... f(count - 1), each once
//     range_of(total, parts, index)           the index-th of equal parts of a range
//     for_ranges(executor, total, least, f)   f(range) for such parts, each once
//     scan_bins(...)                          a prefix sum: counts by block and bin become write positions
//     bin(...)                                sorts numbered items into bins: a stable parallel counting sort
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "throng/compiler.hpp"
#include "throng/executor.hpp"

namespace throng::parallel {

// atomically(value).fetch_add(...): std::atomic_ref, which LLVM's standard library lacks before version 19.
#ifdef __cpp_lib_atomic_ref
template <class T>
using AtomicRef = std::atomic_ref<T>;
#else
using detail::AtomicRef;
#endif

template <class T>
AtomicRef<T> atomically(T& value) noexcept {
    return AtomicRef<T>(value);
}

// The outcome of a step: true if each of its blocks ran once. Otherwise none of its output may be used.
class [[nodiscard]] Ran {
public:
    constexpr Ran(bool all, bool cancelled = false) noexcept  // NOLINT(google-explicit-constructor)
        : all_(all), cancelled_(cancelled) {}
    constexpr explicit operator bool() const noexcept { return all_; }
    // Whether the host wanted it to end.
    constexpr bool cancelled() const noexcept { return cancelled_; }

private:
    bool all_, cancelled_;
};

// Whether the host wants a call to end. One for the threads of a step: if one of them hears it, all do.
class Stop {
public:
    explicit Stop(const Executor& executor) noexcept : executor_(executor) {}

    bool is_wanted() const noexcept {
        if (executor_.cancelled == nullptr) return false;
        if (!said_.load(std::memory_order_relaxed) && executor_.cancelled(executor_.cancel_context))
            said_.store(true, std::memory_order_relaxed);
        return said();
    }
    // The answer so far. Whoever gave up for it says so at the end of the step.
    bool said() const noexcept { return said_.load(std::memory_order_relaxed); }

private:
    const Executor& executor_;
    mutable std::atomic<bool> said_{false};
};

// A reference to a call of any type. What takes one is compiled once, instead of for each of its callers. It
// is only for parameters: what it refers to ends with the caller's expression.
template <class Signature>
class Call;
template <class Result, class... Arguments>
class Call<Result(Arguments...)> {
public:
    template <class Body>
        requires(!std::is_same_v<std::remove_cvref_t<Body>, Call>)
    // NOLINTNEXTLINE(google-explicit-constructor)
    Call(Body&& body)
    noexcept
        : body_(const_cast<void*>(static_cast<const void*>(&body))),
          call_([](void* to, Arguments... arguments) -> Result {
              return (*static_cast<std::remove_reference_t<Body>*>(to))(static_cast<Arguments>(arguments)...);
          }) {}
    Result operator()(Arguments... arguments) const {
        return call_(body_, static_cast<Arguments>(arguments)...);
    }

private:
    void* body_;
    Result (*call_)(void* body, Arguments... arguments);
};

// Calls `body(index)` for every index below `count`, through the executor. `body` must not throw. False if
// the executor did not run every block exactly once, or was cancelled. A block never runs twice, whatever the
// executor does, since blocks assume that they are the only writer of their place.
[[nodiscard]] THRONG_NOINLINE inline Ran for_blocks(const Executor& executor, std::size_t count,
                                                    Call<void(std::size_t)> body) noexcept {
    const Stop stop(executor);
    if (executor.parallel_for == nullptr || count <= 1) {
        for (std::size_t i = 0; i < count; ++i) {
            if (stop.is_wanted()) return {false, true};
            body(i);
        }
        return true;
    }
    if (stop.is_wanted()) return {false, true};
    // One bit a block. There are hardly ever more blocks than this; if so, they run in several turns.
    constexpr std::size_t word = 64, blocks_a_turn = 64 * word;
    struct Turn {
        const Call<void(std::size_t)>& body;
        const Stop& stop;
        std::size_t first, count;
        std::atomic<bool> misused{false};
        std::atomic<std::size_t> ran{0};
        std::atomic<std::uint64_t> taken[blocks_a_turn / word] = {};

        void run(std::size_t index) noexcept {
            const std::uint64_t bit = std::uint64_t{1} << index % word;
            if (index >= count || (taken[index / word].fetch_or(bit, std::memory_order_relaxed) & bit) != 0) {
                misused.store(true, std::memory_order_relaxed);
                return;
            }
            if (stop.is_wanted()) return;
            body(first + index);
            ran.fetch_add(1, std::memory_order_relaxed);
        }
    };
    for (std::size_t first = 0; first < count; first += blocks_a_turn) {
        Turn turn{body, stop, first, count - first < blocks_a_turn ? count - first : blocks_a_turn};
        executor.parallel_for(
            executor.context, turn.count,
            [](void* argument, std::size_t index) { static_cast<Turn*>(argument)->run(index); }, &turn);
        if (turn.misused.load(std::memory_order_relaxed)) return false;
        if (turn.ran.load(std::memory_order_acquire) != turn.count) return {false, stop.said()};
    }
    return true;
}

// The largest number of workers that counts; any value of the hint is legal. So many workers get some
// thousand blocks, enough to keep several times as many threads busy.
inline constexpr unsigned max_workers = 256;
inline std::size_t workers_of(const Executor& executor) noexcept {
    if (executor.parallel_for == nullptr || executor.workers == 0) return 1;
    return executor.workers < max_workers ? executor.workers : max_workers;
}

// An executor with several workers and no way to reach them is a mistake of the host's.
inline bool has_what_it_names(const Executor& executor) noexcept {
    return executor.parallel_for != nullptr || executor.workers <= 1;
}

// How many blocks an executor is expected to run at the same time.
inline std::size_t at_once(const Executor& executor, std::size_t blocks) noexcept {
    const std::size_t workers = workers_of(executor);
    return workers < blocks ? workers : blocks;
}
// The same for blocks that each need room for the largest part of a whole, such as a row of a grid. Many
// workers would multiply the memory, most of all if one part is nearly everything. So room is ready for
// sixteen blocks, and for as many more as take half of the whole together. Others allocate for themselves.
inline std::size_t at_once(const Executor& executor, std::size_t blocks, std::size_t largest_part,
                           std::size_t whole) noexcept {
    const std::size_t wanted = at_once(executor, blocks);
    const std::size_t within_memory = largest_part == 0 ? wanted : 16 + whole / largest_part / 2;
    return wanted < within_memory ? wanted : within_memory;
}

struct Range {
    std::size_t begin, end;
    std::size_t size() const noexcept { return end - begin; }
};

// The parts differ in size by less than a multiple of `grain`, and all but the last end at one.
inline Range range_of(std::size_t total, std::size_t parts, std::size_t index,
                      std::size_t grain = 16) noexcept {
    const std::size_t grains = (total + grain - 1) / grain;
    const auto edge = [&](std::size_t i) {
        // A size of 32 bits may be too small for the number of parts squared.
        const auto rest = static_cast<std::size_t>(std::uint64_t{grains % parts} * i / parts);
        const std::size_t at = (grains / parts * i + rest) * grain;
        return at < total ? at : total;
    };
    return {edge(index), index + 1 == parts ? total : edge(index + 1)};
}

// An atomic minimum, over what several blocks find.
inline void lower(std::atomic<std::size_t>& least, std::size_t value) noexcept {
    std::size_t seen = least.load(std::memory_order_relaxed);
    while (value < seen && !least.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
    }
}

// How many blocks to cut `work` into, so that each is worth a task and there are enough to balance the load:
// as many for each worker, since seven on two workers take as long as eight, and at most `many`, which is
// more if blocks cost only their work.
inline std::size_t blocks_for(const Executor& executor, std::size_t work, std::size_t smallest_block,
                              std::size_t many = 4) noexcept {
    if (workers_of(executor) == 1) return 1;
    const std::size_t workers = workers_of(executor), most = workers * many;
    const std::size_t blocks = work / smallest_block + 1;
    if (blocks <= workers) return blocks;
    return blocks < most ? (blocks + workers - 1) / workers * workers : most;
}

// Calls `body(range)` for the parts of [0, total), as for_blocks does for blocks. A host that may end the
// call is asked after each `smallest_block`.
[[nodiscard]] THRONG_NOINLINE inline Ran for_ranges(const Executor& executor, std::size_t total,
                                                    std::size_t smallest_block,
                                                    Call<void(Range)> body) noexcept {
    const std::size_t blocks = blocks_for(executor, total, smallest_block);
    if (executor.cancelled == nullptr)
        return for_blocks(executor, blocks, [&](std::size_t b) { body(range_of(total, blocks, b)); });
    const Stop stop(executor);
    const Ran ran = for_blocks(executor, blocks, [&](std::size_t b) {
        for (Range left = range_of(total, blocks, b); left.size() != 0 && !stop.is_wanted();) {
            const std::size_t piece = left.size() < smallest_block ? left.size() : smallest_block;
            body(Range{left.begin, left.begin + piece});
            left.begin += piece;
        }
    });
    return stop.said() ? Ran{false, true} : ran;
}

// `counts` holds, for each of `blocks` blocks, the number of its items in each of `bins` bins, block by
// block. Afterwards it holds the position of each block's first item of each bin, ordered by bin and then by
// block. `starts` gets the start of each bin, and the total at its end.
template <class Number>
void scan_bins(Number* counts, std::size_t blocks, std::size_t bins, Number* starts) noexcept {
    Number sum = 0;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        starts[bin] = sum;
        for (std::size_t block = 0; block < blocks; ++block)
            sum += std::exchange(counts[block * bins + bin], sum);
    }
    starts[bins] = sum;
}

// Sorts the items 0 .. total - 1 into bins by `bin_of(item)`, keeping their order within a bin: `order` gets
// the items, bin by bin, and `starts` the start of each bin. `counts` is scratch for blocks * bins numbers.
template <class BinOf>
[[nodiscard]] Ran bin(const Executor& executor, std::size_t total, std::size_t bins, std::size_t blocks,
                      std::uint32_t* counts, std::uint32_t* starts, std::uint32_t* order,
                      BinOf&& bin_of) noexcept {
    const Ran counted = for_blocks(executor, blocks, [&](std::size_t block) {
        std::uint32_t* mine = counts + block * bins;
        for (std::size_t i = 0; i < bins; ++i) mine[i] = 0;
        const Range part = range_of(total, blocks, block);
        for (std::size_t i = part.begin; i < part.end; ++i) ++mine[bin_of(i)];
    });
    if (!counted) return counted;
    scan_bins(counts, blocks, bins, starts);
    return for_blocks(executor, blocks, [&](std::size_t block) {
        std::uint32_t* next = counts + block * bins;
        const Range part = range_of(total, blocks, block);
        for (std::size_t i = part.begin; i < part.end; ++i)
            order[next[bin_of(i)]++] = static_cast<std::uint32_t>(i);
    });
}

}  // namespace throng::parallel

namespace throng::detail {

// The version of oneTBB's headers that the executors were compiled with, such as "2021.8"; empty without.
const char* tbb_version() noexcept;

}  // namespace throng::detail
