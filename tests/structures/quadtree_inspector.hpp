// The private parts of a quadtree, for tests that read them or break them.
#pragma once

#include "throng/structures/quadtree.hpp"

namespace throng {

template <>
struct IndexInspector<Quadtree> {
    static auto& config(Quadtree& tree) { return tree.config_; }
    static auto& grid(Quadtree& tree) { return tree.grid_; }
    static auto& nodes(Quadtree& tree) { return tree.nodes_; }
    static auto& element_nodes(Quadtree& tree) { return tree.element_nodes_; }
    static auto& elements(Quadtree& tree) { return tree.elements_; }
    static auto& used_element_nodes(Quadtree& tree) { return tree.used_element_nodes_; }
    static auto& free_children(Quadtree& tree) { return tree.free_children_; }
    static auto& free_element_node(Quadtree& tree) { return tree.free_element_node_; }
    static auto& clean_up_at(Quadtree& tree) { return tree.clean_up_at_; }
};

}  // namespace throng
