// Sorts pairs by `a`, then by `b`. They are cut into parts by the upper bits of `a`. A counting sort by the
// lower bits orders a part, or one digit by digit if pairs are few. Few pairs of a single worker are one
// part. Pairs with the same `a` are few, except those of an oversized agent or in a dense crowd, which get a
// radix sort by `b`.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "parallel/blocks.hpp"
#include "throng/compiler.hpp"
#include "throng/executor.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

// In ascending order of this number, pairs are in ascending order.
inline std::uint64_t rank_of(const Pair& pair) noexcept {
    if constexpr (std::endian::native == std::endian::little)
        return std::rotl(detail::bits_as<std::uint64_t>(pair), 32);  // one load
    return std::uint64_t{pair.a} << 32 | pair.b;
}

// The same pair with its lower id first, without a branch, which could not be predicted.
inline Pair lower_first(const Pair& given) noexcept {
    const std::uint32_t change = (given.a ^ given.b) & (0 - std::uint32_t{given.b < given.a});
    return {given.a ^ change, given.b ^ change};
}

class PairSorter {
public:
    // All `a` are below the bound. For pairs of one frame, the lower id becomes `a`.
    PairSorter(const Executor& executor, std::span<Pair> pairs, std::size_t id_bound,
               bool of_one_frame) noexcept;

    // Takes scratch from `scratch`, which the sorter needs as long as it lives. Returns false if there is no
    // memory.
    bool reserve(Buffer<std::size_t>& scratch) noexcept;
    // Whether the sorted pairs are in the other memory instead of in place.
    bool ends_in_other() const noexcept { return ends_in_other_; }
    // Sorts the pairs; `other` is memory for as many.
    parallel::Ran sort(Pair* other) noexcept;

private:
    static constexpr std::size_t pairs_in_a_block = 8192;
    // Pairs are cut into parts of 2^shift_of_parts ids, which fit into the nearest cache. They are not cut if
    // there are at most max_in_one_part ids, whose counts fit into the next cache, or if a part would have
    // fewer than worth_a_part pairs.
    static constexpr std::uint32_t shift_of_parts = 11;
    static constexpr std::size_t max_in_one_part = std::size_t{1} << 17, worth_a_part = 512;
    static constexpr std::size_t most_parts = 8192;
    // With more than ids_for_a_pair ids for each pair, pairs are sorted digit by digit: clearing and adding
    // up counts would cost more.
    static constexpr std::size_t ids_for_a_pair = 2;

    std::size_t ids_in_a_part() const noexcept { return std::size_t{1} << shift_; }
    // A table counts the pairs of each id of a part.
    std::size_t table_size() const noexcept {
        return std::min({ids_in_a_part(), id_bound_, ids_for_a_pair * pairs_.size() + 1});
    }
    parallel::Ran count() noexcept;
    parallel::Ran distribute(Pair* to) noexcept;
    // Returns where the pairs are at the end: in `from` or in `to`.
    Pair* sort_part(std::size_t part, Pair* from, Pair* to, std::uint32_t* table) const noexcept;

    const Executor& executor_;
    std::span<Pair> pairs_;
    std::size_t id_bound_;
    bool of_one_frame_;
    std::uint32_t shift_;  // a part has 2^shift ids
    std::size_t parts_, blocks_;
    bool ends_in_other_ = false;
    std::size_t* counts_ = nullptr;
    std::size_t* starts_ = nullptr;
    std::uint32_t* tables_ = nullptr;  // one for each block
};

}  // namespace throng::detail
