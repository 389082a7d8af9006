// What the tests of GridHierarchy share: a way into it, and elements of all sizes.
#pragma once

#include "engine/src/structures/grid_hierarchy/state.hpp"
#include "structures/index_answers.hpp"
#include "support/test.hpp"
#include "throng/structures/grid_hierarchy.hpp"

namespace throng {

// Reaches into a hierarchy and breaks it.
template <>
struct IndexInspector<GridHierarchy> {
    static auto& state(auto& index) { return index.template own<GridHierarchy::State>(); }
    static auto& world(GridHierarchy& index) { return state(index).world_; }
    static auto& region(GridHierarchy& index, std::uint32_t i) { return state(index).regions_[i]; }
    static auto& sub_region(GridHierarchy& index, std::uint32_t i) { return state(index).sub_regions_[i]; }
    static auto& element(GridHierarchy& index, ElementId id) { return state(index).elements_[id]; }
    static auto& occupied(GridHierarchy& index) { return state(index).occupied_; }
    static double& reach(GridHierarchy& index, unsigned level) { return state(index).reach_[level]; }
    static std::size_t& size(GridHierarchy& index, unsigned level) { return state(index).sizes_[level]; }
    static unsigned level(const GridHierarchy& index, ElementId id) {
        return state(index).place(index.box(id)).level;
    }
    static std::size_t places(const GridHierarchy& index) { return state(index).world_.size(); }
};

namespace test {

using Inspector = IndexInspector<GridHierarchy>;

inline constexpr float largest = std::numeric_limits<float>::max();

inline GridHierarchy hierarchy(const Box& extents, float cell_size, MemoryResource* memory = nullptr) {
    return GridHierarchy({.extents = extents, .cell_size = cell_size}, memory);
}

// As many of each order of size, so that all levels have some.
inline std::vector<Box> of_all_sizes(std::size_t count, float side, Random& random) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        const float size = random.decades(-2, random.one_in(20) ? 2 : 0);
        boxes.push_back(Box::around(random.uniform(0, side), random.uniform(0, side), size * random.uniform(),
                                    size * random.uniform()));
    }
    return boxes;
}

}  // namespace test
}  // namespace throng
