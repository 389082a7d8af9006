#include "engine/src/islands/tile_sides.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/src/plan/sample.hpp"

namespace throng::detail {

namespace {

constexpr double max_tiles_across = 65000;
constexpr double least_float = std::numeric_limits<float>::lowest();

}  // namespace

Sizes sides_of_tiles(double tiles, double side_by_side, const Sizes& region, const Sizes& least) noexcept {
    constexpr double long_from = 8;
    const double area = region.width * region.height,
                 wanted = std::max(std::sqrt(area / tiles),
                                   std::max(region.width, region.height) / std::min(tiles, max_tiles_across));
    const double wide = std::min(least.width, region.width), high = std::min(least.height, region.height);
    if (wide > std::max(wanted, long_from * least.height))
        return {wide, std::max({least.height, area / tiles / wide,
                                region.height / std::min(side_by_side, max_tiles_across)})};
    if (high > std::max(wanted, long_from * least.width))
        return {std::max({least.width, area / tiles / high,
                          region.width / std::min(side_by_side, max_tiles_across)}),
                high};
    const auto square = [](double side) { return Sizes{side, side}; };
    if (region.height < std::max(wanted, least.width)) return square(std::max(wanted, least.width));
    if (region.width < std::max(wanted, least.height)) return square(std::max(wanted, least.height));
    return square(std::max({wanted, least.width, least.height}));
}

Sizes room_before_spot(std::span<const Box> points, const Box& extent, const Sizes& side) noexcept {
    constexpr std::size_t sample = 63;
    if (points.size() < sample) return {};
    std::array<float, sample> xs, ys;
    for (std::size_t k = 0; k < sample; ++k) {
        const Box& point = points[sampled(k, sample, points.size())];
        xs[k] = point.min_x;
        ys[k] = point.min_y;
    }
    const auto median = [](std::array<float, sample> of) {
        std::nth_element(of.begin(), of.begin() + sample / 2, of.end());
        return double(of[sample / 2]);
    };
    const double x = median(xs), y = median(ys);
    std::size_t near = 0;
    for (std::size_t k = 0; k < sample; ++k)
        near += std::abs(xs[k] - x) < side.width && std::abs(ys[k] - y) < side.height;
    if (4 * near < sample) return {};
    const double width = double(extent.max_x) - extent.min_x, height = double(extent.max_y) - extent.min_y;
    // How many tiles will be joined into one on each axis, at most. Their number there is the last one then, with the room, which is less
    // than one; what is one tile wide already is only joined along the other axis.
    double joined = 1;
    const auto left = [&](double length, double of_tile) { return (length / of_tile + 1) / joined + 1; };
    while (left(width, side.width) * left(height, side.height) > few_tiles) joined *= 2;
    const auto room = [&](double low, double before, double length, double of_tile) {
        double period = joined;
        while (period > 1 && 2 * period > length / of_tile) period /= 2;
        const double over = before / of_tile - period / 3;
        // The first tile begins at a finite float.
        return std::min(std::ceil(over / period) * period - over, (low - least_float) / of_tile);
    };
    return {room(extent.min_x, x - extent.min_x, width, side.width),
            room(extent.min_y, y - extent.min_y, height, side.height)};
}

Sizes widest_common(const Sizes& around, const simd::Tiles& tiles) noexcept {
    constexpr double part_of_a_tile = 3.0 / 16;
    const double width = part_of_a_tile / double(tiles.inverse_width),
                 height = part_of_a_tile / double(tiles.inverse_height);
    // In one row of tiles what is common may be higher than the tiles are, which says nothing of its width, and the other way round.
    const double side = 1 / double(tiles.inverse_width);
    const bool is_flat = around.width > side || around.height > side;
    if (width != height || is_flat) return {std::max(around.width, width), std::max(around.height, height)};
    const double most = std::max({around.width, around.height, width});
    return {most, most};
}

}  // namespace throng::detail
