#include "examples/tower/tower.hpp"

#include <algorithm>
#include <array>

#include "bench/common/failures.hpp"
#include "examples/crowd/half_planes.hpp"
#include "examples/crowd/scenario.hpp"
#include "examples/crowd/velocity.hpp"

namespace throng::tower {

namespace {

using bench::require;
using crowd::Gate;
using crowd::scattered;

constexpr crowd::Horizons horizons{.agents = 2, .step = 0.2f};
constexpr std::uint32_t most_neighbours = 12;
constexpr float sight = 4, fastest = 1.8f, longest_rest = 800;
// Who has hardly moved for this many steps turns aside.
constexpr std::uint32_t patience = 8;

// The way up: from behind the stairs around their lower end, along the corridor in front to the foot of the
// stairs, up on the right, and around to the corridor of the next storey. The way down is the same, turned by
// half a circle around the middle.
constexpr std::array<Gate, 6> way_up{{{{0.8f, 10}, {2.8f, 10}, {0, -1}},
                                      {{6, 4.5f}, {6, 7}, {-1, 0}},
                                      {{8, 7.6f}, {8, 9.5f}, {1, 0}},
                                      {{22, 7.6f}, {22, 9.5f}, {1, 0}},
                                      {{24, 7.6f}, {24, 9.5f}, {1, 0}},
                                      {{24.5f, 7}, {27, 7}, {0, -1}}}};
// This one is on another storey: who has passed the one before is on a flight.
constexpr int off_stairs = 3;

Vec turned(Vec at) { return Vec{floor_plan.max_x, floor_plan.max_y} - at; }
Gate gate_of(const Agent& agent) {
    const Gate gate = way_up[static_cast<std::size_t>(agent.gate)];
    return agent.going == Going::up ? gate : Gate{turned(gate.from), turned(gate.to), -gate.onward};
}
bool is_on_stairs(const Agent& agent) { return agent.going != Going::nowhere && agent.gate == off_stairs; }

// Where agent `number` sits between two journeys: in front of the stairs, or behind them after a way down.
Vec desk_of(std::uint32_t number, const Agent& agent) {
    const float depth = 0.6f + 3.2f * scattered(number, 3 * agent.journeys + 1);
    return {1 + 28 * scattered(number, 3 * agent.journeys + 2),
            agent.is_behind ? floor_plan.max_y - depth : depth};
}
// Up to four storeys up or down.
int goal_of(std::uint32_t number, const Agent& agent) {
    const int far = 1 + static_cast<int>(4 * scattered(number, 3 * agent.journeys)) % 4;
    const bool up = agent.storey < far || (agent.storey + far < storeys && number % 2 == agent.journeys % 2);
    return up ? agent.storey + far : agent.storey - far;
}

// The share of a flight that lies to the left, which is the lower end.
float climbed(float x) { return std::clamp((x - flight.min_x) / (flight.max_x - flight.min_x), 0.0f, 1.0f); }
float feet_of(const Agent& agent) {
    const float floor = static_cast<float>(agent.storey) * storey_height;
    if (!is_on_stairs(agent)) return floor;
    const float up = climbed(agent.x) * storey_height;
    return agent.going == Going::up ? floor + up : floor - storey_height + up;
}

void arrive(Agent& agent) {
    agent.is_behind = agent.going == Going::down;
    agent.going = Going::nowhere;
}

crowd::Disc disc_of(const Agent& agent) { return {agent.position(), agent.velocity(), agent_radius}; }

}  // namespace

Tower::Tower(std::size_t agents, const Executor& executor, Isa isa)
    : agents_(agents), chosen_(agents), engine_({.executor = executor, .isa = isa}) {
    require(engine_.status(), "making the engine");
    for (std::uint32_t i = 0; i < agents; ++i) {
        Agent& agent = agents_[i];
        agent.storey = agent.goal = static_cast<int>(i % storeys);
        agent.is_behind = scattered(i, 3) < 0.5f;
        const Vec desk = desk_of(i, agent);
        agent.x = desk.x, agent.y = desk.y;
        agent.feet = feet_of(agent);
        agent.speed = 1 + 0.4f * scattered(i, 1);
        agent.rest = static_cast<unsigned>(longest_rest * scattered(i, 2));
    }
}

void Tower::step() {
    require(engine_.update(boxes(), {.heights = heights()}), "update");
    require(engine_.frame().neighbours(Nearest{.count = most_neighbours, .max_radius = sight}, neighbours_),
            "neighbours");
    for (std::size_t i = 0; i < agents_.size(); ++i) chosen_[i] = choose_velocity(i);
    for (std::size_t i = 0; i < agents_.size(); ++i) move(i);
    ++steps_;
}

// As in examples/crowd: what is close is kept clear of in any case, and the rest as far as possible.
Vec Tower::choose_velocity(std::size_t i) const {
    const Agent& agent = agents_[i];
    const crowd::Disc self = disc_of(agent);
    std::array<crowd::HalfPlane, 2 * most_neighbours> planes;
    std::size_t count = 0;
    for (const AgentId id : neighbours_[i])
        planes[count++] = clear_of_agent(self, disc_of(agents_[id]), horizons.step, i < id);
    const std::size_t firm = count;
    for (const AgentId id : neighbours_[i])
        planes[count++] = beside_agent(self, disc_of(agents_[id]), horizons, i < id);
    const Vec preferred = preferred_velocity(static_cast<std::uint32_t>(i));
    return best_velocity(preferred, fastest, {planes.data(), count}, firm);
}

// Agents that press against each other from two sides would stay where they are.
Vec Tower::preferred_velocity(std::uint32_t i) const {
    const Agent& agent = agents_[i];
    if (agent.going == Going::nowhere)
        return crowd::shortened(desk_of(i, agent) - agent.position(), agent.speed);
    const Vec ahead = crowd::direction_of(gate_of(agent).nearest(agent.position()) - agent.position());
    if (agent.waiting < patience) return ahead * agent.speed;
    const float most = std::min(static_cast<float>(agent.waiting - patience) / (4 * patience), 1.0f);
    const float aside = (2 * scattered(i, 16 + steps_ / patience) - 1) * most;
    return (ahead * (1 - 2 * std::abs(aside)) + turned_left(ahead) * (2 * aside)) * agent.speed;
}

void Tower::move(std::size_t i) {
    Agent& agent = agents_[i];
    const Box room = is_on_stairs(agent) ? Box{0, flight.min_y, floor_plan.max_x, flight.max_y} : floor_plan;
    agent.vx = chosen_[i].x, agent.vy = chosen_[i].y;
    const bool waits = agent.going != Going::nowhere && length(chosen_[i]) < 0.1f * agent.speed;
    agent.waiting = waits ? std::min(agent.waiting + 1, 255u) : agent.waiting * 3 / 4;
    agent.x = std::clamp(agent.x + agent.vx * horizons.step, room.min_x, room.max_x);
    agent.y = std::clamp(agent.y + agent.vy * horizons.step, room.min_y, room.max_y);
    if (agent.going == Going::nowhere) {
        if (agent.rest-- == 0) {
            ++agent.journeys;
            const auto number = static_cast<std::uint32_t>(i);
            agent.goal = goal_of(number, agent);
            agent.rest = static_cast<unsigned>(longest_rest * scattered(number, agent.journeys));
        }
    } else if (gate_of(agent).passed_at(agent.position())) {
        if (agent.gate == off_stairs) agent.storey += agent.going == Going::up ? 1 : -1;
        agent.gate = (agent.gate + 1) % static_cast<int>(way_up.size());
    }
    if (agent.gate == 0 && agent.storey != agent.goal)
        agent.going = agent.storey < agent.goal ? Going::up : Going::down;
    else if (agent.gate == 0 && agent.going != Going::nowhere)
        arrive(agent);
    agent.feet = feet_of(agent);
}

}  // namespace throng::tower
