// Islands: the region of an agent, and the islands that a box may overlap.
//
// Tiles are found like columns and rows (see simd/types.hpp), by monotonic steps. So an agent that overlaps
// [a, b] is in a tile of tile(a - reach) .. tile(b). Each tile that is an island has a bit: a large search
// skips empty tiles sixty-four at a time. An island that is cut again is searched in the same way, region
// within region.
#pragma once

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct IslandSearch : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Four;
    using typename Base::Wide;
    using typename Base::Window;

    // Whether a box's upper corner is in that tile under any rounding mode.
    static bool ends_in(const Tiles& t, float max_x, float max_y, std::uint32_t column, std::uint32_t row) {
        return Base::bin(max_x - t.origin_x, t.inverse_width * scaled_up, t.last_column) == column &&
               Base::bin(max_y - t.origin_y, t.inverse_height * scaled_up, t.last_row) == row;
    }
    static std::uint32_t island_at(const Tiles& t, float x, float y) {
        const std::uint32_t column = Base::bin(x - t.origin_x, t.inverse_width, t.last_column),
                            row = Base::bin(y - t.origin_y, t.inverse_height, t.last_row);
        return t.region_of[std::size_t{row} * t.columns + column];
    }
    // The region that holds a corner: the innermost of the islands around it, or the background.
    static std::uint32_t region_of(const Tiles* cuts, const RegionRows* regions, float x, float y) {
        std::uint32_t region = island_at(cuts[0], x, y);
        while (regions[region].cut != 0) {
            const std::uint32_t inner = island_at(cuts[regions[region].cut], x, y);
            if (inner == 0) break;
            region = inner;
        }
        return region;
    }

    static const View& region_at(const View& world, float x, float y) {
        if (world.islands == nullptr) return world;
        const std::uint32_t region = region_of(world.islands->cuts, world.islands->regions, x, y);
        return region == 0 ? world : world.islands->all[region - 1].view;
    }

    // Lower left corners, some at a time.
    struct Corners {
        static constexpr std::size_t capacity = 256;
        float x[capacity], y[capacity];
        std::uint16_t region[capacity];
    };
    // First the numbers that all lanes have, then what each looks up: a loop for both would take vectors
    // apart lane by lane, or put them together, which takes longer. For that reason stores are volatile, too.
    using Numbers = std::int32_t[Corners::capacity];

    // The islands of the world, or the background, that hold some corners.
    static void look_up(const Tiles& t, std::size_t count, Corners& at) {
        constexpr std::size_t lanes = Window::size;
        static_assert(Corners::capacity % lanes == 0);
        const auto tile = [](const float* from, float origin, float inverse, float last) {
            const Window distance = Window::load_unaligned(from) - Window(origin);
            return xsimd::to_int(Base::clamped(distance * Window(inverse), Window(last)));
        };
        for (std::size_t i = count; i % Wide::size != 0; ++i) at.x[i] = at.y[i] = 0;
        Numbers columns, rows;
        for (std::size_t i = 0; i < count; i += lanes) {
            tile(at.x + i, t.origin_x, t.inverse_width, t.last_column).store_unaligned(columns + i);
            tile(at.y + i, t.origin_y, t.inverse_height, t.last_row).store_unaligned(rows + i);
        }
        const std::size_t in_row = t.columns;
        const std::uint16_t* region_of = t.region_of;
        volatile std::uint16_t* const region = at.region;
        for (std::size_t i = 0; i < count || i % lanes != 0; ++i)
            region[i] = region_of[static_cast<std::uint32_t>(rows[i]) * in_row +
                                  static_cast<std::uint32_t>(columns[i])];
    }
    // Moves corners on cut islands to the innermost islands, cut by cut for all of them, so their memory
    // accesses are independent.
    static void lead_inside(const Tiles* cuts, const RegionRows* regions, std::size_t count, Corners& at) {
        std::uint16_t waiting[Corners::capacity];
        std::size_t left = 0;
        for (std::size_t i = 0; i < count; ++i) {
            waiting[left] = static_cast<std::uint16_t>(i);
            left += regions[at.region[i]].cut != 0;
        }
        while (left != 0) {
            std::size_t still = 0;
            for (std::size_t k = 0; k < left; ++k) {
                const std::uint16_t i = waiting[k];
                const std::uint32_t here = at.region[i];
                const std::uint32_t inner = island_at(cuts[regions[here].cut], at.x[i], at.y[i]),
                                    is_island = 0u - static_cast<std::uint32_t>(inner != 0);
                // Whether it is one is as good as random, so neither of these is a branch.
                at.region[i] = static_cast<std::uint16_t>((inner & is_island) | (here & ~is_island));
                waiting[still] = i;
                still += regions[inner].cut != 0;
            }
            left = still;
        }
    }
    static void lead_to_regions(const Tiles* cuts, const RegionRows* regions, std::size_t count,
                                Corners& at) {
        look_up(cuts[0], count, at);
        if (cuts[0].inner_cuts != 0) lead_inside(cuts, regions, count, at);
    }
    // Counts the rows of corners that were led to their regions.
    static void count_rows(const RegionRows* regions, std::size_t count, const Corners& at,
                           std::uint16_t* row_of, std::uint32_t* histogram) {
        // The mapping of an agent of its region to a row is read as a record, and records are transposed.
        constexpr std::size_t lanes = Window::size, fields = sizeof(RegionRows) / sizeof(float);
        Numbers rows;
        for (std::size_t i = 0; i < count; i += lanes) {
            alignas(64) float records[lanes * fields];
            float last_rows = 0;
            for (std::size_t k = 0; k < lanes; ++k) last_rows += regions[at.region[i + k]].last_row;
            if (last_rows == 0) {  // one row in each of these regions
                xsimd::to_int(Window(0.0f)).store_unaligned(rows + i);
                continue;
            }
            for (std::size_t k = 0; k < lanes; ++k)
                Four::load_unaligned(&regions[at.region[i + k]].origin_y).store_aligned(records + k * fields);
            const auto some = [&](std::size_t n) {
                const float* const first = records + n * fields;
                return V::quarters(first, first + lanes / 2 * fields);
            };
            Window origin = some(0), inverse = some(1), last = some(2), rest = some(3);
            Base::transpose(origin, inverse, last, rest);
            const Window distance = Window::load_unaligned(at.y + i) - origin;
            xsimd::to_int(Base::clamped(distance * inverse, last)).store_unaligned(rows + i);
        }
        volatile std::uint16_t* const to = row_of;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t row = regions[at.region[i]].first_row + static_cast<std::uint32_t>(rows[i]);
            to[i] = static_cast<std::uint16_t>(row);
            if (histogram != nullptr) ++histogram[row];
        }
    }
    THRONG_KERNEL static void count_region_rows(const RegionMap& map, const Columns& boxes, std::size_t count,
                                                std::uint16_t* row_of, std::uint32_t* histogram) {
        Corners at;
        for (std::size_t first = 0; first < count; first += Corners::capacity) {
            const std::size_t here = count - first < Corners::capacity ? count - first : Corners::capacity;
            const auto corners = [here](const float* from, const float* half, bool centres, float* to) {
                for (std::size_t i = 0; i < here; ++i) to[i] = centres ? from[i] - half[i] : from[i];
            };
            corners(boxes.a + first, boxes.c + first, boxes.centre_half, at.x);
            corners(boxes.b + first, boxes.d + first, boxes.centre_half, at.y);
            lead_to_regions(map.cuts, map.regions, here, at);
            count_rows(map.regions, here, at, row_of + first, histogram);
        }
    }

    THRONG_KERNEL static void find_regions(const Tiles* cuts, const RegionRows* regions, const float* x,
                                           const float* y, std::size_t count, std::uint16_t* region_of) {
        Corners at;
        for (std::size_t first = 0; first < count; first += Corners::capacity) {
            const std::size_t here = count - first < Corners::capacity ? count - first : Corners::capacity;
            for (std::size_t i = 0; i < here; ++i) at.x[i] = x[first + i];
            for (std::size_t i = 0; i < here; ++i) at.y[i] = y[first + i];
            lead_to_regions(cuts, regions, here, at);
            for (std::size_t i = 0; i < here; ++i) region_of[first + i] = at.region[i];
        }
    }

    // The first and the last tile around a box, in both directions.
    static typename Base::Reach tiles_around(const Locate& l, const Four& corners) {
        return typename Base::Locator(l).reach(corners);
    }
    // The innermost island with all agents that may overlap a box, if there is one: the box and the reach of
    // everything around are in one tile, and in one tile of that, and so on.
    static const Island* only_island(const Islands* islands, const Query& q) {
        const Four corners = Four::load_unaligned(&q.min_x);
        const Island* only = nullptr;
        while (islands != nullptr) {
            const auto at = tiles_around(islands->locate_all, corners);
            if (at.first_column != at.last_column || at.first_row != at.last_row) break;
            const Tiles& t = islands->tiles;
            const std::uint32_t region = t.region_of[std::size_t{at.first_row} * t.columns + at.first_column];
            if (region == 0) break;
            only = &islands->all[region - 1];
            islands = only->view.islands;
        }
        return only;
    }
    // The innermost region with all agents that may overlap a box: such an island, or the whole world.
    static const View& home_of(const View& view, const Query& q) {
        const Island* only = only_island(view.islands, q);
        return only != nullptr ? only->view : view;
    }

    struct Ignored {
        void operator()(std::uint64_t) const {}
    };
    // Calls visit(island) for every island that may have an agent in the box, tile row by tile row, until it
    // returns false. Returns whether it never did. A box may reach a million tiles with few islands, if
    // agents are a million times as long as tiles are wide: then the list of islands is shorter than the
    // tiles. If many are looked through, calls look(count) with their number, where a word of 64 tiles or
    // eight islands counts as one.
    template <class Visit, class Look = Ignored>
    static bool for_each(const Islands& islands, float min_x, float min_y, float max_x, float max_y,
                         const Visit& visit, const Look& look = {}) {
        const Tiles& t = islands.tiles;
        const auto [left, low, right, high] =
            tiles_around(islands.locate, Base::Locator::four(min_x, min_y, max_x, max_y));
        const std::uint64_t words = std::uint64_t{high - low + 1} * (right / 64 - left / 64 + 1);
        if (words > few_words) [[unlikely]] {
            const auto [at, end] = in_rows(t, low, high);
            const bool by_list = is_shorter(at, end, words);
            look(by_list ? static_cast<std::uint64_t>(end - at) / 8 : words);
            if (by_list)
                return for_each_in(at, end, [&, first = left, width = right - left](const IslandTile& tile) {
                    return tile.column - first > width || visit(island_at(islands, tile));
                });
        }
        for (std::uint32_t row = low; row <= high; ++row) {
            const std::uint64_t* in_row = t.occupied + std::size_t{row} * t.words;
            for (std::uint32_t w = left / 64; w <= right / 64; ++w) {
                std::uint64_t bits = in_row[w];
                if (w == left / 64) bits &= ~std::uint64_t{0} << left % 64;
                if (w == right / 64) bits &= ~std::uint64_t{0} >> (63 - right % 64);
                for (; bits != 0; bits &= bits - 1) {
                    const std::uint32_t column = w * 64 + Base::lowest(bits);
                    const std::uint32_t region = t.region_of[std::size_t{row} * t.columns + column];
                    if (!visit(islands.all[region - 1])) return false;
                }
            }
        }
        return true;
    }
    // The same for every island of a region.
    template <class Visit>
    static bool for_every(const Islands& islands, const Visit& visit) {
        const Tiles& t = islands.tiles;
        return for_each_in(t.island_tiles, t.island_tiles + t.island_count,
                           [&](const IslandTile& tile) { return visit(island_at(islands, tile)); });
    }

    // --- The list of islands, row of tiles by row of tiles ---

    // Scanning `few_words` words of tiles takes about as long as finding a row of tiles in the list.
    static constexpr std::uint64_t few_words = 32;

    struct TilesInRows {
        const IslandTile *begin, *end;
    };
    // The islands in these rows of tiles, including the last row.
    static TilesInRows in_rows(const Tiles& t, std::uint32_t low, std::uint32_t high) {
        const IslandTile *begin = first_from(t, low), *end = first_from(t, high + 1);
        return {begin, end < begin ? begin : end};
    }
    // Whether the list is shorter than `words` words of tiles.
    static bool is_shorter(const IslandTile* begin, const IslandTile* end, std::uint64_t words) {
        return static_cast<std::uint64_t>(end - begin) < 2 * words;
    }
    static const Island& island_at(const Islands& islands, const IslandTile& tile) {
        return islands.all[islands.tiles.first_island +
                           static_cast<std::size_t>(&tile - islands.tiles.island_tiles) - 1];
    }

private:
    template <class Visit>
    static bool for_each_in(const IslandTile* begin, const IslandTile* end, const Visit& visit) {
        for (const IslandTile* at = begin; at != end; ++at)
            if (!visit(*at)) return false;
        return true;
    }
    // The first island in this row of tiles, or in a later one.
    static const IslandTile* first_from(const Tiles& t, std::uint32_t row) {
        const IslandTile* first = t.island_tiles;
        for (std::uint32_t count = t.island_count; count != 0;) {
            const std::uint32_t half = count / 2;
            const bool before = first[half].row < row;
            first = before ? first + half + 1 : first;
            count = before ? count - half - 1 : half;
        }
        return first;
    }
};

}  // namespace throng::simd
