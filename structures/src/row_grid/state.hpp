// The private half of RowGrid.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/kernels.hpp"
#include "simd/types.hpp"
#include "structures/src/row_grid/grid_row.hpp"
#include "structures/src/state.hpp"
#include "throng/memory.hpp"
#include "throng/structures/containers/free_list.hpp"
#include "throng/structures/containers/small_list.hpp"
#include "throng/structures/row_grid.hpp"

namespace throng::structures {

struct THRONG_INSIDE RowGrid::State final : detail::DynamicStateOf<State> {
    State(const Config& config, MemoryResource* memory, Status& status) noexcept;

    std::size_t size() const noexcept override { return where_.size(); }
    bool contains(ElementId id) const noexcept override { return where_.contains(id); }
    Box box_of(ElementId id) const noexcept override {
        return rows_[where_[id].row].nodes[where_[id].node].box;
    }
    Status assign_all(const Boxes& boxes, const Executor& executor = {}) noexcept;
    Status move_within_row(ElementId id, const Box& box) noexcept;
    Status visit_pairs(const Executor& executor, const PairVisitor& visitor) noexcept;
    std::size_t pair_blocks(const Executor& executor) const noexcept;
    Status insert_legal(const Box& box, ElementId& id) noexcept;
    Status move_legal(ElementId id, const Box& box) noexcept;
    Status remove_known(ElementId id) noexcept;
    void clean_up() noexcept override;
    void clear() noexcept override;
    std::size_t bytes_held() const noexcept;
    IndexValidation validate() const noexcept override;

    Status find_overlaps(const Box& box, ElementId omitted, detail::IdAnswers& found) const;
    Status find_pairs(detail::PairAnswers& found) override;
    void list_elements(detail::IdAnswers& list) const override;
    void list_parts(detail::PartAnswers& list) const override;

    struct Where {
        std::uint32_t row, node;
    };

    std::uint32_t rows() const noexcept { return static_cast<std::uint32_t>(rows_.size() - 1); }
    std::uint32_t columns() const noexcept { return lattice_.columns; }
    std::uint32_t row_of(const Box& box) const noexcept;
    std::size_t oversized() const noexcept { return rows_.back().size; }
    // Oversized elements share one cell.
    std::uint32_t column_in(std::uint32_t row, const Box& box) const noexcept;
    std::uint32_t columns_of(std::size_t row) const noexcept {
        return row + 1 < rows_.size() ? lattice_.columns : 1;
    }
    void replace(ElementId id, const Box& box) noexcept;
    void take_out(Where from, const Box& box) noexcept;
    void give_back() noexcept;
    void cut_down(std::uint32_t row) noexcept;
    void order(std::uint32_t row, detail::GridRow::Node* to) noexcept;
    void sort_edited_rows() noexcept;
    void validate_row(std::uint32_t row, IndexValidation& state) const noexcept;
    void validate_node(std::uint32_t row, std::uint32_t column, std::uint32_t node,
                       IndexValidation& state) const noexcept;

    const simd::Kernels* kernels_ = nullptr;
    simd::Grid lattice_{};            // a common element is as long as high
    std::uint32_t rows_spanned_ = 1;  // how many rows above its own a common element may overlap
    // From the bottom to the top, followed by the oversized elements.
    SmallList<detail::GridRow, 1> rows_{memory_};
    FreeList<Where> where_{memory_};
    // The plan that assign makes before it changes anything, and scratch for the work on rows.
    detail::Buffer<std::byte> plan_{memory_}, work_{memory_}, sweep_{memory_};
    std::size_t room_for_pairs_ = 0;  // in work_
};

}  // namespace throng::structures
