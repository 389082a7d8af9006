// Which velocities a neighbour or a wall permits: a half plane each, as in optimal reciprocal collision
// avoidance (van den Berg, Guy, Lin and Manocha, "Reciprocal n-Body Collision Avoidance", 2011).
#pragma once

#include "examples/crowd/vec.hpp"
#include "throng/geometry.hpp"

namespace throng::crowd {

// The velocities v with dot(normal, v) >= offset. The normal has length 1.
struct HalfPlane {
    Vec normal;
    float offset = 0;

    bool permits(Vec velocity, float tolerance = 0) const {
        return dot(normal, velocity) >= offset - tolerance;
    }
};

struct Disc {
    Vec position, velocity;
    float radius = 0;
};

// For how many seconds to avoid collisions. Discs that overlap already part within one step.
struct Horizons {
    float agents = 4, walls = 1, step = 0.25f;
};

// Each of the two makes half of the change that avoids a collision, so the half planes of both are needed.
// `first` tells two agents apart that are at the same place with the same velocity.
HalfPlane beside_agent(const Disc& self, const Disc& other, const Horizons& horizons, bool first);

// The two below always permit to stand still. An agent that keeps to them for no longer than `seconds`
// touches nothing.
//
// A wall does not yield.
HalfPlane clear_of_wall(const Disc& self, const Box& wall, float seconds);

// Each of two agents may use half of the gap between them. That is the half plane of the paper for two agents
// that are expected to stand still. It is for dense crowds, where no velocity avoids all that is expected of
// others.
HalfPlane clear_of_agent(const Disc& self, const Disc& other, float seconds, bool first);

}  // namespace throng::crowd
