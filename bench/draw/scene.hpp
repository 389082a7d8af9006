// The scene that every structure is drawn over.
#pragma once

#include <string>

#include "worlds/workload/workload.hpp"

namespace throng::draw {

// A town, a road that leads away from it, a few agents that walk alone, and three giants: what a structure
// makes of crowds, of empty ground and of sizes can be seen in one picture.
workload::World town(std::size_t agents);

}  // namespace throng::draw
