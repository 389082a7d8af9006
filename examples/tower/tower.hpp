// A tower of twenty storeys, in which each agent walks from one storey to another. Flights of stairs lie
// above each other, and so do corridors and desks. Agents have bands of heights, and each looks for
// neighbours on its own: so they avoid each other on a flight and where it meets a floor, and never through
// a floor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "examples/crowd/vec.hpp"
#include "throng/throng.hpp"

namespace throng::tower {

using crowd::Vec;

inline constexpr int storeys = 20;
inline constexpr float storey_height = 3, agent_height = 1.75f, agent_radius = 0.3f;
// The floor plan, which is the same on every storey, and the stairs in its middle: they rise to the right.
inline constexpr Box floor_plan{0, 0, 30, 20}, flight{8, 7.3f, 22, 12.7f};

enum class Going : std::uint8_t { up, down, nowhere };

struct Agent {
    float x = 0, y = 0, vx = 0, vy = 0;
    float feet = 0;              // how high they are
    float speed = 0;             // preferred
    std::uint32_t journeys = 0;  // so far
    int storey = 0, goal = 0;    // of who is on a flight, that on which it began
    Going going = Going::nowhere;
    int gate = 0;               // the next one on the way along a storey, and onto the next storey
    unsigned rest = 0;          // how many steps it stays at its desk
    bool is_behind = false;     // whether that is behind the stairs
    std::uint32_t waiting = 0;  // for how many steps it has hardly moved

    Vec position() const { return {x, y}; }
    Vec velocity() const { return {vx, vy}; }
};

class Tower {
public:
    // Throws std::runtime_error, here and below, if a call of the library fails.
    Tower(std::size_t agents, const Executor& executor, Isa isa = Isa::automatic);

    void step();
    std::span<const Agent> agents() const { return agents_; }
    Boxes boxes() const { return Boxes::points(agents_, &Agent::x, &Agent::y, agent_radius); }
    Heights heights() const { return Heights::bases(agents_, &Agent::feet, agent_height); }
    // Of the last step. Neighbours are by number of the agent.
    Frame frame() const { return engine_.frame(); }
    const NeighbourLists& neighbours() const { return neighbours_; }

private:
    Vec choose_velocity(std::size_t i) const;
    Vec preferred_velocity(std::uint32_t i) const;
    void move(std::size_t i);

    std::vector<Agent> agents_;
    std::vector<Vec> chosen_;
    std::uint32_t steps_ = 0;
    Engine engine_;
    NeighbourLists neighbours_;
};

}  // namespace throng::tower
