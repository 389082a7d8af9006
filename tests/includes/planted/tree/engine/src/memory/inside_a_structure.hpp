// Nor does it look inside one.
#include "structures/src/quadtree/cells.hpp"
