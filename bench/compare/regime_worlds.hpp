// What the tasks about single calls, few queries and few edits share: queries and points at random places
// near agents, and agents that move while the others stand still.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "throng/geometry.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::bench {

// Boxes of these half extents, each near an agent.
inline std::vector<workload::Rect> boxes_near_agents(const workload::World& w, std::size_t count,
                                                     float half_x, float half_y, std::uint64_t seed) {
    workload::Random random(seed);
    std::vector<workload::Rect> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t agent = random.next() % w.size();
        const float x = w.x[agent] + random.uniform(-3, 3), y = w.y[agent] + random.uniform(-3, 3);
        boxes.push_back({x - half_x, y - half_y, x + half_x, y + half_y});
    }
    return boxes;
}
inline std::vector<workload::Rect> small_boxes(const workload::World& w, std::size_t count,
                                               std::uint64_t seed) {
    return boxes_near_agents(w, count, 2, 2, seed);
}
inline std::vector<Point> points_near_agents(const workload::World& w, std::size_t count,
                                             std::uint64_t seed) {
    std::vector<Point> points;
    for (const workload::Rect& box : boxes_near_agents(w, count, 0, 0, seed))
        points.push_back({box.x0, box.y0});
    return points;
}

// So many agents, others at each call until all had their turn: their ids ascend, as where a host goes
// through its arrays, but are far apart.
class Moving {
public:
    explicit Moving(std::size_t agents)
        : step_(static_cast<std::size_t>(0.618 * static_cast<double>(agents)) | 1u) {
        while (std::gcd(step_, agents) != 1) step_ += 2;
    }

    // One frame of motion for them.
    const std::vector<std::uint32_t>& step(workload::World& w, std::size_t count) {
        ids_.clear();
        for (; ids_.size() < count; next_ = (next_ + step_) % w.size()) {
            ids_.push_back(static_cast<std::uint32_t>(next_));
            move(w.x[next_], w.vx[next_], w.side);
            move(w.y[next_], w.vy[next_], w.side);
        }
        std::sort(ids_.begin(), ids_.end());
        return ids_;
    }

private:
    static void move(float& at, float& velocity, float side) {
        if (at + velocity < 0 || at + velocity > side) velocity = -velocity;
        at += velocity;
    }

    std::size_t step_, next_ = 0;
    std::vector<std::uint32_t> ids_;
};

}  // namespace throng::bench
