// Worlds of the hunt by their strings. What they show depends on the number of their agents, so it is the
// same at every scale of the tests.
#pragma once

#include <string_view>

#include "worlds/hunted/text.hpp"

namespace throng::test {

inline worlds::World world_of(std::string_view text) { return worlds::parse(text).world.value(); }

}  // namespace throng::test
