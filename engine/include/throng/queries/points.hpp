// Points: a view of the host's points where they lie, as Boxes is one of boxes. Nothing is copied or owned.
//
//     status = frame.neighbours(places, {.radius = 2}, lists);     // a std::vector<Point>, or any such range
//     points = Points::arrays(x, y);                                 // two arrays
//     points = Points::members(agents, &Agent::x, &Agent::y);        // members of the host's own structs
//     points = Points::members(agents, member_path(&Agent::place, &Vec2::x),    // members of a member
//                              member_path(&Agent::place, &Vec2::y));
//     points = Points::members(by_pointer(pointers), &Agent::x, &Agent::y);  // or paged(pages, count, size)
//     points = Points::arrays(px, py, count, stride);                // pointers, with a stride in bytes
//     points = Points::members(bodies, &Body::x, &Body::y, origin);  // doubles, see boxes.hpp
//
// An invalid view is refused by the call that receives it, as for Boxes.
#pragma once

#include <concepts>
#include <cstddef>

#include "throng/boxes.hpp"
#include "throng/geometry.hpp"
#include "throng/status.hpp"

namespace throng {

class Points {
public:
    Points() = default;
    template <detail::ViewableRangeOf<Point> Range>
    Points(Range&& points) noexcept  // NOLINT(google-explicit-constructor): a view of the same elements
        : Points(of({std::data(points), std::size(points)})) {}

    static Points arrays(detail::ViewedSpan<float> x, detail::ViewedSpan<float> y) noexcept {
        return Points(Boxes::points(x, y, 0));
    }
    static Points arrays(const float* x, const float* y, std::size_t count,
                         std::size_t stride = sizeof(float)) noexcept {
        return Points(Boxes::points(x, y, 0, count, stride));
    }
    template <detail::ViewableRange Range, detail::CoordinateOf<Range> X, detail::CoordinateOf<Range> Y>
    static Points members(Range&& elements, X x, Y y) noexcept {
        return Points(Boxes::points(elements, x, y, 0));
    }
    template <class Element, detail::CoordinateIn<Element> X, detail::CoordinateIn<Element> Y>
    static Points members(detail::Pages<Element> elements, X x, Y y) noexcept {
        return Points(Boxes::points(elements, x, y, 0));
    }
    // With an origin, which is subtracted in double; each coordinate is a double or a float. Directions and
    // velocities have Origin{}, which is zero.
    static Points arrays(detail::RealSpan x, detail::RealSpan y, const Origin& origin) noexcept {
        return Points(Boxes::points(x, y, 0, origin));
    }
    template <detail::ViewableElements Elements, detail::RealOf<Elements> X, detail::RealOf<Elements> Y>
    static Points members(Elements&& elements, X x, Y y, const Origin& origin) noexcept {
        return Points(Boxes::points(elements, x, y, 0, origin));
    }
    static Points strided(detail::RealPointer x, detail::RealPointer y, std::size_t stride_x,
                          std::size_t stride_y, std::size_t count, const Origin& origin) noexcept {
        return Points(Boxes::strided(Boxes::Form::points, {x, y}, {stride_x, stride_y}, count, origin));
    }
    static Points of(detail::ViewedSpan<Point> points) noexcept {
        const Point* first = points.data();
        return first == nullptr ? arrays(nullptr, nullptr, points.size())
                                : arrays(&first->x, &first->y, points.size(), sizeof(Point));
    }

    std::size_t size() const noexcept { return boxes_.size(); }
    bool empty() const noexcept { return boxes_.empty(); }
    Point operator[](std::size_t i) const noexcept {
        const Box box = boxes_[i];
        return {box.min_x, box.min_y};
    }
    Points part(std::size_t first, std::size_t count) const noexcept {
        return Points(boxes_.part(first, count));
    }
    Code fault() const noexcept { return boxes_.fault(); }
    // The same points as boxes without an extent.
    const Boxes& boxes() const noexcept { return boxes_; }

private:
    explicit Points(const Boxes& boxes) noexcept : boxes_(boxes) {}

    Boxes boxes_ = Boxes::points(nullptr, nullptr, 0, 0);
};

// Where lists of neighbours are wanted: at the agents of a frame, or at points.
class Frame;
template <class Places>
concept FrameOrPoints = std::derived_from<Places, Frame> || std::convertible_to<const Places&, Points>;

}  // namespace throng
