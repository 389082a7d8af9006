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
#include <type_traits>
#include <utility>

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

// --- What a query takes: one box or shape, or a batch of either --------------------------------------------

// So each call stands once for both:
//
//     count = frame.count(throng::Circle{x, y, 25});
//     count = frame.count({.min_x = 0, .min_y = 0, .max_x = 4, .max_y = 4});  // braces are a Box
//     status = frame.count(boxes, counts);      // a Boxes, or what a Boxes is made from
//     status = frame.count(circles, counts);    // a Shapes, or what a Shapes is made from

// One query: a Box, a Point, a Circle, a ThickSegment, a ConvexPolygon, a Shape, or a type of the host's that
// converts to a Box or to a Shape.
template <class Query>
concept BoxOrShape = std::convertible_to<const Query&, Box> || std::convertible_to<const Query&, Shape>;

// One box, where no shape is allowed, such as the box of an agent.
template <class Given>
concept OneBox = std::convertible_to<const Given&, Box>;

// The queries of a batch: a Boxes, a Shapes, or what these are made from. A host need not name it.
class BoxesOrShapes {
public:
    // NOLINTBEGIN(google-explicit-constructor): a view of the same elements
    template <class Queries>
        requires std::convertible_to<Queries, Boxes> BoxesOrShapes(Queries&& queries)
    noexcept : boxes_(std::forward<Queries>(queries)), are_boxes_(true) {}
    template <class Queries>
        requires std::convertible_to<Queries, Shapes> BoxesOrShapes(Queries&& queries)
    noexcept : shapes_(std::forward<Queries>(queries)), are_boxes_(false) {}
    // A view of a temporary container would dangle: give the container a name.
    template <detail::ContiguousRange Range>
        requires detail::TemporaryContainer<Range> BoxesOrShapes(Range&& queries)
    = delete;
    // NOLINTEND(google-explicit-constructor)

    // Calls it with the Boxes, or with the Shapes.
    template <class Call>
    auto visit(const Call& call) const {
        return are_boxes_ ? call(boxes_) : call(shapes_);
    }
    std::size_t size() const noexcept {
        return visit([](const auto& queries) { return queries.size(); });
    }
    Code fault() const noexcept {
        return visit([](const auto& queries) { return queries.fault(); });
    }
    BoxesOrShapes part(std::size_t first, std::size_t count) const noexcept {
        return visit([&](const auto& queries) -> BoxesOrShapes { return queries.part(first, count); });
    }

private:
    union {
        Boxes boxes_;
        Shapes shapes_;
    };
    bool are_boxes_;
};

namespace detail {

// Named by the compiler where numbers are missing: see below.
template <class Missing>
constexpr float all_four_numbers() noexcept {
    static_assert(sizeof(Missing) == 0,
                  "a box in braces has four numbers; for others say Point{x, y} or Circle{x, y, radius}");
    return 0;
}

// Four floats in braces where a call takes any BoxOrShape, or OneBox. All four must be there: a Box would
// take missing ones for 0, so `any({x, y})` would ask for the box from there to the origin. A default member
// initialiser of a template is only compiled where it is used.
template <class Missing>
struct FourNumbersOf {
    float min_x = all_four_numbers<Missing>(), min_y = all_four_numbers<Missing>(),
          max_x = all_four_numbers<Missing>(), max_y = all_four_numbers<Missing>();

    constexpr operator Box() const noexcept {  // NOLINT(google-explicit-constructor): that is what it is for
        return {min_x, min_y, max_x, max_y};
    }
};
struct NumberMissing {};
using FourNumbers = FourNumbersOf<NumberMissing>;

// A query as a Box if it converts to one, and otherwise as a Shape.
template <BoxOrShape Query>
constexpr auto box_or_shape(const Query& query) {
    using Plain = std::conditional_t<std::convertible_to<const Query&, Box>, Box, Shape>;
    const Plain plain = query;
    return plain;
}

}  // namespace detail

}  // namespace throng
