// The kernels: the vectorised inner loops. Every algorithm is written once, as a template over a small
// vocabulary of vector operations (simd/isa/), and compiled once for every instruction set. `kernels(isa)`
// returns the table of one instruction set; all tables give the same answers, bit for bit.
//
// This layer knows pointers, counts and the plain structures of simd/types.hpp, and nothing of the engine. It
// allocates nothing, keeps no state, and calls back only through its sinks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "simd/box_tree.hpp"
#include "simd/tree_division.hpp"
#include "simd/types.hpp"
#include "throng/isa.hpp"

namespace throng::simd {

struct ShapeKernels;
struct NeighbourKernels;
struct CastKernels;

struct Kernels {
    Isa isa;

    // --- The other families ---

    const ShapeKernels* shapes;  // shape_kernels.hpp: boxes, circles, polygons and segments as queries
    const NeighbourKernels* neighbours;  // neighbour_kernels.hpp: within a radius, and the nearest
    const CastKernels* casts;            // cast_kernels.hpp: rays, and shapes that move

    // --- Building rows ---

    // Records the row of each agent and counts it in the histogram.
    void (*count_rows)(const Grid&, const Columns&, std::size_t count, std::uint16_t* row_of,
                       std::uint32_t* histogram);
    // The same in a world with islands. The rows of all regions are numbered together. Unless `guesses` is null, row_of has the rows
    // in which the agents were, of this map or another one, and `guesses` has a region of this map for each of those rows: an agent is looked for
    // there first, and where it is not there, the guess becomes the region where it is. Returns how many were there.
    std::size_t (*count_region_rows)(const RegionMap&, const Columns&, std::size_t count,
                                     std::uint16_t* row_of, std::uint16_t* guesses, std::uint32_t* histogram);
    // Finds the innermost island that holds each of some corners, or 0.
    void (*find_regions)(const Tiles* cuts, const RegionRows*, const float* x, const float* y,
                         std::size_t count, std::uint16_t* region_of);
    // Writes each agent as a record at the cursor of its row, one of `rows`, and advances it. The ids are `ids`, or
    // first_id and up if that is null. Returns how many agents it wrote: fewer than all if the next one's box
    // is illegal.
    std::size_t (*scatter)(const Columns&, std::size_t count, const std::uint32_t* ids,
                           std::uint32_t first_id, const std::uint16_t* row_of, Record** cursors,
                           std::size_t rows);
    // The same for rows that have only oversized agents: writes each to the arrays of its row, of which data and stride are read, at
    // the place that is next there.
    std::size_t (*scatter_in_place)(const Columns&, std::size_t count, const std::uint32_t* ids,
                                    std::uint32_t first_id, const std::uint16_t* row_of, const Row* rows,
                                    std::uint32_t* next);
    // Turns records, which may lie at the start of `data`, into a row. `scratch` has sort_scratch(count) bytes, and
    // SortScratch says what is left there.
    Row (*sort_row)(const Grid&, const Record* records, float* data, std::uint32_t stride,
                    std::uint32_t* cells, std::uint32_t count, void* scratch, RowSummary& summary);
    // The same for the records of all rows of a grid, which are laid out one after the other from where the records are. `scratch`
    // has sort_scratch(count) bytes, and four for each column of each row and one column more. Rows without agents stay as they
    // are. Returns how many pairs of common agents share a cell.
    std::uint64_t (*sort_rows)(const Grid&, Record*, std::uint32_t count, bool labelled, Row* rows,
                               void* scratch);
    // Makes a row out of the agents that stay of one without holes, and of those that come, which are records in any order:
    // keep_row lists in the scratch which agents stay, and returns their number; merge_row makes the row. `scratch` has
    // merge_scratch() bytes. Both may write as far behind the records as sort_row may.
    std::uint32_t (*keep_row)(const RowsToMerge&, void* scratch);
    Row (*merge_row)(const Grid&, const RowsToMerge&, std::uint32_t kept, float* data, std::uint32_t stride,
                     std::uint32_t* cells, void* scratch, RowSummary& summary);
    // How many common agents keep_row will keep.
    std::uint32_t (*count_staying)(const Row&, const std::uint32_t* edited);
    // Writes agents straight into a row without cells, for few agents. Ids count from 0. Returns the number
    // of legal agents before the first illegal one.
    std::size_t (*fill_row)(const Columns&, std::uint32_t count, float* data, std::uint32_t stride);
    // The reach of a row that was not built by sort_row.
    RowReach (*measure_row)(const Row&);
    // The bounds of a row's common agents.
    Bounds (*bound_row)(const Row&);

    // The places of some boxes in the tree over oversized agents.
    void (*tree_places)(const TreeDivision&, const Query* boxes, std::size_t count, std::uint32_t* places);

    // --- Planning islands ---

    // The bounds of the lower left corners of some boxes.
    Query (*bound_corners)(const Query* boxes, std::size_t count);
    // In which tile each of these corners is.
    void (*find_tiles)(const Tiles&, const Query* boxes, std::size_t count, std::uint32_t* tile_of);

    // --- Pairs ---

    // The pairs of all agents of a world with one row, by brute force: for few agents.
    void (*few_pairs)(const Row&, PairSink&);
    // The pairs of one row's common agents with each other and with those of later rows.
    void (*row_pairs)(const View&, std::uint32_t row, PairScratch&, PairSink&);
    // The pairs of the common agents of a row with those of other regions: all islands of its own region, and
    // the islands right of and above its own island. `row` counts from the first row of its region.
    void (*region_pairs)(const View&, std::uint32_t region, std::uint32_t row, PairSink&);
    // The pairs of the oversized agents [first, last) with all common agents and with later oversized ones.
    void (*oversized_pairs)(const View&, std::uint32_t first, std::uint32_t last, PairSink&);

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

    // --- Pairs with a filter, in a frame with labels ---

    void (*row_pairs_filtered)(const View&, std::uint32_t row, const PairLabelFilter&, PairScratch&,
                               PairSink&);
    void (*region_pairs_filtered)(const View&, std::uint32_t region, std::uint32_t row,
                                  const PairLabelFilter&, PairSink&);
    void (*oversized_pairs_filtered)(const View&, std::uint32_t first, std::uint32_t last,
                                     const PairLabelFilter&, PairSink&);

    // --- Pairs of two worlds ---

    // The pairs of a view's agents with the agents [begin, end) of a row of another. These come
    // first in their pairs, or second.
    void (*cross_pairs)(const View&, const Row& probing, std::uint32_t begin, std::uint32_t end,
                        bool probe_first, PairSink&);

    // --- Packed hierarchies of boxes ---

    // Continues a search: writes ids from `at` on, and returns their end, which is at most tree_slack past
    // `limit`. Call again until the search has ended. In each call the ids come before the run.
    std::uint32_t* (*tree_find)(const BoxTree&, TreeSearch&, std::uint32_t* at, std::uint32_t* limit);
    std::uint64_t (*tree_count)(const BoxTree&, const Query&);
    bool (*tree_any)(const BoxTree&, const Query&);
    // Likewise; writes at most tree_pair_slack pairs past the limit, so the buffer needs that much more room.
    Pair* (*tree_pairs)(const BoxTree&, TreePairs&, Pair* at, Pair* limit);

    // --- Packets of queries, for structures without rows ---

    // Tests each of some queries against all agents of a row, which needs no cells. Writes the ids of the
    // first query, then those of the next, and to `ends` how many there are after each. May write a gap more.
    void (*find_together)(const Row&, const Query*, std::size_t count, std::uint32_t* ids,
                          std::uint32_t* ends);
};

// Bytes of scratch that sort_row needs.
inline constexpr std::size_t sort_scratch(std::size_t count) noexcept {
    return (count + gap) * (sizeof(Record) + 2 * sizeof(std::uint32_t)) + 64;
}
// Where the first whole cache line of some memory begins.
inline std::byte* next_line(void* memory) noexcept {
    return static_cast<std::byte*>(memory) + (64 - reinterpret_cast<std::uintptr_t>(memory) % 64) % 64;
}
// What sort_row leaves in its scratch: the records, and their numbers in the order of the row, oversized ones last.
struct SortScratch {
    Record* records;
    std::uint32_t *order, *columns;

    SortScratch(void* memory, std::size_t count) noexcept
        : records(reinterpret_cast<Record*>(next_line(memory))) {
        order = reinterpret_cast<std::uint32_t*>(records + count + gap);
        columns = order + count + gap;
    }
};

// Bytes of scratch that keep_row and merge_row need.
inline constexpr std::size_t merge_scratch(std::size_t old_count, std::size_t coming,
                                           std::size_t columns) noexcept {
    return (2 * (old_count + gap) + 3 * (coming + gap) + columns + 1) * sizeof(std::uint32_t) + old_count +
           coming + gap + 64;
}

// The kernels of one instruction set; null unless it is `supported`. `automatic` gives the best.
const Kernels* kernels(Isa isa) noexcept;

// Those that this build has, whether or not this machine can run them.
std::span<const Isa> carried_sets() noexcept;

}  // namespace throng::simd
