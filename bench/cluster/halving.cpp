#include "bench/cluster/halving.hpp"

#include <algorithm>

namespace throng::cluster_bench {

namespace {

void halve(std::span<Point> points, std::span<std::size_t> counts) {
    if (counts.size() == 1) {
        counts[0] = points.size();
        return;
    }
    Box bounds = no_box;
    for (const Point& at : points) bounds = bounds.united({at.x, at.y, at.x, at.y});
    const bool wide = bounds.max_x - bounds.min_x > bounds.max_y - bounds.min_y;
    const std::size_t low = counts.size() / 2, cut = points.size() * low / counts.size();
    std::nth_element(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(cut), points.end(),
                     [&](const Point& a, const Point& b) { return wide ? a.x < b.x : a.y < b.y; });
    halve(points.first(cut), counts.first(low));
    halve(points.subspan(cut), counts.subspan(low));
}

}  // namespace

std::vector<std::size_t> halved(std::vector<Point> points, int ranks) {
    std::vector<std::size_t> counts(static_cast<std::size_t>(ranks));
    halve(points, counts);
    return counts;
}

}  // namespace throng::cluster_bench
