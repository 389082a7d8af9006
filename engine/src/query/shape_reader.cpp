#include "engine/src/query/shape_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/kernels.hpp"
#include "engine/src/store/spaces.hpp"

namespace throng::detail {

namespace {

using Kind = simd::ShapeQuery::Kind;

// --- The bounds of shapes: a box that overlaps the box of each agent that the shape finds ---

// A little further out, by more than the rounding of `v`.
float below(float v) noexcept {
    constexpr float lowest = std::numeric_limits<float>::lowest();
    const float lower = v - (v < 0 ? -v : v) * 0x1p-22f;
    return lower > lowest ? lower : lowest;
}
float above(float v) noexcept { return -below(-v); }

// How far a circle may find something: more than the radius, by the rounding of distances and squares that
// are too small for a float, or flushed to zero.
float reach_of_circle(float radius) noexcept { return radius * (1 + 0x1p-20f) + 0x1p-62f; }

// The margins cover the rounding of sums. If agents are boxes or centres, it is `close`, without margins: the
// edge of a box that is found is at most x + reach. It is a float, so it is at most what that is rounded to,
// in any mode. Far from the origin the margin would be wider than many agents. If the square of the radius is
// too large for a float, so are those of some distances, and everything is found.
simd::Query bounds_of_circle(float x, float y, float radius, bool close = false) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    if (!(radius * radius < largest)) return {-largest, -largest, largest, largest};
    const float reach = reach_of_circle(radius);
    if (!close) return {below(x - reach), below(y - reach), above(x + reach), above(y + reach)};
    return {std::max(x - reach, -largest), std::max(y - reach, -largest), std::min(x + reach, largest),
            std::min(y + reach, largest)};
}

// --- Shapes as the kernels take them ---

bool finite(float v) noexcept { return std::isfinite(v); }
bool finite(const Point& p) noexcept { return finite(p.x) && finite(p.y); }

Code read(const Box& box, simd::ShapeQuery& q) noexcept {
    q.kind = Kind::polygon;
    q.edge_count = 0;
    q.circle.bounds = query_of(box);
    return check(box);
}

Code read(const Circle& c, simd::ShapeQuery& q) noexcept {
    if (!finite(c.x) || !finite(c.y)) return Code::not_finite;
    if (c.agents_as > AgentsAs::circles) return Code::bad_config;
    q.kind = Kind::circle;
    q.agents_as = c.agents_as;
    // For agents as circles it is part of the definition.
    const bool as_circles = c.agents_as == AgentsAs::circles;
    q.circle = {bounds_of_circle(c.x, c.y, c.radius, !as_circles), c.x, c.y, c.radius};
    return check_radius(c.radius);
}

Code read(const ThickSegment& s, simd::ShapeQuery& q) noexcept {
    if (!finite(s.from) || !finite(s.to)) return Code::not_finite;
    const double dx = static_cast<double>(s.to.x) - s.from.x, dy = static_cast<double>(s.to.y) - s.from.y;
    const double length = std::sqrt(dx * dx + dy * dy);
    if (!finite(static_cast<float>(length))) return Code::not_finite;
    q.kind = Kind::segment;
    const simd::Query from = bounds_of_circle(s.from.x, s.from.y, s.radius),
                      to = bounds_of_circle(s.to.x, s.to.y, s.radius);
    q.circle = {{std::min(from.min_x, to.min_x), std::min(from.min_y, to.min_y),
                 std::max(from.max_x, to.max_x), std::max(from.max_y, to.max_y)},
                s.from.x,
                s.from.y,
                s.radius};
    q.to_x = s.to.x;
    q.to_y = s.to.y;
    q.length = static_cast<float>(length);
    q.unit_x = length > 0 ? static_cast<float>(dx / length) : 0;
    q.unit_y = length > 0 ? static_cast<float>(dy / length) : 0;
    return check_radius(s.radius);
}

double cross(const simd::PolygonEdge& a, const simd::PolygonEdge& b) noexcept {
    return static_cast<double>(a.unit_x) * b.unit_y - static_cast<double>(a.unit_y) * b.unit_x;
}

// Whether the edges turn left all the way, and once around. A right turn within the rounding of corners does
// not count.
bool is_convex(std::span<const simd::PolygonEdge> edges) noexcept {
    const simd::PolygonEdge* before = nullptr;
    for (const simd::PolygonEdge& e : edges)
        if (e.unit_x != 0 || e.unit_y != 0) before = &e;
    if (before == nullptr) return true;
    int turns_x = 0, turns_y = 0, side_x = 0, side_y = 0, first_x = 0, first_y = 0;
    const auto turn = [](float d, int& side, int& first, int& turns) {
        if (d == 0) return;
        const int now = d > 0 ? 1 : -1;
        if (first == 0) first = now;
        turns += side != 0 && now != side;
        side = now;
    };
    for (const simd::PolygonEdge& e : edges) {
        if (e.unit_x == 0 && e.unit_y == 0) continue;
        if (cross(*before, e) < -1e-6) return false;
        turn(e.unit_x, side_x, first_x, turns_x);
        turn(e.unit_y, side_y, first_y, turns_y);
        before = &e;
    }
    return turns_x + (side_x != first_x) <= 2 && turns_y + (side_y != first_y) <= 2;
}

Code read(const ConvexPolygon& polygon, simd::ShapeQuery& q, simd::PolygonEdge* edges) noexcept {
    const std::span<const Point> corners = polygon.corners();
    const std::size_t count = corners.size();
    if (count == 0 || count > ConvexPolygon::max_corners) return Code::bad_shape;
    if (corners.data() == nullptr) return Code::null_view;
    simd::Query bounds{corners[0].x, corners[0].y, corners[0].x, corners[0].y};
    double area = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Point &p = corners[i], &next = corners[i + 1 < count ? i + 1 : 0];
        if (!finite(p)) return Code::not_finite;
        bounds = {std::min(bounds.min_x, p.x), std::min(bounds.min_y, p.y), std::max(bounds.max_x, p.x),
                  std::max(bounds.max_y, p.y)};
        area += (static_cast<double>(p.x) - corners[0].x) * (static_cast<double>(next.y) - corners[0].y) -
                (static_cast<double>(p.y) - corners[0].y) * (static_cast<double>(next.x) - corners[0].x);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = area < 0 ? count - 1 - i : i;
        const std::size_t to = area < 0 ? (at == 0 ? count - 1 : at - 1) : (at + 1 < count ? at + 1 : 0);
        const double dx = static_cast<double>(corners[to].x) - corners[at].x,
                     dy = static_cast<double>(corners[to].y) - corners[at].y,
                     length = std::sqrt(dx * dx + dy * dy);
        edges[i] = {corners[at].x, corners[at].y, 0, 0};
        if (length == 0) continue;
        edges[i].unit_x = static_cast<float>(dx / length);
        edges[i].unit_y = static_cast<float>(dy / length);
    }
    q.kind = Kind::polygon;
    q.circle.bounds = bounds;
    q.edge_count = static_cast<std::uint32_t>(count);
    q.edges = edges;
    return MovedShape::was_convex(polygon) || is_convex({edges, count}) ? Code::ok : Code::bad_shape;
}

}  // namespace

Code read_shape(const Shape& shape, simd::ShapeQuery& query, simd::PolygonEdge* edges) noexcept {
    query = {};
    switch (shape.kind()) {
    case Shape::Kind::box: return read(shape.box(), query);
    case Shape::Kind::circle: return read(shape.circle(), query);
    case Shape::Kind::segment: return read(shape.segment(), query);
    case Shape::Kind::polygon: return read(shape.polygon(), query, edges);
    }
    return Code::bad_shape;
}

Status read_shapes(const Shapes& shapes, simd::ShapeQuery* queries, simd::Query* bounds,
                   simd::PolygonEdge* edges) noexcept {
    // Circles are small and come in large numbers.
    if (const Circle* circles = shapes.circles(); circles != nullptr) {
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            if (const Code code = read(circles[i], queries[i]); code != Code::ok) return {code, i};
            bounds[i] = queries[i].circle.bounds;
        }
        return {};
    }
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Shape shape = shapes[i];
        if (const Code code = read_shape(shape, queries[i], edges); code != Code::ok) return {code, i};
        bounds[i] = queries[i].circle.bounds;
        edges += edges_of(shape);
    }
    return {};
}

Status check(const Shapes& shapes) noexcept {
    simd::ShapeQuery query;
    simd::PolygonEdge edges[ConvexPolygon::max_corners];
    for (std::size_t i = 0; i < shapes.size(); ++i)
        if (const Code code = read_shape(shapes[i], query, edges); code != Code::ok) return {code, i};
    return {};
}

}  // namespace throng::detail
