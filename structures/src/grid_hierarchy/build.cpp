// Builds a hierarchy of grids from scratch.
#include <algorithm>
#include <utility>

#include "base/box_reader.hpp"
#include "structures/src/grid_hierarchy/state.hpp"
#include "throng/compiler.hpp"
#include "throng/structures/detail/headroom.hpp"

namespace throng::structures {

using namespace detail;

// The places of some boxes, in arrays, and in short loops: so the compiler makes vectors of them.
struct GridHierarchy::State::Places {
    static constexpr std::size_t max_count = 128;

    std::uint32_t x[max_count], y[max_count], level[max_count];
    double size[max_count];
    bool in_cells;  // whether all have the level 0

    template <bool centre_half>
    void compute_of(const State& grid, const simd::Columns& boxes, std::size_t count) noexcept {
        const GridAxis columns = grid.columns_, rows = grid.rows_;
        const auto low = [](float a, float c) { return centre_half ? a - c : a; };
        const auto high = [](float a, float c) { return centre_half ? a + c : c; };
        for (std::size_t i = 0; i < count; ++i) x[i] = columns.cell(low(boxes.a[i], boxes.c[i]));
        for (std::size_t i = 0; i < count; ++i) y[i] = rows.cell(low(boxes.b[i], boxes.d[i]));
        const double cell = grid.limits_[0];
        std::uint64_t larger = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const float a = boxes.a[i], b = boxes.b[i], c = boxes.c[i], d = boxes.d[i];
            const double width = double{high(a, c)} - low(a, c), height = double{high(b, d)} - low(b, d);
            size[i] = width > height ? width : height;
            larger |= size[i] > cell ? 1u : 0u;
        }
        in_cells = larger == 0;
        for (std::size_t i = 0; i < count; ++i) level[i] = in_cells ? 0 : grid.level_of(size[i]);
    }
    void compute(const State& grid, const simd::Columns& boxes, std::size_t count) noexcept {
        boxes.centre_half ? compute_of<true>(grid, boxes, count) : compute_of<false>(grid, boxes, count);
    }
    Place operator[](std::size_t i) const noexcept { return {x[i], y[i], level[i]}; }

    // Counts them by their levels, and how large those of each are.
    void count_into(State& grid, std::size_t count) const noexcept {
        if (in_cells) {
            grid.sizes_[0] += count;
            double largest = grid.reach_[0];
            for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, size[i]);
            grid.reach_[0] = largest;
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                ++grid.sizes_[level[i]];
                grid.reach_[level[i]] = std::max(grid.reach_[level[i]], size[i]);
            }
        }
    }
};

// First everything that may fail, without a change to the content; then the lists are rebuilt.
Status GridHierarchy::State::assign_all(const Boxes& boxes) noexcept {
    const std::size_t room_for_regions = regions_.capacity(), room_for_sub_regions = sub_regions_.capacity();
    if (const Status refused = make_all_room(boxes); !refused) return refused;
    if (!elements_.fill(boxes.size())) return {Code::out_of_memory};
    forget_lists();
    link_all(boxes);
    note_occupied();
    clean_up();
    // The next frames need about as many, and never more than there are places.
    const std::size_t places = world_.size();
    if (regions_.capacity() != room_for_regions)
        (void)regions_.reserve_exactly(std::min(with_headroom(regions_.range()), places));
    if (sub_regions_.capacity() != room_for_sub_regions)
        (void)sub_regions_.reserve_exactly(std::min(with_headroom(sub_regions_.range()), 64 * places));
    return {};
}

// Checks all boxes, and makes their regions and sub-regions.
Status GridHierarchy::State::make_all_room(const Boxes& boxes) noexcept {
    if (const Status bad = check_all(boxes); !bad) return bad;
    Places places;
    bool made = true;
    read_boxes(boxes, 0, boxes.size(), [&](const simd::Columns& all, std::size_t, std::size_t count) {
        for (std::size_t at = 0; at < count && made; at += Places::max_count) {
            const std::size_t length = std::min(Places::max_count, count - at);
            places.compute(*this, part_of(all, at), length);
            for (std::size_t i = 0; i < length && made; ++i)
                made = has_room(places[i]) || make_room(places[i]);
        }
        return made;
    });
    return made ? Status{} : Status{Code::out_of_memory};
}

bool GridHierarchy::State::has_room(const Place& p) const noexcept {
    if (p.level == world_level) return true;
    const Index at = world_[region_place(p)];
    return at != none && (p.level != 0 || (regions_[at].made & bit(place_of(p.x >> 3, p.y >> 3))) != 0);
}

// From the last to the first, so moving all elements of a list in order of id finds each at the front. Lists
// are scattered in memory, so several are prefetched at a time.
void GridHierarchy::State::link_all(const Boxes& boxes) noexcept {
    Places places;
    ElementId* lists[Places::max_count];
    for (std::size_t end = boxes.size(); end > 0;) {
        const std::size_t begin = (end - 1) / Places::max_count * Places::max_count;
        read_boxes(boxes, begin, end, [&](const simd::Columns& some, std::size_t, std::size_t count) {
            places.compute(*this, some, count);
            for (std::size_t i = 0; i < count; ++i) {
                lists[i] = list_at(places[i]);
                THRONG_PREFETCH(lists[i], 1);
            }
            for (std::size_t i = count; i-- > 0;) {
                const auto id = static_cast<ElementId>(begin + i);
                elements_[id] = {box_at(some, i), std::exchange(*lists[i], id)};
            }
            places.count_into(*this, count);
            return true;
        });
        end = begin;
    }
}

// Notes which lists are not empty.
void GridHierarchy::State::note_occupied() noexcept {
    const auto lists_in = [](const ElementId* lists) {
        Word found = 0;
        for (std::uint32_t k = 0; k < 64; ++k) found |= Word{lists[k] != none} << k;
        return found;
    };
    sub_regions_.for_each([&](Index, SubRegion& sub_region) {
        sub_region.occupied = lists_in(sub_region.lists);
        const Word where = sub_region.where;
        if (sub_region.occupied != 0)
            regions_[static_cast<Index>(where / 64)].occupied |= Word{1} << where % 64;
    });
    regions_.for_each([&](Index, Region& region) {
        region.listed = lists_in(region.lists);
        if (!region.empty()) occupied_.set(region.place);
    });
}

}  // namespace throng::structures
