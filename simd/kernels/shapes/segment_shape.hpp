// A segment with a width as the shape of a query: all points within `radius` of it. A box overlaps it if it
// overlaps its bounds, and
//
//     the box overlaps the segment: it overlaps the segment's own bounds and is not all on one side of it; or
//     an end of the segment is within the radius of the nearest point of the box; or
//     a corner of the box is within the radius of the nearest point of the segment:
//         along = clamp(dx * unit_x + dy * unit_y, 0, length),  dx, dy from its start to the corner
//         squared distance of (along * unit_x, along * unit_y) and (dx, dy)
//
// where each operation is rounded by itself. A segment of no length is a circle.
#pragma once

#include "simd/kernels/shapes/shape_rows.hpp"
#include "simd/query_kernels.hpp"

namespace throng::simd {

template <class V>
class SegmentShape {
public:
    using Base = Vectors<V>;
    using Arrays = typename Base::Arrays;
    using Wide = typename V::Wide;

    // The segment must live as long as this.
    explicit SegmentShape(const ShapeQuery& s)
        : segment_(s),
          box_(s.circle.bounds),
          from_x_(s.circle.x),
          from_y_(s.circle.y),
          to_x_(s.to_x),
          to_y_(s.to_y),
          unit_x_(s.unit_x),
          unit_y_(s.unit_y),
          length_(s.length),
          limit_(s.circle.radius * s.circle.radius) {}
    SegmentShape(const SegmentShape&) = delete;
    const Query& bounds() const { return segment_.circle.bounds; }

    std::uint32_t overlap(const Arrays& a, std::size_t j) const {
        const std::uint32_t found = box_.overlap(a, j);
        if (found == 0) return 0;
        const Wide min_x = Wide::load_unaligned(a.min_x + j), max_x = Wide::load_unaligned(a.max_x + j);
        const Wide min_y = Wide::load_unaligned(a.min_y + j), max_y = Wide::load_unaligned(a.max_y + j);
        const auto ends = (to_box(from_x_, from_y_, min_x, min_y, max_x, max_y) <= limit_) |
                          (to_box(to_x_, to_y_, min_x, min_y, max_x, max_y) <= limit_);
        const Mask inside = crosses(min_x, min_y, max_x, max_y);
        const auto corners = (to_segment(min_x, min_y) <= limit_) | (to_segment(max_x, min_y) <= limit_) |
                             (to_segment(min_x, max_y) <= limit_) | (to_segment(max_x, max_y) <= limit_);
        return found & V::bits(ends | inside | corners);
    }

    Interval touched(double low, double high) const {
        if (!(segment_.circle.radius * segment_.circle.radius < Base::largest)) return Interval::everywhere();
        const double x = segment_.circle.x, y = segment_.circle.y, dx = segment_.to_x - x,
                     dy = segment_.to_y - y;
        const double reach =
            segment_.circle.radius + 0x1p-18 * (segment_.circle.radius + segment_.length) + 0x1p-60;
        const double from = low - reach, to = high + reach;
        double begin = 0, end = 1;
        if (dy == 0) {
            if (y < from || to < y) return {};
        } else {
            const double a = (from - y) / dy, b = (to - y) / dy;
            begin = a < b ? a : b;
            end = a < b ? b : a;
            begin = begin < 0 ? 0 : begin;
            end = end > 1 ? 1 : end;
            if (begin > end) return {};
        }
        const double a = x + dx * begin, b = x + dx * end;
        return {(a < b ? a : b) - reach, (a < b ? b : a) + reach};
    }
    // A band is never covered: segments are thin.
    Interval covered(double, double) const { return {}; }
    bool misses(const float* bounds) const { return typename BoxShape<V>::Outline(box_).misses(bounds); }
    bool covers(const float*) const { return false; }

private:
    using Mask = typename Wide::batch_bool_type;

    static Wide outside(const Wide& before, const Wide& behind) {
        const Wide larger = xsimd::select(before > behind, before, behind);
        return xsimd::select(larger < Wide(0.0f), Wide(0.0f), larger);
    }
    static Wide to_box(const Wide& x, const Wide& y, const Wide& min_x, const Wide& min_y, const Wide& max_x,
                       const Wide& max_y) {
        const Wide dx = outside(min_x - x, x - max_x), dy = outside(min_y - y, y - max_y);
        return dx * dx + dy * dy;
    }
    Wide to_segment(const Wide& x, const Wide& y) const {
        const Wide zero(0.0f), dx = x - from_x_, dy = y - from_y_;
        Wide along = dx * unit_x_ + dy * unit_y_;
        along = xsimd::select(along > zero, along, zero);
        along = xsimd::select(along < length_, along, length_);
        const Wide off_x = dx - along * unit_x_, off_y = dy - along * unit_y_;
        return off_x * off_x + off_y * off_y;
    }
    // Above zero for a corner to the left of the segment; see polygon_shape.hpp.
    Wide side(const Wide& x, const Wide& y) const {
        const Wide half(0.5f);
        return unit_x_ * (half * y - half * from_y_) - unit_y_ * (half * x - half * from_x_);
    }
    Mask crosses(const Wide& min_x, const Wide& min_y, const Wide& max_x, const Wide& max_y) const {
        const Wide zero(0.0f);
        const bool right = segment_.unit_x > 0, up = segment_.unit_y > 0;
        const bool to_right = segment_.circle.x < segment_.to_x, to_top = segment_.circle.y < segment_.to_y;
        const Wide &low_x = to_right ? from_x_ : to_x_, &high_x = to_right ? to_x_ : from_x_;
        const Wide &low_y = to_top ? from_y_ : to_y_, &high_y = to_top ? to_y_ : from_y_;
        const Mask near_it = ((min_x <= high_x) & (low_x <= max_x)) & ((min_y <= high_y) & (low_y <= max_y));
        const Wide left = side(up ? min_x : max_x, right ? max_y : min_y);
        const Wide other = side(up ? max_x : min_x, right ? min_y : max_y);
        return near_it & (left >= zero) & (other <= zero);
    }

    const ShapeQuery& segment_;
    BoxShape<V> box_;
    Wide from_x_, from_y_, to_x_, to_y_, unit_x_, unit_y_, length_, limit_;
};

}  // namespace throng::simd
