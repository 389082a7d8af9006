// The kernels that answer queries with boxes: one at a time, in the caller's order, and in packets.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/box_tree.hpp"
#include "simd/types.hpp"

namespace throng::simd {

struct QueryKernels {
    // --- One query, without a filter ---

    void (*find)(const View&, const Query&, IdSink&);
    std::uint64_t (*count)(const View&, const Query&);
    bool (*any)(const View&, const Query&);

    // --- Batches in the caller's order, with filters or without ---

    // The number of legal queries before the first illegal one.
    std::size_t (*count_legal)(const Query*, std::size_t count);
    // Writes to `ends` how many ids the sink's buffer holds after each query.
    void (*find_in_order)(const View&, const LabelFilters&, const Query*, std::size_t count, IdSink&,
                          std::uint64_t* ends);
    void (*count_in_order)(const View&, const LabelFilters&, const Query*, std::size_t count,
                           std::uint32_t* answers);
    void (*any_in_order)(const View&, const LabelFilters&, const Query*, std::size_t count,
                         std::uint8_t* answers);

    // --- Batches in packets ---

    // Like count_rows and scatter, for queries, with query numbers as ids. The first returns the number of
    // legal queries before the first illegal one.
    std::size_t (*count_query_rows)(const View&, const Query*, std::size_t count, std::uint16_t* row_of,
                                    std::uint32_t* histogram);
    void (*scatter_queries)(const Query*, std::size_t count, std::uint32_t first_number,
                            const std::uint16_t* row_of, Record** cursors);
    // Sorts the queries of one row into their best order.
    void (*sort_packet)(const View&, const Record*, std::size_t count, std::uint8_t* group_of,
                        Record* sorted);
    // The answers to query n go to streams[n >> shift], after a header with its number and the count of its
    // ids. Or, with `ends`, all go to the first stream, without headers, and it gets how many ids that holds after each
    // query.
    void (*find_packet)(const View&, const LabelFilters&, const Record*, std::size_t count, IdSink* streams,
                        std::uint32_t shift, std::uint64_t* ends);
    // The answer to query n goes to answers[n].
    void (*count_packet)(const View&, const LabelFilters&, const Record*, std::size_t count,
                         std::uint32_t* answers);
    void (*any_packet)(const View&, const LabelFilters&, const Record*, std::size_t count,
                       std::uint8_t* answers);

    // --- Packed hierarchies of boxes ---

    // Continues a search: writes ids from `at` on, and returns their end, which is at most tree_slack past
    // `limit`. Call again until the search has ended. In each call the ids come before the run.
    std::uint32_t* (*tree_find)(const BoxTree&, TreeSearch&, std::uint32_t* at, std::uint32_t* limit);
    std::uint64_t (*tree_count)(const BoxTree&, const Query&);
    bool (*tree_any)(const BoxTree&, const Query&);

    // --- Packets of queries, for structures without rows ---

    // Tests each of some queries against all agents of a row, which needs no cells. Writes the ids of the
    // first query, then those of the next, and to `ends` how many there are after each. May write a gap more.
    void (*find_together)(const Row&, const Query*, std::size_t count, std::uint32_t* ids,
                          std::uint32_t* ends);
};

}  // namespace throng::simd
