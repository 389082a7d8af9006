// What the planner of islands asks about the agents of its sample (engine/src/plan/islands): the places of
// their lower left corners.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct SamplePoints : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Wide;
    using typename Base::Window;

    static constexpr std::size_t at_once = 64;

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
        constexpr std::size_t lanes = Window::size;
        for (std::size_t first = 0; first < count; first += at_once) {
            const std::size_t here = count - first < at_once ? count - first : at_once;
            std::int32_t rows[at_once], columns[at_once];
            std::size_t i = 0;
            for (; i + lanes <= here; i += lanes) find(tiles, boxes + first + i, rows + i, columns + i);
            if (i < here) {  // nothing behind them may be read
                Query last[lanes];
                for (std::size_t k = 0; k < lanes; ++k) last[k] = boxes[first + (i + k < here ? i + k : i)];
                find(tiles, last, rows + i, columns + i);
            }
            for (i = 0; i < here; ++i)
                tile_of[first + i] = static_cast<std::uint32_t>(rows[i]) * tiles.columns +
                                     static_cast<std::uint32_t>(columns[i]);
        }
    }

private:
    static_assert(at_once % Window::size == 0);

    // For as many boxes as a vector has lanes.
    static void find(const Tiles& tiles, const Query* boxes, std::int32_t* rows, std::int32_t* columns) {
        const float* const at = &boxes->min_x;
        constexpr std::size_t edges = sizeof(Query) / sizeof(float);
        const auto load = [at](std::size_t k) { return V::quarters(at + k * edges, at + (k + 4) * edges); };
        Window x = load(0), y = load(1), max_x = load(2), max_y = load(3);
        Base::transpose(x, y, max_x, max_y);
        const auto bin = [](const Window& from, float origin, float scale, float last) {
            return xsimd::to_int(Base::clamped((from - Window(origin)) * Window(scale), Window(last)));
        };
        bin(x, tiles.origin_x, tiles.inverse_width, tiles.last_column).store_unaligned(columns);
        bin(y, tiles.origin_y, tiles.inverse_height, tiles.last_row).store_unaligned(rows);
    }
};

}  // namespace throng::simd
