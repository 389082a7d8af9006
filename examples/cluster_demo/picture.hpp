// One picture of all ranks: agents in the colour of their owner, dark where another rank has a copy of
// them, and the cuts. Every rank calls; the first one draws.
#pragma once

#include <string>

#include "throng/cluster.hpp"

namespace throng::cluster_demo {

void draw(const cluster::ClusterEngine& engine, float side, const std::string& path);

}  // namespace throng::cluster_demo
