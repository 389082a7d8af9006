#include "bench/hunt/queries.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "worlds/hunted/frames.hpp"
#include "worlds/hunted/orders.hpp"

namespace throng::hunt {

namespace {

template <class Size>
auto median(const std::vector<Box>& boxes, Size&& size) {
    std::vector<decltype(size(boxes[0]))> sizes;
    for (const Box& box : boxes) sizes.push_back(size(box));
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    return *middle;
}

float width(const Box& box) { return box.max_x - box.min_x; }
float height(const Box& box) { return box.max_y - box.min_y; }
float length(const Box& box) { return std::max(width(box), height(box)); }
double area(const Box& box) { return double(width(box)) * height(box); }

Point middle_of(const Box& box) { return {box.min_x + 0.5f * width(box), box.min_y + 0.5f * height(box)}; }
// No shape may be longer than a float can say.
float at_most_far(double coordinate) { return static_cast<float>(std::clamp(coordinate, -1e38, 1e38)); }

}  // namespace

std::vector<Box> shuffled(const std::vector<Box>& boxes, worlds::Random& random) {
    std::vector<Box> all = boxes;
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
    return all;
}

std::vector<Box> coherent(const std::vector<Box>& boxes) {
    std::vector<Box> all;
    all.reserve(boxes.size());
    for (const std::uint32_t i : worlds::morton_order(worlds::centres_of(boxes))) all.push_back(boxes[i]);
    return all;
}

std::vector<Box> sample(const std::vector<Box>& boxes, std::size_t count, worlds::Random& random) {
    std::vector<Box> some;
    for (std::size_t i = 0; i < count && !boxes.empty(); ++i)
        some.push_back(boxes[random.below(boxes.size())]);
    return some;
}

std::vector<Box> wide(const std::vector<Box>& boxes, std::size_t count, worlds::Random& random) {
    std::vector<Box> some = sample(boxes, count, random);
    if (some.empty()) return some;
    // The median width by the median height would be the shape of no agent where some are tall and the others
    // flat.
    const float half = at_most_far(5 * std::sqrt(median(boxes, area)));
    for (Box& box : some) {
        const Point middle = middle_of(box);
        box = Box::around(middle.x, middle.y, half, half);
    }
    return some;
}

std::vector<Shape> circles(const std::vector<Box>& boxes, std::size_t count, worlds::Random& random) {
    const float radius = at_most_far(2.5f * median(boxes, length));
    std::vector<Shape> all;
    for (const Box& box : sample(boxes, count, random)) {
        const Point middle = middle_of(box);
        all.push_back(Circle{middle.x, middle.y, radius});
    }
    return all;
}

std::vector<Shape> segments(const std::vector<Box>& boxes, std::size_t count, worlds::Random& random) {
    const double typical = median(boxes, length);
    std::vector<Shape> all;
    for (const Box& box : sample(boxes, count, random)) {
        const worlds::Point way = worlds::on_circle(random.uniform());
        const Point from = middle_of(box);
        const Point to{at_most_far(from.x + 20 * typical * way.x),
                       at_most_far(from.y + 20 * typical * way.y)};
        all.push_back(ThickSegment{from, to, static_cast<float>(0.1 * typical)});
    }
    return all;
}

Box nudged(const Box& box) {
    const float step = 0.1f * width(box);
    return {box.min_x + step, box.min_y, box.max_x + step, box.max_y};
}

}  // namespace throng::hunt
