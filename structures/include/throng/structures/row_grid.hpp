// RowGrid: a uniform grid in which each row of cells has its own memory (after Dragon Energy, Stack Overflow
// 41946007). So a row without elements costs nothing, an insertion grows one row instead of everything,
// neighbours lie close in memory, and several threads may edit at the same time, each its own rows, without a
// lock.
//
//     row 0   heads [ 0 ][ - ][ 2 ]...   nodes [ box id -> 1 ][ box id -> - ][ box id -> - ]...
//     row 1   nothing
//     row 2   heads [ - ][ 0 ][ - ]...   nodes [ box id -> - ]...
//     oversized  nodes [ box id ][ box id ]...
//
// An element is in one cell, that of its lower left corner; the outermost cells also hold all that lies
// outside the grid. Queries reach back by the widest element of a row, and skip rows that end below them;
// these bounds grow with edits, and clean_up tightens them. Elements larger than Config::largest_common are
// oversized: they are in a list of their own, which every query scans.
//
//     using namespace throng::structures;
//     RowGrid grid(RowGrid::recommended({.extents = world, .elements = 100'000}));
//     status = grid.assign(boxes, executor);                         // everything new, in parallel
//     status = grid.for_each_pair_concurrently(visitor, executor);   // visitor(pairs, block)
//
// Costs: `assign` rebuilds all rows by a counting sort over the cells, and is the fastest way to move all
// elements. For all pairs the rows are packed into arrays, a few at a time, for the kernels of the engine. A
// single edit takes constant time.
//
// Worst worlds (spatial_index.hpp): where a crowd shares a cell, queries take 4,200 times as long. Pairs are
// swept, and take 10 times as long; on several threads all are compared with all, which takes hundreds of
// times as long. Where sizes grow with the distance from a place, queries take 3,500 times as long. With a
// largest_common as long as the world one wall makes a query reach back over its whole row, which takes 1,300
// times as long: let walls be oversized.
//
// Threads: one may write, or any number may query. In addition rows are independent: `move_within_row` may be
// called by several threads at the same time, as long as no two of them touch the same row and no query runs
// meanwhile. Elements refused with other_row must then be moved by a single thread; few leave their row in
// one frame. `assign` and `for_each_pair_concurrently` divide their work by rows themselves; the result is
// the same with any number of threads.
//
// Memory: 24 bytes for each element's node and 8 for its place, and headroom; 4 bytes for each cell of a row
// that has elements, or had some until lately; 2 bytes an element as scratch for assign, 44 for each of the
// longest row of each block, and a few rows more for pairs. So it is linear in the number of elements: a grid
// has at most 32,760 rows of 65,520 cells, fixed by the configuration. Where hundreds share a cell without
// being pairs, `for_each_pair` sweeps them instead of comparing all with all, and keeps up to 135 bytes for
// each of a row. Rows that were empty in eight clean-ups (or assigns) in a row are freed if together they
// hold more than 1/32 of the rows' memory. In a crowd, whose edge moves back and forth, nothing is freed;
// where elements are so few that rows are often empty, their memory comes and goes. A row with more than
// twice the room that its elements take is shrunk by the next clean_up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "throng/executor.hpp"
#include "throng/export.hpp"
#include "throng/isa.hpp"
#include "throng/structures/structure.hpp"

namespace throng::structures {

namespace detail {
template <class Visitor>
concept TakesPairsAndBlock =
    std::is_invocable_v<Visitor&, SpanOf<Pair>, std::size_t>;  // (std::span<const Pair>, std::size_t block)
// A visitor of the pairs of several threads at once.
template <class Visitor>
concept VisitorOfBlocks =
    TakesPairsAndBlock<Visitor> && ReturnsNothingOrBool<Visitor, SpanOf<Pair>, std::size_t>;
}  // namespace detail

class THRONG_API RowGrid : public DynamicStructure {
public:
    struct Config {
        // The area of the cells. It may be any finite box but a point; if it is wider than 3e38, cells cover
        // its lower part.
        Box extents;
        // Cells are best a little wider than an element, and several times as high: then most partners of an
        // element are among the few that follow it in its row. Cells are enlarged if there would be too many,
        // and rows are at least half as high as the largest common element.
        float cell_width = 1.25f;
        float row_height = 6;
        // Elements longer than this, or than 3e38, along either axis are oversized. Zero means the height of
        // a row.
        float largest_common = 0;
        // Used by `assign` and for all pairs. Answers and their order are the same on all instruction sets.
        Isa isa = Isa::automatic;
    };
    static Config recommended(const Expected& expected) noexcept;

    // `status` may be bad_config, unknown_isa, unsupported_isa or out_of_memory.
    explicit RowGrid(const Config& config, MemoryResource* memory = nullptr) noexcept;

    // --- Everything at once --------------------------------------------------------------------------------

    // Replaces all elements, on this thread or on those of an executor.
    using Structure::assign;
    Status assign(const Boxes& boxes, const Executor& executor) noexcept;

    // --- One by one: insert, move, remove ------------------------------------------------------------------

    // `clean_up` frees empty rows, tightens the reach of queries, and sorts rows that have changed a lot by
    // cell.

    // --- Row by row ----------------------------------------------------------------------------------------

    std::uint32_t rows() const noexcept;
    std::uint32_t columns() const noexcept;
    // The row of an element with this box: its number from the bottom, or rows() for an oversized one; all
    // oversized elements count as one row.
    std::uint32_t row_of(const Box& box) const noexcept;
    // The row of this element; rows() if it is oversized, or unknown.
    std::uint32_t row_of(ElementId id) const noexcept;
    // As `move`, for an element that stays in its row: refused with other_row if it does not. Threads may
    // call it at the same time for elements of different rows.
    Status move_within_row(ElementId id, const Box& box) noexcept;

    // --- Pairs on several threads --------------------------------------------------------------------------

    // Calls visitor(pairs, block) concurrently on the executor's threads, with pairs that are valid during
    // the call. Blocks are numbered from 0 to pair_blocks(executor) - 1, and each block is the work of one
    // thread: joined by block, and within a block in the order of the calls, the pairs are the same as with
    // one thread. If a visitor returns false, calls on other threads finish, and a few more may begin. If it
    // throws, the status is visitor_threw.
    template <detail::VisitorOfBlocks Visitor>
    Status for_each_pair_concurrently(Visitor&& visitor, const Executor& executor) noexcept {
        const auto call = [](void* to, std::span<const Pair> pairs, std::size_t block) {
            return detail::goes_on(detail::restored<Visitor>(to), pairs, block);
        };
        return visit_pairs(executor, {detail::erased(visitor), call});
    }
    std::size_t pair_blocks(const Executor& executor) const noexcept;

    // --- About the grid ------------------------------------------------------------------------------------

    // The number of oversized elements, and whether a row has memory: a row that does not exist has none.
    std::size_t oversized() const noexcept;
    bool has_memory(std::uint32_t row) const noexcept;
    // The instruction set that it uses.
    Isa isa() const noexcept;

    struct State;

private:
    using PairVisitor = detail::AnyCall<std::span<const Pair>, std::size_t>;
    Status visit_pairs(const Executor& executor, const PairVisitor& visitor) noexcept;
};

}  // namespace throng::structures
