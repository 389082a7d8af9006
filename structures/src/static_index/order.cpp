// Recursive median split along the wider axis, as in a k-d tree (Bentley 1975):
//
//     +-----------+-----+-----+      a part of several tiles is cut into two of whole tiles, along the
//     |           |     |     |      axis in which the centres are spread wider. How many elements a
//     |           |     +-----+      tile has is known beforehand: the largest power of sixteen below the
//     |           |     |     |      part's own number. So only the last tile may be short, and tiles need
//     +-----------+-----+-----+      no table.
#include "structures/src/static_index/set.hpp"

#include <algorithm>

namespace throng::structures::detail {

namespace {

struct Run {
    std::size_t begin, end;
};

// Half of the run's tiles, rounded up.
std::size_t first_half(std::size_t count) noexcept {
    std::size_t tile = simd::block_lanes;
    while (tile < (count + simd::block_lanes - 1) / simd::block_lanes) tile *= simd::block_lanes;
    const std::size_t tiles = (count + tile - 1) / tile;
    return (tiles + 1) / 2 * tile;
}

int wider_axis(const Placed* elements, const Run& run) noexcept {
    const Placed& first = elements[run.begin];
    float low_x = first.at[0], high_x = low_x, low_y = first.at[1], high_y = low_y;
    for (std::size_t i = run.begin; i < run.end; ++i) {
        const float x = elements[i].at[0], y = elements[i].at[1];
        low_x = std::min(low_x, x), high_x = std::max(high_x, x);
        low_y = std::min(low_y, y), high_y = std::max(high_y, y);
    }
    return high_y - low_y > high_x - low_x ? 1 : 0;
}

}  // namespace

void sort_into_tiles(Placed* elements, std::size_t count) noexcept {
    // The second half of a part waits on a stack while the first is cut. Sizes are roughly halved at each
    // step, so the stack is small.
    Run waiting[64];
    std::size_t waits = 0;
    waiting[waits++] = {0, count};
    while (waits != 0) {
        Run run = waiting[--waits];
        while (run.end - run.begin > simd::block_lanes) {
            const std::size_t middle = run.begin + first_half(run.end - run.begin);
            const int axis = wider_axis(elements, run);
            // Ids break ties, so the two halves are the same with every standard library.
            std::nth_element(elements + run.begin, elements + middle, elements + run.end,
                             [axis](const Placed& a, const Placed& b) {
                                 return a.at[axis] < b.at[axis] || (a.at[axis] == b.at[axis] && a.id < b.id);
                             });
            waiting[waits++] = {middle, run.end};
            run.end = middle;
        }
        std::sort(elements + run.begin, elements + run.end,
                  [](const Placed& a, const Placed& b) { return a.id < b.id; });
    }
}

}  // namespace throng::structures::detail
