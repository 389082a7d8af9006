// Worlds as strings, which parse back exactly:
//
//     h1;n=100000;seed=17;place=radial(octaves=30);size=distance;ids=squads(stride=48);then=spawn
//
// `h1` is the version: the meaning of a version's strings never changes. A `place` begins a layer; `size`,
// `at` and `share` after it belong to that layer. What a string does not say has the value in the recipe's
// table.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "worlds/hunted/world.hpp"

namespace throng::worlds {

std::string to_text(const World& world);

struct Parsed {
    std::optional<World> world;
    // If there is no world: what is wrong, and at which character, counted from zero.
    std::string error;
    std::size_t position = 0;
};
Parsed parse(std::string_view text);

// All recipes and their parameters, for people.
std::string listing();

}  // namespace throng::worlds
