// Worlds that are empty but for a few crowded spots, in which the engine makes islands: villages of one
// size and of many, a city among hamlets, villages that lie across the borders of tiles, and whatever
// else may stand between them.
//
// They are scenes like those of scenes.hpp. Whether there are islands is the engine's choice, and
// needs a thousand agents or more: a test that is about islands has to look at `Tuning::islands`, or
// it could stop being about them.
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
