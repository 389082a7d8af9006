// The spatial structures by name: one line for each, and every program that goes through them
// all goes through this list.
#pragma once

#include <tuple>

#include "structures/tests/object_index.hpp"
#include "throng/structures/grid_hierarchy.hpp"
#include "throng/structures/loose_grid.hpp"
#include "throng/structures/loose_quadtree.hpp"
#include "throng/structures/quadtree.hpp"
#include "throng/structures/row_grid.hpp"
#include "throng/structures/static_index.hpp"
#include "throng/structures/uniform_grid.hpp"

namespace throng::bench {

template <structures::SpatialIndex Structure>
struct Listed {
    const char* name;
    const char* what;
};

inline constexpr std::tuple structure_list{
    Listed<structures::Quadtree>{"quadtree", "nodes without boxes, elements in every leaf they reach"},
    Listed<structures::LooseQuadtree>{"loose_quadtree",
                                      "a leaf for each element, bounds that follow what is in them"},
    Listed<structures::LooseGrid>{"loose_grid", "loose cells by the centre, and a tight grid over the cells"},
    Listed<structures::UniformGrid>{"uniform_grid",
                                    "points that are all taken for the largest; answers are candidates"},
    Listed<structures::RowGrid>{"row_grid", "a grid whose rows own their memory"},
    Listed<structures::GridHierarchy>{"grid_hierarchy",
                                      "world, regions and sub-regions; what is empty is null"},
    Listed<structures::test::ObjectIndex>{"object_quadtree",
                                          "the host's own values, in the smallest node that holds them"},
    Listed<structures::StaticIndex>{"static_index", "a packed hierarchy of boxes, built at once"},
};

// Calls `visit.template operator()<Structure>(name, what)` for each.
template <class Visit>
void for_each_structure(Visit&& visit) {
    const auto one = [&visit]<structures::SpatialIndex Structure>(const Listed<Structure>& listed) {
        visit.template operator()<Structure>(listed.name, listed.what);
    };
    std::apply([&one](const auto&... listed) { (one(listed), ...); }, structure_list);
}

}  // namespace throng::bench
