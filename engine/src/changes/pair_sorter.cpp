#include "engine/src/changes/pair_sorter.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/src/memory/scratch.hpp"

namespace throng::detail {

namespace {

// Fewer pairs than this are sorted by comparisons, and so are those of a part with more than so many ids for each: that
// costs less than to clear and add up the counts.
constexpr std::size_t few_pairs = 64, ids_for_a_pair = 32;
// More pairs than this with the same `a` are sorted by digits.
constexpr std::size_t few_partners = 64;
// So many steps of an insertion sort, per pair, cost no more than to look for those `a` that have many partners.
constexpr std::size_t few_steps = 8;

// What becomes of a pair before it is sorted, and its `a` then.
struct AsItIs {
    static Pair pair(const Pair& given) noexcept { return given; }
    static AgentId key(const Pair& given) noexcept { return given.a; }
};
// Both without a branch, which could not be predicted.
struct LowerFirst {
    static Pair pair(const Pair& given) noexcept {
        if constexpr (std::endian::native != std::endian::little)
            return given.b < given.a ? Pair{given.b, given.a} : given;
        // As a number in memory order, it is largest with its higher id last.
        const auto number = std::bit_cast<std::uint64_t>(given), swapped = std::rotl(number, 32);
        // A variable of its own, or GCC stores both and chooses an address.
        const std::uint64_t larger = number < swapped ? swapped : number;
        return std::bit_cast<Pair>(larger);
    }
    static AgentId key(const Pair& given) noexcept { return std::min(given.a, given.b); }
};

bool by_rank(const Pair& left, const Pair& right) noexcept { return rank_of(left) < rank_of(right); }

// Sorts by insertion: pairs with the same `a` are together already. Stops and returns false if they turn out to be many.
bool insert_all(Pair* pairs, std::size_t count) noexcept {
    std::size_t steps = few_steps * count;
    std::uint64_t largest = count == 0 ? 0 : rank_of(pairs[0]);
    for (std::size_t i = 1; i < count; ++i) {
        const Pair pair = pairs[i];
        const std::uint64_t rank = rank_of(pair);
        if (largest <= rank) {
            largest = rank;
            continue;
        }
        std::size_t at = i;
        for (; at != 0 && rank < rank_of(pairs[at - 1]); --at) pairs[at] = pairs[at - 1];
        pairs[at] = pair;
        if (i - at > steps) return false;
        steps -= i - at;
    }
    return true;
}

// Sorts pairs with the same `a` by `b`, digit by digit from the lowest. `other` has room for as many.
void sort_by_digits(Pair* pairs, Pair* other, std::size_t count) noexcept {
    constexpr std::uint32_t bits = 8, values = 1 << bits;
    for (std::uint32_t shift = 0; shift < 32; shift += bits) {
        std::size_t at[values] = {};
        for (std::size_t i = 0; i < count; ++i) ++at[pairs[i].b >> shift & (values - 1)];
        std::size_t sum = 0;
        for (std::size_t& begin : at) {
            const std::size_t pairs_here = begin;
            begin = sum;
            sum += pairs_here;
        }
        for (std::size_t i = 0; i < count; ++i) other[at[pairs[i].b >> shift & (values - 1)]++] = pairs[i];
        std::swap(pairs, other);
    }
    // After an even number of digits they are back where they were.
}

// Sorts the partners of each `a`; pairs with the same `a` are together already.
void sort_partners(Pair* pairs, Pair* other, std::size_t count) noexcept {
    for (std::size_t begin = 0, end; begin < count; begin = end) {
        end = begin + 1;
        while (end < count && pairs[end].a == pairs[begin].a) ++end;
        if (end - begin > few_partners)
            sort_by_digits(pairs + begin, other + begin, end - begin);
        else
            std::sort(pairs + begin, pairs + end, by_rank);
    }
}

// Replaces each number by the sum of those before it.
template <class Number>
void add_up(Number* numbers, std::size_t count) noexcept {
    std::uint64_t sum = 0;
    std::size_t i = 0;
    if constexpr (sizeof(Number) == 2 && std::endian::native == std::endian::little) {
        // Four at a time: by the product, each gets the sum of itself and those before it.
        constexpr std::uint64_t each = 0x0001'0001'0001'0001;
        for (; i + 4 <= count; i += 4) {
            std::uint64_t four;
            std::memcpy(&four, numbers + i, sizeof four);
            const std::uint64_t sums = four * each, before = (sums << 16) + sum * each;
            std::memcpy(numbers + i, &before, sizeof before);
            sum += sums >> 48;
        }
    }
    for (; i < count; ++i) sum += std::exchange(numbers[i], static_cast<Number>(sum));
}

}  // namespace

PairSorter::PairSorter(const Executor& executor, std::span<const Pair> pairs, std::size_t id_bound,
                       bool of_one_frame) noexcept
    : executor_(executor), pairs_(pairs), id_bound_(id_bound), of_one_frame_(of_one_frame) {
    if (parallel::workers_of(executor) == 1 && id_bound <= max_in_one_part) shift_ = shift_of_one_part;
    while (id_bound > most_parts << shift_) ++shift_;
    parts_ = std::max<std::size_t>((id_bound + (std::size_t{1} << shift_) - 1) >> shift_, 1);
    blocks_ = parallel::blocks_for(executor, pairs.size(), pairs_in_a_block);
}

std::size_t PairSorter::ids_of(std::size_t part) const noexcept {
    return std::min(ids_in_a_part(), id_bound_ - (part << shift_));
}

template <class Order>
bool PairSorter::count() noexcept {
    return parallel::for_blocks(executor_, blocks_, [&](std::size_t block) {
        std::size_t* mine = counts_ + block * parts_;
        std::fill_n(mine, parts_, 0);
        const parallel::Range range = parallel::range_of(pairs_.size(), blocks_, block);
        for (std::size_t i = range.begin; i < range.end; ++i) ++mine[Order::key(pairs_[i]) >> shift_];
    });
}

template <class Order>
bool PairSorter::copy(Pair* to) noexcept {
    return parallel::for_blocks(executor_, blocks_, [&](std::size_t block) {
        std::size_t* next = counts_ + block * parts_;
        const parallel::Range range = parallel::range_of(pairs_.size(), blocks_, block);
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const Pair pair = Order::pair(pairs_[i]);
            const std::size_t at = next[pair.a >> shift_]++;
            // A part grows by a cache line with every eighth pair, while hundreds of others grow.
            __builtin_prefetch(to + at + 8, 1);
            to[at] = pair;
        }
    });
}

Status PairSorter::find_parts(Buffer<std::size_t>& scratch) noexcept {
    const std::size_t most_blocks = std::min(4 * parallel::workers_of(executor_), parts_),
                      tables = most_blocks * table_size() * sizeof *tables_ / sizeof(std::size_t) + 1;
    if (!resize_amply(scratch, blocks_ * parts_ + parts_ + 1 + tables)) return {Code::out_of_memory};
    tables_ = reinterpret_cast<std::uint32_t*>(scratch.data());
    starts_ = scratch.data() + tables;
    counts_ = starts_ + parts_ + 1;
    if (parts_ == 1) {
        starts_[0] = 0;
        starts_[1] = pairs_.size();
        return {};
    }
    if (!(of_one_frame_ ? count<LowerFirst>() : count<AsItIs>())) return {Code::bad_executor};
    parallel::scan_bins(counts_, blocks_, parts_, starts_);
    return {};
}

bool PairSorter::distribute(Pair* to) noexcept {
    return of_one_frame_ ? copy<LowerFirst>(to) : copy<AsItIs>(to);
}

// Small numbers leave more of the nearest cache to the pairs, whose places are fetched before they are written.
template <class Order, class Number>
void PairSorter::group(std::size_t part, const Pair* from, std::size_t count, Pair* to,
                       std::uint32_t* table) const noexcept {
    const std::size_t ids = ids_of(part), mask = ids_in_a_part() - 1;
    auto* const at = reinterpret_cast<Number*>(table);
    std::memset(at, 0, ids * sizeof *at);
    for (std::size_t i = 0; i < count; ++i) {
        __builtin_prefetch(to + i, 1);
        ++at[Order::key(from[i]) & mask];
    }
    add_up(at, ids);
    for (std::size_t i = 0; i < count; ++i) {
        const Pair pair = Order::pair(from[i]);
        to[at[pair.a & mask]++] = pair;
    }
}

template <class Order>
void PairSorter::order_part(std::size_t part, Pair* from, std::size_t count, Pair* to,
                            std::uint32_t* table) const noexcept {
    if (count < few_pairs || count < ids_of(part) / ids_for_a_pair ||
        count > std::numeric_limits<std::uint32_t>::max()) {
        std::transform(from, from + count, to, Order::pair);
        std::sort(to, to + count, by_rank);
        return;
    }
    if (count <= std::numeric_limits<std::uint16_t>::max())
        group<Order, std::uint16_t>(part, from, count, to, table);
    else
        group<Order, std::uint32_t>(part, from, count, to, table);
    if (!insert_all(to, count)) sort_partners(to, from, count);
}

// Pairs that were distributed have their lower id first.
void PairSorter::sort_part(std::size_t part, Pair* from, Pair* to, std::uint32_t* table) const noexcept {
    const std::size_t begin = range_of(part).begin, count = range_of(part).size();
    if (of_one_frame_ && parts_ == 1)
        order_part<LowerFirst>(part, from + begin, count, to + begin, table);
    else
        order_part<AsItIs>(part, from + begin, count, to + begin, table);
}

}  // namespace throng::detail
