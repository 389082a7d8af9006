// Worlds that have most of their agents in one row.
#pragma once

#include <cstddef>
#include <vector>

#include "throng/geometry.hpp"
#include "worlds/scenes/random.hpp"

namespace throng::test {

struct FullRowWorld {
    std::vector<Box> agents;
    bool has_few_pairs;
};

inline constexpr std::size_t agents_in_a_row = 5200;

inline FullRowWorld pile(Random& random) {
    FullRowWorld world{std::vector<Box>(agents_in_a_row), false};
    for (Box& box : world.agents) box = Box::around(7, 7, random.uniform(0.4f, 0.5f), 0.5f);
    return world;
}
// Some agents to a column, and three piles among them.
inline FullRowWorld road(Random& random) {
    FullRowWorld world{std::vector<Box>(agents_in_a_row), true};
    for (std::size_t i = 0; i < agents_in_a_row; ++i) {
        const float x = i % 20 < 3 ? static_cast<float>(900 * (1 + i % 3)) : random.uniform(0, 4000);
        world.agents[i] = Box::around(x, random.uniform(0, 0.3f), 0.4f, 0.4f);
    }
    return world;
}
// Thin ones beside each other, and long ones, so that cells are wide and few.
inline FullRowWorld slivers(Random& random) {
    FullRowWorld world{std::vector<Box>(agents_in_a_row), true};
    for (Box& box : world.agents) {
        const float half = random.one_in(50) ? 30.0f : 0.005f;
        box = Box::around(random.uniform(0, 2000), 3, half, 0.5f);
    }
    return world;
}
// A pile far from a few others: it gets a grid of its own.
inline FullRowWorld far_away(Random& random) {
    FullRowWorld world = pile(random);
    for (std::size_t i = 0; i < 200; ++i)
        world.agents[i * 7] = Box::around(random.uniform(1e6f, 9e6f), random.uniform(1e6f, 9e6f), 0.4f, 0.4f);
    return world;
}

// Among them many that are too large for a cell, which are behind the others in their row.
inline FullRowWorld with_giants(Random& random) {
    FullRowWorld world = road(random);
    for (std::size_t i = 0; i < agents_in_a_row; i += 16)
        world.agents[i] = Box::around(random.uniform(0, 4000), 0, random.uniform(20, 80), 0.4f);
    return world;
}

}  // namespace throng::test
