// What a query takes: one box or shape, or a batch of boxes or shapes. So each call stands once for both.
//
//     count = frame.count(throng::Circle{x, y, 25});
//     count = frame.count({.min_x = 0, .min_y = 0, .max_x = 4, .max_y = 4});  // braces are a Box
//     status = frame.count(boxes, counts);      // a Boxes, or what a Boxes is made from
//     status = frame.count(circles, counts);    // a Shapes, or what a Shapes is made from
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "throng/boxes.hpp"
#include "throng/geometry.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/status.hpp"

namespace throng {

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
