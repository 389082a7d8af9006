// Worlds that are empty but for a few crowded spots, in which the engine makes islands: villages of one size
// and of many, a city among hamlets, villages across the borders of tiles, and all that may stand between
// them.
//
// They are scenes like those of scenes.hpp. The engine decides whether there are islands, and needs a
// thousand agents or more. A test about islands must look at `Tuning::islands`; otherwise it could stop being
// about them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "worlds/scenes/scenes.hpp"

namespace throng::test {

// All of them have islands from three thousand agents on, and most of their agents live there.
inline constexpr std::size_t enough_for_islands = 3000;

std::span<const SceneRecipe> island_recipes();
Scene make_island_scene(std::string_view name, std::size_t count, std::uint64_t seed = 1);

}  // namespace throng::test
