// The plain structures that the kernels read and write. First of all a row of the grid:
//
//     data    min_x[stride] | min_y[stride] | max_x[stride] | max_y[stride] | id[stride]
//             the row's common agents first, ordered by column and then by id;
//             then `gap` slots whose coordinates are NaN, so that a vector may read past the end;
//             then the row's oversized agents, by id;
//             in a frame with labels two more arrays, categories[stride] | group[stride], zero in the gap;
//             in one with heights, which has labels too, then min_z[stride] | max_z[stride], likewise
//             a row that single edits changed may have holes among the common agents: slots without an
//             agent, whose coordinates are NaN as those in the gap, so that no test finds them
//     cells   cells[c] is where column c begins, cells[columns] where the last one ends: columns c0..c1 are
//             the one contiguous run cells[c0] .. cells[c1 + 1]
//
// An agent belongs to the row and the column of its lower left corner. Rows and columns are found by a
// subtraction, a multiplication and a clamp, all of them monotonic even with rounding. So an agent with its
// corner at or before x has its column at or before x's, and the outermost cells hold whatever lies outside
// the grid. Three facts follow, on which all searches rely:
//
//     an agent that overlaps [a, b] has its column in column(a - reach) .. column(b);
//     one whose column is strictly between column(a) and column(b) overlaps [a, b] for certain;
//     one outside that range does not, so a vector that reads past the end of it finds nothing twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "throng/compiler.hpp"

namespace throng::simd {

// How many agents a vector may read past the last of a row.
inline constexpr std::uint32_t gap = 16;
// As constants, since a function that a kernel calls would be compiled for its instruction set.
inline constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN(),
                       infinite = std::numeric_limits<float>::infinity();
// The most rows and columns of a grid: their numbers fit into sixteen bits, with one to spare.
inline constexpr std::uint32_t max_rows = 32760;
inline constexpr std::uint32_t max_columns = 65520;

// An agent on its way into a row.
struct Record {
    float min_x, min_y, max_x, max_y;
    std::uint32_t id;
};
// The same in a frame with heights.
struct TallRecord : Record {
    float min_z, max_z;
};
static_assert(sizeof(Record) == 20 && sizeof(TallRecord) == 28);

struct Pair {
    std::uint32_t a, b;
};

// For labels: see engine/include/throng/labels.hpp.
inline constexpr std::uint32_t no_id = 0xFFFFFFFFu;  // no agent, and no group
inline constexpr std::uint32_t default_category = 1;
inline constexpr std::uint32_t all_of_them = 0xFFFFFFFFu;
// Whether an agent with these categories is wanted. If all are wanted, so are agents without any.
inline constexpr bool is_wanted(std::uint32_t categories, std::uint32_t wanted) noexcept {
    return (categories & wanted) != 0 || wanted == all_of_them;
}
// What an agent adds to the union of categories of several agents. Filters that want all also find an agent
// without any, so it must not be skipped: it counts as having all.
inline constexpr std::uint32_t noted(std::uint32_t categories) noexcept {
    return categories != 0 ? categories : all_of_them;
}
// Frames with labels know which categories occur in each stretch of 2^stretch_shift columns of a row.
inline constexpr std::uint32_t stretch_shift = 2;
inline constexpr std::uint32_t stretches_in(std::uint32_t columns) noexcept {
    return ((columns - 1) >> stretch_shift) + 1;
}

// A frame may be built under one rounding mode and queried under another. The bin of a coordinate is a
// difference times a scale; either mode may round each by one unit in the last place, so two results for the
// same coordinate are at most four units apart. A search scales its lower corner by eight units less and its
// upper one by eight units more, which covers the rounding of these products too. So it searches every cell
// that either mode can give.
inline constexpr float scaled_down = 1 - 0x1p-20f, scaled_up = 1 + 0x1p-20f;

// Maps a coordinate to a row or column, and says which agents are common. last_column / inverse_width and
// last_row / inverse_height are finite, with room to spare. So a difference that overflows is in the last
// cell whether it is rounded to infinity or to the largest float.
struct Grid {
    float origin_x, origin_y;
    float inverse_width, inverse_height;  // of a cell
    float last_column, last_row;          // as floats, for clamping
    float common_width, common_height;    // larger agents are oversized
    std::uint32_t columns, rows;
};

struct Row {
    const float* data;
    const std::uint32_t* cells;
    std::uint32_t stride;
    std::uint32_t count;      // slots of common agents
    std::uint32_t oversized;  // agents after the gap
    std::uint32_t holes = 0;  // how many of the slots of common agents have no agent

    // Whether each slot has an agent. If not, none may be taken without a test.
    bool is_dense() const noexcept { return holes == 0; }
    // How many common agents there are.
    std::uint32_t common() const noexcept { return count - holes; }
};
static_assert(sizeof(Row) == 16 + 2 * sizeof(void*));

// The arrays of rows beside boxes and ids, two for each. A frame with heights has labels too, perhaps all the
// default one, so all code finds labels in their place.
enum class Extras : std::uint8_t { none, labels, heights };
inline constexpr std::uint32_t arrays_of_a_row(Extras extras) noexcept {
    return 5 + 2 * static_cast<std::uint32_t>(extras);
}
inline constexpr bool has_labels(Extras extras) noexcept { return extras != Extras::none; }
inline constexpr bool has_heights(Extras extras) noexcept { return extras == Extras::heights; }

struct RowLayout {
    std::uint32_t stride;  // slots in each of the arrays
    std::size_t bytes;     // of the whole row, cells included

    // For `agents` agents, common and oversized together. Sorting may write three slots past the last.
    RowLayout(std::size_t agents, std::uint32_t columns, Extras extras) noexcept
        : stride(static_cast<std::uint32_t>((agents + gap + 3 + 15) / 16 * 16)),
          bytes((std::size_t{arrays_of_a_row(extras)} * stride * sizeof(float) +
                 (columns + std::size_t{1}) * sizeof(std::uint32_t) + 63) /
                64 * 64) {}
    // The most that rows with these agents together can need, in whole cache lines.
    static std::size_t most_bytes(std::size_t agents, std::size_t rows, std::uint32_t columns,
                                  Extras extras) noexcept {
        const std::size_t slots = agents + rows * (gap + 3 + 15);
        return (slots * arrays_of_a_row(extras) * sizeof(float) +
                rows * ((columns + std::size_t{1}) * sizeof(std::uint32_t) + 63) + 63) /
               64 * 64;
    }
};

inline std::uint32_t* cells_in(float* data, std::uint32_t stride, Extras extras) noexcept {
    return reinterpret_cast<std::uint32_t*>(data + std::size_t{arrays_of_a_row(extras)} * stride);
}

// The bounds of some boxes, the upper edges negated. Infinite if there are none.
struct Bounds {
    float min_x, min_y, negated_max_x, negated_max_y;
};

// The largest width and height among a row's common agents.
struct RowReach {
    float width, height;
};
// By-products of sorting a row: its reach, and how many pairs of its common agents share a cell. The sort
// keeps agents of one cell as they came. If `by_id` is set before, it also puts them in the order of their
// ids, or gives that up as too much work, and says so.
struct RowSummary {
    RowReach reach{};
    std::uint64_t sharing = 0;
    bool by_id = false;
};

// A row of a frame, and the agents that come into it: a row of unsorted records. An empty one has no arrays.
struct RowsToMerge {
    Row old, coming;
    std::uint32_t columns;
    const std::uint32_t* edited;  // a bit for each id: whether its agent leaves or moves
    // Parts of the next row to merge, which are fetched meanwhile; any may be null.
    const float* next_old = nullptr;
    float* next_out = nullptr;
};

// A node of the tree over the oversized agents (engine/src/frame/tree/oversized_tree.hpp). Nodes are in
// preorder, and the agents of a subtree are one run. The upper bounds are negated, so one comparison of four
// lanes tells whether a node overlaps a query, or lies inside it.
struct Node {
    float min_x, min_y, negated_max_x, negated_max_y;
    std::uint32_t begin, end;  // its agents
    std::uint32_t next;        // the node after its subtree; for a leaf the next node
    std::uint32_t categories;  // of its agents, in a frame with labels
};

// How many leaves a grove may have: a leaf's name is the number of its grove and its own number there.
inline constexpr std::uint32_t max_leaves_in_grove = 512;
// With many oversized agents, their tree is in pieces (engine/src/frame/tree/oversized_tree.hpp): a grove is
// a subtree with its agents, and the leaves of the tree above are groves.
struct Grove {
    Row oversized;
    const Node* nodes;
    std::uint32_t node_count;
    std::uint32_t first;  // the number of agents in the groves before
    // The bounds of the leaves among the nodes, as boxes of a row. Instead of an id each has the slot where
    // its agents begin, and one more slot has the end of the last.
    Row leaves;
};
// Below a node of the crown with no more groves than this, the bounds of groves are compared instead of those
// of nodes.
inline constexpr std::uint32_t groves_at_once = 256;

// A world whose agents stand in a few crowded spots is cut into tiles. A tile with enough agents is an
// island: it has its own grid, fitted to the agents whose lower left corner is in the tile. All others are in
// the background grid, which covers everything. An island that is itself crowded in a few spots is cut in the
// same way, and so on: each region is a grid for the agents that are on none of its own islands. Regions are
// numbered, a region before its islands: 0 is the background of the whole world, and island i is region i +
// 1. This is the place of an island's tile.
struct IslandTile {
    std::uint32_t row, column;
};
struct Tiles {
    float origin_x, origin_y, inverse_width, inverse_height, last_column, last_row;
    std::uint32_t columns, rows;
    const std::uint16_t* region_of;  // by tile, row by row; 0 for a tile that is not an island
    const std::uint64_t* occupied;   // a bit for each tile that is an island, `words` to a row of tiles
    std::uint32_t words;
    std::uint32_t inner_cuts;  // how many islands, on all levels, are cut again
    // The places of its islands, row by row: for searches of more tiles than there are islands.
    const IslandTile* island_tiles = nullptr;
    std::uint32_t first_island = 0, island_count = 0;
};
// Maps an agent of a region to its row, among the rows of all regions.
struct RegionRows {
    float origin_y, inverse_height, last_row;
    std::uint16_t first_row;
    std::uint16_t cut;  // the cut of this island's own islands; 0 if it has none
};
static_assert(sizeof(RegionRows) == 16);
// Leads the agents of a world with islands to their rows.
struct RegionMap {
    const Tiles* cuts;
    const RegionRows* regions;
};
struct Islands;
struct Storeys;

// Maps the corners of a box, lane by lane, to the cells that bound a search. (corner - back - origin) *
// scale, clamped, is the outermost cell that may have an answer, with `scaled_down` for the lower corner and
// `scaled_up` for the upper one. (corner - origin) * inner_scale, with the two exchanged, is the outermost
// cell that needs a test.
struct Locate {
    float back[4], origin[4], scale[4], inner_scale[4], last[4];
};
template <class GridOrTiles>
inline constexpr Locate locate(const GridOrTiles& p, float reach_x, float reach_y) noexcept {
    return {{reach_x, reach_y, 0, 0},
            {p.origin_x, p.origin_y, p.origin_x, p.origin_y},
            {p.inverse_width * scaled_down, p.inverse_height * scaled_down, p.inverse_width * scaled_up,
             p.inverse_height * scaled_up},
            {p.inverse_width * scaled_up, p.inverse_height * scaled_up, p.inverse_width * scaled_down,
             p.inverse_height * scaled_down},
            {p.last_column, p.last_row, p.last_column, p.last_row}};
}

// Many agents of one cell that follow each other, and all have the same box: these slots of a row's ids. The
// result for the first few of them is that of the others; some may have no agent.
struct Pile {
    const std::uint32_t *begin, *end;
};
inline constexpr std::uint32_t least_pile = 64;
// A cell with very many agents, alike or not: these slots of a row's ids, and the bounds of its agents. It is
// divided into about as many chunks as each has slots, and the bounds of chunks are boxes of a row without
// ids.
inline constexpr std::uint32_t least_crowded = 2048;
struct CrowdedCell {
    const std::uint32_t *begin, *end;
    Bounds bounds;
    std::uint32_t chunk_shift;  // a chunk has 2^chunk_shift slots, the last one perhaps fewer
    Row chunks;
};
// Finds the next pile in memory, or the next crowded cell: the first that ends behind a slot of a row's ids,
// or null. A frame's are looked for when a search first comes upon what may be one.
struct PileFinder {
    const Pile* (*next)(const PileFinder& finder,
                        const std::uint32_t* slot) = nullptr;  // null: none is known
    const CrowdedCell* (*next_cell)(const PileFinder& finder, const std::uint32_t* slot) = nullptr;
    const void* frame = nullptr;
};

// The heights that some agents have in common: from the highest of their lower edges to the lowest of their
// upper ones. Agents without heights have every height.
struct SharedHeights {
    float from = -infinite, to = infinite;

    // Whether there is such a height. Then any two of the agents share it.
    constexpr bool are_any() const noexcept { return from <= to; }
    // Whether each of the agents has a height of a band.
    constexpr bool admit_all(float min_z, float max_z) const noexcept { return from <= max_z && min_z <= to; }
    constexpr void add(float min_z, float max_z) noexcept {
        from = from < min_z ? min_z : from;
        to = max_z < to ? max_z : to;
    }
    // Other agents.
    constexpr void add(const SharedHeights& other) noexcept { add(other.from, other.to); }
};

// Everything that a query reads of a frame, or of one of its islands. `rows` has grid.rows entries; empty
// rows have a count of zero.
struct View {
    Grid grid;
    float reach_x, reach_y;  // the largest width and height of a common agent, rounded up
    const Row* rows;
    Row oversized;      // all oversized agents, one packed row without cells; its end is padded with NaN
    const Node* nodes;  // the tree over them
    std::uint32_t node_count;
    const Grove* groves;     // null if the tree is in one piece
    Row grove_bounds;        // of each grove, as boxes of a row without ids
    bool is_all;             // whether there are only rows: no tree, and no islands
    bool is_crowded;         // whether cells may be crowded
    bool is_plain;           // whether there are only rows, and no cell is crowded
    const Islands* islands;  // of the world, or of this island; null if there are none
    // The categories that occur in each stretch of each row; null in a frame without labels. A
    // vector may read past the last.
    const std::uint32_t* stretches;
    std::uint32_t stretches_in_row;
    Locate locate;                               // of the grid and the reach
    SharedHeights shared_heights = {};           // of all agents that a search of this view may find
    const SharedHeights* row_heights = nullptr;  // of each row; null in a frame without heights
    const PileFinder* piles = nullptr;
    const Storeys* storeys =
        nullptr;  // of the world, or of this island; then `rows` are those between storeys
};

// The heights that all agents of some rows share.
inline SharedHeights shared_heights_of(const View& view, std::uint32_t first_row,
                                       std::uint32_t last_row) noexcept {
    SharedHeights all;
    for (std::uint32_t r = first_row; r <= last_row; ++r) all.add(view.row_heights[r]);
    return all;
}

// A region whose agents stand above each other is divided by floors, which are the same in all regions. A
// storey has the agents between two floors; they share no height with those of another storey. Agents that a
// floor goes through, as on stairs, are between storeys. All have grids that are alike, and their rows follow
// each other:
//
//     rows      0 1 2 ... 15 | 16 17 ... 31   | 32 33 ... 47    | ...
//               between        on storey 1      on storey 2
struct Floors {
    static constexpr std::uint32_t most = 31;  // a vector may read one more
    float at[most + 1] = {};                   // ascending; NaN behind the last, if there are any
    std::uint32_t count = 0;
};
struct Storeys {
    const Floors* floors;
    bool between_is_empty;  // whether all common agents of the region are on storeys
    const View* views;      // of the rows between them, and of each storey
};

struct Island {
    View view;
    Bounds bounds;  // of its common agents, including those on its own islands
    std::uint32_t tile_column, tile_row;
    std::uint32_t first_row;    // among the rows of all regions
    std::uint32_t reaches_out;  // whether a box leaves the tile
    const Islands* home;        // the group that it belongs to
    const Island* parent;       // the island around it; null for an island of the world
    Storeys storeys;            // if there are any
};
// The islands of one region.
struct Islands {
    Tiles tiles;
    const Tiles* cuts;          // of all regions that are cut, the world's own first
    const RegionRows* regions;  // all of them
    const Island* all;          // of all regions
    float reach_x, reach_y;     // the largest of these islands and of their own islands
    bool open_is_empty;         // whether all common agents of the region are on islands
    Locate locate;              // tiles
    Locate locate_all;          // the same for all agents of the region, on islands or not
};

// Four arrays with one float for each agent: corners, or centres and half extents.
struct Columns {
    const float* a;
    const float* b;
    const float* c;
    const float* d;
    bool centre_half;
};

// The output of ids: the buffer starts at `begin` and is filled up to `at`. A kernel calls `full` once `at`
// is past `limit`, or to flush; `full` empties or enlarges the buffer, so that `at` is no longer past
// `limit`. A kernel may write `gap` ids past `limit`. If `run` is set, it gets covered runs in place instead
// of copies. Once `stopped` is set the search ends.
struct IdSink {
    std::uint32_t* begin;
    std::uint32_t* at;
    std::uint32_t* limit;
    void (*full)(IdSink& sink);
    void (*run)(IdSink& sink, const std::uint32_t* ids, std::size_t count);
    void* context;
    bool stopped;
    // Searches for shapes write the box of each id here, at four times its slot in the buffer, unless this
    // is null.
    float* boxes = nullptr;
};

// The header before a query's ids in a stream of answers; a stream's sink leaves room for it past its limit.
inline constexpr std::uint32_t stream_header = 2;

// The output of pairs, likewise. A kernel may write `pair_slack` pairs past `limit`. Once `stopped` is set it
// ends after the current agent, whose pairs still need a spot.
inline constexpr std::size_t pair_slack = 64;
struct PairSink {
    Pair* at;
    Pair* limit;
    void (*full)(PairSink& sink);
    void* context;
    bool stopped;
};

// Which ids of a frame are ghosts (engine/include/throng/labels.hpp): all in a range, if they
// come behind owned agents; or a bit for each id; or, if ids are far apart, bits in pages:
//
//     pages     where the words of each page begin     4,096 ids each; those without a ghost share one
//     words     32 ids each
//
// Rows do not know which of their agents are ghosts. Mostly ghosts have the highest ids, so a comparison with
// the lowest id of a ghost settles nearly all others.
struct GhostIds {
    static constexpr std::uint32_t ids_in_a_page = 4096, words_in_a_page = ids_in_a_page / 32;

    const std::uint32_t* words = nullptr;  // null: all between the lowest and the highest are
    const std::uint32_t* pages = nullptr;  // null: words are those of all ids up to the bound
    std::uint32_t lowest = 0, bound = 0;  // the lowest one, and one more than the highest; 0 if there is none

    THRONG_ALWAYS_INLINE bool empty() const noexcept { return bound == 0; }
    THRONG_ALWAYS_INLINE bool is_range() const noexcept { return words == nullptr; }
    THRONG_ALWAYS_INLINE bool has(std::uint32_t id) const noexcept {
        return id - lowest < bound - lowest && (is_range() || (words[word_of(id)] >> id % 32 & 1) != 0);
    }
    // Whether both are ghosts. Without a branch for a range: with ghosts everywhere it would be as good as
    // random.
    THRONG_ALWAYS_INLINE bool has_both(std::uint32_t one, std::uint32_t other) const noexcept {
        if (!is_range()) return has(one) && has(other);
        const std::uint32_t a = one - lowest, b = other - lowest;
        return (a < b ? b : a) < bound - lowest;
    }
    THRONG_ALWAYS_INLINE std::size_t word_of(std::uint32_t id) const noexcept {
        return pages == nullptr ? id / 32
                                : pages[id / ids_in_a_page] + std::size_t{id / 32 % words_in_a_page};
    }
};

struct InRowKernels;

// What the pairs of a row need: the kernels for its first step, room for the row's count and a gap more, and
// memory for overfull cells, which few rows need. `room` returns memory of at least that size, aligned to a
// cache line, and does not keep its content; null if there is none. Then, or without `room`, the same pairs
// are found in more steps, perhaps in another order. In a frame with ghosts `mixed` takes pairs that may be
// of two ghosts.
struct PairScratch {
    const InRowKernels* in_row;
    std::uint32_t* edge;
    void* (*room)(PairScratch& scratch, std::size_t bytes);
    void* context;
    const GhostIds* ghosts = nullptr;
    PairSink* mixed = nullptr;
};

}  // namespace throng::simd
