// A few small worlds, one for each way in which the engine keeps agents.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "throng/geometry.hpp"
#include "worlds/scenes/random.hpp"

namespace throng::test {

struct World {
    const char* name;
    float reach;  // some agents' sizes
    std::vector<Box> agents;
};

inline Box between(float x0, float y0, float x1, float y1) {
    return {std::min(x0, x1), std::min(y0, y1), std::max(x0, x1), std::max(y0, y1)};
}

// Numbers in braces are drawn in this order by every compiler; those among the arguments of a call are not.
inline Point somewhere(Random& random, float side) {
    return {random.uniform(0, side), random.uniform(0, side)};
}

inline World even_crowd() {
    Random random(1);
    World world{"even crowd", 1.5f, {}};
    for (int i = 0; i < 1500; ++i) {
        const float half = random.uniform(0.2f, 0.5f);
        world.agents.push_back(Box::around(somewhere(random, 60), half));
    }
    return world;
}

// Far apart, so that each gets a grid of its own.
inline World villages() {
    Random random(2);
    World world{"villages", 2, {}};
    for (int village = 0; village < 4; ++village)
        for (int i = 0; i < 500; ++i)
            world.agents.push_back(
                Box::around(somewhere(random, 30), 0.4f)
                    .moved(static_cast<float>(village) * 7000, static_cast<float>(village % 2) * 9000));
    return world;
}

// Sizes over six decades, and one agent so far away that no grid reaches it.
inline World giants_over_small_ones() {
    Random random(3);
    World world{"giants over small ones", 10, {}};
    for (int i = 0; i < 800; ++i) {
        const float half = random.one_in(20) ? random.decades(0, 2) : random.decades(-3, -1);
        world.agents.push_back(Box::around(somewhere(random, 300), half));
    }
    world.agents.push_back(Box::around(1e30f, -1e30f, 1e24f, 1e24f));
    return world;
}

// Many at one point, on a lattice where edges meet exactly.
inline World pile_on_a_lattice() {
    Random random(4);
    World world{"pile on a lattice", 3, {}};
    for (int i = 0; i < 1200; ++i) {
        const int x = i < 400 ? 10 : random.between(0, 40), y = i < 400 ? 10 : random.between(0, 40);
        world.agents.push_back(Box::around(static_cast<float>(x), static_cast<float>(y), 0.5f, 0.5f));
    }
    return world;
}

// Subnormal ones and any others there are.
inline World any_floats() {
    Random random(5);
    World world{"any floats", 1e30f, {}};
    for (int i = 0; i < 300; ++i) {
        const auto edge = [&] { return i % 3 == 0 ? random.subnormal() : random.any_finite(); };
        const float x0 = edge(), y0 = edge(), x1 = edge(), y1 = edge();
        world.agents.push_back(between(x0, y0, x1, y1));
    }
    return world;
}

inline World a_few() { return {"a few", 2, {{0, 0, 1, 1}, {1, 1, 2, 2}, {-5, 3, -4, 3}, {-0.0f, 0, 0, 9}}}; }

inline World none() { return {"none", 1, {}}; }

}  // namespace throng::test
