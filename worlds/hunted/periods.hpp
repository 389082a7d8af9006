// Whether a world wraps around, and after what distance.
#pragma once

#include <span>

#include "worlds/hunted/recipe.hpp"

namespace throng::worlds {

std::span<const Recipe> periods() noexcept;

// The distance once around the world; 0 where it does not wrap around.
struct Period {
    float x = 0, y = 0;

    friend bool operator==(const Period&, const Period&) = default;
};

// `side` is the side of the square in which all agents of the world would be a plain crowd.
Period period_of(const Call& call, double side) noexcept;

}  // namespace throng::worlds
