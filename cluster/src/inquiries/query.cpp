#include "cluster/src/inquiries/query.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace throng::cluster::detail {

namespace {

// The numbers of a cast at every height; others have three more.
constexpr std::uint8_t flat_cast = 7;

// Corners in double, which become floats outside of them.
struct WideBounds {
    double min_x = std::numeric_limits<double>::infinity(), min_y = min_x, max_x = -min_x, max_y = -min_x;

    void add(double x, double y) noexcept {
        min_x = std::min(min_x, x);
        min_y = std::min(min_y, y);
        max_x = std::max(max_x, x);
        max_y = std::max(max_y, y);
    }
    // With room for what is computed in floats: some millionth parts of the largest number, and distances
    // whose squares are nothing. Where squares are infinite, a shape may find anything.
    Box around(double radius) const noexcept {
        const double largest = std::max({std::abs(min_x), std::abs(min_y), std::abs(max_x), std::abs(max_y)});
        if (largest + radius > 1e18) return whole_plane;
        const double more = radius + (largest + radius) * 0x1p-18 + 0x1p-62;
        constexpr float most = std::numeric_limits<float>::max();
        return {std::max(float_below(min_x - more), -most), std::max(float_below(min_y - more), -most),
                std::min(float_above(max_x + more), most), std::min(float_above(max_y + more), most)};
    }
};

}  // namespace

Query::Query(const Shape& shape) noexcept {
    head.kind = static_cast<std::uint8_t>(shape.kind());
    std::size_t count = 0;
    const auto add = [&](float number) { numbers[count++] = number; };
    switch (shape.kind()) {
    case Shape::Kind::box:
        for (const float n : {shape.box().min_x, shape.box().min_y, shape.box().max_x, shape.box().max_y})
            add(n);
        break;
    case Shape::Kind::circle:
        for (const float n : {shape.circle().x, shape.circle().y, shape.circle().radius}) add(n);
        head.agents_as = static_cast<std::uint8_t>(shape.circle().agents_as);
        break;
    case Shape::Kind::segment:
        for (const Point& end : {shape.segment().from, shape.segment().to}) {
            add(end.x);
            add(end.y);
        }
        add(shape.segment().radius);
        break;
    case Shape::Kind::polygon:
        for (const Point& corner : shape.polygon().corners()) {
            if (count == most_numbers) break;  // refused before
            add(corner.x);
            add(corner.y);
        }
        break;
    }
    head.numbers = static_cast<std::uint8_t>(count);
}

Query::Query(const Cast& cast) noexcept {
    head.kind = cast_kind;
    const float all[] = {cast.start.min_x, cast.start.min_y, cast.start.max_x,   cast.start.max_y,   cast.dx,
                         cast.dy,          cast.radius,      cast.heights.min_z, cast.heights.max_z, cast.dz};
    head.numbers = cast.heights == Band{} ? flat_cast : flat_cast + 3;
    std::copy_n(all, head.numbers, numbers);
}

Query::Query(const Word* words) noexcept {
    words = get(words, head);
    std::memcpy(numbers, words, all_numbers() * sizeof(float));
}

void Query::pack(Word* at) const noexcept {
    at = put(at, head);
    std::memcpy(at, numbers, all_numbers() * sizeof(float));
}

Shape Query::shape(Point* corners_of_polygon) const noexcept {
    const float* const n = numbers;
    switch (kind()) {
    case Shape::Kind::circle: return Circle{n[0], n[1], n[2], static_cast<AgentsAs>(head.agents_as)};
    case Shape::Kind::segment: return ThickSegment{{n[0], n[1]}, {n[2], n[3]}, n[4]};
    case Shape::Kind::polygon:
        for (std::size_t k = 0; k < corners(); ++k) corners_of_polygon[k] = {n[2 * k], n[2 * k + 1]};
        return ConvexPolygon(std::span<const Point>(corners_of_polygon, corners()));
    default: return Box{n[0], n[1], n[2], n[3]};
    }
}

Cast Query::cast() const noexcept {
    const float* const n = numbers;
    const Cast flat({n[0], n[1], n[2], n[3]}, n[4], n[5], n[6]);
    return head.numbers == flat_cast ? flat : flat.at_heights({n[7], n[8]}, n[9]);
}

Box Query::bounds() const noexcept {
    const float* const n = numbers;
    WideBounds wide;
    if (head.kind == cast_kind) {
        for (const double time : {0.0, 1.0}) {
            wide.add(n[0] + time * n[4], n[1] + time * n[5]);
            wide.add(n[2] + time * n[4], n[3] + time * n[5]);
        }
        return wide.around(double{n[6]});
    }
    if (kind() == Shape::Kind::box) return {n[0], n[1], n[2], n[3]};
    const std::size_t places = kind() == Shape::Kind::polygon  ? corners()
                               : kind() == Shape::Kind::circle ? 1
                                                               : 2;
    for (std::size_t k = 0; k < places; ++k) wide.add(double{n[2 * k]}, double{n[2 * k + 1]});
    return wide.around(kind() == Shape::Kind::polygon ? 0 : double{n[2 * places]});
}

}  // namespace throng::cluster::detail
