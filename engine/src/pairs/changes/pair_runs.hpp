// An oversized agent has many pairs, one behind the other at the end of a list. The order of such agents
// changes with each sample of their tree, so these pairs are compared agent by agent.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "engine/src/memory/growth.hpp"
#include "engine/src/pairs/changes/common_pairs.hpp"
#include "parallel/blocks.hpp"
#include "throng/compiler.hpp"
#include "throng/queries/pairs.hpp"

namespace throng::detail {

// Finds the last runs of pairs with the same `a`, at most as many as there are oversized agents, and sorts
// them by id. None if they are short on average, except for a few: comparing these apart would cost more than
// it saves. The longest may be anywhere among them. A run may have a few other pairs.
inline void find_runs(std::span<const Pair> pairs, std::size_t oversized, Buffer<PairRun>& runs) noexcept {
    constexpr std::size_t least = 64, in_one_tree = 512;  // with little change in its order
    const std::size_t few = pairs.size() / (8 * least) + 16;
    runs.clear();
    if (oversized <= in_one_tree) return;
    std::size_t begin = pairs.size();
    while (begin != 0 && runs.size() < oversized) {
        const std::size_t end = begin--;
        const AgentId id = pairs[begin].a;
        while (begin >= least && pairs[begin - least].a == id) begin -= least;
        while (begin != 0 && pairs[begin - 1].a == id) --begin;
        if (runs.size() > (pairs.size() - begin) / least + few || !runs.push_back({id, begin, end, 0}))
            return runs.clear();
    }
    keep_ample(runs, runs.size());
    std::sort(runs.begin(), runs.end(), [](const PairRun& a, const PairRun& b) { return a.id < b.id; });
    for (PairRun& run : runs) run.spot = std::exchange(begin, begin + run.size());
}

// A list that is compared with another: its pairs, the place for pairs that the other may lack, and the runs
// at its end.
struct ComparedPairs {
    Pair *pairs, *left;
    std::span<const PairRun> runs;

    // The runs of the ids [from, to).
    std::span<const PairRun> runs_of(std::uint64_t from, std::uint64_t to) const noexcept {
        const auto spot_of = [&](std::uint64_t id) {
            return std::partition_point(runs.begin(), runs.end(),
                                        [&](const PairRun& run) { return run.id < id; });
        };
        return {spot_of(from), spot_of(to)};
    }
    LeftPairs::Piece nothing_left_of(std::span<const PairRun> some) const noexcept {
        return {some.empty() ? 0 : some[0].spot, 0};
    }
};

// Runs are taken in the order of ids and lie anywhere in memory, so the next one of each list is fetched
// while one is compared.
THRONG_ALWAYS_INLINE inline void fetch(const Pair* pairs, auto run, auto end) noexcept {
    constexpr std::size_t pairs_in_a_line = 8, most = 512;
    for (std::size_t i = 0; run != end && i < std::min(run->size(), most); i += pairs_in_a_line)
        THRONG_PREFETCH(pairs + run->begin + i);
}

// Compares a part of the runs, each with the run of the same agent.
inline LeftPairs compare_runs(const ComparedPairs& before, const ComparedPairs& now, std::size_t part,
                              std::size_t parts, std::uint16_t* table, std::uint8_t* met) noexcept {
    const parallel::Range range = parallel::range_of(now.runs.size(), parts, part, 1);
    const std::uint64_t from = part == 0 ? 0 : now.runs[range.begin].id,
                        to = part + 1 == parts ? ~std::uint64_t{0} : now.runs[range.end].id;
    const auto runs_before = before.runs_of(from, to), runs = now.runs_of(from, to);
    LeftPairs left{before.nothing_left_of(runs_before), now.nothing_left_of(runs)};
    constexpr PairRun none{};
    for (auto was = runs_before.begin(), is = runs.begin(); was != runs_before.end() || is != runs.end();) {
        const bool ends = is == runs.end() || (was != runs_before.end() && was->id < is->id),
                   begins = was == runs_before.end() || (is != runs.end() && is->id < was->id);
        const PairRun &first = begins ? none : *was++, &second = ends ? none : *is++;
        fetch(before.pairs, was, runs_before.end());
        fetch(now.pairs, is, runs.end());
        const std::size_t pieces = second.size() / CommonPairs::pairs_at_once + 1;
        for (std::size_t p = 0; p < pieces; ++p) {
            const parallel::Range a = parallel::range_of(first.size(), pieces, p),
                                  b = parallel::range_of(second.size(), pieces, p);
            CommonPairs common({before.pairs + first.begin + a.begin, a.size()},
                               {now.pairs + second.begin + b.begin, b.size()}, true, table,
                               met + left.ended.begin);
            common.leave_out(before.left, now.left, left);
        }
    }
    return left;
}

}  // namespace throng::detail
