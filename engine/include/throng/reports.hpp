// Reports about an engine: its memory, its grid and why it was chosen, the cost of a query, and whether its
// structure is sound. All of them are plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "throng/export.hpp"
#include "throng/geometry.hpp"
#include "throng/status.hpp"

namespace throng {

// Bytes that the engine and its frames hold, by part.
struct MemoryReport {
    std::size_t rows = 0;     // the newest frame's agents, and where its cells begin
    std::size_t history = 0;  // older frames' rows: still held by a frame, or kept for the next one
    std::size_t tables = 0;   // one entry per row for every frame, and the frames themselves
    std::size_t agents = 0;   // which ids are in use and where; only after the first single edit
    std::size_t staged = 0;   // edits not yet committed
    std::size_t scratch = 0;  // work space, kept from call to call
    // The number of allocations so far.
    std::uint64_t allocations = 0;

    std::size_t total() const noexcept { return rows + history + tables + agents + staged + scratch; }
};

// Why the grid is as it is.
enum class TuningReason : std::uint8_t {
    nothing_to_fit,  // no agents yet
    set_by_host,     // the configuration fixes the cell
    few,             // so few agents that brute force is fastest
    sizes,           // cells fit the common agent, and hold a few agents where the crowd is
    sparse,          // agents are far apart: cells grew until there are about as many as agents
    islands,         // agents stand in a few crowded spots, each with its own grid
    all_oversized,   // cells would hold few agents: there is no grid, and all agents are in the tree
};
THRONG_API const char* describe(TuningReason reason) noexcept;

// The grid of the newest frame. If all agents are in the tree, there are no cells, columns and rows.
struct Tuning {
    float cell_width = 0, row_height = 0;
    float origin_x = 0, origin_y = 0;
    std::uint32_t columns = 0, rows = 0;
    // Agents wider or higher than this are kept outside the grid.
    float common_width = 0, common_height = 0;
    std::uint64_t oversized = 0;
    // The number of islands: crowded spots with their own grids in an otherwise empty world.
    std::uint32_t islands = 0;
    // The number of agents in the average agent's cell when the grid was chosen.
    float crowding = 0;
    // How often a grid was chosen. It is kept while it fits the data nearly as well as a new one would.
    std::uint64_t times_chosen = 0;
    TuningReason reason = TuningReason::nothing_to_fit;
};

// Describes the grid in a sentence or two: its kind, its cells, which agents are outside it, and why. Writes
// as much as fits, with a terminating zero, and returns the length of the whole text.
THRONG_API std::size_t describe(const Tuning& tuning, std::span<char> text) noexcept;

// What a query or a batch costs on this frame, with what it looks up across the seams of a world.
struct Explain {
    Status status;
    std::uint64_t queries = 0;
    std::uint64_t rows = 0;   // rows examined
    std::uint64_t cells = 0;  // cells of those rows within reach
    // Agents whose boxes were compared, and in cells with thousands of agents the bounds of chunks.
    std::uint64_t tested = 0;
    std::uint64_t covered = 0;  // agents taken without a comparison: their cells lie inside the query
    // Islands that may be within reach. If many tiles are within reach, tiles searched for islands count too.
    std::uint64_t islands = 0;
    std::uint64_t nodes = 0;      // nodes visited in the tree of the oversized agents
    std::uint64_t oversized = 0;  // oversized agents compared; they are part of `tested`
    std::uint64_t hits = 0;
};

// The first fault that `validate` found, named as precisely as possible.
enum class Fault : std::uint8_t {
    none,
    row_table_size,       // the number of rows differs from the grid's
    row_capacity,         // a row's arrays lack room for its agents and one vector more
    cells_not_ascending,  // where the cells of a row begin
    cells_do_not_end_at_count,
    padding_not_nan,  // after the last agent of a row
    box_not_finite,
    box_inverted,
    agent_in_wrong_row,
    agent_in_wrong_cell,
    agents_out_of_order,  // inside a cell, by id
    id_out_of_range,
    id_twice,
    common_size_too_small,   // an agent is larger than the reach of queries
    oversized_in_cell,       // an oversized agent is among the common ones
    common_among_oversized,  // a common agent is among the oversized ones
    oversized_list_differs,  // the list that queries read differs from the rows' own
    oversized_tree_unsound,  // the tree over that list: its runs, skips or bounds are wrong
    island_unsound,          // an island's bounds, rows, storeys or tile are wrong, or the world's storeys
    stretches_differ,        // the categories recorded for a stretch differ from its rows
    heights_differ,          // an agent lacks heights that all agents are said to share
    agent_count,             // the frame's count differs from the sum over its rows
    locator_differs,         // the cell recorded for an agent differs from the row
    id_table_differs,        // the ids recorded as in use differ from the rows
    store_reference,         // a row's memory is not held by a reference
    height_not_legal,        // an agent's band is NaN or inverted
    ghosts_differ,           // an id recorded as a ghost's is not in use, or the number of ghosts is wrong
};
THRONG_API const char* describe(Fault fault) noexcept;

struct Validation {
    Status status;  // out_of_memory if there was no room for the check itself
    std::uint64_t faults = 0;
    Fault first = Fault::none;
    std::uint32_t row = 0;
    std::uint32_t slot = 0;
    AgentId agent = 0;

    bool sound() const noexcept { return status.ok() && faults == 0; }
    explicit operator bool() const noexcept { return sound(); }
};

// The parts of a frame, to draw them. A picture shows why a query is slow, or whether a grid fits a world.
//
//     status = frame.for_each_part([&](const throng::FramePart& part) {
//         if (part.kind == throng::FramePartKind::row) draw(part.box, grey);
//     });
//
// First come the rows of the grid, then each island, followed by its own rows, and then the nodes of the tree
// over the oversized agents, parents first. A frame with all agents in the tree has neither rows nor islands.
enum class FramePartKind : std::uint8_t {
    row,     // a row of a grid, cut into cells of equal width
    island,  // agents with a grid of their own
    node     // a node of the tree over the oversized agents
};

struct FramePart {
    // For a row its place in the grid; agents beyond the grid's edges are in its outermost cells. Otherwise
    // the exact bounds of the agents.
    Box box;
    std::uint32_t depth = 0;   // of islands, their rows, and nodes: how many of the same kind are around it
    std::uint32_t agents = 0;  // in it; an island's number includes the islands within it
    std::uint32_t cells = 0;   // of a row
    FramePartKind kind = FramePartKind::row;
};

}  // namespace throng
