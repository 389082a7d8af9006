// Names for tests that run once a scene or once an instruction set.
#pragma once

#include <cstddef>
#include <string>

#include "gtest/gtest.h"
#include "support/instruction_sets.hpp"
#include "support/scale.hpp"
#include "worlds/scenes/island_worlds.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {

inline std::string scene_name(const ::testing::TestParamInfo<SceneRecipe>& info) { return info.param.name; }

inline std::string isa_name(const ::testing::TestParamInfo<Isa>& info) { return to_string(info.param); }

inline auto every_scene() { return ::testing::ValuesIn(scene_recipes()); }

inline auto every_island_world() { return ::testing::ValuesIn(island_recipes()); }

// Every scene too, but fewer at a small scale (scale.hpp).
inline auto enough_scenes(std::size_t start) {
    return ::testing::ValuesIn(enough_of(scene_recipes(), start));
}

inline auto enough_island_worlds(std::size_t start) {
    return ::testing::ValuesIn(enough_of(island_recipes(), start));
}

inline auto every_instruction_set() { return ::testing::ValuesIn(instruction_sets()); }

}  // namespace throng::test
