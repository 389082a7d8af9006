// Sorts a batch of queries into packets: one bucket of records for every row of the grid, by the same
// counting sort as for agents (frame_builder.hpp). If all agents are in a tree instead of a grid, or the way
// through the tree is long, a bucket is some of the tree's ranks. The blocks of a batch are groups of rows
// with about equally many queries.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/blocks.hpp"
#include "engine/src/frame/tree/tree_ranks.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/query/query_batch.hpp"
#include "engine/src/store/spaces.hpp"
#include "parallel/blocks.hpp"
#include "simd/query_kernels.hpp"
#include "throng/executor.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// Queries that are answered at once, in their best order, and where all that they find is: mostly the world.
// On a storey whose agents all have a height in their bands they need no filter.
struct Packet {
    const simd::View& view;
    const simd::LabelFilters& filters;
    const simd::Record* records;
    std::size_t count;
};

class Packets {
public:
    Packets(const FrameState& frame, const Executor& executor, BatchSpace& space,
            bool by_ranks = false) noexcept
        : frame_(frame),
          executor_(executor),
          space_(space),
          by_ranks_(by_ranks || is_ordered_by_rank(frame)) {}

    // Sorts the queries [0, count). The arrays of the filters must live as long as this. On failure the
    // status is `not_finite`, with the index of the first illegal query, whatever its fault.
    Status sort(const simd::Query* queries, std::size_t count, const simd::LabelFilters& filters) noexcept;

    std::size_t blocks() const noexcept { return blocks_; }
    // The queries of a block, in the order of all.
    parallel::Range queries_of(std::size_t block) const noexcept {
        const RowGroup rows = rows_of(block);
        return {space_.starts[rows.begin], space_.starts[rows.end]};
    }
    // Reserves what a block needs to sort any row. Returns false if there is no memory.
    bool make_ready(AnswerSpace& answers) const noexcept { return reserve(answers, largest_row_); }
    // Calls search(packet) for each row of a block that has queries, or once for several rows of one region
    // with few queries. Returns false if there is no memory.
    bool for_each_row(std::size_t block, AnswerSpace& answers,
                      parallel::Call<void(const Packet&)> search) const noexcept;

private:
    // How many queries of a few rows are answered at once.
    static constexpr std::size_t together = 64;
    // More queries of one row of a region with islands are sorted by their left edges, since its columns may
    // be wider than an island.
    static constexpr std::size_t few_groups = 256;

    RowGroup rows_of(std::size_t block) const noexcept {
        return row_group(rows_, blocks_, block,
                         [&](std::size_t r) -> std::size_t { return space_.starts[r]; });
    }

    // The row of each query, and how many each row has. Returns how many come before the first that is
    // illegal. Queries for one storey begin there.
    std::size_t find_rows(const simd::Query* queries, std::size_t count, const simd::LabelFilters& filters,
                          std::uint16_t* rows, std::uint32_t* histogram) noexcept;
    bool admits_all(std::uint32_t storey, const simd::LabelFilters::Several& filters) const noexcept;
    Packet packet(std::size_t row, const simd::Record* records, std::size_t count) const noexcept;
    // Writes the queries of each chunk to the places of their rows.
    Status scatter(const simd::Query* queries, std::size_t count, std::size_t chunks) noexcept;

    // If one row has most of the queries, only its block needs room for it. Other blocks get twice the mean
    // of a block, so that small changes from frame to frame allocate nothing.
    std::size_t largest_row_of(const RowGroup& group) const noexcept;
    bool reserve(AnswerSpace& answers, std::size_t largest_row) const noexcept {
        const std::size_t most = std::max(largest_row, together);
        return reserve_amply(answers.records, most) && reserve_amply(answers.group_of, most);
    }

    const FrameState& frame_;
    const Executor& executor_;
    BatchSpace& space_;
    const bool by_ranks_;
    simd::LabelFilters filters_;
    // A bit for each storey that some queries search with a filter. All if storeys are not told apart.
    std::atomic<std::uint64_t> filtered_{~std::uint64_t{0}};
    static constexpr simd::LabelFilters no_filters_{};
    unsigned rank_shift_ = 0;
    std::size_t rows_ = 0, blocks_ = 1;
    std::size_t largest_row_ = 0;
};

}  // namespace throng::detail
