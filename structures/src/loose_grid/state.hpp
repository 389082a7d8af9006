// The private half of LooseGrid.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bits/hierarchical_bitset.hpp"
#include "simd/kernels.hpp"
#include "structures/src/rows/pair_space.hpp"
#include "structures/src/state.hpp"
#include "throng/detail/grid_axis.hpp"
#include "throng/structures/containers/free_list.hpp"
#include "throng/structures/loose_grid.hpp"

namespace throng::structures {

namespace detail {
class NeighbourRows;
class RecordSorter;
}  // namespace detail

struct THRONG_INSIDE LooseGrid::State final : detail::DynamicStateOf<State> {
    State(const Config& config, MemoryResource* memory, Status& status) noexcept;

    std::size_t size() const noexcept override { return records_.size(); }
    bool contains(ElementId id) const noexcept override { return slots_.contains(id); }
    Box box_of(ElementId id) const noexcept override { return records_[slots_[id]].box; }
    Status assign_all(const Boxes& boxes) noexcept;
    Status insert_legal(const Box& box, ElementId& id) noexcept;
    Status move_legal(ElementId id, const Box& box) noexcept;
    Status remove_known(ElementId id) noexcept;
    void clean_up() noexcept override;
    bool clean_up(std::size_t budget) noexcept;
    void clear() noexcept override;
    std::size_t bytes_held() const noexcept;
    IndexValidation validate() const noexcept override;

    Status find_overlaps(const Box& box, ElementId omitted, detail::IdAnswers& found) const;
    Status find_pairs(detail::PairAnswers& found) override;
    void list_elements(detail::IdAnswers& list) const override;
    void list_parts(detail::PartAnswers& list) const override;

    static constexpr std::uint32_t none = 0xFFFFFFFFu;

    // Maps a coordinate to the number of a stripe.
    struct Axis {
        float origin = 0, scale = 0, last = 0;
        std::uint32_t operator()(float x) const noexcept { return detail::bin(x, origin, scale, last); }
    };
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

    // Positions.
    std::uint32_t column_of(const Box& box) const noexcept { return columns_(box.min_x); }
    std::uint32_t row_of(const Box& box) const noexcept { return rows_(box.min_y); }
    std::uint32_t cell_of(const Box& box) const noexcept {
        return row_of(box) * config_.columns + column_of(box);
    }
    TightRange tight_range(const Box& box) const noexcept {
        return {tight_x_(box.min_x), tight_y_(box.min_y), tight_x_(box.max_x), tight_y_(box.max_y)};
    }
    // Whether a box, or a cell with these bounds, is found from its own place: it reaches at most into the
    // next row, and is at most two cells wide. So does all that lies within these bounds.
    bool is_near(const Box& bounds) const noexcept {
        return (bounds.max_x - bounds.min_x <= widest_near_) &
               (rows_(bounds.max_y) <= rows_(bounds.min_y) + 1);
    }
    // The tight cells to which a cell with these bounds is linked: none if it is near.
    TightRange links_of(const Box& bounds) const noexcept {
        return is_near(bounds) ? TightRange{1, 1, 0, 0} : tight_range(bounds);
    }
    bool has_far_cells() const noexcept { return !nodes_.empty() || is_unlinked_; }
    bool is_wide(const Box& bounds) const noexcept { return links_of(bounds).count() > max_tight_cells; }
    std::uint32_t tight_at(std::uint32_t x, std::uint32_t y) const noexcept { return y * tight_columns_ + x; }
    std::uint32_t wide_list() const noexcept { return static_cast<std::uint32_t>(tight_.size() - 1); }

    // Elements in loose cells.
    void push_record(std::uint32_t cell, std::uint32_t slot) noexcept;
    [[nodiscard]] std::uint32_t take_record(std::uint32_t cell, std::uint32_t slot) noexcept;
    Box settled_bounds(const Cell& cell) const noexcept;
    void forget_cells() noexcept;
    Status count_rows(const Boxes& boxes, std::uint16_t* row_of) noexcept;
    void scatter_to_rows(const Boxes& boxes, const std::uint16_t* row_of) noexcept;
    void sort_row(std::uint32_t row, std::uint32_t begin, const detail::RecordSorter& sorter,
                  std::uint32_t* starts) noexcept;

    // Loose cells in tight cells.
    [[nodiscard]] bool reserve_links(const Box& old, const Box& bounds) noexcept;
    void relink(std::uint32_t cell, const Box& bounds) noexcept;
    void push_node(std::uint32_t list, std::uint32_t cell) noexcept;
    void take_node(std::uint32_t list, std::uint32_t cell) noexcept;
    void link_all() noexcept;
    void keep_room_for_moves() noexcept;
    [[nodiscard]] bool shrink(std::uint32_t cell) noexcept;
    void drop_narrow_cells() noexcept;

    // Queries.
    template <class Take>
    bool each_cell(const Box& box, Take&& take) const;
    template <class Take>
    bool each_far_cell(const Box& box, Take&& take) const;
    bool find_in_cell(const Cell& cell, const Box& box, ElementId omitted, detail::IdAnswers& found) const;
    Status find_together(const Boxes& queries, const TakeTogether& take) const;
    bool search_packet(Packet& packet) const;

    // Pairs.
    [[nodiscard]] bool list_far_elements() noexcept;
    void pack_row(std::uint32_t row, detail::NeighbourRows& rows) const noexcept;
    bool find_far_pairs(std::uint32_t slot, detail::PairAnswers& found) const;

    void check_records(IndexValidation& report) const noexcept;
    void check_cells(IndexValidation& report) const noexcept;
    void check_links(IndexValidation& report) const noexcept;

    Config config_;
    const simd::Kernels* kernels_ = nullptr;
    Axis columns_, rows_;  // of loose cells
    Axis tight_x_, tight_y_;
    float widest_near_ = 0;
    std::uint32_t tight_columns_ = 0, tight_rows_ = 0;
    bool is_unlinked_ =
        false;  // whether there are no links, for lack of memory: then queries look at all cells
    bool is_in_order_ = false;      // whether records lie in the order of their cells
    std::size_t reserved_for_ = 0;  // how many elements may move without an allocation

    FreeList<Record> records_{memory_};
    FreeList<std::uint32_t> slots_{memory_};  // the index of an id's record
    detail::Buffer<Cell> cells_{memory_};
    detail::Buffer<std::uint32_t> tight_{memory_};  // heads; the last is that of the wide cells
    FreeList<Node> nodes_{memory_};
    HierarchicalBitset touched_{memory_};               // the cells whose bounds may have shrunk
    std::size_t clean_up_at_ = 0;                       // the cell where clean_up(budget) goes on
    detail::Buffer<std::uint32_t> row_sizes_{memory_};  // elements in each row of loose cells

    // Scratch for `assign` and for pairs.
    detail::Buffer<std::uint32_t> row_counts_{memory_};
    detail::Buffer<simd::Record*> row_ends_{memory_};
    detail::Buffer<std::uint32_t> far_{memory_};
    detail::PackedPairSpace pair_space_{memory_};
};

}  // namespace throng::structures
