// Which agents of a row reach which islands: up to sixty-four agents look islands up together, by the box
// around them, and each island's bounds are compared with a vector of agents at a time.
//
//     agents     i i i i i i i i  ...        one box around all
//     islands    those in tiles within reach of the box: the bounds of each against a vector of agents
//
// If that box has many more tiles than agents, because a few stand far apart, each agent looks alone.
#pragma once

#include "simd/kernels/search/islands.hpp"
#include "simd/pair_kernels.hpp"

namespace throng::simd {

template <class V>
struct IslandPairs : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Wide;
    using Probe = typename Base::template Probe<Wide>;

    // How many agents look together at most, and at how many tiles for each of them.
    static constexpr std::uint32_t together = 64, tiles_for_each = 16;

    // Some agents of a row, and the box around what they reach, which is inverted if there are none.
    struct Agents {
        const Arrays& a;
        std::uint32_t first, count;
        Query box;
    };
    static Agents some(const Arrays& a, std::uint32_t first, std::uint32_t count,
                       const Growth& growth = Growth(0)) {
        Wide left(Base::largest), low(Base::largest), right(-Base::largest), high(-Base::largest);
        // Slots without an agent are NaN, which are neither lower nor higher.
        for (std::uint32_t j = first; j < first + count; j += Wide::size) {
            const Wide min_x = Wide::load_unaligned(a.min_x + j), min_y = Wide::load_unaligned(a.min_y + j),
                       max_x = Wide::load_unaligned(a.max_x + j), max_y = Wide::load_unaligned(a.max_y + j);
            left = xsimd::select(min_x < left, min_x, left);
            low = xsimd::select(min_y < low, min_y, low);
            right = xsimd::select(right < max_x, max_x, right);
            high = xsimd::select(high < max_y, max_y, high);
        }
        const Query box{-highest(-left), -highest(-low), highest(right), highest(high)};
        return {a, first, count, growth.grown(box)};
    }
    static float highest(const Wide& values) {
        float lanes[Wide::size], most = -Base::largest;
        values.store_unaligned(lanes);
        for (const float lane : lanes) most = lane > most ? lane : most;
        return most;
    }
    static Agents one(const Arrays& a, std::uint32_t i, const Growth& growth = Growth(0)) {
        return {a, i, 1, growth.grown(Query{a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i]})};
    }

    // Of two islands of a region, the left one looks for their common pairs, and of two above each other the
    // lower one: only its agents can reach into the other's tile.
    static bool is_partner(const Island* own, const Island& other) {
        if (own == nullptr) return true;
        return other.tile_column != own->tile_column ? other.tile_column > own->tile_column
                                                     : other.tile_row > own->tile_row;
    }
    // Whether a box ends in the tile of an island.
    static bool stays_in(const Island& island, const Query& box) {
        return IslandSearch<V>::ends_in(island.home->tiles, box.max_x, box.max_y, island.tile_column,
                                        island.tile_row);
    }
    static bool are_few_tiles(const Islands& islands, const Agents& some) {
        const Query& q = some.box;
        const auto [left, low, right, high] = IslandSearch<V>::tiles_around(
            islands.locate, Base::Locator::four(q.min_x, q.min_y, q.max_x, q.max_y));
        return std::uint64_t{high - low + 1} * (right - left + 1) <=
               std::uint64_t{tiles_for_each} * some.count;
    }

    // Calls find(i, island) for each of them and each island that it reaches, until it returns false. Returns
    // whether it never did.
    template <class Find>
    THRONG_KERNEL THRONG_NOINLINE static bool reach(const Islands& islands, const Island* own,
                                                    const Agents& some, const Growth& growth,
                                                    const Find& find) {
        const Query& q = some.box;
        const std::uint32_t end = some.first + some.count;
        return IslandSearch<V>::for_each(
            islands, q.min_x, q.min_y, q.max_x, q.max_y, [&](const Island& other) {
                if (!is_partner(own, other)) return true;
                const Bounds& b = other.bounds;
                const Probe probe(growth.grown(Query{b.min_x, b.min_y, -b.negated_max_x, -b.negated_max_y}));
                for (std::uint32_t j = some.first; j < end; j += Wide::size) {
                    std::uint32_t found = probe.overlap(some.a, j);
                    if (end - j < Wide::size) found &= (1u << (end - j)) - 1;
                    for (; found != 0; found &= found - 1)
                        if (!find(j + Base::lowest(found), other)) return false;
                }
                return true;
            });
    }
    // Together or each alone, unless no agent leaves the tile of its own island.
    template <class Find>
    static bool reach_from(const Islands& islands, const Island* own, const Agents& all, const Growth& growth,
                           const Find& find) {
        const bool reaches_out = own == nullptr || own->reaches_out != 0 || growth.further != 0;
        if (!reaches_out || (own != nullptr && stays_in(*own, all.box))) return true;
        if (are_few_tiles(islands, all)) return reach(islands, own, all, growth, find);
        for (std::uint32_t i = all.first; i < all.first + all.count; ++i) {
            const Agents alone = one(all.a, i, growth);
            const bool is_nowhere = alone.box.min_x != alone.box.min_x;
            if (is_nowhere || (own != nullptr && stays_in(*own, alone.box))) continue;
            if (!reach(islands, own, alone, growth, find)) return false;
        }
        return true;
    }
    // The same for all agents of a row and the islands on which they look for pairs: all islands of their
    // region, and those beside the island that they stand on, and beside each island around that.
    template <class Find>
    static void for_each(const View& home, const Island* island, const Row& row, const Find& find,
                         const Growth& growth = Growth(0)) {
        const Arrays a(row);
        for (std::uint32_t i = 0; i < row.count; i += together) {
            const Agents all = some(a, i, row.count - i < together ? row.count - i : together, growth);
            if (!(all.box.min_x <= all.box.max_x)) continue;
            if (home.islands != nullptr && !reach_from(*home.islands, nullptr, all, growth, find)) return;
            for (const Island* own = island; own != nullptr; own = own->parent)
                if (!reach_from(*own->home, own, all, growth, find)) return;
        }
    }
};

}  // namespace throng::simd
