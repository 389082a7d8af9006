// Shapes in the plainest code there is: what is wrong with one, and whether it overlaps a box. Floats are
// rounded, operation by operation, as throng/queries/shapes.hpp and the kernels' headers say.
#pragma once

#include "throng/geometry.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/status.hpp"

namespace throng::oracle {

Code check(const Shape& shape);
// For a legal shape.
bool overlaps(const Shape& shape, const Box& box);
inline bool overlaps(const Box& one, const Box& other) { return one.overlaps(other); }

}  // namespace throng::oracle
