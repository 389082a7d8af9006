#include "engine/src/plan/islands/tile_sides.hpp"

#include <algorithm>
#include <cmath>

#include "engine/src/plan/numbers.hpp"

namespace throng::detail {

namespace {

using namespace tuned;

}  // namespace

Sizes sides_of_tiles(double tiles, double side_by_side, const Sizes& region, const Sizes& least) noexcept {
    const double area = region.width * region.height,
                 wanted = std::max(std::sqrt(area / tiles), std::max(region.width, region.height) /
                                                                std::min(tiles, double{most_rows}));
    const double wide = std::min(least.width, region.width), high = std::min(least.height, region.height);
    if (wide > std::max(wanted, long_from * least.height))
        return {wide, std::max({least.height, area / tiles / wide,
                                region.height / std::min(side_by_side, double{most_rows})})};
    if (high > std::max(wanted, long_from * least.width))
        return {std::max({least.width, area / tiles / high,
                          region.width / std::min(side_by_side, double{most_rows})}),
                high};
    const auto square = [](double side) { return Sizes{side, side}; };
    if (region.height < std::max(wanted, least.width)) return square(std::max(wanted, least.width));
    if (region.width < std::max(wanted, least.height)) return square(std::max(wanted, least.height));
    return square(std::max({wanted, least.width, least.height}));
}

Sizes widest_common(const Sizes& around, const simd::Tiles& tiles) noexcept {
    const double width = part_of_a_tile / double(tiles.inverse_width),
                 height = part_of_a_tile / double(tiles.inverse_height);
    // With one row of tiles, common agents may be higher than the tiles. That does not limit their width. The
    // same is true the other way round.
    const double side = 1 / double(tiles.inverse_width);
    const bool is_flat = around.width > side || around.height > side;
    if (width != height || is_flat) return {std::max(around.width, width), std::max(around.height, height)};
    const double most = std::max({around.width, around.height, width});
    return {most, most};
}

}  // namespace throng::detail
