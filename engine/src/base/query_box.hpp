// A box as the kernels read it, and back.
#pragma once

#include "simd/box_tree.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

inline simd::Query query_of(const Box& box) noexcept { return {box.min_x, box.min_y, box.max_x, box.max_y}; }
inline Box box_of(const simd::Query& q) noexcept { return {q.min_x, q.min_y, q.max_x, q.max_y}; }

}  // namespace throng::detail
