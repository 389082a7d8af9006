// Sorts pairs by `a`, then by `b`. They are cut into parts by the upper bits of `a`, so that a part fits into the
// nearest cache; a counting sort by the lower bits then orders a part:
//
//     find_parts    counts the pairs of each part          in parallel over the input
//     distribute    copies each pair to its part           the same
//     sort_part     orders one part                        in parallel over the parts
//
// Pairs with the same `a` are few, except those of a giant or of a crush, which get a radix sort by `b`. So the time
// is proportional to the number of pairs, however they are spread.
#pragma once

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

    // Takes scratch from `counts`, which the sorter needs as long as it lives. Nothing is written before the status
    // is ok.
    Status find_parts(Buffer<std::size_t>& counts) noexcept;
    // Returns false if the executor failed, as does the next.
    bool distribute(Pair* to) noexcept;
    // Calls use(part) for each part, in parallel.
    template <class Use>
    bool for_parts(Use&& use) const noexcept {
        const std::size_t blocks = parallel::blocks_for(executor_, pairs_.size(), pairs_in_a_block);
        return parallel::for_blocks(executor_, blocks, [&](std::size_t block) {
            const parallel::Range some = parallel::range_of(parts_, blocks, block, 1);
            for (std::size_t part = some.begin; part < some.end; ++part) use(part);
        });
    }
    // Orders one part; `from` is what was distributed, and is overwritten.
    void sort_part(std::size_t part, Pair* from, Pair* to) const noexcept;

    std::size_t parts() const noexcept { return parts_; }
    parallel::Range range_of(std::size_t part) const noexcept { return {starts_[part], starts_[part + 1]}; }
    // The lowest id of a part.
    AgentId first_id(std::size_t part) const noexcept { return static_cast<AgentId>(part << shift_); }

private:
    static constexpr std::size_t pairs_in_a_block = 8192;
    // So many ids are counted at a time. The counts are on the stack of whichever thread runs the block.
    static constexpr std::uint32_t counted_bits = 11;
    static constexpr std::size_t counted = std::size_t{1} << counted_bits;
    static constexpr std::size_t most_parts = 8192;

    // Pairs with the same `a` get together, in the order of `a`. `Number` holds the count.
    template <class Number>
    static void group(const Pair* from, std::size_t count, Pair* to) noexcept;
    template <class Order>
    bool count() noexcept;
    template <class Order>
    bool copy(Pair* to) noexcept;

    const Executor& executor_;
    std::span<const Pair> pairs_;
    bool of_one_frame_;
    std::uint32_t shift_ = counted_bits;  // a part has 2^shift ids
    std::size_t parts_, blocks_;
    std::size_t* counts_ = nullptr;
    std::size_t* starts_ = nullptr;
};

}  // namespace throng::detail
