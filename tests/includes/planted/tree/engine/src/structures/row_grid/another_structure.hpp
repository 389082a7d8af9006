// Each structure stands alone.
#include "engine/src/structures/quadtree/cells.hpp"
