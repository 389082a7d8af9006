// All storeys of a tower side by side, with who is on each, by the colour of where it goes.
#pragma once

#include <string>

#include "examples/tower/tower.hpp"

namespace throng::tower {

void draw(const Tower& tower, const std::string& path);

}  // namespace throng::tower
