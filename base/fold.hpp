// A world that wraps around: how what lies anywhere comes into the one world that is stored.
//
// A box whose centre is in [0, period) stays as it is. Another is moved by a whole number of periods, so that
// its centre is: in double, after which each edge is rounded once to the nearest float. So it may come out a
// rounding larger or smaller than it was, and its centre may come out as the period itself. A box as wide as
// the period or wider touches all there is, and becomes its centre with one period to each side.
#pragma once

#include <cmath>

#include "base/box_check.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// Zero where the world does not wrap around.
struct Period {
    float x = 0, y = 0;

    bool wraps() const noexcept { return x != 0 || y != 0; }
    friend bool operator==(const Period&, const Period&) = default;
};

inline bool is_legal_period(float period) noexcept {
    return period == 0 || (period >= 1e-30f && period <= 1e30f);
}

// A place, in [0, period).
inline double folded(double at, float period) noexcept {
    if (at >= 0 && at < double{period}) return at;
    const double rest = std::fmod(at, double{period}), place = rest < 0 ? rest + double{period} : rest;
    return place < double{period} ? place : 0;
}

// Whether an interval stays as it is. Never wrongly so: a sum or a difference that is rounded to less than a
// float is less.
inline bool is_surely_folded(float min, float max, float period) noexcept {
    const float sum = min + max;
    return (sum >= 0) & (sum < 2 * period) & (max - min < period);
}
inline void fold(float& min, float& max, float period) noexcept {
    if (period == 0 || is_surely_folded(min, max, period)) return;
    const double centre = (double{min} + double{max}) / 2, there = folded(centre, period);
    const bool is_wide = double{max} - double{min} >= double{period};
    if (there == centre && !is_wide) return;
    const double below = is_wide ? double{period} : centre - double{min},
                 above = is_wide ? double{period} : double{max} - centre;
    min = static_cast<float>(there - below);
    max = static_cast<float>(there + above);
}

// What is not legal stays as it is, and is refused by those who check it.
inline Box folded(const Box& box, const Period& period) noexcept {
    Box there = box;
    if (check(box) != Code::ok) return there;
    fold(there.min_x, there.max_x, period.x);
    fold(there.min_y, there.max_y, period.y);
    return there;
}

}  // namespace throng::detail
