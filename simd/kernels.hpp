// The kernels: what the engine does with vectors of agents. Every algorithm is written once, as a template
// over a small vocabulary of vector operations (simd/isa/), and compiled once for every instruction set.
// `kernels(isa)` hands out the table of one of them; all tables give the same answers, bit for bit.
//
// This layer knows pointers, counts and the plain structures below, and nothing of the engine. It allocates
// nothing, keeps no state, and calls back only through the sinks it is handed.
//
// The data it works on, a row of the grid:
//
//     data    min_x[stride] | min_y[stride] | max_x[stride] | max_y[stride] | id[stride]
//             the row's common agents first, ordered by column and then by id;
//             then `gap` places whose coordinates are NaN, so that a vector may read past the end;
//             then the row's oversized agents, by id;
//             in a frame with labels two more arrays, categories[stride] | group[stride], zero in the gap
//     cells   cells[c] is where column c begins, cells[columns] where the last one ends: columns c0..c1 are
//             the one contiguous run cells[c0] .. cells[c1 + 1]
//
// An agent belongs to the row and the column of its lower left corner. Rows and columns are found by
// subtracting, multiplying and clamping, each of which keeps order. So whoever has its corner at or before x
// has its column at or before x's, in spite of rounding, and the outermost cells hold whatever lies beyond
// them. Three facts follow, which all searches rest on:
//
//     an agent that overlaps [a, b] has its column in column(a - reach) .. column(b);
//     one whose column is strictly between column(a) and column(b) overlaps [a, b] for certain;
//     one outside that range does not, so a vector that reads past the end of it finds nothing twice.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/box_tree.hpp"
#include "throng/isa.hpp"

namespace throng::simd {

// How many agents a vector may read past the last of a row.
inline constexpr std::uint32_t gap = 16;
// The most rows and columns a grid may have: their numbers fit into sixteen bits, with one to spare.
inline constexpr std::uint32_t max_rows = 32760;
inline constexpr std::uint32_t max_columns = 65520;

// An agent on its way into a row.
struct Record {
    float min_x, min_y, max_x, max_y;
    std::uint32_t id;
};
static_assert(sizeof(Record) == 20);

struct Pair {
    std::uint32_t a, b;
};

// Whom a query is about, and which pairs are wanted: see engine/include/throng/labels.hpp.
inline constexpr std::uint32_t nobody = 0xFFFFFFFFu;  // no agent, and no group
inline constexpr std::uint32_t default_category = 1;
inline constexpr std::uint32_t all_of_them = 0xFFFFFFFFu;
struct LabelFilter {
    std::uint32_t categories, self, other_than;
};
// Whether an agent with these categories is wanted. Where all are, so are agents without any.
inline constexpr bool is_wanted(std::uint32_t categories, std::uint32_t wanted) noexcept {
    return (categories & wanted) != 0 || wanted == all_of_them;
}
// What an agent adds to the note of which categories occur among several. One without any may be found by
// filters that want all, so it must not be skipped: it counts as having all.
inline constexpr std::uint32_t noted(std::uint32_t categories) noexcept {
    return categories != 0 ? categories : all_of_them;
}
struct PairLabelFilter {
    std::uint32_t a, b;
    bool other_groups_only;
};

// Frames with labels know which categories occur in each stretch of so many columns of a row.
inline constexpr std::uint32_t stretch_shift = 2;
inline constexpr std::uint32_t stretches_in(std::uint32_t columns) noexcept {
    return ((columns - 1) >> stretch_shift) + 1;
}
// Thirty-two categories in eight bits: a hint, which may say that somebody is there who is
// not, and never the opposite.
inline constexpr std::uint32_t hint_of(std::uint32_t categories) noexcept {
    const std::uint32_t half = categories | categories >> 16;
    return (half | half >> 8) & 0xFFu;
}

// A frame may be made under one rounding mode and asked under another. The place of a coordinate is a
// difference times a scale, each of which either mode may round by one unit in the last place, so two of the
// same place are four units apart at most. A search scales its lower corner by eight units less and its upper
// one by eight units more, which leaves enough for the rounding of these products, and so it looks into every
// cell that either mode can mean.
inline constexpr float scaled_down = 1 - 0x1p-20f, scaled_up = 1 + 0x1p-20f;

// How a coordinate becomes a row or a column, and which agents are common. last_column / inverse_width and
// last_row / inverse_height are finite, with room to spare, so that a difference that overflows is in the
// last cell whether it is rounded to infinity or to the largest float.
struct Grid {
    float origin_x, origin_y;
    float inverse_width, inverse_height;  // of a cell
    float last_column, last_row;          // as floats, for clamping
    float common_width, common_height;    // whoever is larger is oversized
    std::uint32_t columns, rows;
};

struct Row {
    const float* data;
    const std::uint32_t* cells;
    std::uint32_t stride;
    std::uint32_t count;      // common agents
    std::uint32_t oversized;  // agents behind the gap
};

// What encloses some boxes, the upper edges negated. Infinite if there are none.
struct Bounds {
    float min_x, min_y, negated_max_x, negated_max_y;
};

// The largest width and height among a row's common agents.
struct RowReach {
    float width, height;
};
// What sorting a row shows: its reach, and how many pairs of its common agents share a cell.
struct RowSummary {
    RowReach reach;
    std::uint64_t sharing;
};

// A node of the tree over the oversized agents, which engine/src/frame/oversized_tree.hpp draws. Nodes are in
// preorder, and the agents of a subtree are one run. The upper bounds are negated, so that one comparison of
// four lanes tells whether a node overlaps a query, or lies inside it.
struct Node {
    float min_x, min_y, negated_max_x, negated_max_y;
    std::uint32_t begin, end;  // its agents
    std::uint32_t next;        // the node behind its subtree; the very next one if it is a leaf
    std::uint32_t categories;  // that its agents have, in a frame with labels
};

// Where there are many oversized agents, their tree is in pieces (engine/src/frame/oversized_tree.hpp): a grove is a
// subtree with its agents, and the leaves of the tree above them are groves.
struct Grove {
    Row oversized;
    const Node* nodes;
    std::uint32_t node_count;
    std::uint32_t first;  // how many agents the groves before have
};

// A world whose agents stand in a few crowded spots is cut into tiles, and a tile that holds enough
// of them is an island: it has a grid of its own, fitted to those whose lower left corner is in the
// tile. The others are in the open, in the grid that covers all. Where an island is itself crowded in
// a few spots, it is cut in the same way, and so on: each region is a grid for the agents that no
// island of its own holds. Regions are numbered, a region before its islands: 0 is the open of the
// whole world, and island i is region i + 1.
// The corners from which each step inwards leads into one certain island: those at `min` and after it, but before
// `behind`, or at infinity.
struct NestedIsland {
    float min_x, min_y, behind_x, behind_y;
    std::uint32_t region;
};
struct Tiles {
    float origin_x, origin_y, inverse_width, inverse_height, last_column, last_row;
    std::uint32_t columns, rows;
    const std::uint16_t* region_of;  // by tile, row after row; 0 for a tile that is no island
    const std::uint64_t* occupied;   // a bit for each tile that is an island, `words` to a row of tiles
    std::uint32_t words;
    std::uint32_t inner_cuts;  // how many islands of the world, wherever they are, are cut again
    // The way inwards on which most agents are, each island within the one before; none where it is short.
    std::uint32_t nested_count = 0;
    const NestedIsland* nested = nullptr;
};
// How a region finds the row of an agent, among the rows of all regions.
struct RegionRows {
    float origin_y, inverse_height, last_row;
    std::uint16_t first_row;
    std::uint16_t cut;  // which of the world's tiles this island is cut into; 0 if into none
};
static_assert(sizeof(RegionRows) == 16);
struct Islands;

// What turns the corners of a box, lane by lane, into the cells that bound a search, from within and from
// without: (corner - back - origin) * scale, clamped, is the outermost that may have an answer, `scaled_down`
// for the lower corner and `scaled_up` for the upper one; (corner - origin) * inner_scale, the other way
// round, the outermost that need a test.
struct Locate {
    float back[4], origin[4], scale[4], inner_scale[4], last[4];
};
struct Place {
    float origin_x, origin_y, inverse_width, inverse_height, last_x, last_y;
};
inline constexpr Locate locate(const Place& p, float reach_x, float reach_y) noexcept {
    return {{reach_x, reach_y, 0, 0},
            {p.origin_x, p.origin_y, p.origin_x, p.origin_y},
            {p.inverse_width * scaled_down, p.inverse_height * scaled_down, p.inverse_width * scaled_up,
             p.inverse_height * scaled_up},
            {p.inverse_width * scaled_up, p.inverse_height * scaled_up, p.inverse_width * scaled_down,
             p.inverse_height * scaled_down},
            {p.last_x, p.last_y, p.last_x, p.last_y}};
}
inline constexpr Locate locate(const Grid& g, float reach_x, float reach_y) noexcept {
    return locate(Place{g.origin_x, g.origin_y, g.inverse_width, g.inverse_height, g.last_column, g.last_row},
                  reach_x, reach_y);
}

// Everything that a query needs of a frame, or of one of its islands. `rows` has grid.rows entries;
// empty rows have a count of zero.
struct View {
    Grid grid;
    float reach_x, reach_y;  // the largest width and height of a common agent, rounded up
    const Row* rows;
    Row oversized;      // all oversized agents, one packed row without cells; its end is padded with NaN
    const Node* nodes;  // the tree over them
    std::uint32_t node_count;
    const Grove* groves;     // null where the tree is in one piece; else `oversized` knows how many there are
    bool is_all;             // whether the rows are all there is: no tree, and no islands
    const Islands* islands;  // that the world, or this island, is cut into; null if it is not
    // The categories that occur in each stretch of each row; null in a frame without labels. A
    // vector may read past the last.
    const std::uint32_t* stretches;
    const std::uint8_t* hints;  // of each of them
    std::uint32_t stretches_in_row;
    Locate locate;  // of the grid and the reach
};

struct Island {
    View view;
    Bounds bounds;  // of its common agents, and of those on its own islands
    std::uint32_t tile_column, tile_row;
    std::uint32_t first_row;    // among the rows of all regions
    std::uint32_t reaches_out;  // whether a box leaves the tile
    const Islands* home;        // among which it is
    const Island* parent;       // whose island it is; null for one of the world's
};
// The islands that one region is cut into.
struct Islands {
    Tiles tiles;
    const Tiles* cuts;          // of all regions that are cut, the world's own first
    const RegionRows* regions;  // all of them
    const Island* all;          // of all regions
    float reach_x, reach_y;     // the largest of any of these islands, and of theirs
    bool open_is_empty;         // whether all common agents of the region are on islands
    Locate locate;              // tiles
    Locate locate_all;          // the same for all agents of the region, on islands or not
};

// Four arrays with one float an agent: corners, or centres and half extents.
struct Columns {
    const float* a;
    const float* b;
    const float* c;
    const float* d;
    bool centre_half;
};

// Where ids go: the buffer starts at `begin` and is filled up to `at`. A kernel calls `full` once `at` is
// beyond `limit`, or to pass on what it has; `full` empties the buffer or gets a larger one, so that `at` is
// not beyond `limit` any more. A kernel may write a gap of ids beyond `limit`. Where `run` is set, covered
// runs are passed to it in place instead of being copied. Once `stopped` is set the search ends.
struct IdSink {
    std::uint32_t* begin;
    std::uint32_t* at;
    std::uint32_t* limit;
    void (*full)(IdSink& sink);
    void (*run)(IdSink& sink, const std::uint32_t* ids, std::size_t count);
    void* context;
    bool stopped;
};

// What precedes a query's ids in a stream of answers; a stream's sink leaves room for it behind its limit.
inline constexpr std::uint32_t stream_header = 2;

// Where pairs go, likewise. A kernel may write `pair_slack` pairs beyond `limit`. Once `stopped` is set it
// ends after the agent that it is about, whose pairs still need a place.
inline constexpr std::size_t pair_slack = 64;
struct PairSink {
    Pair* at;
    Pair* limit;
    void (*full)(PairSink& sink);
    void* context;
    bool stopped;
};

// What finding the pairs of a row needs: room for the row's count and a gap more, and memory for cells that
// are too full, which few rows ask for. `room` makes it at least so large, aligned for a cache line, and does not keep
// what was in it; null if there is none. Then, or without `room`, the same pairs are found with more steps, perhaps
// in another order.
struct PairScratch {
    std::uint32_t* edge;
    void* (*room)(PairScratch& scratch, std::size_t bytes);
    void* context;
};

struct Kernels {
    Isa isa;

    // --- Building rows ---

    // Notes the row of each agent and counts it in the histogram.
    void (*count_rows)(const Grid&, const Columns&, std::size_t count, std::uint16_t* row_of,
                       std::uint32_t* histogram);
    // The same in a world with islands. The rows of all regions are numbered together.
    void (*count_region_rows)(const Tiles* cuts, const RegionRows*, const Columns&, std::size_t count,
                              std::uint16_t* row_of, std::uint32_t* histogram);
    // Writes each agent as a record to the place where its row's cursor stands, and moves the cursor. The
    // agents' ids are those given, or first_id and up if `ids` is null. Returns how many agents it took:
    // fewer than all if the next one's box is not valid.
    std::size_t (*scatter)(const Columns&, std::size_t count, const std::uint32_t* ids,
                           std::uint32_t first_id, const std::uint16_t* row_of, Record** cursors);
    // Turns the records at the start of `data` into a row, in place. `scratch` has sort_scratch(count) bytes.
    Row (*sort_row)(const Grid&, float* data, std::uint32_t stride, std::uint32_t* cells, std::uint32_t count,
                    void* scratch, RowSummary& summary);
    // Writes agents straight into a row without cells: for so few of them that one cell does. Ids count
    // from 0. Returns how many are valid before the first that is not.
    std::size_t (*fill_row)(const Columns&, std::uint32_t count, float* data, std::uint32_t stride);
    // The reach of a row that was put together otherwise.
    RowReach (*measure_row)(const Row&);
    // What encloses a row's common agents.
    Bounds (*bound_row)(const Row&);

    // --- Pairs ---

    // The pairs of all agents of a world that is one row: for few of them.
    void (*few_pairs)(const Row&, PairSink&);
    // The pairs of one row's common agents with each other and with those of later rows.
    void (*row_pairs)(const View&, std::uint32_t row, PairScratch&, PairSink&);
    // The pairs of the common agents of a row with those of other regions: with all islands of its own region,
    // and with the islands right of the one it is in, and above it. `row` counts from the first of its region.
    void (*region_pairs)(const View&, std::uint32_t region, std::uint32_t row, PairSink&);
    // The pairs of the oversized agents [first, last) with all common agents and with later oversized ones.
    void (*oversized_pairs)(const View&, std::uint32_t first, std::uint32_t last, PairSink&);

    // --- Queries ---

    void (*find)(const View&, const Query&, IdSink&);
    std::uint64_t (*count)(const View&, const Query&);
    bool (*any)(const View&, const Query&);

    // --- Batches in the caller's order ---

    // How many queries are legal before the first that is not.
    std::size_t (*count_legal)(const Query*, std::size_t count);
    // Notes in `ends` how many ids the sink's buffer holds after each query.
    void (*find_in_order)(const View&, const Query*, std::size_t count, IdSink&, std::uint64_t* ends);
    void (*count_in_order)(const View&, const Query*, std::size_t count, std::uint32_t* answers);
    void (*any_in_order)(const View&, const Query*, std::size_t count, std::uint8_t* answers);

    // --- Batches in packets ---

    // Like count_rows and scatter, for queries, whose numbers take the place of ids. The first returns how
    // many are legal before the first that is not.
    std::size_t (*count_query_rows)(const View&, const Query*, std::size_t count, std::uint16_t* row_of,
                                    std::uint32_t* histogram);
    void (*scatter_queries)(const Query*, std::size_t count, std::uint32_t first_number,
                            const std::uint16_t* row_of, Record** cursors);
    // Puts the queries of one row in the order in which they are best asked.
    void (*sort_packet)(const View&, const Record*, std::size_t count, std::uint8_t* group_of,
                        Record* sorted);
    // The answers to query n go to streams[n >> shift], behind a header of its number and the count of its
    // ids.
    void (*find_packet)(const View&, const Record*, std::size_t count, IdSink* streams, std::uint32_t shift);
    // The answer to query n goes to answers[n].
    void (*count_packet)(const View&, const Record*, std::size_t count, std::uint32_t* answers);
    void (*any_packet)(const View&, const Record*, std::size_t count, std::uint8_t* answers);

    // --- Queries with filters ---
    //
    // As those without. Query n has the filter filters[n * step]: so a step of 0 means one for all.

    void (*find_filtered)(const View&, const Query*, const LabelFilter* filters, std::size_t step,
                          std::size_t count, IdSink&, std::uint64_t* ends);
    void (*count_filtered)(const View&, const Query*, const LabelFilter* filters, std::size_t step,
                           std::size_t count, std::uint32_t* answers);
    void (*any_filtered)(const View&, const Query*, const LabelFilter* filters, std::size_t step,
                         std::size_t count, std::uint8_t* answers);
    void (*find_packet_filtered)(const View&, const Record*, const LabelFilter* filters, std::size_t step,
                                 std::size_t count, IdSink* streams, std::uint32_t shift);
    void (*count_packet_filtered)(const View&, const Record*, const LabelFilter* filters, std::size_t step,
                                  std::size_t count, std::uint32_t* answers);
    void (*any_packet_filtered)(const View&, const Record*, const LabelFilter* filters, std::size_t step,
                                std::size_t count, std::uint8_t* answers);

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
    void (*cross_pairs)(const View&, const Row& asking, std::uint32_t begin, std::uint32_t end,
                        bool asker_first, PairSink&);

    // --- Packed hierarchies of boxes ---

    // Goes on with a search: writes ids from `at` on, and returns where they end, which is
    // beyond `limit` by tree_slack at most. To be called again until the search has ended. Each
    // time the ids come before the run.
    std::uint32_t* (*tree_find)(const BoxTree&, TreeSearch&, std::uint32_t* at, std::uint32_t* limit);
    std::uint64_t (*tree_count)(const BoxTree&, const Query&);
    bool (*tree_any)(const BoxTree&, const Query&);
    // Likewise; writes tree_pair_slack beyond the limit at most. Room for so many more is to be there.
    Pair* (*tree_pairs)(const BoxTree&, TreePairs&, Pair* at, Pair* limit);

    // --- Queries asked together, of a structure that is no grid of rows ---

    // Each of some queries against all agents of a row, which needs no cells. Writes the ids that the first
    // one finds, then those of the next, and notes in `ends` how many there are after
    // each. May write a gap more.
    void (*find_together)(const Row&, const Query*, std::size_t count, std::uint32_t* ids,
                          std::uint32_t* ends);
};

// Bytes of scratch that sort_row needs.
inline constexpr std::size_t sort_scratch(std::size_t count) noexcept {
    return (count + gap) * (sizeof(Record) + sizeof(std::uint32_t) + sizeof(std::uint16_t)) + 64 * 3;
}

// The kernels of one instruction set; null unless it is `supported`. `automatic` gives the best.
const Kernels* kernels(Isa isa) noexcept;

}  // namespace throng::simd
