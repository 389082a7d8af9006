// What a structure should be told about a world before it is made.
#pragma once

#include <algorithm>
#include <vector>

#include "throng/structures/spatial_index.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::bench {

// The sizes of the common agents are those of 99 in a hundred; a structure that takes none beyond the largest
// size is told the size of the very largest.
template <structures::SpatialIndex Structure>
structures::Expected expected_of(const workload::World& w) {
    std::vector<float> sizes;
    for (std::size_t i = 0; i < w.size(); ++i) sizes.push_back(2 * std::max(w.hx[i], w.hy[i]));
    std::sort(sizes.begin(), sizes.end());
    if (sizes.empty()) return {.extents = {0, 0, w.side, w.side}};
    return {.extents = {0, 0, w.side, w.side},
            .elements = w.size(),
            .typical_size = sizes[sizes.size() / 2],
            .largest_size = structures::answers_are_candidates<Structure> ? sizes.back()
                                                                          : sizes[sizes.size() * 99 / 100]};
}

}  // namespace throng::bench
