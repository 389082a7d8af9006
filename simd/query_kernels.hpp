// The kernels that answer queries with boxes and other shapes: one at a time, in the caller's order, and in
// packets.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/box_tree.hpp"
#include "simd/types.hpp"
#include "throng/agents_as.hpp"

namespace throng::simd {

// Which agents a query finds: see engine/include/throng/labels.hpp.
struct LabelFilter {
    std::uint32_t categories, self, not_in_group;
    // By height, an agent's minimum has to be at most `max_z`, and its maximum at least `min_z`. Then it has
    // a height of this band, or of each of several bands whose innermost edges these are.
    bool by_height = false;
    float min_z = 0, max_z = 0;

    // Adds another band.
    constexpr void share_heights(float low, float high) noexcept {
        min_z = by_height && min_z > low ? min_z : low;
        max_z = by_height && max_z < high ? max_z : high;
        by_height = true;
    }
};
// The filters of a batch: query n has the three words from first[n * step] on, which are categories, self and
// not_in_group, and the two edges from bands[n * band_step] on. `bands` is null in a frame without heights,
// and if all admit every height. A step of 0 means one for all. If each leaves out itself, `self` is the
// query's number in the whole batch. Without filters, everyone is admitted.
struct LabelFilters {
    // What some filters that follow each other have in common.
    struct Several {
        std::uint32_t bits = ~std::uint32_t{0};  // that all three numbers of each have
        SharedHeights heights;                   // that are in all bands
        float lowest = infinite, highest = -infinite;

        constexpr bool are_only_by_height() const noexcept { return bits == all_of_them; }
    };

    const std::uint32_t* first = nullptr;
    std::size_t step = 0;
    // All bits if the number of each query replaces `self`. Then `self` must hide no bit of it: it is 0. Or
    // the number has all bits and is the same for all queries. So no query needs a branch.
    std::uint32_t itself = 0;
    std::uint32_t number = 0;  // of query 0
    std::uint32_t number_step = 1;
    const float* bands = nullptr;
    std::size_t band_step = 0;

    constexpr bool are_unfiltered() const noexcept { return first == nullptr; }
    // Whether all queries have the same; not if each leaves out itself, though these share their memory.
    constexpr bool are_one_for_all() const noexcept {
        return step == 0 && band_step == 0 && (itself == 0 || number_step == 0);
    }
    constexpr LabelFilter operator[](std::size_t n) const noexcept {
        const std::uint32_t* f = first + n * step;
        LabelFilter one{f[0], f[1] | (itself & number_of(n)), f[2]};
        if (bands != nullptr) one.share_heights(bands[n * band_step], bands[n * band_step + 1]);
        return one;
    }
    // Adds that of query n, if there are bands, and no query leaves out itself.
    THRONG_ALWAYS_INLINE void add_to(Several& several, std::size_t n) const noexcept {
        const std::uint32_t* f = first + n * step;
        several.bits &= f[0] & f[1] & f[2];
        const float low = bands[n * band_step], high = bands[n * band_step + 1];
        several.heights.add(low, high);
        several.lowest = low < several.lowest ? low : several.lowest;
        several.highest = several.highest < high ? high : several.highest;
    }
    // Fetches the filter of a query that comes soon.
    THRONG_ALWAYS_INLINE void fetch(std::size_t n) const noexcept {
        THRONG_PREFETCH(first + n * step);
        if (bands != nullptr) THRONG_PREFETCH(bands + n * band_step);
    }
    constexpr std::uint32_t categories(std::size_t n) const noexcept { return first[n * step]; }
    // Those of the queries from `n` on.
    constexpr LabelFilters from(std::size_t n) const noexcept {
        LabelFilters rest = *this;
        rest.first += n * step;
        rest.number = number_of(n);
        if (bands != nullptr) rest.bands += n * band_step;
        return rest;
    }
    constexpr std::uint32_t number_of(std::size_t n) const noexcept {
        return number + static_cast<std::uint32_t>(n) * number_step;
    }
};
// An index of queries, for boxes that are in none. Each query is in all cells of a grid that may have the
// lower left corner of a box that overlaps it, if the box is no larger than grid.common_width and
// grid.common_height. That is less than a cell, so these are the cells from the one before its own, on both
// axes. The outermost cells have no queries, since everything beyond the grid counts as in them.
struct QueryCells {
    Grid grid;
    std::uint32_t column_bits;      // there are 2^column_bits columns
    Row by_cell;                    // the queries of each cell, row by row
    Row all;                        // each query once, as in one cell: for larger boxes
    const std::uint32_t* occupied;  // a bit for each cell, set if it has any
};

// The output of matches: the number of a query and the id of a box, at the same slot of two arrays. Up to a
// vector more than there are may be written.
struct MatchSink {
    std::uint32_t *queries, *ids;
    std::size_t count, limit;
};

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
    // ids. Or, with `ends`, all go to the first stream, without headers, and `ends` gets the number of its
    // ids after each query.
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

    // --- Boxes in the host's order: kernels/unordered/unordered.hpp ---

    // The number of legal boxes before the first illegal one.
    std::size_t (*count_legal_boxes)(const Columns&, std::size_t count);
    // The boxes that overlap one query: their numbers, plus first_id, ascending. May write a gap more.
    // Returns how many.
    std::uint32_t (*find_boxes)(const Query&, const Columns&, std::size_t count, std::uint32_t first_id,
                                std::uint32_t* ids);
    std::uint32_t (*count_boxes)(const Query&, const Columns&, std::size_t count);
    // Lists the slots of all boxes that may overlap any query, ascending, and may write a gap more. Returns
    // the number of legal boxes before the first illegal one.
    std::size_t (*screen_boxes)(const QueryCells&, const Columns&, std::size_t count, std::uint32_t* slots,
                                std::uint32_t& listed);
    // Compares these boxes with the queries. Takes no other box once there are more matches than the limit of
    // the sink; one box has at most one for each query. Returns how many of the slots it came to.
    std::uint32_t (*match_boxes)(const QueryCells&, const Columns&, const std::uint32_t* slots,
                                 std::uint32_t count, std::uint32_t first_id, MatchSink&);
    void (*count_matches)(const QueryCells&, const Columns&, const std::uint32_t* slots, std::uint32_t count,
                          std::uint32_t* counts);
};

// --- Other shapes than boxes: circles, convex polygons, and segments with a width ---

// All bounds here are those of engine/src/query/query_batch.cpp.
struct CircleQuery {
    Query bounds;
    float x, y, radius;
};

// An edge of a polygon, from a corner in a direction; the polygon is to its left. The direction is zero if
// two corners are the same.
struct PolygonEdge {
    float x, y, unit_x, unit_y;
};

// Any shape. What it finds overlaps its bounds.
struct alignas(64) ShapeQuery {
    enum class Kind : std::uint8_t { circle, polygon, segment };

    CircleQuery circle;  // the bounds of any shape; the start of a segment, and its radius
    Kind kind;
    AgentsAs agents_as;            // for a circle
    float to_x, to_y;              // the end of a segment
    float unit_x, unit_y, length;  // from its start to its end; the direction is zero if it is a point
    std::uint32_t edge_count;      // of a polygon; without edges, it is its bounds
    const PolygonEdge* edges;
};

// A batch: in the order of some records, whose ids are the numbers of their queries, or without records in
// the caller's order.
struct ShapeBatch {
    const ShapeQuery* shapes;
    const Record* order;
    std::size_t count;
};

struct ShapeKernels {
    // With an order, the answers to query n go to streams[n >> shift], after a header with its number and the
    // count of its ids. With `ends`, they go to the first stream, and `ends` gets the number of its ids after
    // each query.
    void (*find)(const View&, const LabelFilters&, const ShapeBatch&, IdSink* streams, std::uint32_t shift,
                 std::uint64_t* ends);
    // The answer to query n goes to answers[n]: how many agents, or 1 if there is any.
    void (*count)(const View&, const LabelFilters&, const ShapeBatch&, std::uint32_t* answers);
    void (*any)(const View&, const LabelFilters&, const ShapeBatch&, std::uint8_t* answers);
};

// --- What a query looks at. The search of the kernels counts it, compiled once and for the lowest
// instruction set, since all look at the same parts of a frame ---

struct QueryCost {
    std::uint64_t rows = 0, cells = 0;  // rows, and the cells of those within reach
    std::uint64_t tested = 0;           // agents that were compared
    std::uint64_t covered = 0;          // agents taken without a comparison, since the query covers them
    std::uint64_t islands = 0, nodes = 0;
    std::uint64_t oversized = 0;  // those of `tested` that are oversized
};

// Adds the cost of a legal query, with the first of the filters.
void add_cost(const View&, const Query&, const LabelFilters&, QueryCost& sum) noexcept;
void add_cost(const View&, const ShapeQuery&, const LabelFilters&, QueryCost& sum) noexcept;

}  // namespace throng::simd
