// The pictures of the structures side by side.
#pragma once

#include <string>
#include <vector>

#include "examples/bounce/options.hpp"

namespace throng::bounce {

// Draws what the parts of a frame cost with each structure, and how long every frame took, and says where the
// pictures are. Throws std::runtime_error if one cannot be written.
std::vector<std::string> draw_pictures(const Options& options, const std::vector<Costs>& all);

}  // namespace throng::bounce
