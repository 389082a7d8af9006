// The part of each row that a shape touches, and the part that it covers. A shape offers two intervals for a
// band of the plane, low <= y <= high:
//
//     touched(low, high)    where it touches the band, or somewhat more; empty if first > last
//     covered(low, high)    where it covers the band, or nearly so
//
// and covers(bounds), which is exact: whether every box within some bounds overlaps it. Intervals are
// computed with doubles and widened by a margin, so no rounding matters.
#pragma once

#include "simd/kernels/shapes/box_shape.hpp"

namespace throng::simd {

struct Interval {
    double first = 1, last = 0;
    bool empty() const { return !(first <= last); }
    static Interval everywhere() { return {-1e300, 1e300}; }
};

// An outline that asks the shape itself.
template <class Shape>
struct ShapeOutline {
    const Shape& shape;
    explicit ShapeOutline(const Shape& s) : shape(s) {}
    bool misses(const float* bounds) const { return shape.misses(bounds); }
    bool covers(const float* bounds) const { return shape.covers(bounds); }
};

template <class V, class Shape>
class ShapeRows : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Reach;

    ShapeRows(const Shape& shape, const View& view) : shape_(shape), view_(view) {
        const Grid& g = view.grid;
        height_ = 1 / static_cast<double>(g.inverse_height);
        margin_ = 0x1p-18 * (magnitude(g.origin_y) + height_ * g.rows);
        const Query& b = shape.bounds();
        rounding_ = 0x1p-18 * (static_cast<double>(b.max_x) - b.min_x + b.max_y - b.min_y + view.reach_x +
                               view.reach_y);
    }
    // The columns of a row that the shape may touch; false if there are none.
    bool narrow(std::uint32_t row, Reach& reach) {
        // An agent's lower corner is in its row, and the agent may reach above it.
        const double low = row == 0 ? lowest : low_of(row) - margin_;
        const double high = row + 1 == view_.grid.rows ? highest : low_of(row + 1) + margin_;
        const Interval at =
            shape_.touched(low - rounding_, high + rounding_ + static_cast<double>(view_.reach_y));
        if (at.empty()) return false;
        const Grid& g = view_.grid;
        const double slack = 0x1p-18 * (magnitude(at.first) + magnitude(at.last)) + rounding_;
        const std::uint32_t first =
            Base::lowest_column(g, as_float(at.first - slack - static_cast<double>(view_.reach_x)));
        const std::uint32_t last = Base::highest_column(g, as_float(at.last + slack));
        if (first > reach.first_column) reach.first_column = first;
        if (last < reach.last_column) reach.last_column = last;
        if (reach.first_column > reach.last_column) return false;
        find_covered(row, low, high, reach);
        return true;
    }
    // Of the row that was narrowed last.
    bool any_in(std::uint32_t) const { return inner_.first < inner_.behind; }
    ColumnRange columns(std::uint32_t) const { return inner_; }

private:
    static constexpr double highest = 1e300, lowest = -1e300;

    static double magnitude(double v) { return v < 0 ? -v : v; }
    static float as_float(double v) {
        const double largest = static_cast<double>(Base::largest);
        return static_cast<float>(v < -largest ? -largest : v > largest ? largest : v);
    }
    double low_of(std::uint32_t row) const { return view_.grid.origin_y + height_ * row; }

    // The columns whose agents all have their lower corners within the covered part.
    void find_covered(std::uint32_t row, double low, double high, const Reach& reach) {
        inner_ = {0, 0};
        if (row == 0 || row + 1 == view_.grid.rows || reach.last_column - reach.first_column < 4) return;
        const Interval at = shape_.covered(low, high);
        if (at.empty()) return;
        const float left = as_float(at.first), right = as_float(at.last);
        const float bounds[4] = {left, as_float(low), -right, -as_float(high)};
        if (!(left < right) || !shape_.covers(bounds)) return;
        const Grid& g = view_.grid;
        std::uint32_t first = Base::highest_column(g, left) + 1, behind = Base::lowest_column(g, right);
        if (first < reach.first_column) first = reach.first_column;
        if (behind > reach.last_column) behind = reach.last_column;
        if (first < behind) inner_ = {first, behind};
    }

    const Shape& shape_;
    const View& view_;
    double height_;
    double margin_;    // for the rounding of rows
    double rounding_;  // and of the shape's own test: a part of all extents
    ColumnRange inner_{0, 0};
};

}  // namespace throng::simd
