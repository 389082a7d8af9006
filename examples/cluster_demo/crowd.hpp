// A crowd over all ranks that gathers around a place which goes in a circle, so that who has most to do
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
    // Of this rank: every so many of all agents, wherever they are.
    Crowd(std::size_t agents, int rank, int ranks);

    cluster::ClusterStatus update(cluster::ClusterEngine& engine);
    // Everybody takes a step, shorter the more it touches.
    cluster::ClusterStatus move(cluster::ClusterEngine& engine, unsigned frame);

    float side() const { return side_; }

private:
    float side_;
    std::vector<cluster::GlobalId> ids_;
    std::vector<Point> places_;
    cluster::Lists touched_;
};

}  // namespace throng::cluster_demo
