// LooseGrid: a loose/tight double grid (after Dragon Energy, Stack Overflow 41946007). Each element is in
// exactly one cell of the fine, loose grid: that of its lower left corner. A loose cell has bounds that
// enclose its elements and stretch with each insertion. The coarse, tight grid holds loose cells instead of
// elements: a non-empty loose cell is in every tight cell that its bounds overlap.
//
//     loose cells   a head and bounds, 20 bytes      tight cells   a head
//     +---+---+---+---+                               +-------+-------+
//     |   | .-+-. |   |      b, its bounds            |  b    |  b    |
//     +---+-|b| | +---+      reach into the           +-------+-------+
//     |   | '-+-' |   |      cell beside it           |       |       |
//     +---+---+---+---+                               +-------+-------+
//      head -> element -> element -> none              head -> node -> node -> none
//                                                      a node is {next, loose cell}
//
// A query visits the tight cells that it covers, tests the bounds of their loose cells, and then the boxes of
// their elements. A loose cell in several tight cells is visited only in the tight cell with the lower left
// corner of the intersection of its bounds and the query (reference-point duplicate avoidance, Dittrich and
// Seeger 2000). So nothing is marked, and a large query costs in proportion to what it finds. A loose cell
// that overlaps more than `max_tight_cells` tight cells, because it holds a giant, is in a list of wide cells
// instead, which every query scans.
//
//     throng::LooseGrid grid(throng::LooseGrid::recommended({.extents = world, .elements = 100'000}));
//     status = grid.for_each_overlap(sights, [&](std::size_t query, throng::ElementId id) { ... });
//
// Costs: inserting, moving and removing take constant time, however many elements share a cell. For an
// element that stays in its loose cell only the box changes. Bounds stretch at once. `clean_up` tightens the
// cells where an element left or moved, in time proportional to their elements, and takes empty cells out of
// the tight grid; a budget spreads that over several frames. `assign` stores the elements of a cell side by
// side in memory, where they stay until they move to other cells.
//
// It is fastest where elements are smaller than a loose cell: then pairs are found row by row, by the kernel
// that finds the engine's own. An element that reaches beyond the next row, or is wider than two cells, needs
// a query of its own.
//
// Worst worlds (docs/choosing.md has figures): those where most elements share a cell, since the extents are
// far too large (stretched by one element light years away), lie elsewhere, or hold a few villages. Then a
// query tests every element of the cell: with a crowd of 20,000 in one cell, queries take 1,600 times as long,
// and those of four times as many elements sixteen times as long again. Pairs are swept, and take 7 times as
// long. So do thousands of irregular elements, such as a comb of walls: 100 times. Leave strays out of the
// extents: elements outside are found like any others, and cost nothing while they are few.
//
// Memory: 28 bytes an element, 20 a loose cell and 4 a tight cell, wherever the elements lie; and 8 bytes for
// each link from a tight cell to a loose one, at most `max_tight_cells` links for each loose cell that is not
// empty. Scratch for `assign` and for pairs is about 85 bytes for each element in the fullest row of cells, up
// to 135 more for each that has to be swept, and 4 for each element that needs a query of its own. Links and
// scratch get headroom when they grow, and the first clean-up makes room for as many links as stretched cells
// need. So memory is linear in the number of elements, plus the configured cells. If `assign` or `clean_up`
// gets no memory for links, cells stay in the list of wide cells until the next clean-up: queries take
// longer, and answers are the same.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "throng/boxes.hpp"
#include "throng/containers/free_list.hpp"
#include "throng/containers/hierarchical_bitset.hpp"
#include "throng/export.hpp"
#include "throng/isa.hpp"
#include "throng/memory.hpp"
#include "throng/structures/detail/grid_axis.hpp"
#include "throng/structures/detail/pair_space.hpp"
#include "throng/structures/queries.hpp"

namespace throng {

namespace simd {
struct Kernels;
struct Record;
}  // namespace simd

namespace detail {
class NeighbourRows;
struct PackedRow;
template <class Visitor, class Answers>
concept TakesOfQuery = std::is_invocable_v<Visitor&, std::size_t, Answers>;
// A visitor of the answers to several queries: takes one answer, or several to the same query; see
// visitors.hpp.
template <class Visitor>
concept VisitorOfQueries = TakesOfQuery<Visitor, ElementId>
!= TakesOfQuery<Visitor,
                SpanOf<ElementId>>;  // (std::size_t query, ElementId) or (std::size_t query, span of them)
}  // namespace detail

class THRONG_API LooseGrid : public Queries<LooseGrid> {
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

    // `status` may be `bad_config` if there are no cells or too many, or the extents are unset, a point or not a legal box;
    // `unsupported_isa`; `out_of_memory`.
    explicit LooseGrid(const Config& config, MemoryResource* memory = nullptr) noexcept;

    Isa isa() const noexcept;

    // Replaces all elements: element i of the arrays gets the id i.
    Status assign(const Boxes& boxes) noexcept;
    Status insert(const Box& box, ElementId& id) noexcept;
    Status move(ElementId id, const Box& box) noexcept;
    Status remove(ElementId id) noexcept;
    // Tightens bounds, in time proportional to the content of the touched cells.
    void clean_up() noexcept;
    // The same for at most `budget` of these cells; the next call continues from there. Returns true once a
    // full pass is complete. If nearly everything moves, one full pass is cheaper.
    bool clean_up(std::size_t budget) noexcept;
    void clear() noexcept;

    std::size_t size() const noexcept { return records_.size(); }
    bool contains(ElementId id) const noexcept { return slots_.contains(id); }

    using Queries::for_each_overlap;
    // A batch of queries, wherever their boxes lie (boxes.hpp): calls visitor(index of the query, id) for every
    // element that overlaps it, or visitor(index, span of ids) for several. Up to 16 consecutive queries that
    // lie close together form a packet and share one walk over the cells, so neighbours should follow each other
    // (leaf_order.hpp); queries that are far apart run one by one. All queries are checked before the first runs.
    template <detail::VisitorOfQueries Visitor>
    Status for_each_overlap(const Boxes& queries, Visitor&& visitor) const {
        return find_together(queries, &visit<std::remove_reference_t<Visitor>>,
                             const_cast<void*>(static_cast<const void*>(&visitor)));
    }

    std::size_t bytes() const noexcept;
    IndexValidation validate() const noexcept;

private:
    friend class Queries<LooseGrid>;
    friend struct IndexInspector<LooseGrid>;

    static constexpr std::uint32_t none = 0xFFFFFFFFu;

    // Maps a coordinate to the number of a stripe.
    struct Axis {
        float origin = 0, scale = 0, last = 0;
        std::uint32_t operator()(float x) const noexcept { return detail::place(x, origin, scale, last); }
    };
    // Empty bounds mark a cell that is in no list.
    struct Cell {
        std::uint32_t head;
        Box bounds;
    };
    struct Node {
        std::uint32_t next, cell;
    };
    struct Record {
        Box box;
        std::uint32_t next;
        ElementId id;
    };
    struct TightRange {
        std::uint32_t x0, y0, x1, y1;
        std::uint32_t count() const noexcept { return (x1 - x0 + 1) * (y1 - y0 + 1); }
        bool has(std::uint32_t x, std::uint32_t y) const noexcept {
            return x0 <= x && x <= x1 && y0 <= y && y <= y1;
        }
        friend bool operator==(const TightRange&, const TightRange&) = default;
    };
    struct Packet;
    using TakeTogether = bool (*)(void* visitor, std::size_t query, const ElementId* ids, std::size_t count);

    // Calls the visitor in the form it takes. Returns whether to go on.
    template <class Visitor>
    static bool visit(void* to, std::size_t query, const ElementId* ids, std::size_t count) {
        auto& visitor = *static_cast<Visitor*>(to);
        using Some = std::span<const ElementId>;
        if constexpr (std::invocable<Visitor&, std::size_t, Some>) {
            auto some = [&](Some answers) { return visitor(query, answers); };
            return detail::visit<ElementId>(some, ids, count);
        } else {
            auto one = [&](ElementId answer) { return visitor(query, answer); };
            return detail::visit<ElementId>(one, ids, count);
        }
    }

    // Positions.
    std::uint32_t column_of(const Box& box) const noexcept { return columns_(box.min_x); }
    std::uint32_t row_of(const Box& box) const noexcept { return rows_(box.min_y); }
    std::uint32_t cell_of(const Box& box) const noexcept {
        return row_of(box) * config_.columns + column_of(box);
    }
    TightRange tight_range(const Box& box) const noexcept {
        return {tight_x_(box.min_x), tight_y_(box.min_y), tight_x_(box.max_x), tight_y_(box.max_y)};
    }
    std::uint32_t tight_at(std::uint32_t x, std::uint32_t y) const noexcept { return y * tight_columns_ + x; }
    std::uint32_t wide_list() const noexcept { return static_cast<std::uint32_t>(tight_.size() - 1); }
    // Whether a box of a row is small enough for the pairs that are found row by row: it reaches at most into
    // the next row, and is at most two cells wide.
    bool is_regular(const Box& box, std::uint32_t row) const noexcept {
        return (box.max_x - box.min_x <= widest_regular_) & (rows_(box.max_y) <= row + 1);
    }

    // Elements in loose cells.
    void push_record(std::uint32_t cell, std::uint32_t slot) noexcept;
    [[nodiscard]] std::uint32_t take_record(std::uint32_t cell, std::uint32_t slot) noexcept;
    void fetch_record_of(ElementId id) const noexcept;
    Box settled_bounds(const Cell& cell) const noexcept;
    void forget_cells() noexcept;
    template <class Use>
    void each_piece(const Boxes& boxes, Use&& use) noexcept;
    Status count_rows(const Boxes& boxes) noexcept;
    void scatter_to_rows(const Boxes& boxes) noexcept;
    void sort_row(std::uint32_t row, std::uint32_t begin) noexcept;

    // Loose cells in tight cells.
    [[nodiscard]] bool reserve_links(std::uint32_t cell, const Box& box) noexcept;
    void stretch(std::uint32_t cell, const Box& box) noexcept;
    void push_node(std::uint32_t list, std::uint32_t cell) noexcept;
    void take_node(std::uint32_t list, std::uint32_t cell) noexcept;
    [[nodiscard]] bool link_all(std::uint32_t most) noexcept;
    void relink_all_or_widen() noexcept;
    void keep_room_for_moves() noexcept;
    void shrink(std::uint32_t cell) noexcept;
    void drop_narrow_cells() noexcept;

    // Queries.
    template <class Take>
    bool each_cell(const Box& box, Take&& take) const;
    Box box_of(ElementId id) const noexcept { return records_[slots_[id]].box; }
    Status find(const Box& box, ElementId omitted, detail::IdAnswers& found) const;
    bool find_in_cell(const Cell& cell, const Box& box, ElementId omitted, detail::IdAnswers& found) const;
    Status find_together(const Boxes& queries, TakeTogether take, void* visitor) const;
    bool search_packet(Packet& packet) const;

    // Pairs.
    Status find_pairs(detail::PairAnswers& found);
    [[nodiscard]] bool list_irregular() noexcept;
    void pack_row(std::uint32_t row, detail::NeighbourRows& rows,
                  const std::uint32_t*& irregular) const noexcept;
    void pack_lists(const Cell* cells, detail::PackedRow& to, const std::uint32_t*& irregular) const noexcept;
    void pack_in_order(const Cell* cells, std::uint32_t count, detail::PackedRow& to) const noexcept;
    bool find_irregular_pairs(std::uint32_t slot, detail::PairAnswers& found) const;

    void list_elements(detail::IdAnswers& list) const;
    void list_parts(detail::PartAnswers& list) const;

    void check_records(IndexValidation& report) const noexcept;
    void check_cells(IndexValidation& report) const noexcept;
    void check_links(IndexValidation& report) const noexcept;

    Config config_;
    const simd::Kernels* kernels_ = nullptr;
    Axis columns_, rows_;  // of loose cells
    Axis tight_x_, tight_y_;
    float widest_regular_ = 0;
    std::uint32_t tight_columns_ = 0, tight_rows_ = 0;
    bool has_unlinked_cells_ = false;  // whether cells are in the wide list for lack of memory alone
    bool is_in_order_ = false;         // whether records lie in the order of their cells
    std::size_t reserved_for_ = 0;     // how many elements may move without an allocation

    FreeList<Record> records_;
    FreeList<std::uint32_t> slots_;  // the index of an id's record
    detail::Buffer<Cell> cells_;
    detail::Buffer<std::uint32_t> tight_;  // heads; the last is that of the wide cells
    FreeList<Node> nodes_;
    HierarchicalBitset touched_;   // the cells whose bounds may have shrunk
    std::size_t clean_up_at_ = 0;  // the cell where clean_up(budget) goes on
    HierarchicalBitset wide_;
    detail::Buffer<std::uint32_t> row_sizes_;  // elements in each row of loose cells

    // Scratch for `assign` and for pairs.
    detail::Buffer<std::byte> sorting_;
    detail::Buffer<std::uint32_t> row_counts_;
    detail::Buffer<simd::Record*> row_ends_;
    detail::Buffer<std::uint32_t> irregular_;
    detail::PackedPairSpace pair_space_;
};

}  // namespace throng
