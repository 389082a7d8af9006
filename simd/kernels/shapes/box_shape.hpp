// The shape that a query looks for: a box. The search knows only this of a shape, and another shape offers
// the same:
//
//     Source               what it is made of, as the caller hands it over
//     bounds()             the box around it: only rows, columns and tiles near that are looked at
//     overlap(a, j)        the next agents that overlap it, a bit for each lane
//     Outline              misses(bounds), covers(bounds): whether none of the boxes within some bounds
//                          overlaps it, or all of them do. When in doubt, neither
//     Covered              any_in(row), columns(row): whether the agents of some columns of a row all overlap
//                          it, and which columns. When in doubt, none
//     Covered::narrow      optional: the columns of a row that may have an agent, where those around the
//                          bounds are many more
//     before(), behind()   optional: what to compare agents of a covered row with, before its covered columns
//                          and behind them, if less than the shape will do; with below() and above() for
//                          covered columns, where Covered::is_below_top(row) or is_above_bottom(row)
//
// A search without a use for outlines or covered columns does not make them.
#pragma once

#include <concepts>

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

// A shape that knows better than its bounds which columns of a row it touches.
template <class Covered, class Reach>
concept Narrows = requires(Covered covered, Reach& reach) {
    { covered.narrow(std::uint32_t{}, reach) } -> std::same_as<bool>;
};

// A shape that has less to compare with agents of a covered row.
template <class Shape>
concept HasEdges = requires(const Shape& shape) {
    shape.before();
    shape.behind();
};

// The columns [first, behind) of a row.
struct ColumnRange {
    std::uint32_t first, behind;
    bool contains(std::uint32_t begin, std::uint32_t last) const { return first <= begin && last < behind; }
};

template <class V>
class BoxShape {
public:
    using Base = Vectors<V>;
    using Arrays = typename Base::Arrays;
    using Four = typename V::Four;
    using Lanes = typename Base::template Probe<typename V::Wide>;
    using Source = Query;

    // The box must live as long as this.
    explicit BoxShape(const Query& box) : box_(box), lanes_(box) {}
    const Query& bounds() const { return box_; }
    std::uint32_t overlap(const Arrays& a, std::size_t j) const { return lanes_.overlap(a, j); }

    // In a covered row all agents overlap the box in y. Before its covered columns they begin before the box
    // ends, and behind them they end after it begins. So one edge is left to compare: an array to read
    // instead of four. The same is true in the covered columns of the rows below and above.
    template <const float* Vectors<V>::Arrays::*array_of>
    struct EndsBehind {
        typename V::Wide edge;
        std::uint32_t overlap(const Arrays& a, std::size_t j) const {
            return V::bits(edge <= V::Wide::load_unaligned(a.*array_of + j));
        }
        static const float* array(const Arrays& a) { return a.*array_of; }
    };
    template <const float* Vectors<V>::Arrays::*array_of>
    struct BeginsBefore {
        typename V::Wide edge;
        std::uint32_t overlap(const Arrays& a, std::size_t j) const {
            return V::bits(V::at_least(edge, V::Wide::load_unaligned(a.*array_of + j)));
        }
        static const float* array(const Arrays& a) { return a.*array_of; }
    };
    using Before = EndsBehind<&Arrays::max_x>;
    using Behind = BeginsBefore<&Arrays::min_x>;
    Before before() const { return {lanes_.min_x}; }
    Behind behind() const { return {lanes_.max_x}; }
    EndsBehind<&Arrays::max_y> below() const { return {lanes_.min_y}; }
    BeginsBefore<&Arrays::min_y> above() const { return {lanes_.max_y}; }

    // Bounds are four floats, the upper edges negated (see Bounds), so each test is one comparison.
    class Outline {
    public:
        explicit Outline(const BoxShape& shape)
            : outer_(Base::Locator::four(shape.box_.max_x, shape.box_.max_y, -shape.box_.min_x,
                                         -shape.box_.min_y)),
              inner_(Base::Locator::four(shape.box_.min_x, shape.box_.min_y, -shape.box_.max_x,
                                         -shape.box_.max_y)) {}
        bool misses(const float* bounds) const {
            return V::bits(Four::load_unaligned(bounds) <= outer_) != 15;
        }
        bool covers(const float* bounds) const {
            return V::bits(inner_ <= Four::load_unaligned(bounds)) == 15;
        }

    private:
        Four outer_, inner_;
    };

    // The cells whose agents the box surely overlaps, under any rounding.
    class Covered {
    public:
        Covered(const BoxShape& shape, const View& view) {
            const Locate& l = view.locate;
            const Four distance = Four::load_unaligned(&shape.box_.min_x) - Four::load_unaligned(l.origin);
            const auto cells = Base::Locator::reach_of(
                Base::clamped(distance * Four::load_unaligned(l.inner_scale), Four::load_unaligned(l.last)));
            columns_ = {cells.first_column + 1, cells.last_column};
            first_row_ = cells.first_row + 1;
            top_row_ = columns_.first < columns_.behind ? cells.last_row : 0;
            rows_ = first_row_ < top_row_ ? top_row_ - first_row_ : 0;
        }
        bool any_in(std::uint32_t row) const { return row - first_row_ < rows_; }
        ColumnRange columns(std::uint32_t) const { return columns_; }
        // Where agents of covered columns begin before the box ends in y, or end behind where it begins.
        bool is_below_top(std::uint32_t row) const { return row < top_row_; }
        bool is_above_bottom(std::uint32_t row) const { return top_row_ != 0 && row >= first_row_; }

    private:
        ColumnRange columns_;
        std::uint32_t first_row_, top_row_, rows_;
    };

private:
    const Query& box_;
    Lanes lanes_;
};

// --- Other shapes ---

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

// The part of each row that a shape touches, and the part that it covers. A shape offers two intervals for a
// band of the plane, low <= y <= high:
//
//     touched(low, high)    where it touches the band, or somewhat more; empty if first > last
//     covered(low, high)    where it covers the band, or nearly so
//
// and covers(bounds), which is exact: whether every box within some bounds overlaps it. Intervals are
// computed with doubles and widened by a margin, so no rounding matters.
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
