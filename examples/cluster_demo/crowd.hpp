// A crowd over all ranks. It gathers around a place that goes in a circle, so the rank with most to do
// changes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "throng/cluster.hpp"
#include "throng/geometry.hpp"

namespace throng::cluster_demo {

inline constexpr float half = 0.5f;

class Crowd {
public:
    // The agents of this rank at first: every n-th of all, wherever they are.
    Crowd(std::size_t agents, int rank, int ranks);

    cluster::ClusterStatus update(cluster::ClusterEngine& engine);
    // Every agent takes a step, shorter the more agents it touches.
    cluster::ClusterStatus move(cluster::ClusterEngine& engine, unsigned frame);

    float side() const { return side_; }

private:
    float side_;
    std::vector<cluster::GlobalId> ids_;
    std::vector<Point> places_;
    cluster::Lists touched_;
};

}  // namespace throng::cluster_demo
