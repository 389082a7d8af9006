// The tests of the engine compile without the structures.
#include "throng/structures/quadtree.hpp"
