// By how many periods a query is moved so that no agent is missed, and queries of each kind, folded and
// moved.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/box_math.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/query/query_batch.hpp"
#include "engine/src/store/spaces.hpp"
#include "throng/agents_as.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// What a query may touch, and how far beyond [0, period) agents may reach to be touched.
struct Extent {
    double min_x, min_y, max_x, max_y;
    double reach_x, reach_y;
    // Whether only the nearest image of an agent decides; otherwise any may.
    bool nearest_decides;
    bool finds_all = false;  // agents anywhere, so each image finds them

    double width() const noexcept { return max_x - min_x; }
    double height() const noexcept { return max_y - min_y; }
};

// A radius whose square is too large for a float finds all, also together with radii of agents.
inline bool finds_all(double radius, const Torus& torus) noexcept {
    const double most = radius + double{torus.width} + double{torus.height} + double{torus.circle};
    return most * most >= double{std::numeric_limits<float>::max()};
}

class AxisMoves {
public:
    static constexpr int most = 20;

    AxisMoves() = default;
    AxisMoves(double min, double max, float period, double reach, bool nearest_decides) noexcept {
        // Far from seams, as most are: without a division.
        if (period == 0 || (min > reach && max < double{period} - reach)) return;
        const double limit = nearest_decides ? 1 : most, one{period};
        first = static_cast<int>(std::clamp(std::ceil((-reach - max) / one), -limit, 0.0));
        last = static_cast<int>(std::clamp(std::floor((one + reach - min) / one), 0.0, limit));
    }
    bool alone() const noexcept { return first == last; }

    int first = 0, last = 0;
};

class Moves {
public:
    Moves() = default;
    Moves(const Torus& torus, const Extent& e) noexcept
        : x_(e.min_x, e.max_x, torus.period.x, e.reach_x, e.nearest_decides),
          y_(e.min_y, e.max_y, torus.period.y, e.reach_y, e.nearest_decides) {
        const auto twice = [](const AxisMoves& axis, double size, double reach, bool any, float period) {
            return !axis.alone() && (any || size + 2 * reach >= double{period});
        };
        repeats_ = e.finds_all || twice(x_, e.width(), e.reach_x, torus.has_wide, torus.period.x) ||
                   twice(y_, e.height(), e.reach_y, torus.has_high, torus.period.y);
    }

    // For a place in [0, period) that looks equally far to all sides. In its right half nothing is nearer to
    // the image a period further right than to the place, which finds it before: that image is left out. The
    // same goes for the others, but those to the left or below may come first if there are moves along both
    // axes.
    void leave_out_behind(const Point& at, const Period& period) noexcept {
        const auto is_beyond_half = [](double place, double around) {
            return place - 0.5 * around >= Torus::slack(static_cast<float>(around));
        };
        const double x{at.x}, y{at.y}, around_x{period.x}, around_y{period.y};
        if (is_beyond_half(x, around_x)) x_.last = 0;
        if (is_beyond_half(y, around_y)) y_.last = 0;
        if (y_.alone() && is_beyond_half(around_x - x, around_x)) x_.first = 0;
        if (x_.alone() && is_beyond_half(around_y - y, around_y)) y_.first = 0;
    }
    // Whether the query itself finds all.
    bool alone() const noexcept { return x_.alone() && y_.alone(); }
    // Whether two images may find the same agent.
    bool repeats() const noexcept { return repeats_; }
    // Calls use(k, l) for the images, until it returns false: how many periods each is moved.
    template <class Use>
    bool each(const Use& use) const {
        for (int l = y_.first; l <= y_.last; ++l)
            for (int k = x_.first; k <= x_.last; ++k)
                if ((k != 0 || l != 0) && !use(k, l)) return false;
        return true;
    }

private:
    AxisMoves x_, y_;
    bool repeats_ = false;
};

// Between these edges nothing touches a seam.
struct Inside {
    explicit Inside(const Torus& torus) noexcept : Inside(torus.period, torus.reach_x(), torus.reach_y()) {}
    // More than so far from all seams.
    Inside(const Period& period, double x, double y) noexcept
        : low_x(low(period.x, x)),
          low_y(low(period.y, y)),
          high_x(high(period.x, x)),
          high_y(high(period.y, y)) {}

    // Without a branch, so the compiler makes vectors of many.
    bool has(const simd::Query& q) const noexcept {
        return (q.min_x > low_x) & (q.max_x < high_x) & (q.min_y > low_y) & (q.max_y < high_y);
    }

    float low_x, low_y, high_x, high_y;

private:
    static float low(float period, double reach) noexcept {
        return period == 0 ? -std::numeric_limits<float>::infinity() : float_at_least(reach);
    }
    static float high(float period, double reach) noexcept {
        return period == 0 ? std::numeric_limits<float>::infinity() : float_at_most(double{period} - reach);
    }
};

// Whether a query needs more images than are made. For boxes and circles the nearest image decides.
template <class Query>
bool goes_around_too_often(const Query& query, const Torus& torus) noexcept {
    const auto is_long = [](double size, float period) {
        return period != 0 && !(size <= (AxisMoves::most - 4) * double{period});
    };
    const Extent e = extent_of(query, torus);
    return !e.nearest_decides && (is_long(e.width(), torus.period.x) || is_long(e.height(), torus.period.y));
}
// How a query is refused.
inline Status refusal(Code bad, std::size_t index) noexcept {
    return {bad, index, bad == Code::too_large ? Argument::boxes : Argument::any};
}

// An edge or a place, so many periods further: rounded once.
inline float moved(float at, int periods, float period) noexcept {
    return static_cast<float>(double{at} + periods * double{period});
}
inline Point moved(const Point& at, int k, int l, const Period& period) noexcept {
    return {moved(at.x, k, period.x), moved(at.y, l, period.y)};
}
inline Box moved(const Box& box, int k, int l, const Period& period) noexcept {
    return {moved(box.min_x, k, period.x), moved(box.min_y, l, period.y), moved(box.max_x, k, period.x),
            moved(box.max_y, l, period.y)};
}
inline Point folded(const Point& at, const Period& period) noexcept {
    const auto axis = [](float place, float around) {
        if (around == 0 || (place >= 0 && place < around)) return place;
        return static_cast<float>(folded(double{place}, around));
    };
    return {axis(at.x, period.x), axis(at.y, period.y)};
}

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

// --- Circles -----------------------------------------------------------------------------------------------

inline Extent extent_of(const Circle& circle, const Torus& torus) noexcept {
    const double x{circle.x}, y{circle.y}, r{circle.radius};
    Extent extent{x - r, y - r, x + r, y + r, torus.reach_x(), torus.reach_y(), true, finds_all(r, torus)};
    if (circle.agents_as != AgentsAs::boxes) {
        extent.reach_x = torus.circles_x();
        extent.reach_y = torus.circles_y();
    }
    return extent;
}

// --- Any shape ---------------------------------------------------------------------------------------------

inline Extent extent_around(std::span<const Point> corners, double radius, const Torus& torus) noexcept {
    Extent e{corners[0].x, corners[0].y, corners[0].x, corners[0].y, torus.reach_x(), torus.reach_y(), false};
    e.finds_all = finds_all(radius, torus);
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

// The fault of a shape: also if it goes around the world too often.
inline Code fault_of(const Shape& shape, const Torus& torus) noexcept {
    simd::ShapeQuery query;
    simd::PolygonEdge edges[ConvexPolygon::max_corners];
    if (const Code bad = read_shape(shape, query, edges); bad != Code::ok) return bad;
    return goes_around_too_often(shape, torus) ? Code::too_large : Code::ok;
}

// A shape other than a box, with each of its points moved.
template <class Move>
MovedShape shape_with(const Shape& shape, const Move& move) noexcept {
    MovedShape there{.shape = shape};
    if (shape.kind() == Shape::Kind::circle) {
        Circle c = shape.circle();
        const Point at = move(Point{c.x, c.y});
        c.x = at.x, c.y = at.y;
        there.shape = c;
    } else if (shape.kind() == Shape::Kind::segment) {
        const ThickSegment& s = shape.segment();
        there.shape = ThickSegment{move(s.from), move(s.to), s.radius};
    } else {
        const std::span<const Point> corners = shape.polygon().corners();
        there.corners = static_cast<std::uint32_t>(corners.size());
        std::transform(corners.begin(), corners.end(), there.corner.data(), move);
    }
    return there;
}
inline Point first_point_of(const Shape& shape) noexcept {
    if (shape.kind() == Shape::Kind::circle) return {shape.circle().x, shape.circle().y};
    return shape.kind() == Shape::Kind::segment ? shape.segment().from : shape.polygon().corners()[0];
}
// Whether a fold moved it.
inline bool was_moved(const Shape& from, const Shape& to) noexcept {
    if (from.kind() == Shape::Kind::box) return !(from.box() == to.box());
    return !(first_point_of(from) == first_point_of(to));
}
// The first point is folded, and the others are moved along.
inline MovedShape folded(const Shape& shape, const Period& period) noexcept {
    if (shape.kind() == Shape::Kind::box) return {.shape = folded(shape.box(), period)};
    const Point from = first_point_of(shape), to = folded(from, period);
    const auto along = [](float at, float was, float is) {
        return was == is ? at : static_cast<float>(double{is} + (double{at} - double{was}));
    };
    return shape_with(shape, [&](const Point& p) {
        return Point{along(p.x, from.x, to.x), along(p.y, from.y, to.y)};
    });
}
inline MovedShape moved(const Shape& shape, int k, int l, const Period& period) noexcept {
    if (shape.kind() == Shape::Kind::box) return {.shape = moved(shape.box(), k, l, period)};
    return shape_with(shape, [&](const Point& p) { return moved(p, k, l, period); });
}

}  // namespace throng::detail
