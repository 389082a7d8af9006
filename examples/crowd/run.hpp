// A run of a scenario: its times, and moments of it for a picture.
#pragma once

#include <cstddef>
#include <vector>

#include "examples/crowd/options.hpp"
#include "examples/crowd/simulation.hpp"

namespace throng::crowd {

// One step as a picture shows it.
struct Moment {
    unsigned step = 0;
    std::vector<Agent> agents;
    std::vector<std::vector<Vec>>
        trails;  // where each agent was, the oldest place first; none for large crowds
};

struct Result {
    Scenario scenario;
    std::vector<Times> times;     // of each step
    std::vector<double> kd_tree;  // milliseconds of each step, if it was compared
    std::vector<Moment> moments;
    std::size_t arrived = 0;
    std::size_t agent_steps = 0, neighbours = 0;  // in all steps together
    Isa isa = Isa::automatic;
};

// Steps until all agents have arrived, or as often as the options say.
Result run(const Options& options, const Executor& executor);

}  // namespace throng::crowd
