// LooseGrid: a loose/tight double grid (after Dragon Energy, Stack Overflow 41946007). Each element is in
// exactly one cell of the fine, loose grid: that of its lower left corner. A loose cell has bounds that
// enclose its elements and stretch with each insertion. One that reaches at most into the next row, and is at
// most two cells wide, is near: it is found from its own place. Any other is found through the coarse, tight
// grid: it is in every tight cell that its bounds overlap.
//
//     loose cells   a head and bounds, 20 bytes      tight cells   a head
//     +---+---+---+---+                               +-------+-------+
//     | .-+---+---+-. |      b, its bounds            |  b    |  b    |
//     | | |   | b | | |      reach into the           +-------+-------+
//     | '-+---+---+-' |      cells beside it          |       |       |
//     +---+---+---+---+                               +-------+-------+
//      head -> element -> element -> none              head -> node -> node -> none
//                                                      a node is {next, loose cell}
//
// A query tests the bounds of the loose cells under its box and just before it, and then the boxes of their
// elements. It does the same for the tight cells that it covers, if they are not empty. A loose cell in
// several tight cells is visited only in the tight cell with the lower left corner of the intersection of its
// bounds and the query (reference-point duplicate avoidance, Dittrich and Seeger 2000). So nothing is marked,
// and a large query costs in proportion to what it finds. A loose cell that overlaps more than
// `max_tight_cells` tight cells, because it holds a giant, is in a list of wide cells instead, which every
// query scans.
//
//     using namespace throng::structures;
//     LooseGrid grid(LooseGrid::recommended({.extents = world, .elements = 100'000}));
//     status = grid.for_each_overlap(sights, [&](std::size_t query, ElementId id) { ... });
//
// Costs: inserting, moving and removing take constant time, however many elements share a cell. For an
// element that stays in its loose cell only the box changes. Bounds stretch at once. `clean_up` tightens the
// cells where an element left or moved, in time proportional to their elements, and takes cells that became
// small out of the tight grid; a budget spreads that over several frames. `assign` stores the elements of a
// cell side by side in memory, where they stay until they move to other cells.
//
// It is fastest where elements are smaller than a loose cell: then nothing is in the tight grid, and pairs
// are found row by row, by the kernel that finds the engine's own. An element that reaches beyond the next
// row, or is wider than two cells, needs a query of its own.
//
// Worst worlds (spatial_index.hpp): where a crowd shares a cell, queries take 1,600 times as long. Pairs are
// swept, and take 7 times as long. Where the extents hold a few villages, queries take 7 times as long; where
// sizes grow with the distance from a place, 1,150 times. Thousands of elements that reach far, such as a
// comb of walls, need so many queries of their own that pairs take 100 times as long.
//
// Memory: 28 bytes an element, 20 a loose cell and 4 a tight cell, wherever the elements lie; and 8 bytes for
// each link from a tight cell to a loose one, at most `max_tight_cells` links for each loose cell that is not
// near. Scratch is 2 bytes an element for `assign`, and for it and for pairs about 75 for each element in the
// fullest row of cells, up to 135 more for each that has to be swept, and 4 for each element that needs a
// query of its own. Links and scratch get headroom when they grow, and the first clean-up makes room for as
// many links as stretched cells need. So memory is linear in the number of elements, plus the configured
// cells. If `assign` gets no memory for links, queries look at all cells that should have links until
// the next clean-up. If `clean_up` gets none, bounds stay as they are. Then queries take longer, with the
// same answers.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "throng/export.hpp"
#include "throng/isa.hpp"
#include "throng/structures/structure.hpp"

namespace throng::structures {

namespace detail {
template <class Visitor, class Answers>
concept TakesOfQuery = std::is_invocable_v<Visitor&, std::size_t, Answers>;
// A visitor of the answers to several queries: takes one answer, or several to the same query; see
// visitors.hpp.
template <class Visitor>
concept VisitorOfQueries = TakesOfQuery<Visitor, ElementId>
!= TakesOfQuery<Visitor,
                SpanOf<ElementId>>;  // (std::size_t query, ElementId) or (std::size_t query, span of them)
}  // namespace detail

class THRONG_API LooseGrid : public DynamicStructure {
public:
    struct Config {
        // The area of the elements. Elements outside are in the outermost cells.
        Box extents;
        // The loose cells: 1 to 32,768 columns and rows, and at most `max_cells` together.
        std::uint32_t columns = 1, rows = 1;
        // The width and height of a tight cell, in loose cells.
        std::uint32_t tight_columns = 2, tight_rows = 2;
        // For queries in packets: all instruction sets give the same answers, in the same order.
        Isa isa = Isa::automatic;
    };
    static constexpr std::uint32_t max_cells = 1u << 26;
    // How many tight cells a loose cell may be in. A cell that covers more is in the list of wide cells.
    static constexpr std::uint32_t max_tight_cells = 16;
    // The largest number of queries in a packet.
    static constexpr std::size_t packet_size = 16;

    static Config recommended(const Expected& expected) noexcept;

    // `status` may be `bad_config` if there are no cells or too many, or the extents are unset, a point or
    // not a legal box; `unknown_isa` or `unsupported_isa`; `out_of_memory`.
    explicit LooseGrid(const Config& config, MemoryResource* memory = nullptr) noexcept;

    // The instruction set that it uses.
    Isa isa() const noexcept;

    // Tightens bounds, in time proportional to the content of the touched cells. With a budget, of at most so
    // many of these cells: the next call continues from there. Returns true once a full pass is complete. If
    // nearly everything moves, one full pass is cheaper.
    using DynamicStructure::clean_up;
    bool clean_up(std::size_t budget) noexcept;

    using Queries::for_each_overlap;
    // A batch of queries, wherever their boxes lie (boxes.hpp): calls visitor(index of the query, id) for
    // every element that overlaps it, or visitor(index, span of ids) for several. Up to 16 consecutive
    // queries that lie close together form a packet and share one walk over the cells, so neighbours should
    // follow each other (leaf_order.hpp); queries that are far apart run one by one. All queries are checked
    // before the first runs.
    template <detail::VisitorOfQueries Visitor>
    Status for_each_overlap(const Boxes& queries, Visitor&& visitor) const {
        return find_together(
            queries, {detail::erased(visitor),
                      [](void* to, std::size_t query, const ElementId* ids, std::size_t count) {
                          const auto take = [&](
                              auto answers) requires detail::TakesOfQuery<Visitor, decltype(answers)> {
                              return detail::restored<Visitor>(to)(query, answers);
                          };
                          return detail::visit<ElementId>(take, ids, count);
                      }});
    }

    struct State;

private:
    using TakeTogether = detail::AnyCall<std::size_t, const ElementId*, std::size_t>;
    Status find_together(const Boxes& queries, const TakeTogether& take) const;
};

}  // namespace throng::structures
