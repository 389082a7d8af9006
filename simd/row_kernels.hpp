// The kernels that make rows of agents, and look at finished rows: what a frame is built of.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/types.hpp"
#include "throng/compiler.hpp"

namespace throng::simd {

struct Query;  // box_tree.hpp

// --- The division of the oversized agents into the ranks of their tree: engine/src/frame/tree/tree_ranks.hpp

inline constexpr unsigned map_bits = 16;  // of a coordinate

// Marks divide a sample of the frame's own oversized agents in two again and again. A mark goes by the edges
// of boxes on one side, and so parts larger agents, or those further out, from the rest, at any scale. Or it
// goes by how upright boxes are, if boxes that lie across each other share their edges' ranges. A part is
// divided in ranks by two edges, in the order of floats, around the edges of the sample there.
struct alignas(64) TreeMarks {
    static constexpr std::uint32_t rank_bits = 11;  // of an edge in a part

    // The first mark is number 1, and those of its halves are 2 and 3. A branch has three levels of marks,
    // numbered likewise, to be compared at once; the first branch may have fewer. Edges are numbered as the
    // members of a box, and `upright` follows.
    static constexpr std::uint32_t levels_at_once = 3;
    struct alignas(64) Branch {
        std::uint32_t edge[8], at[8];  // from there on is the upper half; in ordered bits
    };
    // Divided by the first edge, and by the one of the other axis beside it. If agents are long on that axis,
    // a shift leaves next to nothing of it.
    struct Part {
        std::uint32_t first_edge, first[2], shift[2];
    };

    std::uint32_t levels;

    static constexpr std::uint32_t upright = 4;
    // Half the difference of their bits is nearly that of their logarithms. A host may flush subnormal
    // numbers in one call and not in the next, so the smallest extents are one.
    static std::uint32_t how_upright(float width, float height) {
        const auto half = [](float extent) {
            return detail::bits_as<std::uint32_t>(extent < 0x1p-100f ? 0x1p-100f : extent) >> 1;
        };
        return half(height) - half(width) + 0x80000000u;
    }

    // By the number of the first mark of each.
    static std::size_t branches_for(std::uint32_t levels) { return (std::size_t{1} << levels) / 4 + 2; }
    const Branch* branches() const { return reinterpret_cast<const Branch*>(this + 1); }
    const Part* parts() const { return reinterpret_cast<const Part*>(branches() + branches_for(levels)); }
};
struct MapAxis {
    float origin, scale;
};
struct TreeDivision {
    MapAxis x, y;
    const TreeMarks* marks;  // null if the map divides
};

// --- The kernels ---

struct RowKernels {
    // Records the row of each agent and counts it in the histogram, unless that is null.
    void (*count_rows)(const Grid&, const Columns&, std::size_t count, std::uint16_t* row_of,
                       std::uint32_t* histogram);
    // The same in a world with islands. The rows of all regions are numbered together.
    void (*count_region_rows)(const RegionMap&, const Columns&, std::size_t count, std::uint16_t* row_of,
                              std::uint32_t* histogram);
    // Finds the storey of each of some bands, or 0 where a floor goes through it.
    void (*find_storeys)(const Floors&, const float* min_z, const float* max_z, std::size_t count,
                         std::uint16_t* storey_of);
    // Finds the innermost island that holds each of some corners, or 0.
    void (*find_regions)(const Tiles* cuts, const RegionRows*, const float* x, const float* y,
                         std::size_t count, std::uint16_t* region_of);
    // Writes each agent as a record at the cursor of its row, one of `rows`, and advances it. The ids are
    // `ids`, or first_id and up if that is null. Returns how many agents it wrote: fewer than all if the next
    // one's box is illegal.
    std::size_t (*scatter)(const Columns&, std::size_t count, const std::uint32_t* ids,
                           std::uint32_t first_id, const std::uint16_t* row_of, Record** cursors,
                           std::size_t rows);
    // The same for tall records. The heights are two numbers for each agent.
    std::size_t (*scatter_tall)(const Columns&, const float* heights, std::size_t count,
                                const std::uint32_t* ids, std::uint32_t first_id, const std::uint16_t* row_of,
                                Record** cursors, std::size_t rows);
    // The same for rows that have only oversized agents: writes each to the arrays of its row, at the next
    // slot. Of a row only data and stride are read. Heights may be null.
    std::size_t (*scatter_in_place)(const Columns&, std::size_t count, const std::uint32_t* ids,
                                    std::uint32_t first_id, const std::uint16_t* row_of, const Row* rows,
                                    std::uint32_t* next, const float* heights);
    // Turns records, which may lie at the start of `data` or at the place in SortScratch, into a row.
    // `scratch` has sort_scratch(count) bytes, and SortScratch says what is left there. Tall records become a
    // row with heights, and need more scratch.
    using SortRow = Row (*)(const Grid&, const Record* records, float* data, std::uint32_t stride,
                            std::uint32_t* cells, std::uint32_t count, void* scratch, RowSummary& summary);
    SortRow sort_row, sort_tall_row;
    // The same for the records of all rows of a grid, which are laid out one after the other from `to` on.
    // `scratch` has sort_scratch(count) bytes, and four for each column of each row and one column more. Rows
    // without agents stay as they are. The summary has no reach.
    using SortRows = void (*)(const Grid&, const Record* records, std::uint32_t count, Extras extras,
                              Row* rows, void* to, void* scratch, RowSummary& summary);
    SortRows sort_rows, sort_tall_rows;
    // Makes a row from the agents of one that stay, and from those that come, which are records in any order:
    // keep_row lists in the scratch which agents stay, and returns their number; merge_row makes the row.
    // `scratch` has merge_scratch() bytes. Both may write as far behind the records as sort_row may.
    std::uint32_t (*keep_row)(const RowsToMerge&, void* scratch);
    Row (*merge_row)(const Grid&, const RowsToMerge&, std::uint32_t kept, float* data, std::uint32_t stride,
                     std::uint32_t* cells, void* scratch, RowSummary& summary);
    // The reach of a row that was not built by sort_row.
    RowReach (*measure_row)(const Row&);
    // The heights that all agents of a dense row have, oversized ones too.
    SharedHeights (*shared_heights)(const Row&);
    // The bounds of a row's common agents.
    Bounds (*bound_row)(const Row&);

    // The ranks of some boxes in the tree over oversized agents.
    void (*tree_ranks)(const TreeDivision&, const Query* boxes, std::size_t count, std::uint32_t* ranks);

    // --- Planning islands ---

    // The bounds of the lower left corners of some boxes.
    Query (*bound_corners)(const Query* boxes, std::size_t count);
    // In which tile each of these corners is.
    void (*find_tiles)(const Tiles&, const Query* boxes, std::size_t count, std::uint32_t* tile_of);
};

// Bytes of scratch that sort_row needs.
inline constexpr std::size_t sort_scratch(std::size_t count,
                                          std::size_t record_size = sizeof(Record)) noexcept {
    return (count + gap) * (record_size + 2 * sizeof(std::uint32_t)) + 64;
}
// The first whole cache line of some memory.
inline std::byte* next_line(void* memory) noexcept {
    return static_cast<std::byte*>(memory) + (64 - reinterpret_cast<std::uintptr_t>(memory) % 64) % 64;
}
// What sort_row leaves in its scratch: the records, and their numbers in the order of the row, oversized ones
// last.
template <class R>
struct ScratchFor {
    R* records;
    std::uint32_t *order, *columns;

    ScratchFor(void* memory, std::size_t count) noexcept : records(reinterpret_cast<R*>(next_line(memory))) {
        order = reinterpret_cast<std::uint32_t*>(records + count + gap);
        columns = order + count + gap;
    }
};
using SortScratch = ScratchFor<Record>;

// Bytes of scratch that keep_row and merge_row need.
inline constexpr std::size_t merge_scratch(std::size_t old_count, std::size_t coming,
                                           std::size_t columns) noexcept {
    return (2 * (old_count + gap) + 3 * (coming + gap) + columns + 1) * sizeof(std::uint32_t) + old_count +
           coming + gap + 64;
}

}  // namespace throng::simd
