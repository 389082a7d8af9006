// Hosts of the engine need not have the structures.
#include "throng/structures/quadtree.hpp"
