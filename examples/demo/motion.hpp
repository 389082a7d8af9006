// How the crowd moves: every agent wants to get somewhere, along the streams that wind through the world and
// somewhat to one side, and makes way for agents that it touches. This is the host's side; the library only
// finds which agents touch.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "throng/geometry.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::demo {

class Crowd {
public:
    Crowd(const std::string& scenario, std::size_t agents);

    const workload::World& world() const { return world_; }

    // One step for every agent, each turning a little towards where it wants to go.
    void walk();
    // Pushes touching agents apart and lets them exchange momentum, pair after pair in the list's order. That
    // order is the same for any number of threads, so the whole simulation is the same as well.
    void bounce(std::span<const Pair> touching);

private:
    workload::World world_;
    std::vector<float> wish_x_, wish_y_;  // the velocities that they would like
};

}  // namespace throng::demo
