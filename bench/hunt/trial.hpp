// The trial of a world: in a process of its own, so that what stalls, crashes or takes all memory is a find
// like any other, and not the end of the hunt.
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
    // Steps are exact: once is enough, and what takes too long all the same is beyond measure.
    bool counts_steps = false;
    // The costs of a plain crowd of so many agents, where they are known already.
    std::size_t agents_of_crowd = 0;
    Costs crowd;
};

// With steps instead of times, of a few hundred queries of a kind, however many answers they have.
Trial counting_trial(const Trial& timed);
// Counts the plain crowd's steps once for all worlds of as many agents.
void count_crowd(Trial& counting, std::size_t agents);

Verdict try_world(const worlds::World& world, const Trial& trial);

}  // namespace throng::hunt
