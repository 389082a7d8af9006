// A world as the hunt breeds it: layers of agents, the order of their ids, and what changes from frame to
// frame. text.hpp writes it as a string, frames.hpp makes its boxes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "worlds/hunted/recipe.hpp"

namespace throng::worlds {

struct Layer {
    Call place = plain(Part::place);
    Call size = plain(Part::size);
    Call at = plain(Part::at);
    // How many of the agents are in it, beside the shares of the other layers.
    double share = 1;

    friend bool operator==(const Layer&, const Layer&) = default;
};

inline constexpr std::size_t max_layers = 8;
inline constexpr std::size_t max_agents = 20'000'000;
inline constexpr double min_share = 1e-6, max_share = 1e6;

// The plain crowd unless it says otherwise: as `crowd` in worlds/workload/scenarios.hpp, an agent to four
// units of area, half sizes from 0.35 to 0.5, ids in random order.
struct World {
    std::size_t agents = 100'000;
    std::uint64_t seed = 1;
    std::vector<Layer> layers = std::vector<Layer>(1);
    Call ids = plain(Part::ids);
    Call then = plain(Part::then);
    Call wraps = plain(Part::wraps);
    Call heights = plain(Part::heights);

    friend bool operator==(const World&, const World&) = default;
};

}  // namespace throng::worlds
