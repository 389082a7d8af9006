// An agent as a host may have it: a struct of 48 bytes, of which the library reads the box.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "worlds/workload/workload.hpp"

namespace throng::bench {

struct HostAgent {
    std::uint32_t name = 0, team = 0;
    float x = 0, y = 0, vx = 0, vy = 0;
    float heading = 0, speed = 0;
    float half_x = 0, half_y = 0;
    std::uint32_t state = 0, goal = 0;
};
static_assert(sizeof(HostAgent) == 48);

// Puts a world into them, which keep their memory.
inline void copy(const workload::World& world, std::vector<HostAgent>& agents) {
    agents.resize(world.size());
    for (std::size_t i = 0; i < agents.size(); ++i) {
        HostAgent& agent = agents[i];
        agent.x = world.x[i];
        agent.y = world.y[i];
        agent.half_x = world.hx[i];
        agent.half_y = world.hy[i];
    }
}

}  // namespace throng::bench
