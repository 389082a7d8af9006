// The trial of a world: in a process of its own, so that what stalls, crashes or takes all memory is a find
// like any other, and not the end of the hunt.
#pragma once

#include <map>

#include "bench/hunt/score.hpp"

namespace throng::hunt {

struct Trial {
    MakeSubject make;
    Plan plan;
    // Of the whole trial.
    double seconds = 10;
    std::size_t mebibytes = 4096;
    // Seconds: what takes less in all is no find. Of steps all count.
    double brief = 1e-3;
    // A ratio above this is measured again, so often in all.
    double suspicious = 2;
    int rounds = 3;
    // Steps are exact: once is enough, and what takes too long all the same is beyond measure.
    bool counts_steps = false;
    // The costs of plain crowds of so many agents, where they are known already.
    std::map<std::size_t, Costs> crowds;
};

// With steps instead of times, of a few hundred queries of a kind, however many answers they have.
Trial counting_trial(const Trial& timed);
// Counts a plain crowd's steps once for all worlds of as many agents.
void count_crowd(Trial& counting, std::size_t agents);

Verdict try_world(const worlds::World& world, const Trial& trial);

}  // namespace throng::hunt
