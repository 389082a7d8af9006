// The outputs for pairs, whatever work finds them: a list, the host's memory, a visitor, or a count. The work
// is cut into blocks that run in parallel, and their pairs are joined in the order of the blocks. Works and
// outputs know each other by virtual calls, a few for each block, so that each is compiled once, and a
// program has only those that it uses.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "base/blocks.hpp"
#include "base/kernels.hpp"
#include "engine/src/answers/lists/place_answers.hpp"
#include "engine/src/answers/lists/sinks.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "simd/pair_kernels.hpp"
#include "throng/frame.hpp"

namespace throng::detail {

// A search for pairs.
class PairSearch {
public:
    virtual ~PairSearch() = default;
    virtual std::size_t blocks() const noexcept = 0;
    // Reserves what the blocks need while they run. Returns false if there is no memory.
    virtual bool prepare(const Executor& executor) const noexcept = 0;
    // Runs one; false if there is no memory.
    virtual bool run(std::size_t block, PairSpace& space, simd::PairSink& sink) const noexcept = 0;
    // Whether the host wanted it to end.
    virtual const parallel::Stop& stop() const noexcept = 0;
    // An estimate, for the initial room for its pairs.
    virtual std::size_t agents_in_block() const noexcept = 0;
};

// Hands on some of the pairs: those for which keeps(pair). A sink between the kernels and the sink of a call.
template <class Keeps>
class SomePairs : public HandOn<SomePairs<Keeps>, simd::PairSink, 1024> {
public:
    SomePairs(const Keeps& keeps, simd::PairSink& out) noexcept
        : HandOn<SomePairs, simd::PairSink, 1024>(out.stopped), keeps_(keeps), out_(out) {}

    // At most as many at once as there is room for.
    bool take(const Pair* pairs, const NothingBeside*, std::size_t count) noexcept {
        const Keeps keeps = keeps_;
        const simd::Pair *at = as_kernel(pairs), *const end = at + count;
        while (at != end && !out_.stopped) {
            const simd::Pair* const next =
                end - at < static_cast<std::ptrdiff_t>(simd::pair_slack) ? end : at + simd::pair_slack;
            if (out_.at > out_.limit) out_.full(out_);
            simd::Pair* to = out_.at;
            for (; at != next; ++at) {
                *to = *at;
                to += keeps(*at);
            }
            out_.at = to;
        }
        return !out_.stopped;
    }

private:
    const Keeps keeps_;
    simd::PairSink& out_;
};

// Leaves out pairs that the owners of ghosts do not list.
enum class Unlisted {
    of_two_ghosts,    // within one frame
    of_first_ghosts,  // of two frames
    found_again,      // of a frame with itself: each pair of owned agents once, and each agent with itself
};
struct IsListed {
    simd::GhostIds ghosts;
    Unlisted unlisted;

    bool operator()(const simd::Pair& pair) const noexcept {
        if (unlisted == Unlisted::of_two_ghosts) return !ghosts.has_both(pair.a, pair.b);
        if (unlisted == Unlisted::of_first_ghosts) return !ghosts.has(pair.a);
        return pair.b > pair.a || ghosts.has(pair.b);
    }
};
using OwnedPairs = SomePairs<IsListed>;

// Calls find(sink) with a sink for the pairs found; `out` gets those that are listed.
template <class Find>
auto without_ghosts(const simd::GhostIds& ghosts, Unlisted unlisted, simd::PairSink& out,
                    const Find& find) noexcept {
    if (ghosts.empty()) return find(out);
    OwnedPairs owned({ghosts, unlisted}, out);
    if constexpr (std::is_void_v<decltype(find(out))>) {
        find(owned.sink());
        return owned.flush();
    } else {
        const auto result = find(owned.sink());
        owned.flush();
        return result;
    }
}

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
template <class Take>
Status pass_pairs(Store& store, const Executor& executor, const PairSearch& work, std::atomic<bool>& stop,
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
inline Status list_serially(Store& store, const PairSearch& work, Buffer<Pair>& list) noexcept {
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
inline Status fill_serially(Store& store, const PairSearch& work, std::span<Pair> out,
                            std::uint64_t& found) noexcept {
    const Lease<PairSpace> space(store.spaces.pairs);
    if (!space) return {Code::out_of_memory};
    FillMemory<simd::PairSink, 1024> fill(out);
    for (std::size_t block = 0; block < work.blocks(); ++block)
        if (!work.run(block, *space, fill.sink())) return {Code::out_of_memory};
    found = fill.finish().total;
    return outcome(work.stop(), {});
}

// Runs the blocks and appends their pairs. Pairs without a spot in the host's memory are counted, and take
// none of the engine's.
inline Status append_pairs(Store& store, const Executor& executor, const PairSearch& work,
                           Destination<Pair>& result) noexcept {
    constexpr std::size_t between_calls = 256;  // of the sink, if it keeps no more
    const std::size_t most =
        result.growing == nullptr ? result.fixed.size() : std::numeric_limits<std::size_t>::max();
    const Lease<PairTable> table(store.spaces.pair_tables);
    if (!table) return {Code::out_of_memory};
    const SpacesInTurn<PairSpace> spaces{store.spaces.pairs, table->spaces, table->pieces};
    // An estimate, the first time. Later each space has room for the longest part, whichever of them are
    // used.
    const std::size_t first =
        table->pair_room.count != 0 ? 0 : std::min(work.agents_in_block() / 2, most) + between_calls;
    std::atomic<bool> out_of_memory{false};
    const auto find = [&, lease = LateLease<PairSpace>(store.spaces.pairs)](
                          std::size_t block, PairSpace& space, std::uint64_t& size) mutable {
        PairSpace* const scratch = lease.get();
        KeepPairs keep(&space.pairs, &out_of_memory, nullptr, nullptr, most);
        simd::PairSink sink{};
        const bool found = scratch != nullptr && keep.open(sink, 0, first) &&
                           work.run(block, *scratch, sink) && keep.close(sink);
        size = keep.found();
        return found;
    };
    const auto place = [&](std::size_t, const PairSpace& space, std::uint64_t begin) {
        result.copy(space.pairs, begin);
    };
    // The memory of running blocks is in other spaces.
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

// The output of pairs.
class PairOutput {
public:
    virtual ~PairOutput() = default;
    // All pairs of some work.
    virtual Status take(Store& store, const Executor& executor, const PairSearch& work) noexcept = 0;
    // More pairs, found on this thread, unless they were added to the list.
    virtual Status take(std::span<const Pair> pairs) noexcept = 0;
    // The list that they go into, or null.
    Buffer<Pair>* list() const noexcept { return list_; }
    // Whether no more are wanted.
    virtual bool has_ended() const noexcept { return false; }

protected:
    explicit PairOutput(Buffer<Pair>* list = nullptr) noexcept : list_(list) {}
    static bool runs_serially(const Executor& executor, const PairSearch& work) noexcept {
        return parallel::workers_of(executor) == 1 || work.blocks() == 1;
    }

private:
    Buffer<Pair>* const list_;
};

class ListedPairs final : public PairOutput {
public:
    explicit ListedPairs(Buffer<Pair>& list) noexcept : PairOutput(&list) {}
    Status take(Store& store, const Executor& executor, const PairSearch& work) noexcept override {
        if (runs_serially(executor, work)) return list_serially(store, work, *list());
        Destination<Pair> result{list(), {}, list()->size()};
        const Status status = append_pairs(store, executor, work, result);
        if (!status.ok()) return status;
        (void)list()->resize(static_cast<std::size_t>(result.found));
        keep_pairs_ample(*list());
        return {};
    }
    Status take(std::span<const Pair>) noexcept override { return {}; }
};

// In the host's memory, as many as fit.
class WrittenPairs final : public PairOutput {
public:
    explicit WrittenPairs(std::span<Pair> out) noexcept : out_(out) {}
    Status take(Store& store, const Executor& executor, const PairSearch& work) noexcept override {
        Destination<Pair> result{nullptr, out_};
        const Status status = runs_serially(executor, work) ? fill_serially(store, work, out_, result.found)
                                                            : append_pairs(store, executor, work, result);
        found_ = result.found;
        return status;
    }
    Status take(std::span<const Pair> pairs) noexcept override {
        const auto first = static_cast<std::size_t>(std::min<std::uint64_t>(found_, out_.size()));
        std::copy_n(pairs.begin(), std::min(pairs.size(), out_.size() - first), out_.data() + first);
        found_ += pairs.size();
        return {};
    }
    Filled result() const noexcept { return filled(found_, out_.size()); }

private:
    std::span<Pair> out_;
    std::uint64_t found_ = 0;
};

// To a visitor, on any thread.
class VisitedPairs final : public PairOutput {
public:
    explicit VisitedPairs(PairVisitor visitor) noexcept : visitor_(visitor) {}
    Status take(Store& store, const Executor& executor, const PairSearch& work) noexcept override {
        const Status status = pass_pairs(store, executor, work, ended_,
                                         [&](const Pair* pairs, std::size_t count) { visit(pairs, count); });
        return status.ok() ? outcome_of_visits() : status;
    }
    Status take(std::span<const Pair> pairs) noexcept override {
        if (!pairs.empty()) visit(pairs.data(), pairs.size());
        return outcome_of_visits();
    }
    bool has_ended() const noexcept override { return ended_.load(std::memory_order_relaxed); }

private:
    void visit(const Pair* pairs, std::size_t count) noexcept {
        try {
            if (visitor_(pairs, count)) return;
        } catch (...) {
            threw_.store(true, std::memory_order_relaxed);
        }
        ended_.store(true, std::memory_order_relaxed);
    }
    Status outcome_of_visits() const noexcept {
        return threw_.load(std::memory_order_relaxed) ? Status{Code::visitor_threw} : Status{};
    }

    PairVisitor visitor_;
    std::atomic<bool> threw_{false}, ended_{false};
};

class CountedPairs final : public PairOutput {
public:
    Status take(Store& store, const Executor& executor, const PairSearch& work) noexcept override {
        std::atomic<bool> stop{false};
        return pass_pairs(store, executor, work, stop, [&](const Pair*, std::size_t count) {
            total_.fetch_add(count, std::memory_order_relaxed);
        });
    }
    Status take(std::span<const Pair> pairs) noexcept override {
        total_.fetch_add(pairs.size(), std::memory_order_relaxed);
        return {};
    }
    std::uint64_t total() const noexcept { return total_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> total_{0};
};

// Checks the distance and `agents_as`.
Status check(const PairQuery& wanted) noexcept;
// The same for kernels that look in a frame with or without labels. By height, if both agents have some.
simd::WantedPairs wanted_in(const PairQuery& query, bool labelled, bool by_height) noexcept;
// All pairs of a frame as it lies, without those across seams, whether it is published or not.
Status find_own_pairs(const FrameState& frame, const PairQuery& wanted, const Executor& executor,
                      PairOutput& output) noexcept;
// All pairs of an agent `a` of one frame and an agent `b` of the other.
Status find_cross_pairs(const FrameState& one, const FrameState& other, const PairQuery& wanted,
                        const Executor& executor, PairOutput& output) noexcept;
// Whether very many ghosts are at each other, or within a distance, for example if all agents before the gate
// of the next tile are ghosts. Pairs of two ghosts are not listed, but a search for pairs finds them, and a
// pile of n ghosts has n * n / 2. So if ghosts are piled, each owned agent looks for its partners instead.
// Otherwise leaving out such pairs is faster.
bool are_ghosts_piled(const FrameState& frame, float distance) noexcept;
Status find_pairs_beside_piles(const FrameState& frame, const PairQuery& wanted, const Executor& executor,
                               PairOutput& output) noexcept;

}  // namespace throng::detail
