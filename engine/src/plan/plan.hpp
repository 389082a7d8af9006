// What a frame is built on.
#pragma once

#include <cstdint>

#include "engine/src/frame/world_map.hpp"
#include "engine/src/plan/grid_choice.hpp"

namespace throng::detail {

struct Plan {
    GridChoice grid;
    HeldMap map;
    // How many frames it had, and the work for each agent in the first and the last of them.
    std::uint32_t frames = 0;
    double work_at_first = 0, work_at_last = 0;

    bool has_one_grid() const noexcept { return map->has_cells() && !map->has_islands(); }
};

}  // namespace throng::detail
