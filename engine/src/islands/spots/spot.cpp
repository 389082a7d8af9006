#include "engine/src/islands/spots/spot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/src/plan/sample.hpp"

namespace throng::detail {

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
    double joined = 1;
    while ((width / side.width + 1) * (height / side.height + 1) > joined * joined * few_tiles) joined *= 2;
    const auto room = [&](double before, double length, double of_tile) {
        double period = joined;
        while (period > 1 && 2 * period > length / of_tile) period /= 2;
        const double over = before / of_tile - period / 3;
        return std::ceil(over / period) * period - over;
    };
    return {room(x - extent.min_x, width, side.width), room(y - extent.min_y, height, side.height)};
}

}  // namespace throng::detail
