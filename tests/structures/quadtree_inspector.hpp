// The private parts of a quadtree, for tests that read them or break them.
#pragma once

#include "engine/src/structures/quadtree/state.hpp"
#include "throng/structures/quadtree.hpp"

namespace throng {

template <>
struct IndexInspector<Quadtree> {
    static auto& state(auto& index) { return index.template own<Quadtree::State>(); }
    static auto& config(Quadtree& tree) { return state(tree).config_; }
    static auto& grid(Quadtree& tree) { return state(tree).grid_; }
    static auto& nodes(Quadtree& tree) { return state(tree).nodes_; }
    static auto& element_nodes(Quadtree& tree) { return state(tree).element_nodes_; }
    static auto& elements(Quadtree& tree) { return state(tree).elements_; }
    static auto& used_element_nodes(Quadtree& tree) { return state(tree).used_element_nodes_; }
    static auto& free_children(Quadtree& tree) { return state(tree).free_children_; }
    static auto& free_element_node(Quadtree& tree) { return state(tree).free_element_node_; }
    static auto& clean_up_at(Quadtree& tree) { return state(tree).clean_up_at_; }
};

}  // namespace throng
