#include "examples/cluster_demo/crowd.hpp"

#include <cmath>
#include <random>

namespace throng::cluster_demo {

Crowd::Crowd(std::size_t agents, int rank, int ranks) : side_(1.8f * std::sqrt(static_cast<float>(agents))) {
    std::mt19937_64 random(static_cast<std::uint64_t>(rank) + 1);
    std::uniform_real_distribution<float> place(0, side_);
    for (std::size_t i = static_cast<std::size_t>(rank); i < agents; i += static_cast<std::size_t>(ranks)) {
        ids_.push_back(i);
        places_.push_back({place(random), place(random)});
    }
}

cluster::ClusterStatus Crowd::update(cluster::ClusterEngine& engine) {
    return engine.update({.ids = ids_,
                          .boxes = Boxes::points(places_, &Point::x, &Point::y, half),
                          .labels = {},
                          .payload = {}});
}

cluster::ClusterStatus Crowd::move(cluster::ClusterEngine& engine, unsigned frame) {
    const cluster::ClusterStatus status = engine.neighbours(Within{.radius = 2 * half}, touched_);
    if (!status.ok()) return status;
    const cluster::Table mine = engine.owned();
    ids_.assign(mine.ids.begin(), mine.ids.end());
    places_.resize(mine.size());
    const float angle = 0.02f * static_cast<float>(frame);
    const Point goal{side_ * (0.5f + 0.3f * std::cos(angle)), side_ * (0.5f + 0.3f * std::sin(angle))};
    for (std::size_t i = 0; i < mine.size(); ++i) {
        const Point at = mine.boxes[i].centre();
        const float dx = goal.x - at.x, dy = goal.y - at.y, far = std::sqrt(dx * dx + dy * dy) + 1;
        const float step = 0.004f * side_ / (1 + static_cast<float>(touched_[i].size()));
        places_[i] = {at.x + step * dx / far, at.y + step * dy / far};
    }
    return status;
}

}  // namespace throng::cluster_demo
