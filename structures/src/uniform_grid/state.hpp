// The private half of UniformGrid.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "simd/kernels.hpp"
#include "structures/src/area.hpp"
#include "structures/src/rows/pair_space.hpp"
#include "structures/src/state.hpp"
#include "throng/memory.hpp"
#include "throng/structures/containers/free_list.hpp"
#include "throng/structures/uniform_grid.hpp"

namespace throng::structures {

namespace detail {
class NeighbourRows;

// The middle of a side, and whether the element fits: also false for a NaN, an infinity and an inverted box.
// A side of length zero is its own middle.
inline bool centre_of(float min, float max, float reach, float& centre) noexcept {
    centre = min + (max - min) * 0.5f;
    return (min <= max) & (centre - reach <= min) & (max <= centre + reach);
}
}  // namespace detail

struct THRONG_INSIDE UniformGrid::State final : detail::DynamicStateOf<State> {
    State(const Config& config, MemoryResource* memory, Status& status) noexcept;

    std::size_t size() const noexcept override { return elements_.size(); }
    bool contains(ElementId id) const noexcept override { return elements_.contains(id); }
    Box box_of(ElementId id) const noexcept override;
    Status assign_all(const Boxes& boxes) noexcept;
    Status insert_legal(const Box& box, ElementId& id) noexcept;
    Status move_legal(ElementId id, const Box& box) noexcept;
    Status remove_known(ElementId id) noexcept;
    void clean_up() noexcept override {}
    void clear() noexcept override;
    std::size_t bytes_held() const noexcept;
    IndexValidation validate() const noexcept override;

    Status find_overlaps(const Box& box, ElementId omitted, detail::IdAnswers& found) const;
    Status find_pairs(detail::PairAnswers& found) override;
    void list_elements(detail::IdAnswers& list) const override;
    void list_parts(detail::PartAnswers& list) const override;

    struct Element {
        float x, y;
        ElementId next;  // in its cell
    };
    struct Place {
        std::uint32_t column, row;
    };

    // Within a reach of the largest float.
    Box assumed_box(const Element& element) const noexcept {
        constexpr float largest = std::numeric_limits<float>::max();
        const Box b = Box::around(element.x, element.y, reach_, reach_);
        return {std::max(b.min_x, -largest), std::max(b.min_y, -largest), std::min(b.max_x, largest),
                std::min(b.max_y, largest)};
    }
    bool fits(const Box& box, float& x, float& y) const noexcept;
    bool all_fit(const Boxes& boxes) const noexcept;
    Status first_that_does_not_fit(const Boxes& boxes) const noexcept;
    void place_all(const Boxes& boxes) noexcept;
    Place place(const Element& element) const noexcept;
    std::size_t cell(const Place& place) const noexcept {
        return std::size_t{place.row} * columns_.cells() + place.column;
    }
    void link(ElementId id) noexcept;
    void unlink(ElementId id) noexcept;
    double lower(float side) const noexcept;
    double upper(float side) const noexcept;
    void pack_row(std::uint32_t row, detail::NeighbourRows& rows) const noexcept;
    template <class Visit>
    void visit_lists(Visit&& visit) const;

    detail::GridAxis columns_, rows_;
    float reach_ = 0;  // from a centre to the side of its box
    FreeList<Element> elements_;
    detail::Buffer<ElementId> heads_;          // the first element of each cell
    detail::Buffer<std::uint32_t> row_sizes_;  // how many elements are in each row
    detail::PackedPairSpace pair_space_;
    const simd::Kernels* kernels_ = nullptr;
};

}  // namespace throng::structures
