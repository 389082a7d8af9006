// Queries of each kind in a world that wraps around: folded, and moved.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/src/query/shape_reader.hpp"
#include "engine/src/store/spaces.hpp"
#include "engine/src/torus/moves.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// --- Boxes -------------------------------------------------------------------------------------------------

// A box is folded as agents are. One that covers everything in a direction needs no images there.
inline Extent extent_of(const Box& box, const Torus& torus) noexcept {
    const auto covers = [](float min, float max, float period) {
        return period != 0 && max - min > 1.5f * period;
    };
    Extent extent{box.min_x, box.min_y, box.max_x, box.max_y, torus.reach_x(), torus.reach_y(), true};
    if (covers(box.min_x, box.max_x, torus.period.x)) {
        extent.min_x = extent.max_x = 0.5 * double{torus.period.x};
        extent.reach_x = 0;
    }
    if (covers(box.min_y, box.max_y, torus.period.y)) {
        extent.min_y = extent.max_y = 0.5 * double{torus.period.y};
        extent.reach_y = 0;
    }
    return extent;
}
inline bool goes_around_too_often(const Box&, const Torus&) noexcept { return false; }

// --- Circles -----------------------------------------------------------------------------------------------

inline Extent extent_of(const Circle& circle, const Torus& torus) noexcept {
    const double x{circle.x}, y{circle.y}, r{circle.radius};
    Extent extent{x - r, y - r, x + r, y + r, torus.reach_x(), torus.reach_y(), true, finds_all(r, torus)};
    // The circle in a box that covers everything in one direction does not.
    if (circle.agents_as != AgentsAs::boxes) {
        if (torus.has_wide) extent.reach_x = double{torus.period.x};
        if (torus.has_high) extent.reach_y = double{torus.period.y};
    }
    return extent;
}
inline Circle folded(Circle circle, const Period& period) noexcept {
    const Point at = folded(Point{circle.x, circle.y}, period);
    circle.x = at.x, circle.y = at.y;
    return circle;
}
inline Circle moved(Circle circle, int k, int l, const Period& period) noexcept {
    const Point at = moved(Point{circle.x, circle.y}, k, l, period);
    circle.x = at.x, circle.y = at.y;
    return circle;
}

// --- Any shape ---------------------------------------------------------------------------------------------

inline Extent extent_around(std::span<const Point> corners, double radius, const Torus& torus) noexcept {
    Extent e{corners[0].x, corners[0].y, corners[0].x, corners[0].y, torus.reach_x(), torus.reach_y(), false};
    for (const Point& p : corners) {
        e.min_x = std::min(e.min_x, double{p.x}), e.max_x = std::max(e.max_x, double{p.x});
        e.min_y = std::min(e.min_y, double{p.y}), e.max_y = std::max(e.max_y, double{p.y});
    }
    e.min_x -= radius, e.min_y -= radius, e.max_x += radius, e.max_y += radius;
    return e;
}
inline Extent extent_of(const Shape& shape, const Torus& torus) noexcept {
    switch (shape.kind()) {
    case Shape::Kind::box: return extent_of(shape.box(), torus);
    case Shape::Kind::circle: return extent_of(shape.circle(), torus);
    case Shape::Kind::segment: {
        const Point ends[] = {shape.segment().from, shape.segment().to};
        return extent_around(ends, double{shape.segment().radius}, torus);
    }
    case Shape::Kind::polygon: break;
    }
    return extent_around(shape.polygon().corners(), 0, torus);
}

inline bool goes_around_too_often(const Shape& shape, const Torus& torus) noexcept {
    // For boxes and circles the nearest image decides.
    if (shape.kind() == Shape::Kind::box || shape.kind() == Shape::Kind::circle) return false;
    const Extent extent = extent_of(shape, torus);
    return goes_around_too_often(extent.width(), torus.period.x) ||
           goes_around_too_often(extent.height(), torus.period.y);
}

// The fault of a shape: also if it goes around the world too often.
inline Code fault_of(const Shape& shape, const Torus& torus) noexcept {
    simd::ShapeQuery query;
    simd::PolygonEdge edges[ConvexPolygon::max_corners];
    if (const Code bad = read_shape(shape, query, edges); bad != Code::ok) return bad;
    return goes_around_too_often(shape, torus) ? Code::too_large : Code::ok;
}

// A shape with each of its points `from` moved to `to`, and the others moved along.
template <class Move>
MovedShape shape_with(const Shape& shape, const Move& move) noexcept {
    MovedShape there{.shape = shape};
    if (shape.kind() == Shape::Kind::segment) {
        const ThickSegment& s = shape.segment();
        there.shape = ThickSegment{move(s.from), move(s.to), s.radius};
    } else if (shape.kind() == Shape::Kind::polygon) {
        const std::span<const Point> corners = shape.polygon().corners();
        there.corners = static_cast<std::uint32_t>(corners.size());
        std::transform(corners.begin(), corners.end(), there.corner.data(), move);
    }
    return there;
}
inline Point first_point_of(const Shape& shape) noexcept {
    return shape.kind() == Shape::Kind::segment ? shape.segment().from : shape.polygon().corners()[0];
}

// Whether a fold moved it.
inline bool was_moved(const Shape& from, const Shape& to) noexcept {
    if (from.kind() == Shape::Kind::box) return !(from.box() == to.box());
    if (from.kind() != Shape::Kind::circle) return !(first_point_of(from) == first_point_of(to));
    return from.circle().x != to.circle().x || from.circle().y != to.circle().y;
}

inline MovedShape folded(const Shape& shape, const Period& period) noexcept {
    if (shape.kind() == Shape::Kind::box) return {.shape = folded(shape.box(), period)};
    if (shape.kind() == Shape::Kind::circle) return {.shape = folded(shape.circle(), period)};
    const Point from = first_point_of(shape), to = folded(from, period);
    if (from == to) return shape_with(shape, [](const Point& p) { return p; });
    const auto along = [](float at, float was, float is) {
        return was == is ? at : static_cast<float>(double{is} + (double{at} - double{was}));
    };
    return shape_with(shape, [&](const Point& p) {
        return Point{along(p.x, from.x, to.x), along(p.y, from.y, to.y)};
    });
}
inline MovedShape moved(const Shape& shape, int k, int l, const Period& period) noexcept {
    if (shape.kind() == Shape::Kind::box) return {.shape = moved(shape.box(), k, l, period)};
    if (shape.kind() == Shape::Kind::circle) return {.shape = moved(shape.circle(), k, l, period)};
    return shape_with(shape, [&](const Point& p) { return moved(p, k, l, period); });
}

}  // namespace throng::detail
