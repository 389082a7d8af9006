// Sorts pairs by `a`, then by `b`. They are cut into parts by the upper bits of `a`, and a counting sort by the lower bits
// orders a part. A worker that is alone in a world that is not too large takes it as one part, which is not copied before
// it is ordered.
//
//     find_parts    counts the pairs of each part          in parallel over the input
//     sort          copies each pair to its part           the same
//                   orders each part                       in parallel over the parts
//
// Pairs with the same `a` are few, except those of an oversized agent or in a dense crowd, which get a radix sort by `b`. So the time
// is proportional to the number of pairs, however they are spread.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "parallel/blocks.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/executor.hpp"
#include "throng/geometry.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// In ascending order of this number, pairs are in ascending order.
inline std::uint64_t rank_of(const Pair& pair) noexcept {
    if constexpr (std::endian::native == std::endian::little)
        return std::rotl(std::bit_cast<std::uint64_t>(pair), 32);  // one load
    return std::uint64_t{pair.a} << 32 | pair.b;
}

class PairSorter {
public:
    // All `a` are below the bound. Of pairs of one frame, the lower id becomes `a`.
    PairSorter(const Executor& executor, std::span<const Pair> pairs, std::size_t id_bound,
               bool of_one_frame) noexcept;

    // Takes scratch from `scratch`, which the sorter needs as long as it lives. Nothing is written before the status
    // is ok.
    Status find_parts(Buffer<std::size_t>& scratch) noexcept;
    // Whether the pairs are sorted into the other memory, and not where they were.
    bool ends_in_other() const noexcept { return parts_ == 1; }
    // Sorts the pairs, which lie at `pairs`; `other` is memory for as many. Calls done(part) for each part when it is in
    // order, in parallel; what the other memory has in its place is not needed any more. Returns false if the executor
    // failed.
    template <class Done>
    bool sort(Pair* pairs, Pair* other, const Done& done) noexcept {
        if (parts_ == 1) {
            sort_part(0, pairs, other, tables_);
            done(std::size_t{0});
            return true;
        }
        if (!distribute(other)) return false;
        const std::size_t blocks = std::min(blocks_, parts_);  // each has a table
        return parallel::for_blocks(executor_, blocks, [&](std::size_t block) {
            const parallel::Range parts = parallel::range_of(parts_, blocks, block, 1);
            for (std::size_t part = parts.begin; part < parts.end; ++part) {
                sort_part(part, other, pairs, tables_ + block * table_size());
                done(part);
            }
        });
    }

    std::size_t parts() const noexcept { return parts_; }
    parallel::Range range_of(std::size_t part) const noexcept { return {starts_[part], starts_[part + 1]}; }
    // The lowest id of a part.
    AgentId first_id(std::size_t part) const noexcept { return static_cast<AgentId>(part << shift_); }

private:
    static constexpr std::size_t pairs_in_a_block = 8192;
    // So many ids are counted at a time where pairs are cut into parts, which then fit into the nearest cache, and so many
    // where they are not: then the counts fit into the next cache.
    static constexpr std::uint32_t shift_of_parts = 11, shift_of_one_part = 17;
    static constexpr std::size_t max_in_one_part = std::size_t{1} << shift_of_one_part;
    static constexpr std::size_t most_parts = 8192;

    std::size_t ids_in_a_part() const noexcept { return std::size_t{1} << shift_; }
    // A table counts the pairs of each id of a part.
    std::size_t table_size() const noexcept { return std::min(ids_in_a_part(), id_bound_); }
    std::size_t ids_of(std::size_t part) const noexcept;
    // Pairs with the same `a` get together, in the order of `a`. `Number` holds the count.
    template <class Order, class Number>
    void group(std::size_t part, const Pair* from, std::size_t count, Pair* to,
               std::uint32_t* table) const noexcept;
    template <class Order>
    void order_part(std::size_t part, Pair* from, std::size_t count, Pair* to,
                    std::uint32_t* table) const noexcept;
    void sort_part(std::size_t part, Pair* from, Pair* to, std::uint32_t* table) const noexcept;
    template <class Order>
    bool count() noexcept;
    template <class Order>
    bool copy(Pair* to) noexcept;
    bool distribute(Pair* to) noexcept;

    const Executor& executor_;
    std::span<const Pair> pairs_;
    std::size_t id_bound_;
    bool of_one_frame_;
    std::uint32_t shift_ = shift_of_parts;  // a part has 2^shift ids
    std::size_t parts_, blocks_;
    std::size_t* counts_ = nullptr;
    std::size_t* starts_ = nullptr;
    std::uint32_t* tables_ = nullptr;  // one for each block
};

}  // namespace throng::detail
