#include "engine/src/pairs/changes/pair_sorter.hpp"

#include <limits>
#include <numeric>

#include "base/sample.hpp"
#include "engine/src/memory/growth.hpp"
#include "throng/compiler.hpp"

namespace throng::detail {

namespace {

// More pairs than this are worth counting digits.
constexpr std::size_t few_pairs = 64;
// So many steps of an insertion sort for each pair cost no more than a search for those `a` with many
// partners.
constexpr std::size_t few_steps = 8;

bool by_rank(const Pair& left, const Pair& right) noexcept { return rank_of(left) < rank_of(right); }

// Sorts by insertion: pairs with the same `a` are together already. Stops and returns false if there are
// many.
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

// Sorts the partners of each `a`; pairs with the same `a` are together already.
void sort_partners(Pair* pairs, Pair* other, std::size_t count) noexcept {
    for (std::size_t begin = 0, end; begin < count; begin = end) {
        end = begin + 1;
        while (end < count && pairs[end].a == pairs[begin].a) ++end;
        if (end - begin <= few_pairs) {
            std::sort(pairs + begin, pairs + end, by_rank);
            continue;
        }
        const Pair* const sorted =
            radix_sort<8>(pairs + begin, other + begin, end - begin, [](const Pair& pair) { return pair.b; });
        if (sorted != pairs + begin) std::copy_n(sorted, end - begin, pairs + begin);
    }
}

}  // namespace

PairSorter::PairSorter(const Executor& executor, std::span<Pair> pairs, std::size_t id_bound,
                       bool of_one_frame) noexcept
    : executor_(executor), pairs_(pairs), id_bound_(id_bound), of_one_frame_(of_one_frame) {
    shift_ = static_cast<std::uint32_t>(std::bit_width(id_bound));
    if (parallel::workers_of(executor) != 1 || table_size() > max_in_one_part)
        for (shift_ = shift_of_parts; id_bound > std::uint64_t{most_parts} << shift_ ||
                                      pairs.size() / worth_a_part < id_bound >> shift_;)
            ++shift_;
    parts_ = std::max<std::size_t>((id_bound + (std::size_t{1} << shift_) - 1) >> shift_, 1);
    blocks_ = parallel::blocks_for(executor, pairs.size(), pairs_in_a_block);
}

bool PairSorter::reserve(Buffer<std::size_t>& scratch) noexcept {
    const std::size_t most_blocks = std::min(4 * parallel::workers_of(executor_), parts_),
                      tables = most_blocks * table_size() * sizeof *tables_ / sizeof(std::size_t) + 1;
    if (!resize_amply(scratch, blocks_ * parts_ + parts_ + 1 + tables)) return false;
    tables_ = reinterpret_cast<std::uint32_t*>(scratch.data());
    starts_ = scratch.data() + tables;
    counts_ = starts_ + parts_ + 1;
    return true;
}

parallel::Ran PairSorter::sort(Pair* other) noexcept {
    if (const parallel::Ran counted = count(); !counted) return counted;
    parallel::scan_bins(counts_, blocks_, parts_, starts_);
    if (parts_ == 1) {
        ends_in_other_ = sort_part(0, pairs_.data(), other, tables_) == other;
        return true;
    }
    if (const parallel::Ran put = distribute(other); !put) return put;
    const std::size_t blocks = std::min(blocks_, parts_);  // each has a table
    return parallel::for_blocks(executor_, blocks, [&](std::size_t block) {
        const parallel::Range parts = parallel::range_of(parts_, blocks, block, 1);
        for (std::size_t part = parts.begin; part < parts.end; ++part) {
            const Pair* const sorted = sort_part(part, other, pairs_.data(), tables_ + block * table_size());
            Pair* const to = pairs_.data() + starts_[part];
            if (sorted != to) std::copy_n(sorted, starts_[part + 1] - starts_[part], to);
        }
    });
}

parallel::Ran PairSorter::count() noexcept {
    return parallel::for_blocks(executor_, blocks_, [&](std::size_t block) {
        std::size_t* mine = counts_ + block * parts_;
        std::fill_n(mine, parts_, 0);
        const parallel::Range range = parallel::range_of(pairs_.size(), blocks_, block);
        const std::span<Pair> pairs = pairs_.subspan(range.begin, range.size());
        if (of_one_frame_) std::transform(pairs.begin(), pairs.end(), pairs.begin(), lower_first);
        if (parts_ == 1)
            *mine = pairs.size();
        else
            for (const Pair& pair : pairs) ++mine[pair.a >> shift_];
    });
}

parallel::Ran PairSorter::distribute(Pair* to) noexcept {
    return parallel::for_blocks(executor_, blocks_, [&](std::size_t block) {
        std::size_t* next = counts_ + block * parts_;
        const parallel::Range range = parallel::range_of(pairs_.size(), blocks_, block);
        for (const Pair& pair : pairs_.subspan(range.begin, range.size())) {
            const std::size_t at = next[pair.a >> shift_]++;
            // A part grows by a cache line with every eighth pair, while hundreds of others grow.
            THRONG_PREFETCH(to + at + 8, 1);
            to[at] = pair;
        }
    });
}

Pair* PairSorter::sort_part(std::size_t part, Pair* from, Pair* to, std::uint32_t* table) const noexcept {
    const std::size_t begin = starts_[part], count = starts_[part + 1] - begin, mask = ids_in_a_part() - 1,
                      ids = std::min(ids_in_a_part(), id_bound_ - (part << shift_));
    from += begin;
    to += begin;
    if (count <= few_pairs || count > std::numeric_limits<std::uint32_t>::max()) {
        std::sort(from, from + count, by_rank);
        return from;
    }
    if (ids > ids_for_a_pair * count) {
        const auto a_of = [](const Pair& pair) { return pair.a; };
        const Pair* const sorted = ids <= 1u << 20 ? radix_sort<10, 20>(from, to, count, a_of)
                                                   : radix_sort<11>(from, to, count, a_of);
        if (sorted != to) std::swap(from, to);
    } else {
        std::fill_n(table, ids, 0u);
        for (std::size_t i = 0; i < count; ++i) {
            THRONG_PREFETCH(to + i, 1);  // to be written soon
            ++table[from[i].a & mask];
        }
        std::exclusive_scan(table, table + ids, table, 0u);
        for (std::size_t i = 0; i < count; ++i) to[table[from[i].a & mask]++] = from[i];
    }
    if (!insert_all(to, count)) sort_partners(to, from, count);
    return to;
}

}  // namespace throng::detail
