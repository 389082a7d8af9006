// The engine is complete without a structure.
#include "throng/structures/quadtree.hpp"
