// The crowd of examples/crowd, as arrays.
#include <array>
#include <memory>
#include <vector>

#include "bindings/js/page/native/native.h"
#include "examples/crowd/scenario.hpp"
#include "examples/crowd/simulation.hpp"

namespace {

using throng::crowd::Agent;

struct Crowd {
    explicit Crowd(const throng::crowd::Scenario& scenario)
        : simulation(scenario, {}), half(scenario.view.max_x) {
        for (const throng::Box& wall : scenario.walls)
            for (const float edge : {wall.min_x, wall.min_y, wall.max_x, wall.max_y})
                arrays[5].push_back(edge + half);
    }
    void copy() {
        const auto agents = simulation.agents();
        for (std::size_t k = 0; k < 5; ++k) arrays[k].resize(agents.size());
        for (std::size_t i = 0; i < agents.size(); ++i) {
            const Agent& agent = agents[i];
            const std::array<float, 5> numbers{agent.x + half, agent.y + half, agent.vx, agent.vy,
                                               agent.radius};
            for (std::size_t k = 0; k < 5; ++k) arrays[k][i] = numbers[k];
        }
    }
    throng::crowd::Simulation simulation;
    float half;
    std::array<std::vector<float>, 6> arrays;  // the last one: the walls
};
std::unique_ptr<Crowd> crowd;

}  // namespace

float page_crowd_make(uint32_t agents) {
    crowd = std::make_unique<Crowd>(throng::crowd::make_crossing(agents));
    crowd->copy();
    return 2 * crowd->half;
}

uint32_t page_crowd_step() {
    crowd->simulation.step();
    crowd->copy();
    return static_cast<uint32_t>(crowd->arrays[0].size());
}

const float* page_crowd_array(uint32_t which) { return crowd->arrays[which].data(); }
uint32_t page_crowd_walls() { return static_cast<uint32_t>(crowd->arrays[5].size() / 4); }
