// A world that wraps around: moves boxes from anywhere into the one world that is stored.
//
// A box whose centre is in [0, period) stays as it is. Any other is moved by a whole number of periods until
// its centre is there: in double, and then each edge is rounded once to the nearest float. So it may become a
// rounding larger or smaller. If that puts its centre onto the far seam, it is moved on, which is exact. A
// box as wide as the period or wider touches everything; it becomes its centre with one period to each side.
// A box that was folded stays as it is. Boxes of doubles are folded before they are rounded, since floats are
// coarse far from the world, unless their rounded boxes surely stay as they are.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/legal.hpp"
#include "throng/boxes.hpp"
#include "throng/compiler.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// Zero: the world does not wrap around.
struct Period {
    float x = 0, y = 0;

    bool wraps() const noexcept { return x != 0 || y != 0; }
    friend bool operator==(const Period&, const Period&) = default;
};

inline bool is_legal_period(float period) noexcept {
    return period == 0 || (period >= 1e-30f && period <= 1e30f);
}

// What is left of a place, as `std::fmod` has it. A quotient may be rounded up; all else is exact: a float
// has 24 bits, and of what is left none is smaller than those of place and period.
inline double rest_of(double at, double period) noexcept {
    const double quotient = at / period;
    if (!(std::abs(quotient) < 0x1p28)) return std::fmod(at, period);
    const double rest = at - static_cast<double>(static_cast<std::int32_t>(quotient)) * period;
    return rest * at < 0 ? rest + std::copysign(period, at) : std::copysign(rest, at);
}
// A place, in [0, period).
inline double folded(double at, float period) noexcept {
    if (at >= 0 && at < double{period}) return at;
    const double rest = rest_of(at, double{period}), place = rest < 0 ? rest + double{period} : rest;
    return place < double{period} ? place : 0;
}

// Whether an interval surely stays as it is: a sum or a difference that is rounded to less than a float is
// less.
inline bool is_surely_folded(float min, float max, float period) noexcept {
    const float sum = min + max;
    return (sum >= 0) & (sum < 2 * period) & (max - min < period);
}
// Folds an interval that begins `below` its centre and ends `above` it. Writes `min` and `max` only if they
// change.
inline void fold(double centre, double below, double above, double size, float period, float& min,
                 float& max) noexcept {
    const double there = folded(centre, period), around{period};
    // A wide one that was folded before has two periods, to within a rounding in any direction.
    const bool is_wide = size >= around, was_wide = std::abs(size - 2 * around) <= 0x1p-21 * around;
    if (there == centre && (!is_wide || was_wide)) return;
    min = static_cast<float>(there - (is_wide ? around : below));
    max = static_cast<float>(there + (is_wide ? around : above));
}
// Once more if rounding put it onto the far seam.
THRONG_NOINLINE inline void fold_surely(float& min, float& max, float period) noexcept {
    int times = 0;
    do {
        const double from{min}, to{max}, centre = (from + to) / 2;
        fold(centre, centre - from, to - centre, to - from, period, min, max);
    } while (++times < 2 && !is_surely_folded(min, max, period));
}
inline void fold(float& min, float& max, float period) noexcept {
    if (period != 0 && !is_surely_folded(min, max, period)) fold_surely(min, max, period);
}

// An illegal box stays as it is; the check of the call refuses it.
inline Box folded(const Box& box, const Period& period) noexcept {
    Box there = box;
    if (check(box) != Code::ok) return there;
    fold(there.min_x, there.max_x, period.x);
    fold(there.min_y, there.max_y, period.y);
    return there;
}
// The box of element i of a view of doubles, folded before it is rounded. Other boxes stay as they are.
inline Box folded_as_given(const Boxes& boxes, std::size_t i, const Box& box, const Period& period) noexcept {
    if (!boxes.converts() || check(box) != Code::ok) return box;
    Box there = box;
    const auto axis = [&](std::size_t k, double origin, float around, float& min, float& max) {
        // The same as if all boxes were taken as they are: a box does not depend on others.
        if (around == 0 || is_surely_folded(min, max, around)) return;
        const double first = boxes.given(k, i) - origin;
        if (boxes.form() == Boxes::Form::min_max) {
            const double last = boxes.given(k + 2, i) - origin, centre = (first + last) / 2;
            return fold(centre, centre - first, last - centre, last - first, around, min, max);
        }
        const double half =
            boxes.form() == Boxes::Form::points ? double{boxes.radius()} : boxes.given(k + 2, i);
        fold(first, half, half, 2 * half, around, min, max);
    };
    axis(0, boxes.origin().x, period.x, there.min_x, there.max_x);
    axis(1, boxes.origin().y, period.y, there.min_y, there.max_y);
    return there;
}
// The box of element i of a view, as an engine keeps it.
inline Box folded(const Boxes& boxes, std::size_t i, const Box& box, const Period& period) noexcept {
    return folded(folded_as_given(boxes, i, box, period), period);
}

}  // namespace throng::detail
