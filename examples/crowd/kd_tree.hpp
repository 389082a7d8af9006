// How a crowd model without the library would find its neighbours: nanoflann's kd-tree, built again in every
// step.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "examples/crowd/scenario.hpp"
#include "throng/queries/neighbours.hpp"

namespace throng::crowd {

class KdTree {
public:
    // Throws std::runtime_error if this build has no nanoflann.
    KdTree();
    ~KdTree();
    KdTree(const KdTree&) = delete;
    KdTree& operator=(const KdTree&) = delete;

    // Builds the tree of all agents and finds for each the nearest others, at most `most` within the radius.
    // Returns the milliseconds. This is the tree's best case: it reads places from one array, which is not
    // timed, and the agents look round in the order of the tree's leaves.
    double find(std::span<const Agent> agents, float radius, std::uint32_t most);
    // Throws std::runtime_error unless the last call found exactly these lists.
    void check(const NeighbourLists& lists) const;

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace throng::crowd
