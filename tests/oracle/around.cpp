#include "oracle/around.hpp"

#include "oracle/brute_force.hpp"
#include "oracle/shapes.hpp"

namespace throng::oracle {
namespace {

double folded(double at, double period) {
    if (at >= 0 && at < period) return at;
    double rest = std::fmod(at, period);
    if (rest < 0) rest += period;
    return rest < period ? rest : 0;
}

void fold_once(float& min, float& max, float period) {
    const double low{min}, high{max}, centre = (low + high) / 2, there = folded(centre, double{period}),
                                      around{period}, size = high - low;
    if (there == centre && (size < around || std::abs(size / around - 2) <= 0x1p-21)) return;
    const bool is_wide = size >= around;
    min = static_cast<float>(there - (is_wide ? around : centre - low));
    max = static_cast<float>(there + (is_wide ? around : high - centre));
}
// Rounding may put it onto the far seam; from there it comes back.
void fold(float& min, float& max, float period) {
    if (period == 0) return;
    fold_once(min, max, period);
    fold_once(min, max, period);
}

// The points that a segment or a polygon is made of.
std::vector<Point> points_of(const Shape& shape) {
    if (shape.kind() == Shape::Kind::segment) return {shape.segment().from, shape.segment().to};
    const std::span<const Point> corners = shape.polygon().corners();
    return {corners.begin(), corners.end()};
}
Shape shape_of(const Shape& like, const std::vector<Point>& points) {
    if (like.kind() == Shape::Kind::segment) return ThickSegment{points[0], points[1], like.segment().radius};
    return ConvexPolygon(points);
}

// How often the longer side of the bounds goes around.
double times_around(const Shape& shape, const Around& around) {
    double times = 0;
    const double radius = shape.kind() == Shape::Kind::segment ? double{shape.segment().radius} : 0;
    const std::vector<Point> points = points_of(shape);
    for (const Point& a : points)
        for (const Point& b : points) {
            if (around.x != 0)
                times = std::max(times, (double{a.x} - double{b.x} + 2 * radius) / double{around.x});
            if (around.y != 0)
                times = std::max(times, (double{a.y} - double{b.y} + 2 * radius) / double{around.y});
        }
    return times;
}

}  // namespace

Box folded(const Box& box, const Around& around) {
    Box there = box;
    for (const float edge : {box.min_x, box.min_y, box.max_x, box.max_y})
        if (!std::isfinite(edge)) return box;
    if (box.min_x > box.max_x || box.min_y > box.max_y) return box;
    fold(there.min_x, there.max_x, around.x);
    fold(there.min_y, there.max_y, around.y);
    return there;
}

Point folded(const Point& point, const Around& around) {
    const auto axis = [](float at, float period) {
        return period == 0 ? at : static_cast<float>(folded(double{at}, double{period}));
    };
    return {axis(point.x, around.x), axis(point.y, around.y)};
}

bool overlaps_around(const Box& query, const Box& box, const Around& around) {
    const Box there = folded(query, around);
    bool any = false;
    each_move(around, 1, [&](int k, int l) { any = any || moved(there, k, l, around).overlaps(box); });
    return any;
}

bool is_too_long(const Shape& shape, const Around& around) {
    if (shape.kind() == Shape::Kind::box || shape.kind() == Shape::Kind::circle) return false;
    return times_around(shape, around) > 16;
}

bool overlaps_around(const Shape& query, const Box& box, const Around& around) {
    if (query.kind() == Shape::Kind::box) return overlaps_around(query.box(), box, around);
    bool any = false;
    if (query.kind() == Shape::Kind::circle) {
        Circle circle = query.circle();
        const Point there = folded(Point{circle.x, circle.y}, around);
        each_move(around, 1, [&](int k, int l) {
            const Point at = moved(there, k, l, around);
            circle.x = at.x, circle.y = at.y;
            any = any || overlaps(Shape(circle), box);
        });
        return any;
    }
    std::vector<Point> points = points_of(query);
    const Point first = points[0], there = folded(first, around);
    for (Point& point : points) {
        if (there.x != first.x)
            point.x = static_cast<float>(double{there.x} + (double{point.x} - double{first.x}));
        if (there.y != first.y)
            point.y = static_cast<float>(double{there.y} + (double{point.y} - double{first.y}));
    }
    each_move(around, 2 + static_cast<int>(times_around(query, around)), [&](int k, int l) {
        std::vector<Point> image;
        for (const Point& point : points) image.push_back(moved(point, k, l, around));
        any = any || overlaps(shape_of(query, image), box);
    });
    return any;
}

bool are_close_around(const Box& a, const Box& b, const PairQuery& wanted, const Around& around) {
    if (are_close(a, b, wanted)) return true;
    const auto by = [&](int k, int l) {
        if ((k != 0 && around.x == 0) || (l != 0 && around.y == 0)) return false;
        return are_close(moved(a, k, l, around), b, wanted) || are_close(moved(b, k, l, around), a, wanted);
    };
    return by(1, 0) || by(0, 1) || by(1, 1) || by(1, -1);
}

bool are_close_to_image(const Box& a, const Box& b, const PairQuery& wanted, const Around& around) {
    bool any = false;
    each_move(around, 1, [&](int k, int l) { any = any || are_close(moved(a, k, l, around), b, wanted); });
    return any;
}

namespace {

// How often the longer side of what a cast goes over goes around.
double times_around(const Cast& cast, const Around& around) {
    const double x = double{cast.start.max_x} - double{cast.start.min_x} + std::abs(double{cast.dx}),
                 y = double{cast.start.max_y} - double{cast.start.min_y} + std::abs(double{cast.dy}),
                 width = 2 * double{cast.radius};
    return std::max(around.x == 0 ? 0 : (x + width) / double{around.x},
                    around.y == 0 ? 0 : (y + width) / double{around.y});
}

}  // namespace

bool is_too_long(const Cast& cast, const Around& around) { return times_around(cast, around) > 16; }

float time_of_touch_around(const Cast& cast, const Box& box, const Band& band, const Around& around) {
    const Box there = folded(cast.start, around);
    float first = std::numeric_limits<float>::infinity();
    each_move(around, 2 + static_cast<int>(times_around(cast, around)), [&](int k, int l) {
        Cast image = cast;
        image.start = moved(there, k, l, around);
        first = std::min(first, time_of_touch(image, box, band));
    });
    return first;
}

}  // namespace throng::oracle
