// What the engine tells about itself: where its memory went, which grid it chose and why, what a query
// cost, and whether its structure is sound. All of them are plain values.
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
    std::size_t history = 0;  // older frames' rows: held by somebody, or kept for the next frame
    std::size_t tables = 0;   // one entry a row for every frame, and the frames themselves
    std::size_t agents = 0;   // which ids are in use and where; only once single edits were staged
    std::size_t staged = 0;   // edits that wait for a commit
    std::size_t scratch = 0;  // work space, kept from call to call
    // How often the memory resource was asked, ever.
    std::uint64_t allocations = 0;

    std::size_t total() const noexcept { return rows + history + tables + agents + staged + scratch; }
};

// Why the grid is as it is.
enum class TuningReason : std::uint8_t {
    nothing_to_fit,  // no agents yet
    set_by_host,     // the configuration fixes the cell
    few,             // so few agents that all are compared with all
    sizes,           // cells fit the common agent, and hold a few as the crowd stands round an agent
    sparse,          // agents are far apart: cells grew until there are about as many as agents
    islands,         // agents stand in a few crowded spots, which have grids of their own
};
THRONG_API const char* describe(TuningReason reason) noexcept;

// The grid that the newest frame stands on.
struct Tuning {
    float cell_width = 0, row_height = 0;
    float origin_x = 0, origin_y = 0;
    std::uint32_t columns = 0, rows = 0;
    // Agents wider or higher than this are kept beside the grid.
    float common_width = 0, common_height = 0;
    std::uint64_t oversized = 0;
    // Crowded spots with grids of their own, in a world that is empty but for them, and how many common
    // agents are in none of them.
    std::uint32_t islands = 0;
    std::uint64_t strays = 0;
    // Agents in a cell, as the average agent sees it, when the grid was chosen.
    float crowding = 0;
    // Pairs of common agents that share a cell in this frame: a search for all pairs compares at least these.
    std::uint64_t sharing = 0;
    // How often a grid was chosen. It is kept while it fits the data nearly as well as a new one would.
    std::uint64_t times_chosen = 0;
    // How often a frame turned out dear on the grid that there was, and was built once more on another one before
    // it was published. The cheaper frame was kept, with its grid. Where nothing better is found it is not tried
    // again until the world has changed.
    std::uint64_t times_rebuilt = 0;
    TuningReason reason = TuningReason::nothing_to_fit;
};

// Says it in a sentence or two for people: which grid, of which cells, who is kept beside it, and why. Writes
// as much as fits, with a zero at its end, and returns how long the whole text is.
THRONG_API std::size_t describe(const Tuning& tuning, std::span<char> text) noexcept;

// What a query, or a batch of them, costs on this frame.
struct Explain {
    Status status;
    std::uint64_t queries = 0;
    std::uint64_t rows = 0;       // rows looked into
    std::uint64_t cells = 0;      // cells of those rows within reach
    std::uint64_t tested = 0;     // agents whose boxes were compared
    std::uint64_t covered = 0;    // agents taken without a comparison: their cells lie inside the query
    std::uint64_t islands = 0;    // islands whose bounds were compared
    std::uint64_t nodes = 0;      // nodes looked at in the tree of the oversized agents
    std::uint64_t oversized = 0;  // oversized agents compared; they are part of `tested`
    std::uint64_t hits = 0;
};

// The first fault that `validate` found, named as closely as it can be.
enum class Fault : std::uint8_t {
    none,
    row_table_size,       // as many rows as the grid has
    row_capacity,         // a row's arrays have room for its agents and a vector more
    cells_not_ascending,  // where the cells of a row begin
    cells_do_not_end_at_count,
    padding_not_nan,  // behind the last agent of a row
    box_not_finite,
    box_inverted,
    agent_in_wrong_row,
    agent_in_wrong_cell,
    agents_out_of_order,  // inside a cell, by id
    id_out_of_range,
    id_twice,
    common_size_too_small,   // an agent larger than the reach with which queries search
    oversized_in_cell,       // an oversized agent among the common ones
    common_among_oversized,  // and the other way round
    oversized_list_differs,  // the list that queries read against the rows' own
    oversized_tree_unsound,  // the tree over that list: its runs, its leaps or its bounds
    island_unsound,          // a crowded spot's bounds, its rows or its tile
    stretches_differ,        // the note of which categories are where against the rows
    agent_count,             // the frame's against the sum of its rows'
    locator_differs,         // the engine's note of an agent's cell against the row
    id_table_differs,        // the engine's note of the ids in use against the rows
    store_reference,         // a row whose memory is not held
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

}  // namespace throng
