// GridHierarchy: three fixed levels of dense grids, for worlds that are huge and mostly empty, and for
// elements of very different sizes. The world is a grid of regions, a region has 8 x 8 sub-regions, and a
// sub-region has 8 x 8 cells (after Dragon Energy, Stack Overflow 41946007):
//
//     world          region               sub-region
//     +--+--+--+     +--+--+-- ... +      +--+--+-- ... +
//     |  |##|  |     |  |  |##     |      |. |  |. :    |
//     +--+--+--+     +--+--+-- ... +      +--+--+-- ... +
//     |  |  |##|     |  |##|       |      |  |: |       |
//     +--+--+--+     + ...         +      + ...         +
//
// A region or sub-region without elements is not stored: an empty region costs 4 bytes in the world's grid,
// an empty sub-region nothing. A 64-bit word in each tells which of its places are occupied, and a
// HierarchicalBitset tells it for the world. A query tests these bits first.
//
// An element is in one list: that of the cell of its lower left corner or, if it is larger than a cell, of
// the smallest of sub-region, region and world that it fits. So a giant is stored once and does not slow down
// the cells. A query searches each level as far to the left and below as the largest element of that level
// reaches.
//
//     throng::GridHierarchy index({.extents = {0, 0, 1e6f, 1e6f}, .cell_size = 4});
//
// Costs: an insertion takes a few steps down. A removal, and a move to another list, also walk the list that
// the element leaves, which is long where many share a cell. A query costs in proportion to the occupied part
// that it covers. All pairs: elements in cells row by row, by the kernel that finds the engine's own pairs;
// every larger element by one query to its own and the finer levels. Elements larger than a region are all in
// one list, so choose cells for which these are few.
//
// Worst worlds (docs/choosing.md has figures): those where most elements share a cell, since the extents are
// far too large (stretched by one element light years away) or lie elsewhere. Then a query tests every
// element of the cell: for a crowd of 20,000 it takes 2,000 to 3,000 times as long. Pairs are swept, and
// take 4 times as long. Also thousands of elements larger than a region, which are tested against
// every query and each other: all pairs of a comb of walls take 5,000 times as long as a crowd's. Leave
// strays out of the extents: elements outside are found like any others.
//
// Memory: 20 bytes and a bit for each element, 4 for each place for a region in the world (at most 16 MB),
// 544 for each stored region and 272 for each stored sub-region, in pools that grow by half. So an isolated
// element costs 840 bytes, or 1,260 in a pool that has just grown; one in a crowd costs about 24. Empty
// regions and sub-regions are kept for reuse until `clean_up`; and `assign` allocates for the new elements
// before it frees the old ones. Scratch for pairs is about 56 bytes for each element in the fullest row of
// cells, and up to 135 more for each that has to be swept. Pools that grow in `assign` get headroom for the
// frames that follow. Elements outside the extents are in the outer cells.
#pragma once

#include <cstddef>
#include <cstdint>

#include "throng/containers/buffer.hpp"
#include "throng/containers/free_list.hpp"
#include "throng/containers/hierarchical_bitset.hpp"
#include "throng/export.hpp"
#include "throng/memory.hpp"
#include "throng/structures/detail/grid_axis.hpp"
#include "throng/structures/detail/pair_space.hpp"
#include "throng/structures/queries.hpp"

namespace throng {

namespace simd {
struct Kernels;
}
namespace detail {
class NeighbourRows;
}

class THRONG_API GridHierarchy : public Queries<GridHierarchy> {
public:
    // A configuration with more regions gets larger cells.
    static constexpr std::uint32_t max_regions = std::uint32_t{1} << 22;

    struct Config {
        Box extents;
        // The side of the finest cells: best two or three times that of most elements.
        float cell_size = 2;
    };
    static Config recommended(const Expected& expected) noexcept;

    explicit GridHierarchy(const Config& config, MemoryResource* memory = nullptr) noexcept;

    Status assign(const Boxes& boxes) noexcept;
    Status insert(const Box& box, ElementId& id) noexcept;
    Status move(ElementId id, const Box& box) noexcept;
    Status remove(ElementId id) noexcept;
    // Frees empty regions and sub-regions.
    void clean_up() noexcept;
    void clear() noexcept;

    std::size_t size() const noexcept { return elements_.size(); }
    bool contains(ElementId id) const noexcept { return elements_.contains(id); }
    std::size_t bytes() const noexcept;
    IndexValidation validate() const noexcept;

    // How many are stored, including empty ones that wait for `clean_up`.
    std::size_t regions() const noexcept { return regions_.size(); }
    std::size_t sub_regions() const noexcept { return sub_regions_.size(); }

private:
    friend Queries;
    friend struct IndexInspector<GridHierarchy>;

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

    Box box_of(ElementId id) const noexcept { return elements_[id].box; }
    Status find(const Box& box, ElementId omitted, detail::IdAnswers& found) const;
    Status find_pairs(detail::PairAnswers& found);
    void list_elements(detail::IdAnswers& list) const;
    void list_parts(detail::PartAnswers& list) const;

    Place place(const Box& box) const noexcept;
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

    FreeList<Element> elements_;
    FreeList<Region> regions_;
    FreeList<SubRegion> sub_regions_;
    detail::Buffer<Index> world_;  // the region at each place, or none
    HierarchicalBitset occupied_;  // places whose region is not empty
    ElementId world_list_ = none;

    const simd::Kernels* kernels_ = nullptr;

    // Scratch for pairs.
    detail::Buffer<Occupied> row_, row_above_;
    detail::PackedPairSpace pair_space_;
    std::size_t row_room_ = 0;  // for the elements of a packed row
};

}  // namespace throng
