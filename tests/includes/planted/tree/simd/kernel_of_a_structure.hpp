// Kernels know no structure, though structures call them.
#include "structures/src/quadtree/cells.hpp"
