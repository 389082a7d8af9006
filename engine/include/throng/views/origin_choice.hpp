// Chooses an origin for a world in doubles, for a host that does not know a good one: see Origin.
#pragma once

#include "throng/boxes.hpp"
#include "throng/export.hpp"
#include "throng/geometry.hpp"

namespace throng {

// An origin for a world, and how exact floats are there.
struct OriginChoice {
    Origin origin;
    double spacing = 0;  // the distance between floats near the boxes, leaving out the farthest 64th of boxes
    double extent = 0;   // 15 in 16 of the boxes with a width or height above 0 are larger than this; or 0
    double spread =
        0;  // the larger of two medians: distances from the middle of the boxes, and half their sizes
};
// Looks at up to 256 boxes, spread evenly over all; the origin of the view does not matter. The current
// origin is kept in two cases: floats near the boxes are finer than a thousandth of `extent`, or the origin
// is within eight times `spread` of the middle of the boxes, or of `least_spread` if that is larger, such as
// the spread of the walls. Otherwise it is (0, 0), if that is as good, or a round point amid the boxes. So a
// world that moves gets a new origin once in a while.
//
//     origin = choose_origin(Boxes::points(bodies, &Body::x, &Body::y, radius, origin), origin).origin;
THRONG_API OriginChoice choose_origin(const Boxes& boxes, const Origin& current = {},
                                      double least_spread = 0) noexcept;

}  // namespace throng
