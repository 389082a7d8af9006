// Throng's small structures: quadtrees, grids and a packed tree for hosts that insert, move and query one
// element at a time, as the library throng::structures. This header includes all of them; start reading at
// structures/spatial_index.hpp.
#pragma once

#include "throng/structures/containers/free_list.hpp"
#include "throng/structures/containers/small_list.hpp"
#include "throng/structures/grid_hierarchy.hpp"
#include "throng/structures/leaf_order.hpp"
#include "throng/structures/loose_grid.hpp"
#include "throng/structures/loose_quadtree.hpp"
#include "throng/structures/object_quadtree.hpp"
#include "throng/structures/point_places.hpp"
#include "throng/structures/point_tree.hpp"
#include "throng/structures/quadtree.hpp"
#include "throng/structures/row_grid.hpp"
#include "throng/structures/spatial_index.hpp"
#include "throng/structures/static_index.hpp"
#include "throng/structures/uniform_grid.hpp"
