// Shapes: circles, polygons and other areas to look for instead of a box. Every query that takes a Box takes
// a Shape too, and every batch that takes Boxes takes Shapes:
//
//     status = frame.for_each_overlap(throng::Circle{x, y, 25}, visitor);            // agents in a blast
//     count = frame.count(throng::ConvexPolygon(wedge), {.categories = player});     // `wedge`: a few Points
//     found = frame.any(throng::ThickSegment{.from = eye, .to = target, .radius = 0.5f});
//     status = frame.overlaps(circles, hits);                                        // a std::vector<Circle>
//
// All shapes are closed: to touch is to overlap. Each is compared with the boxes of agents; a circle may also
// take agents as circles or as their centres. Answers come in the order of all queries; see frame.hpp.
//
// Degenerate shapes have their natural meaning: a circle without a radius is a point, so is a segment without
// a length, and a polygon of one or two corners is a point or a segment. Refused are:
// - as `not_finite`: a coordinate or radius that is not finite, a segment longer than the largest float
// - as `inverted`: a negative radius
// - as `bad_config`: an unknown `agents_as`
// - as `bad_shape`: a polygon that is not convex, or has no corner or more than 32
//
// Answers are computed in floats, each product and sum rounded by itself, so they are the same on every
// machine. Whether a box touches a shape is exact to within rounding.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "throng/boxes.hpp"
#include "throng/export.hpp"
#include "throng/geometry.hpp"
#include "throng/status.hpp"

namespace throng {

namespace detail {
struct MovedShape;
}  // namespace detail

struct Circle {
    float x = 0, y = 0, radius = 0;
    // What is compared with the circle: the agents' boxes, their centres, or their own circles.
    AgentsAs agents_as = AgentsAs::boxes;
};

// All points within `radius` of a segment: a line of sight, a beam, the way of something round.
struct ThickSegment {
    Point from, to;
    float radius = 0;
};

// A convex polygon: a view wedge, a cone of light, a selection. It is a view of its corners, in order,
// clockwise or not. Sides may be in line.
class ConvexPolygon {
public:
    static constexpr std::size_t max_corners = 32;

    template <detail::ViewableRangeOf<Point> Range>
    explicit ConvexPolygon(Range&& corners) noexcept : corners_(std::data(corners), std::size(corners)) {}

    THRONG_API std::span<const Point> corners() const noexcept;

private:
    friend struct detail::MovedShape;
    detail::ViewedSpan<Point> corners_;
    // For a moved polygon, which rounding may leave not quite convex.
    bool was_convex_ = false;
};

// Any one of them.
class Shape {
public:
    enum class Kind : std::uint8_t { box, circle, segment, polygon };

    // NOLINTBEGIN(google-explicit-constructor): each of them is a shape
    Shape(const Box& box) noexcept : box_(box), kind_(Kind::box) {}
    Shape(const Point& point) noexcept : box_{point.x, point.y, point.x, point.y}, kind_(Kind::box) {}
    Shape(const Circle& circle) noexcept : circle_(circle), kind_(Kind::circle) {}
    Shape(const ThickSegment& segment) noexcept : segment_(segment), kind_(Kind::segment) {}
    Shape(const ConvexPolygon& polygon) noexcept : polygon_(polygon), kind_(Kind::polygon) {}
    // A box takes missing coordinates for 0, so `any({x, y})` would ask for the box from there to the origin.
    // With these it does not compile: write `any(Point{x, y})` or `any(Circle{x, y, radius})`.
    Shape(float x, float y) = delete;
    Shape(float x, float y, float radius) = delete;
    // NOLINTEND(google-explicit-constructor)

    Kind kind() const noexcept { return kind_; }
    // Read only the one of its kind.
    const Box& box() const noexcept { return box_; }
    const Circle& circle() const noexcept { return circle_; }
    const ThickSegment& segment() const noexcept { return segment_; }
    const ConvexPolygon& polygon() const noexcept { return polygon_; }

private:
    union {
        Box box_;
        Circle circle_;
        ThickSegment segment_;
        ConvexPolygon polygon_;
    };
    Kind kind_;
};

namespace detail {
// The elements of a batch: shapes of one kind, of any kind, or of a type of the host's that converts to a
// Shape. (Boxes are a Boxes.)
template <class T>
concept ShapeOfBatch = std::convertible_to<const T&, Shape> && !std::convertible_to<const T&, Box>;
template <class Range>
concept RangeOfShapes = ViewableRange<Range> && ShapeOfBatch<ElementOf<Range>>;
}  // namespace detail

// The shapes of a batch: a view of the host's circles, segments, polygons, points or Shapes, or of elements
// that convert to a Shape, each when it is read. (A batch of boxes is a Boxes.)
class Shapes {
public:
    template <detail::RangeOfShapes Range>
    Shapes(Range&& shapes) noexcept  // NOLINT(google-explicit-constructor): a view of the same elements
        : first_(std::data(shapes)),
          count_(std::size(shapes)),
          bytes_of_one_(sizeof(detail::ElementOf<Range>)),
          read_(&read<detail::ElementOf<Range>>),
          are_circles_(std::same_as<detail::ElementOf<Range>, Circle>) {}

    std::size_t size() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }
    Shape operator[](std::size_t i) const noexcept { return read_(at(i)); }
    Shapes part(std::size_t first, std::size_t count) const noexcept {
        Shapes some = *this;
        some.first_ = at(first);
        some.count_ = count;
        return some;
    }
    // If all are circles, the first of them.
    const Circle* circles() const noexcept {
        return are_circles_ ? static_cast<const Circle*>(first_) : nullptr;
    }
    Code fault() const noexcept { return first_ == nullptr && count_ != 0 ? Code::null_view : Code::ok; }

private:
    template <class Element>
    static Shape read(const void* shape) noexcept {
        return *static_cast<const Element*>(shape);
    }
    const void* at(std::size_t i) const noexcept {
        return static_cast<const char*>(first_) + i * bytes_of_one_;
    }

    const void* first_;
    std::size_t count_, bytes_of_one_;
    Shape (*read_)(const void* shape) noexcept;
    bool are_circles_;
};

}  // namespace throng
