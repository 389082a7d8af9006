#include "bench/hunt/queries.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
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

template <class Numbers>
BoxBatch own_boxes(const worlds::Scene& scene, const Numbers& agents) {
    BoxBatch batch;
    batch.queries.reserve(agents.size());
    for (const std::size_t i : agents) {
        batch.queries.push_back(scene.boxes[i]);
        if (!scene.heights.empty()) batch.filters.push_back({.heights = scene.heights[i]});
    }
    return batch;
}

template <class Make>
ShapeBatch shapes_around(const BoxBatch& boxes, Make&& make) {
    ShapeBatch batch{.queries = {}, .filters = boxes.filters};
    for (const Box& box : boxes.queries) batch.queries.push_back(make(middle_of(box)));
    return batch;
}

}  // namespace

BoxBatch shuffled(const worlds::Scene& scene, worlds::Random& random) {
    std::vector<std::size_t> all(scene.boxes.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
    return own_boxes(scene, all);
}

BoxBatch coherent(const worlds::Scene& scene) {
    return own_boxes(scene, worlds::morton_order(worlds::centres_of(scene.boxes)));
}

BoxBatch sample(const worlds::Scene& scene, std::size_t count, worlds::Random& random) {
    std::vector<std::size_t> some;
    for (std::size_t i = 0; i < count && !scene.boxes.empty(); ++i)
        some.push_back(random.below(scene.boxes.size()));
    return own_boxes(scene, some);
}

BoxBatch wide(const worlds::Scene& scene, std::size_t count, worlds::Random& random) {
    BoxBatch some = sample(scene, count, random);
    if (some.queries.empty()) return some;
    // The median width by the median height would be the shape of no agent where some are tall and the others
    // flat.
    const float half = at_most_far(5 * std::sqrt(median(scene.boxes, area)));
    for (Box& box : some.queries) {
        const Point middle = middle_of(box);
        box = Box::around(middle.x, middle.y, half, half);
    }
    return some;
}

ShapeBatch circles(const worlds::Scene& scene, std::size_t count, worlds::Random& random) {
    const float radius = at_most_far(2.5f * median(scene.boxes, length));
    return shapes_around(sample(scene, count, random), [&](const Point& middle) -> Shape {
        return Circle{middle.x, middle.y, radius};
    });
}

ShapeBatch segments(const worlds::Scene& scene, std::size_t count, worlds::Random& random) {
    const double long_way = worlds::without_many_turns(20.0 * median(scene.boxes, length), scene.period);
    return shapes_around(sample(scene, count, random), [&](const Point& from) -> Shape {
        const worlds::Point way = worlds::on_circle(random.uniform());
        const Point to{at_most_far(from.x + long_way * way.x), at_most_far(from.y + long_way * way.y)};
        return ThickSegment{from, to, static_cast<float>(long_way / 200)};
    });
}

Box nudged(const Box& box) {
    const float step = 0.1f * width(box);
    return {box.min_x + step, box.min_y, box.max_x + step, box.max_y};
}

}  // namespace throng::hunt
