// Each structure stands alone.
#include "structures/src/quadtree/cells.hpp"
