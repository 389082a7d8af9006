// Four lanes that cross: two streets, each with a lane for either direction, on the right as one walks.
#include <cmath>

#include "examples/crowd/scenario.hpp"

namespace throng::crowd {

namespace {

constexpr std::uint16_t lanes = 4;

struct Streets {
    float lane;    // the width of a lane
    float length;  // of the crowd in a lane, which begins at the crossing
};

// Turns the eastward lane into the others.
Vec quarter_turns(Vec place, unsigned turns) {
    for (; turns > 0; --turns) place = turned_left(place);
    return place;
}

Streets add_agents(Scenario& scenario, std::size_t agents) {
    const std::size_t longest_lane = (agents + lanes - 1) / lanes;
    // Lanes are three times as long as they are wide.
    const auto across = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(longest_lane) / 3)));
    const std::size_t along = (longest_lane + across - 1) / across;
    const Streets streets{static_cast<float>(across + 1) * spacing, static_cast<float>(along) * spacing};
    for (std::uint16_t lane = 0; lane < lanes; ++lane) {
        const std::size_t count = (agents + lanes - 1 - lane) / lanes;
        for (std::size_t i = 0; i < count; ++i) {
            const Vec place{-streets.lane - static_cast<float>(i / across + 1) * spacing,
                            -static_cast<float>(i % across + 1) * spacing};
            add_agent(scenario, quarter_turns(place, lane), lane);
        }
    }
    return streets;
}

void add_routes(Scenario& scenario, const Streets& streets) {
    const float end = streets.lane + streets.length / 2;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const Gate gate{quarter_turns({end, -streets.lane + 1}, lane), quarter_turns({end, -1}, lane),
                        quarter_turns({1, 0}, lane)};
        scenario.routes.push_back({{gate}, lane});
    }
}

// The houses in the four corners between the streets.
void add_houses(Scenario& scenario, const Streets& streets) {
    const float begin = streets.lane + 1, end = streets.lane + streets.length + spacing;
    for (const float x : {-1.0f, 1.0f})
        for (const float y : {-1.0f, 1.0f})
            scenario.walls.push_back({std::fmin(x * begin, x * end), std::fmin(y * begin, y * end),
                                      std::fmax(x * begin, x * end), std::fmax(y * begin, y * end)});
}

}  // namespace

Scenario make_crossing(std::size_t agents) {
    Scenario scenario;
    const Streets streets = add_agents(scenario, agents);
    add_routes(scenario, streets);
    add_houses(scenario, streets);
    scenario.goals = {"to the right", "upwards", "to the left", "downwards"};
    const float end = streets.lane + streets.length + spacing;
    scenario.view = {-end, -end, end, end};
    return scenario;
}

}  // namespace throng::crowd
