// What changes from frame to frame.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "worlds/hunted/recipe.hpp"

namespace throng::worlds {

std::span<const Recipe> changes() noexcept;

// Whether not all frames have as many agents.
bool changes_number(const Call& call) noexcept;

struct Agent {
    Point centre, half;
};

// The world in the frame `number`, counted from zero.
struct Moment {
    std::size_t number = 0;
    // As the string says, and a plain crowd of as many.
    std::span<const Agent> world, crowd;
    // In the frame before; what it becomes is the frame.
    std::vector<Agent>& agents;
    Random& random;
};

void change(const Call& call, Moment& moment);

}  // namespace throng::worlds
