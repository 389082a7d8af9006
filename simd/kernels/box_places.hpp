// Where boxes belong: the lower left corners of a sample in the tiles of islands, and oversized agents in the
// ranks of their tree.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/kernels/vectors.hpp"
#include "simd/row_kernels.hpp"

namespace throng::simd {

// What the planner of islands asks about the agents of its sample (engine/src/plan/islands): the places of
// their lower left corners.
template <class V>
struct SamplePoints : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Wide;

    // Their bounds. Whole boxes are compared, as many as fit into a vector, two vectors in turn, since each
    // waits for the one before.
    THRONG_KERNEL static Query bound_corners(const Query* boxes, std::size_t count) {
        constexpr std::size_t edges = sizeof(Query) / sizeof(float), lanes = Wide::size, some = lanes / edges;
        constexpr float far = infinite;
        Wide low[2] = {Wide(far), Wide(far)}, high[2] = {Wide(-far), Wide(-far)};
        std::size_t i = 0;
        for (; i + 2 * some <= count; i += 2 * some)
            for (std::size_t k = 0; k < 2; ++k) {
                const Wide next = Wide::load_unaligned(&boxes[i + k * some].min_x);
                low[k] = V::smaller(next, low[k]);
                high[k] = V::larger(next, high[k]);
            }
        float least[lanes], most[lanes];
        V::smaller(low[0], low[1]).store_unaligned(least);
        V::larger(high[0], high[1]).store_unaligned(most);
        Query all{far, far, -far, -far};
        const auto add = [&all](float min_x, float min_y, float max_x, float max_y) {
            all.min_x = min_x < all.min_x ? min_x : all.min_x;
            all.min_y = min_y < all.min_y ? min_y : all.min_y;
            all.max_x = max_x > all.max_x ? max_x : all.max_x;
            all.max_y = max_y > all.max_y ? max_y : all.max_y;
        };
        for (std::size_t k = 0; k < lanes; k += edges) add(least[k], least[k + 1], most[k], most[k + 1]);
        for (; i < count; ++i) add(boxes[i].min_x, boxes[i].min_y, boxes[i].min_x, boxes[i].min_y);
        return all;
    }

    // In which tile each is.
    THRONG_KERNEL static void find_tiles(const Tiles& tiles, const Query* boxes, std::size_t count,
                                         std::uint32_t* tile_of) {
        const Locate corners{
            {0, 0, 0, 0},
            {tiles.origin_x, tiles.origin_y, tiles.origin_x, tiles.origin_y},
            {tiles.inverse_width, tiles.inverse_height, tiles.inverse_width, tiles.inverse_height},
            {},
            {tiles.last_column, tiles.last_row, tiles.last_column, tiles.last_row}};
        constexpr std::size_t at_once = Base::Reaches::capacity;
        const typename Base::QueriesAt box(boxes);
        for (std::size_t first = 0; first < count; first += at_once) {
            const std::size_t here = count - first < at_once ? count - first : at_once;
            const typename Base::Reaches reaches(corners, box, first, here);
            for (std::size_t i = 0; i < here; ++i)
                tile_of[first + i] = reaches[i].first_row * tiles.columns + reaches[i].first_column;
        }
    }
};

// The ranks of boxes in the tree over oversized agents: see engine/src/frame/tree/tree_ranks.hpp. Plain loops
// over some boxes at a time, without a branch that depends on a box, so that compilers make vectors of them.
template <class V>
struct FindRanks : Vectors<V> {
    using Base = Vectors<V>;

    static constexpr std::size_t at_once = 64;

    // Puts a zero in front of every bit.
    static std::uint32_t spread(std::uint32_t bits) {
        bits = (bits | bits << 8) & 0x00FF00FFu;
        bits = (bits | bits << 4) & 0x0F0F0F0Fu;
        bits = (bits | bits << 2) & 0x33333333u;
        return (bits | bits << 1) & 0x55555555u;
    }
    static std::uint32_t rank_in_part(std::uint32_t edge, std::uint32_t first, std::uint32_t shift) {
        constexpr std::uint32_t last = (1u << TreeMarks::rank_bits) - 1;
        const std::uint32_t rank = ((edge > first ? edge : first) - first) >> shift;
        return rank < last ? rank : last;
    }
    static void find_by_marks(const TreeMarks& tree, const Query* boxes, std::size_t count,
                              std::uint32_t* ranks) {
        constexpr std::uint32_t at_most = TreeMarks::levels_at_once;
        const TreeMarks::Branch* const branches = tree.branches();
        const TreeMarks::Part* const parts = tree.parts();
        alignas(32) std::uint32_t edges[8 * at_once];
        std::uint32_t number[at_once];
        for (std::size_t i = 0; i < count; ++i) {
            const Query& box = boxes[i];
            for (std::size_t k = 0; k < 4; ++k) edges[8 * i + k] = Base::ordered_bits((&box.min_x)[k]);
            edges[8 * i + TreeMarks::upright] =
                TreeMarks::how_upright(box.max_x - box.min_x, box.max_y - box.min_y);
            number[i] = 1;
        }
        std::uint32_t levels = (tree.levels + at_most - 1) % at_most + 1;  // of the first branch
        for (std::uint32_t level = 0; level < tree.levels; level += levels, levels = at_most)
            for (std::size_t i = 0; i < count; ++i) {
                const TreeMarks::Branch& branch = branches[number[i]];
                const std::uint32_t half = V::halved(branch.edge, branch.at, edges + 8 * i);
                number[i] = number[i] << levels | half >> (at_most - levels);
            }
        // The numbers of the parts are put side by side, and vectors make ranks of them.
        std::uint32_t edge[2][at_once], first[2][at_once], shift[2][at_once];
        for (std::size_t i = 0; i < count; ++i) {
            const TreeMarks::Part& part = parts[number[i] -= 1u << tree.levels];
            for (std::size_t k = 0; k < 2; ++k) {
                edge[k][i] = edges[8 * i + (part.first_edge ^ k)];
                first[k][i] = part.first[k];
                shift[k][i] = part.shift[k];
            }
        }
        for (std::size_t i = 0; i < count; ++i)
            ranks[i] = number[i] << 2 * TreeMarks::rank_bits |
                       spread(rank_in_part(edge[0][i], first[0][i], shift[0][i])) << 1 |
                       spread(rank_in_part(edge[1][i], first[1][i], shift[1][i]));
    }
    static void find_on_map(const TreeDivision& division, const Query* boxes, std::size_t count,
                            std::uint32_t* ranks) {
        const auto bin = [](const MapAxis& axis, float low, float high) {
            return Base::bin(low * 0.5f + high * 0.5f - axis.origin, axis.scale, (1 << map_bits) - 1);
        };
        for (std::size_t i = 0; i < count; ++i)
            ranks[i] = spread(bin(division.x, boxes[i].min_x, boxes[i].max_x)) |
                       spread(bin(division.y, boxes[i].min_y, boxes[i].max_y)) << 1;
    }
    THRONG_KERNEL static void find(const TreeDivision& division, const Query* boxes, std::size_t count,
                                   std::uint32_t* ranks) {
        for (std::size_t first = 0; first < count; first += at_once) {
            const std::size_t some = count - first < at_once ? count - first : at_once;
            if (division.marks != nullptr)
                find_by_marks(*division.marks, boxes + first, some, ranks + first);
            else
                find_on_map(division, boxes + first, some, ranks + first);
        }
    }
};

}  // namespace throng::simd
