#include "oracle/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

#include "oracle/brute_force.hpp"

namespace throng::oracle {
namespace {

constexpr float largest = std::numeric_limits<float>::max();

Code check_numbers(std::initializer_list<float> coordinates, float radius) {
    for (const float v : coordinates)
        if (!std::isfinite(v)) return Code::not_finite;
    if (!std::isfinite(radius)) return Code::not_finite;
    return radius < 0 ? Code::inverted : Code::ok;
}

float squared(float dx, float dy) { return dx * dx + dy * dy; }
// How far a coordinate is beyond a range.
float beyond(float min, float max, float at) { return std::max(std::max(min - at, at - max), 0.0f); }
float to_box(const Box& b, float x, float y) {
    return squared(beyond(b.min_x, b.max_x, x), beyond(b.min_y, b.max_y, y));
}

// A little more than a radius around a point: no box further away than that is found, whatever rounding says.
Box bounds_around(float x, float y, float radius) {
    if (!(radius * radius < largest)) return {-largest, -largest, largest, largest};
    const float reach = radius * (1 + 0x1p-20f) + 0x1p-62f;
    const auto below = [](float v) { return std::max(v - std::abs(v) * 0x1p-22f, -largest); };
    return {below(x - reach), below(y - reach), -below(-(x + reach)), -below(-(y + reach))};
}

bool overlaps(const Circle& c, const Box& b) {
    const float limit = c.radius * c.radius;
    if (c.agents_as == AgentsAs::boxes) return to_box(b, c.x, c.y) <= limit;
    const float x = 0.5f * b.min_x + 0.5f * b.max_x, y = 0.5f * b.min_y + 0.5f * b.max_y;
    if (c.agents_as == AgentsAs::centres) return squared(x - c.x, y - c.y) <= limit;
    const float half_width = 0.5f * b.max_x - 0.5f * b.min_x, half_height = 0.5f * b.max_y - 0.5f * b.min_y;
    const float both = c.radius + std::min(half_width, half_height);
    return squared(x - c.x, y - c.y) <= both * both && bounds_around(c.x, c.y, c.radius).overlaps(b);
}

bool overlaps(const ThickSegment& s, const Box& b) {
    const Box from = bounds_around(s.from.x, s.from.y, s.radius),
              to = bounds_around(s.to.x, s.to.y, s.radius);
    const Box bounds{std::min(from.min_x, to.min_x), std::min(from.min_y, to.min_y),
                     std::max(from.max_x, to.max_x), std::max(from.max_y, to.max_y)};
    if (!bounds.overlaps(b)) return false;
    const float limit = s.radius * s.radius;
    if (to_box(b, s.from.x, s.from.y) <= limit || to_box(b, s.to.x, s.to.y) <= limit) return true;
    const double dx = static_cast<double>(s.to.x) - s.from.x, dy = static_cast<double>(s.to.y) - s.from.y;
    const double exact_length = std::sqrt(dx * dx + dy * dy);
    const auto length = static_cast<float>(exact_length);
    const float ux = exact_length > 0 ? static_cast<float>(dx / exact_length) : 0;
    const float uy = exact_length > 0 ? static_cast<float>(dy / exact_length) : 0;
    // Which side of the segment's line each corner is on, and how near it is to the segment.
    bool left = false, right = false;
    for (const float x : {b.min_x, b.max_x})
        for (const float y : {b.min_y, b.max_y}) {
            const float px = x - s.from.x, py = y - s.from.y;
            const float side = ux * (0.5f * y - 0.5f * s.from.y) - uy * (0.5f * x - 0.5f * s.from.x);
            left = left || side >= 0;
            right = right || side <= 0;
            float along = px * ux + py * uy;
            along = along > 0 ? along : 0;
            along = along < length ? along : length;
            if (squared(px - along * ux, py - along * uy) <= limit) return true;
        }
    const Box own{std::min(s.from.x, s.to.x), std::min(s.from.y, s.to.y), std::max(s.from.x, s.to.x),
                  std::max(s.from.y, s.to.y)};
    return left && right && own.overlaps(b);
}

double area_of(std::span<const Point> p) {
    double area = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Point& next = p[(i + 1) % p.size()];
        area += (static_cast<double>(p[i].x) - p[0].x) * (static_cast<double>(next.y) - p[0].y) -
                (static_cast<double>(p[i].y) - p[0].y) * (static_cast<double>(next.x) - p[0].x);
    }
    return area;
}

bool overlaps(const ConvexPolygon& polygon, const Box& b) {
    std::vector<Point> p(polygon.corners().begin(), polygon.corners().end());
    if (area_of(p) < 0) std::reverse(p.begin(), p.end());
    Box bounds{p[0].x, p[0].y, p[0].x, p[0].y};
    for (const Point& c : p)
        bounds = {std::min(bounds.min_x, c.x), std::min(bounds.min_y, c.y), std::max(bounds.max_x, c.x),
                  std::max(bounds.max_y, c.y)};
    if (!bounds.overlaps(b)) return false;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Point& next = p[(i + 1) % p.size()];
        const double x_to = static_cast<double>(next.x) - p[i].x, y_to = static_cast<double>(next.y) - p[i].y;
        const double length = std::sqrt(x_to * x_to + y_to * y_to);
        if (length == 0) continue;
        const auto dx = static_cast<float>(x_to / length), dy = static_cast<float>(y_to / length);
        // The corner that is furthest to the left.
        const float x = dy > 0 ? b.min_x : b.max_x, y = dx > 0 ? b.max_y : b.min_y;
        if (dx * (0.5f * y - 0.5f * p[i].y) - dy * (0.5f * x - 0.5f * p[i].x) < 0) return false;
    }
    return true;
}

Code check(const ConvexPolygon& polygon) {
    const std::span<const Point> p = polygon.corners();
    if (p.empty() || p.size() > ConvexPolygon::max_corners) return Code::bad_shape;
    for (const Point& c : p)
        if (!std::isfinite(c.x) || !std::isfinite(c.y)) return Code::not_finite;
    // No corner is on the wrong side of any edge, by more than rounding.
    const double sign = area_of(p) < 0 ? -1 : 1;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Point& next = p[(i + 1) % p.size()];
        const double dx = static_cast<double>(next.x) - p[i].x, dy = static_cast<double>(next.y) - p[i].y;
        for (const Point& c : p) {
            const double x = static_cast<double>(c.x) - p[i].x, y = static_cast<double>(c.y) - p[i].y;
            if (sign * (dx * y - dy * x) < -1e-6 * std::sqrt((dx * dx + dy * dy) * (x * x + y * y)))
                return Code::bad_shape;
        }
    }
    return Code::ok;
}

}  // namespace

Code check(const Shape& shape) {
    switch (shape.kind()) {
    case Shape::Kind::box: return check(shape.box());
    case Shape::Kind::circle:
        return check_numbers({shape.circle().x, shape.circle().y}, shape.circle().radius);
    case Shape::Kind::segment: {
        const ThickSegment& s = shape.segment();
        const double dx = static_cast<double>(s.to.x) - s.from.x, dy = static_cast<double>(s.to.y) - s.from.y;
        const auto length = static_cast<float>(std::sqrt(dx * dx + dy * dy));
        return check_numbers({s.from.x, s.from.y, s.to.x, s.to.y, length}, s.radius);
    }
    case Shape::Kind::polygon: return check(shape.polygon());
    }
    return Code::bad_shape;
}

bool overlaps(const Shape& shape, const Box& box) {
    switch (shape.kind()) {
    case Shape::Kind::box: return shape.box().overlaps(box);
    case Shape::Kind::circle: return overlaps(shape.circle(), box);
    case Shape::Kind::segment: return overlaps(shape.segment(), box);
    case Shape::Kind::polygon: return overlaps(shape.polygon(), box);
    }
    return false;
}

}  // namespace throng::oracle
