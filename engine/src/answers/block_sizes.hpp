// How many queries a block has whose answers must fit into a number of bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "throng/geometry.hpp"
#include "throng/queries/answer_blocks.hpp"

namespace throng::detail {

// How a block's bytes are divided. A quarter is for what each query takes, such as its offset.
struct BlockSizes {
    // How many queries to begin with, whose answers might be of any size, and how many are sorted together at most.
    static constexpr std::size_t first_queries = 256, most_queries = 1 << 20;

    std::size_t queries, ids;

    explicit BlockSizes(const AnswerLimit& limit, std::size_t bytes_of_query = sizeof(std::uint64_t),
                        std::size_t bytes_of_id = sizeof(AgentId)) noexcept
        : queries(std::clamp<std::size_t>(limit.max_bytes / 4 / bytes_of_query, 2, most_queries + 1) - 1),
          ids((limit.max_bytes - std::min(limit.max_bytes, (queries + 1) * bytes_of_query)) / bytes_of_id) {}

    std::size_t first() const noexcept { return std::min(first_queries, queries); }
    // How many queries come after a block of `count` that found so many: they should fill most of the block, but nothing
    // is known of them.
    std::size_t next(std::size_t count, std::uint64_t found) const noexcept {
        const std::uint64_t fitting =
            found == 0 ? queries : ids * std::uint64_t{count} / (found + found / 8 + 1);
        const std::size_t most = std::min(4 * count, queries);
        return static_cast<std::size_t>(std::clamp<std::uint64_t>(fitting, 1, most));
    }
};

}  // namespace throng::detail
