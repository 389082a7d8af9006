// An oversized agent has many pairs, one behind the other, and the order of such agents changes with each sample of their tree. So
// their runs of pairs of the frame before are put in the order that they have in the frame.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

#include "engine/src/memory/scratch.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/geometry.hpp"
#include "throng/queries/pair_changes.hpp"

namespace throng::detail {

// Finds which agents are `a` of many pairs in a row. What comes before the next run belongs to a run, too: those are pairs of
// agents near it in the tree. There are none where they are short on average: to sort them would cost more than it saves.
inline void find_runs(std::span<const Pair> pairs, Buffer<PairRun>& runs) noexcept {
    constexpr std::size_t many = 8, worth_a_run = 64;
    runs.clear();
    for (std::size_t i = 0, end = 0; i + many < pairs.size(); i += many) {
        const AgentId id = pairs[i].a;
        if (i < end || pairs[i + many].a != id) continue;
        std::size_t begin = i;
        while (begin > end && pairs[begin - 1].a == id) --begin;
        for (end = i + 1; end < pairs.size() && pairs[end].a == id;) ++end;
        if (end - begin < many) continue;
        if (runs.size() != 0) runs.end()[-1].end = begin;
        if (runs.size() == pairs.size() / worth_a_run ||
            !runs.push_back({id, static_cast<std::uint32_t>(runs.size()), begin, pairs.size()}))
            return runs.clear();
    }
    keep_ample(runs, runs.size());
}

// The pairs of the frame before, in the order of the frame's runs as far as there is memory for that, which their own runs lose.
inline std::span<const Pair> in_order_of(Buffer<PairRun>& runs, std::span<const Pair> before,
                                         Buffer<PairRun>& runs_before, Buffer<Pair>& ordered) noexcept {
    constexpr std::size_t few_jumps = 8;  // the comparison finds such runs itself
    const auto by_id = [](const PairRun& a, const PairRun& b) { return a.id < b.id; };
    const auto by_place = [](const PairRun& a, const PairRun& b) {
        return std::tie(a.place, a.begin) < std::tie(b.place, b.begin);
    };
    std::sort(runs.begin(), runs.end(), by_id);
    // A run that ends has the place of the one before it.
    std::size_t jumps = 0;
    std::uint32_t place = 0;
    for (PairRun& run : runs_before) {
        const PairRun* const same = std::lower_bound(runs.begin(), runs.end(), run, by_id);
        run.place = same != runs.end() && same->id == run.id ? same->place : place;
        jumps += run.place < std::exchange(place, run.place);
    }
    std::sort(runs.begin(), runs.end(), by_place);
    // Its memory is asked for in any case, since a settled simulation asks for none.
    if (runs.size() == 0 || !resize_amply(ordered, before.size()) || jumps <= few_jumps) return before;
    Pair* end = std::copy_n(before.data(), runs_before[0].begin, ordered.data());
    std::sort(runs_before.begin(), runs_before.end(), by_place);
    for (const PairRun& run : runs_before)
        end = std::copy(before.data() + run.begin, before.data() + run.end, end);
    return ordered;
}

}  // namespace throng::detail
