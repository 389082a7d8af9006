// Which origin a world in doubles is best counted from, for a host that does not know one: see Origin.
#pragma once

#include "throng/boxes.hpp"
#include "throng/export.hpp"
#include "throng/geometry.hpp"

namespace throng {

// An origin for a world, and how exact floats are there.
struct OriginChoice {
    Origin origin;
    double spacing = 0;  // how far apart floats are where the boxes are, but for the farthest 64th of them
    double extent = 0;   // of those with a width or a height above 0, what 15 in 16 exceed; or 0
    double spread = 0;   // the larger median: of distances from their middle, or of half their sizes
};
// Looks at up to 256 boxes, evenly among all, with no regard to the origin that the view has. The current
// origin is kept while floats near the boxes are finer than a thousandth of that extent, or while it is
// within eight times the spread of their middle, or of a larger one that the host knows, such as that of its
// walls. Otherwise it is (0, 0), if that is as good, or a round point amid them. So a world that moves gets a
// new one once in a while.
//
//     origin = choose_origin(Boxes::points(bodies, &Body::x, &Body::y, radius, origin), origin).origin;
THRONG_API OriginChoice choose_origin(const Boxes& boxes, const Origin& current = {},
                                      double least_spread = 0) noexcept;

}  // namespace throng
