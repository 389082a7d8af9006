// Takes common pairs out of two lists, if they are at nearly the same spot in both. From frame to frame most
// pairs stay, and the search finds them in nearly the same order. So little more than begun and ended pairs
// is left. The numbers of the pairs of the frame before go into a table, at a slot that their ids choose, a
// little before the same pair of the new frame looks there. The table fits into the nearest cache.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "engine/src/memory/growth.hpp"
#include "engine/src/pairs/changes/pair_sorter.hpp"
#include "parallel/blocks.hpp"
#include "throng/compiler.hpp"
#include "throng/geometry.hpp"
#include "throng/queries/pairs.hpp"

namespace throng::detail {

class CommonPairs {
public:
    static constexpr std::size_t slots = 8192;
    // Pairs are taken in portions of this size, since a slot has no room for higher numbers.
    static constexpr std::size_t pairs_at_once = 32768;

    // No pair comes twice in a list, and pairs of `before` have the lower id first if `now` is of one frame.
    // `table` has `slots` slots, and `met` one for each pair of `before`.
    CommonPairs(std::span<const Pair> before, std::span<Pair> now, bool of_one_frame, std::uint16_t* table,
                std::uint8_t* met) noexcept
        : before_(before), now_(now), of_one_frame_(of_one_frame), table_(table), met_(met) {}

    // Puts the lower ids of `now` first, if they are of one frame, and adds what is left of both lists to
    // these pieces, which have room for it. Common pairs that did not meet are left in both.
    void leave_out(Pair* ended, Pair* began, LeftPairs& left) noexcept {
        Pair *left_before = ended + left.ended.end(), *left_now = began + left.began.end();
        std::fill_n(table_, slots, std::uint16_t{0});
        std::fill_n(met_, before_.size(), std::uint8_t{0});
        if (before_.empty()) {
            if (of_one_frame_) std::transform(now_.begin(), now_.end(), now_.begin(), lower_first);
            left_now = std::copy(now_.begin(), now_.end(), left_now);
        } else {
            left_now = of_one_frame_ ? meet<true>(left_now) : meet<false>(left_now);
        }
        left_before = leave(left_before);
        left.ended.count = static_cast<std::size_t>(left_before - ended) - left.ended.begin;
        left.began.count = static_cast<std::size_t>(left_now - began) - left.began.begin;
    }

private:
    static std::uint64_t number_of(const Pair& pair) noexcept { return detail::bits_as<std::uint64_t>(pair); }
    static std::size_t slot_of(std::uint64_t number) noexcept {
        return number * 0x9E37'79B9'7F4A'7C15 >> (64 - std::countr_zero(slots));
    }
    template <bool of_one_frame>
    Pair* meet(Pair* left) noexcept {
        constexpr std::size_t at_once = 64, most_skipped = 7;
        std::size_t come = 0, next = 0, count = 0, skip = 0, next_skip = 0, next_look = 0;
        bool is_lost = true;
        for (std::size_t asked = 0; asked < now_.size(); asked += count) {
            count = std::min(at_once, now_.size() - asked);
            const std::span<Pair> now = now_.subspan(asked, count);
            if constexpr (of_one_frame) std::transform(now.begin(), now.end(), now.begin(), lower_first);
            // Each failed attempt costs something, so after several in a row more are skipped.
            if (skip != 0) {
                --skip;
            } else if (follow(next, now)) {
                next += count;
                next_skip = 0;
                shift_ = static_cast<std::ptrdiff_t>(next) - static_cast<std::ptrdiff_t>(asked + count);
                continue;
            } else {
                skip = std::exchange(next_skip, std::min(2 * next_skip + 1, most_skipped));
            }
            if (is_lost && next_look <= asked) {
                look(asked);
                next_look = asked + std::max(2 * least_reach, reach_ / 4);
            }
            const std::size_t ahead = expected(asked + lead);
            for (come = std::min(std::max(come, next), ahead); come < ahead; ++come)
                table_[slot_of(number_of(before_[come]))] = static_cast<std::uint16_t>(come);
            const std::size_t together = std::min(before_.size() - come, count);
            const Pair* const left_before = left;
            left = ask<true>(come, now.first(together), left);
            left = ask<false>(come, now.subspan(together), left);
            come += together;
            is_lost = static_cast<std::size_t>(left - left_before) > count / 2;
            next = behind(number_of(now.back()), expected(asked + count));
        }
        return left;
    }
    // Whether pairs are those at a spot of the frame before, as if nothing had changed; then they have met.
    bool follow(std::size_t spot, std::span<const Pair> now) noexcept {
        if (before_.size() - spot < now.size() ||
            std::memcmp(before_.data() + spot, now.data(), now.size_bytes()) != 0)
            return false;
        std::fill_n(met_ + spot, now.size(), std::uint8_t{1});
        return true;
    }
    // For each pair of the new frame, one of the frame before comes, if there are any. Without a branch,
    // which could not be predicted.
    template <bool others_come>
    Pair* ask(std::size_t come, std::span<const Pair> now, Pair* left) noexcept {
        const Pair* const before = before_.data();
        std::uint16_t* const table = table_;
        std::uint8_t* const met = met_;
        const auto one = [&](std::size_t i) {
            if constexpr (others_come)
                table[slot_of(number_of(before[come + i]))] = static_cast<std::uint16_t>(come + i);
            const std::uint64_t number = number_of(now[i]);
            const std::size_t at = table[slot_of(number)];
            const bool is_common = number_of(before[at]) == number;
            *left = now[i];
            left += !is_common;
            met[at] |= static_cast<std::uint8_t>(is_common);
        };
        std::size_t i = 0;
        for (; i + 4 <= now.size(); i += 4)
            for (std::size_t k = 0; k < 4; ++k) one(i + k);
        for (; i < now.size(); ++i) one(i);
        return left;
    }
    // Nearly all have met, so of eight pairs up to two are left without a test.
    Pair* leave(Pair* left) const noexcept {
        constexpr std::size_t many = 64;
        constexpr std::uint64_t all_met = 0x0101'0101'0101'0101;
        const auto eight = [&](std::size_t first) {
            std::uint64_t met;
            std::memcpy(&met, met_ + first, sizeof met);
            return met;
        };
        std::size_t i = 0;
        for (; i + 8 <= before_.size(); i += 8) {
            if (i % many == 0 && i + many <= before_.size()) {
                std::uint64_t met = all_met;
                for (std::size_t k = 0; k < many; k += 8) met &= eight(i + k);
                if (met == all_met) {
                    i += many - 8;
                    continue;
                }
            }
            std::uint64_t rest = eight(i) ^ all_met;
            const auto take = [&] {
                // The highest bit keeps GCC from testing whether there is none.
                const auto byte =
                    static_cast<std::size_t>(std::countr_zero(rest | std::uint64_t{1} << 63)) / 8;
                *left = before_[i + (std::endian::native == std::endian::little ? byte : 7 - byte)];
                left += rest != 0;
                rest &= rest - 1;
            };
            take();
            take();
            while (rest != 0) take();
        }
        for (; i < before_.size(); ++i) {
            *left = before_[i];
            left += 1 - met_[i];
        }
        return left;
    }
    // The spot behind a pair, or the expected one if it is not known. Spots shift little by little when
    // agents come and go. A single pair that moved far, to another row for example, does not count.
    std::size_t behind(std::uint64_t number, std::size_t expected) noexcept {
        const std::size_t spot = table_[slot_of(number)];
        if (number_of(before_[spot]) != number) return expected;
        const auto drift = static_cast<std::ptrdiff_t>(spot + 1 - expected);
        constexpr auto most = static_cast<std::ptrdiff_t>(lead);
        if (-most < drift && drift < most) shift_ += drift / 4;
        return spot + 1;
    }
    // The spot in the frame before that corresponds to a spot of the new frame.
    std::size_t expected(std::size_t spot) const noexcept {
        const auto shifted = static_cast<std::ptrdiff_t>(spot) + shift_;
        return std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(shifted, 0)), before_.size());
    }
    // Finds by how much spots have shifted, when hardly any pairs are found any more.
    void look(std::size_t spot) noexcept {
        const std::size_t middle = expected(spot), first = middle - std::min(middle, reach_),
                          count = std::min(middle + reach_, before_.size()) - first;
        const std::uint64_t wanted = number_of(of_one_frame_ ? lower_first(now_[spot]) : now_[spot]);
        const auto near = before_.subspan(first, count);
        const auto found = std::find_if(near.begin(), near.end(),
                                        [&](const Pair& pair) { return number_of(pair) == wanted; });
        const bool is_there = found != near.end();
        if (is_there)
            shift_ = static_cast<std::ptrdiff_t>(first) + (found - near.begin()) -
                     static_cast<std::ptrdiff_t>(spot);
        reach_ = is_there ? least_reach : std::min(4 * reach_, most_reach);
    }
    static constexpr std::size_t lead = 64, least_reach = 512, most_reach = 16384;

    std::span<const Pair> before_;
    std::span<Pair> now_;
    const bool of_one_frame_;
    std::uint16_t* table_;
    std::uint8_t* met_;
    std::ptrdiff_t shift_ = 0;
    std::size_t reach_ = least_reach;
};

// An oversized agent has many pairs, one behind the other at the end of a list. The order of such agents
// changes with each sample of their tree, so these pairs are compared agent by agent.
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
