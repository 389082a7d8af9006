// Box::overlaps for inner loops.
#pragma once

#include "throng/geometry.hpp"

namespace throng::detail {

// Without a branch: whether a candidate is hit, nobody can foresee.
inline bool overlap(const Box& a, const Box& b) noexcept {
    return (a.min_x <= b.max_x) & (b.min_x <= a.max_x) & (a.min_y <= b.max_y) & (b.min_y <= a.max_y);
}

}  // namespace throng::detail
