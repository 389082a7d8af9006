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

}  // namespace throng::simd
