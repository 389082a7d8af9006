// A world that wraps around, in the plainest code there is: the place of a box, a point or a shape within one
// period, and all of its images that could matter. The formulas are in docs/semantics.md.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "throng/geometry.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/shapes.hpp"

namespace throng::oracle {

// A period is zero in a direction in which the world does not wrap around.
struct Around {
    float x = 0, y = 0;
    bool wraps() const { return x != 0 || y != 0; }
};

Box folded(const Box& box, const Around& around);
Point folded(const Point& point, const Around& around);

inline float moved(float at, int periods, float period) {
    return static_cast<float>(double{at} + periods * double{period});
}
inline Point moved(const Point& at, int k, int l, const Around& around) {
    return {moved(at.x, k, around.x), moved(at.y, l, around.y)};
}
inline Box moved(const Box& box, int k, int l, const Around& around) {
    return {moved(box.min_x, k, around.x), moved(box.min_y, l, around.y), moved(box.max_x, k, around.x),
            moved(box.max_y, l, around.y)};
}

// Calls use(k, l) for each image that is at most so many periods away.
template <class Use>
void each_move(const Around& around, int most, const Use& use) {
    const int x = around.x == 0 ? 0 : most, y = around.y == 0 ? 0 : most;
    for (int k = -x; k <= x; ++k)
        for (int l = -y; l <= y; ++l) use(k, l);
}

// Whether a legal query or one of its images overlaps a box.
bool overlaps_around(const Box& query, const Box& box, const Around& around);
bool overlaps_around(const Shape& query, const Box& box, const Around& around);
// Whether a segment or a polygon goes around so often that it is refused.
bool is_too_long(const Shape& query, const Around& around);
inline bool is_too_long(const Box&, const Around&) { return false; }
bool is_too_long(const Cast& cast, const Around& around);
// When a cast or one of its images touches an agent first.
float time_of_touch_around(const Cast& cast, const Box& box, const Band& band, const Around& around);

}  // namespace throng::oracle
