// The private half of GridHierarchy.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bits/hierarchical_bitset.hpp"
#include "simd/kernels.hpp"
#include "structures/src/area.hpp"
#include "structures/src/rows/pair_space.hpp"
#include "structures/src/state.hpp"
#include "throng/memory.hpp"
#include "throng/structures/containers/free_list.hpp"
#include "throng/structures/grid_hierarchy.hpp"

namespace throng::structures {

namespace detail {
class NeighbourRows;

// The number of a cell in its sub-region, which has 64; of `x / 8` and `y / 8`, that of a sub-region in its
// region, which has as many.
constexpr std::uint32_t place_of(std::uint32_t x, std::uint32_t y) noexcept { return (y & 7) * 8 + (x & 7); }
constexpr std::uint64_t bit(std::uint32_t i) noexcept { return std::uint64_t{1} << i; }
}  // namespace detail

struct THRONG_INSIDE GridHierarchy::State final : detail::DynamicStateOf<State> {
    State(const Config& config, MemoryResource* memory, Status& status) noexcept;

    std::size_t size() const noexcept override { return elements_.size(); }
    bool contains(ElementId id) const noexcept override { return elements_.contains(id); }
    Box box_of(ElementId id) const noexcept override { return elements_[id].box; }
    Status assign_all(const Boxes& boxes) noexcept;
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

    using Index = std::uint32_t;
    using Word = std::uint64_t;
    static constexpr Index none = 0xFFFFFFFFu;
    // 0 is the cells, 1 the sub-regions, 2 the regions and 3 the world.
    static constexpr unsigned world_level = 3;

    struct Element {
        Box box;
        ElementId next;  // in its list
    };
    struct SubRegion {
        Word occupied = 0;  // cells whose list is not empty
        Word where = 0;     // 64 times its region, and its place there
        ElementId lists[64];
    };
    struct Region {
        Word occupied = 0;  // sub-regions that have an occupied cell
        Word listed = 0;    // sub-regions whose own list is not empty
        Word made = 0;      // sub-regions that are stored
        Index place = 0;    // in the world
        ElementId list = none;
        Index sub_regions[64];
        ElementId lists[64];  // of elements as large as a sub-region

        bool empty() const noexcept { return occupied == 0 && listed == 0 && list == none; }
    };
    // Where an element is: the cell of its lower left corner, and its level.
    struct Place {
        std::uint32_t x, y;
        unsigned level;
        friend bool operator==(const Place&, const Place&) = default;
    };
    struct Places;
    // The cells of one level that a query has to search.
    struct Window {
        std::uint32_t left, bottom, right, top;
    };
    // An occupied sub-region of one row of sub-regions.
    struct Occupied {
        std::uint32_t column;  // in sub-regions
        Index sub_region;
    };
    // Neighbouring sub-regions of such a row and of the row above, from a column on.
    struct Run {
        const Occupied *begin, *end;
        const Occupied *above, *above_end;
        std::uint32_t first_column, columns;  // in sub-regions
    };

    Place place(const Box& box) const noexcept;
    unsigned level_of(double size) const noexcept {
        return unsigned{size > limits_[0]} + unsigned{size > limits_[1]} + unsigned{size > limits_[2]};
    }
    double extent(const Box& box) const noexcept;
    Index region_place(const Place& p) const noexcept { return (p.y >> 6) * width_ + (p.x >> 6); }
    bool make_room(const Place& p) noexcept;
    void link(ElementId id, const Place& p, ElementId& list) noexcept;
    Status make_all_room(const Boxes& boxes) noexcept;
    bool has_room(const Place& p) const noexcept;
    void link_all(const Boxes& boxes) noexcept;
    void note_occupied() noexcept;
    void unlink(ElementId id, const Place& p) noexcept;
    ElementId* list_at(const Place& p) noexcept {
        if (p.level == world_level) return &world_list_;
        Region& region = regions_[world_[region_place(p)]];
        if (p.level == 2) return &region.list;
        const std::uint32_t k = (p.y >> 3 & 7) * 8 + (p.x >> 3 & 7);
        if (p.level == 1) return &region.lists[k];
        return &sub_regions_[region.sub_regions[k]].lists[(p.y & 7) * 8 + (p.x & 7)];
    }
    void forget_lists() noexcept;

    Window window(const Box& box, unsigned level) const noexcept;
    template <class Visit>
    bool visit_lists(const Box& box, unsigned first_level, unsigned last_level, Visit&& visit) const;
    template <class Visit>
    bool visit_lists_of(const Region& region, const Window* windows, unsigned first_level,
                        unsigned last_level, Visit&& visit) const;
    template <class Visit>
    bool visit_all_lists(Visit&& visit) const;

    bool find_larger_pairs(detail::PairAnswers& found) const;
    Status find_pairs_in_cells(detail::PairAnswers& found);
    [[nodiscard]] bool list_occupied(std::uint32_t row, detail::Buffer<Occupied>& list) const noexcept;
    Status find_pairs_of_row(std::uint32_t row, detail::NeighbourRows& rows) noexcept;
    [[nodiscard]] bool find_pairs_of_run(const Run& run, detail::NeighbourRows& rows) noexcept;
    [[nodiscard]] bool pack_row(const Run& run, unsigned row, detail::NeighbourRows& rows) const noexcept;
    void validate_region(Index index, std::size_t* counts, IndexValidation& state) const noexcept;
    bool validate_list(ElementId list, const Place& p, std::size_t* counts,
                       IndexValidation& state) const noexcept;

    detail::GridAxis columns_, rows_;       // of cells
    std::uint32_t width_ = 0, height_ = 0;  // of the world, in regions
    double limits_[world_level] = {};       // the largest elements of each level
    double reach_[world_level + 1] = {};    // no element of the level is larger than this
    std::size_t sizes_[world_level + 1] = {};

    FreeList<Element> elements_{memory_};
    FreeList<Region> regions_{memory_};
    FreeList<SubRegion> sub_regions_{memory_};
    detail::Buffer<Index> world_{memory_};  // the region at each place, or none
    HierarchicalBitset occupied_{memory_};  // places whose region is not empty
    ElementId world_list_ = none;

    const simd::Kernels* kernels_ = nullptr;

    // Scratch for pairs.
    detail::Buffer<Occupied> row_{memory_}, row_above_{memory_};
    detail::PackedPairSpace pair_space_{memory_};
    std::size_t row_room_ = 0;  // for the elements of a packed row
};

}  // namespace throng::structures
