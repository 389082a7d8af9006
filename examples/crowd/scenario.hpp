// Where a crowd stands, where it wants to go, and which walls are in its way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "examples/crowd/vec.hpp"
#include "throng/geometry.hpp"

namespace throng::crowd {

// A line to walk across, from one end to the other, in the direction of `onward`. The ends leave room for an
// agent.
struct Gate {
    Vec from, to, onward;

    Vec nearest(Vec position) const;
    bool passed_at(Vec position) const { return dot(position - from, onward) > 0; }
    // Clearly on the side that agents come from.
    bool is_before(Vec position) const { return dot(position - from, onward) < -2; }
};

// Gates in the order in which agents cross them. Behind the last gate an agent has arrived, and leaves the
// world.
struct Route {
    std::vector<Gate> gates;
    std::uint32_t goal = 0;  // routes to the same place have the same number, and so the same colour
};

struct Agent {
    float x = 0, y = 0, radius = 1;
    float vx = 0, vy = 0;
    float speed = 0;           // preferred
    std::uint32_t number = 0;  // stays, while places in the list change when others leave
    std::uint16_t route = 0;
    std::uint8_t gate = 0;
    std::uint8_t waiting = 0;  // for how many steps it has hardly moved, at most 255

    Vec position() const { return {x, y}; }
    Vec velocity() const { return {vx, vy}; }
};

struct Scenario {
    std::vector<Agent> agents;
    std::vector<Route> routes;
    std::vector<Box> walls;
    std::vector<std::string> goals;  // their names
    Box view;                        // what a picture shows
};

// From the middle of one agent to the middle of the next, at the beginning.
inline constexpr float spacing = 4;

// The scenarios by their names:
//   crossing      four lanes meet between four blocks of houses
//   doorway       a crowd goes through a gap in a wall, to three places
//   evacuation    houses of six rooms and a corridor empty through four exits each
// Throws std::invalid_argument for any other name.
Scenario make_scenario(const std::string& name, std::size_t agents);

Scenario make_crossing(std::size_t agents);
Scenario make_doorway(std::size_t agents);
Scenario make_evacuation(std::size_t agents);

// Adds an agent near a place: a little beside it, and with a speed of its own, so that no two are alike. The
// same number gives the same agent on every machine.
void add_agent(Scenario& scenario, Vec place, std::uint16_t route);

// A number from 0 to 1 that looks random, for a number and a purpose.
float scattered(std::uint32_t number, std::uint32_t purpose);

}  // namespace throng::crowd
