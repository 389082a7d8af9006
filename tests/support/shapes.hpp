// Shapes of every kind for the tests.
#pragma once

#include "support/test.hpp"

namespace throng::test {

// Shapes around the boxes that a scene is queried with. Polygons are views, so their corners are here.
class ShapesOf {
public:
    ShapesOf() = default;
    ShapesOf(const Scene& scene, std::size_t count, std::uint64_t seed) : random_(seed) {
        const std::vector<Box> boxes = scene.queries(count, seed);
        corners_.reserve(boxes.size() * ConvexPolygon::max_corners);
        for (const Box& each : boxes) {
            const Shape shape = around(each);
            // A few boxes are so large that the differences of their corners are not finite.
            shapes_.push_back(Frame().count(shape).status.ok() ? shape : Shape(each));
        }
    }
    const std::vector<Shape>& all() const { return shapes_; }
    // Those that meet the condition become points.
    template <class Predicate>
    void shrink_if(const Predicate& predicate) {
        std::replace_if(shapes_.begin(), shapes_.end(), predicate, Shape(Point{1, 1}));
    }

    void replace(std::size_t i, const Shape& shape) { shapes_[i] = shape; }

private:
    Shape around(const Box& b) {
        const float x = 0.5f * b.min_x + 0.5f * b.max_x, y = 0.5f * b.min_y + 0.5f * b.max_y;
        const float half_x = 0.5f * b.max_x - 0.5f * b.min_x, half_y = 0.5f * b.max_y - 0.5f * b.min_y;
        const float radius = std::min(half_x, half_y);
        switch (random_.below(9)) {
        case 0: return Circle{x, y, radius};
        case 1: return Circle{x, y, std::max(half_x, half_y)};
        case 2: return Circle{x, y, radius, AgentsAs::centres};
        case 3: return Circle{x, y, radius, AgentsAs::circles};
        case 4: return ThickSegment{{b.min_x, b.min_y}, {b.max_x, b.max_y}, radius / 8};
        case 5: return ThickSegment{{b.max_x, b.min_y}, {b.min_x, b.max_y}, 0};
        case 6: return polygon({{b.min_x, b.min_y}, {b.max_x, y}, {x, b.max_y}});
        case 7: return random_.below(4) == 0 ? Shape(Point{x, y}) : Shape(b);
        default: return ellipse(x, y, half_x, half_y);
        }
    }
    Shape polygon(const std::vector<Point>& corners) {
        const std::size_t begin = corners_.size();
        corners_.insert(corners_.end(), corners.begin(), corners.end());
        return ConvexPolygon(std::span(corners_).subspan(begin));
    }
    // Its corners are on an ellipse, in one sense or the other.
    Shape ellipse(float x, float y, float half_x, float half_y) {
        const std::size_t count = 1 + random_.below(ConvexPolygon::max_corners);
        std::vector<Point> corners;
        for (std::size_t i = 0; i < count; ++i) {
            // The part of a turn from the last quarter on, by the tangent of half its angle.
            const std::size_t quarter = 4 * i / count;
            const float t = static_cast<float>(4 * i % count) / static_cast<float>(count);
            const float along = (1 - t * t) / (1 + t * t), across = 2 * t / (1 + t * t);
            const float cosine[] = {along, -across, -along, across},
                        sine[] = {across, along, -across, -along};
            corners.push_back({x + half_x * cosine[quarter], y + half_y * sine[quarter]});
        }
        if (random_.below(2) == 0) std::reverse(corners.begin(), corners.end());
        return polygon(corners);
    }

    Random random_{1};
    std::vector<Point> corners_;
    std::vector<Shape> shapes_;
};

}  // namespace throng::test
