// A crowd that walks. In every step the library finds the neighbours of all agents and the walls near them,
// and each agent chooses a velocity that avoids them. The result is the same for any number of threads and
// any instruction set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "examples/crowd/half_planes.hpp"
#include "examples/crowd/scenario.hpp"
#include "throng/throng.hpp"

namespace throng::crowd {

struct Settings {
    Executor executor = serial_executor();
    Isa isa = Isa::automatic;
    float sight = 15;                   // how far an agent sees others
    std::uint32_t max_neighbours = 10;  // and how many of them, the nearest
    float fastest = 2;
    Horizons horizons;
};

// Milliseconds that the parts of a step took.
struct Times {
    double update = 0, neighbours = 0, walls = 0, avoidance = 0, motion = 0;

    // What a crowd model gets from its spatial index.
    double neighbour_phase() const { return update + neighbours + walls; }
    double step() const { return neighbour_phase() + avoidance + motion; }
};

class Simulation {
public:
    // Throws std::runtime_error if the library refuses the scenario, or the settings ask for too many
    // neighbours.
    Simulation(const Scenario& scenario, const Settings& settings);

    // Throws std::runtime_error if a call of the library fails, or if more than eight walls are near one
    // agent.
    Times step();

    // The agents that have not arrived yet.
    std::span<const Agent> agents() const { return agents_; }
    // What the last step found, list after list in the order of the frame's rows.
    const NeighbourLists& neighbours() const { return neighbours_; }
    Isa isa() const { return engine_.isa(); }

private:
    void find_neighbours(Times& times);
    void choose_velocities();
    Vec choose_velocity(std::size_t row) const;
    Vec preferred_velocity(const Agent& agent) const;
    void move();

    Settings settings_;
    std::vector<Route> routes_;
    std::vector<Box> walls_;
    std::vector<Agent> agents_;
    std::vector<Vec> chosen_;  // the next velocity of each agent
    float largest_radius_ = 0;
    std::uint32_t steps_ = 0;
    Engine engine_;
    NeighbourLists neighbours_, near_walls_;
};

}  // namespace throng::crowd
