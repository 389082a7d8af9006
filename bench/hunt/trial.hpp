// The trial of a world: in a process of its own, so that what stalls, crashes or takes all memory is a find like any
// other, and not the end of the hunt.
#pragma once

#include "bench/hunt/score.hpp"

namespace throng::hunt {

struct Trial {
    MakeSubject make;
    Plan plan;
    // Of the whole trial.
    double seconds = 10;
    std::size_t mebibytes = 4096;
    // A ratio above this is measured again, so often in all.
    double suspicious = 2;
    int rounds = 3;
};

Verdict try_world(const worlds::World& world, const Trial& trial);

}  // namespace throng::hunt
