#include "examples/crowd/simulation.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "bench/common/failures.hpp"
#include "examples/crowd/velocity.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::crowd {

namespace {

using bench::require;

// The most walls that may be near one agent, and the most neighbours: each of these can have two half planes.
constexpr std::uint32_t max_walls = 8;
constexpr std::uint32_t most_agents = (max_planes - max_walls) / 2;
// An agent that walks slower than this part of its own speed waits. It does so for this many steps before it
// turns aside.
constexpr float hardly = 0.1f;
constexpr std::uint8_t patience = 8;

class Clock {
public:
    // Milliseconds since the last call.
    double lap() {
        const double before = last_;
        last_ = workload::now();
        return (last_ - before) * 1e3;
    }

private:
    double last_ = workload::now();
};

// Calls `body(i)` for all i below `count`, on the executor that the library uses too.
template <class Body>
void for_each_index(const Executor& executor, std::size_t count, const Body& body) {
    constexpr std::size_t most_blocks = 1024, min_size = 64;
    struct Blocks {
        const Body& body;
        std::size_t count, size;
        void run(std::size_t block) const {
            const std::size_t end = std::min(count, (block + 1) * size);
            for (std::size_t i = block * size; i < end; ++i) body(i);
        }
    } blocks{body, count, std::max(min_size, (count + most_blocks - 1) / most_blocks)};
    const std::size_t needed = (count + blocks.size - 1) / blocks.size;
    if (executor.parallel_for == nullptr || needed < 2) {
        for (std::size_t block = 0; block < needed; ++block) blocks.run(block);
        return;
    }
    executor.parallel_for(
        executor.context, needed,
        [](void* argument, std::size_t block) { static_cast<const Blocks*>(argument)->run(block); }, &blocks);
}

Disc disc_of(const Agent& agent) { return {agent.position(), agent.velocity(), agent.radius}; }

// The half planes of one agent, the firm ones first.
class Planes {
public:
    void add(const HalfPlane& plane) { all_[count_++] = plane; }
    std::size_t size() const { return count_; }
    std::span<const HalfPlane> all() const { return {all_.data(), count_}; }

private:
    std::array<HalfPlane, max_planes> all_;
    std::size_t count_ = 0;
};

}  // namespace

Simulation::Simulation(const Scenario& scenario, const Settings& settings)
    : settings_(settings),
      routes_(scenario.routes),
      walls_(scenario.walls),
      agents_(scenario.agents),
      engine_({.executor = settings.executor, .isa = settings.isa}) {
    if (settings.max_neighbours > most_agents) throw std::runtime_error("too many neighbours");
    for (const Agent& agent : agents_) largest_radius_ = std::max(largest_radius_, agent.radius);
    require(engine_.status(), "making the engine");
    const StaticLayer layer(Boxes(walls_), {.executor = settings.executor, .isa = settings.isa});
    require(engine_.set_static_layer(layer), "the walls");
}

Times Simulation::step() {
    Times times;
    find_neighbours(times);
    Clock clock;
    choose_velocities();
    times.avoidance = clock.lap();
    move();
    times.motion = clock.lap();
    return times;
}

void Simulation::find_neighbours(Times& times) {
    Clock clock;
    require(engine_.update(Boxes::centre_half(agents_, &Agent::x, &Agent::y, &Agent::radius, &Agent::radius)),
            "update");
    times.update = clock.lap();

    const Frame frame = engine_.frame();
    require(frame.neighbours(
                {.count = settings_.max_neighbours, .max_radius = settings_.sight, .in_row_order = true},
                neighbours_),
            "neighbours");
    times.neighbours = clock.lap();

    // All walls, since an agent could walk into one that is left out. As far as an agent can get within the
    // horizon, from its rim on.
    const float reach = settings_.fastest * settings_.horizons.walls + largest_radius_;
    require(frame.neighbours_in(frame.static_layer(),
                                {.radius = reach, .agents_as = AgentsAs::boxes, .in_row_order = true},
                                near_walls_),
            "walls");
    for (const std::span<const AgentId> walls : near_walls_)
        if (walls.size() > max_walls) throw std::runtime_error("too many walls near one agent");
    times.walls = clock.lap();
}

void Simulation::choose_velocities() {
    chosen_.resize(agents_.size());
    for_each_index(settings_.executor, neighbours_.size(),
                   [this](std::size_t row) { chosen_[neighbours_.agents()[row]] = choose_velocity(row); });
}

// Neighbours and walls are both listed in the order of rows, so one number finds both lists of an agent.
Vec Simulation::choose_velocity(std::size_t row) const {
    const Agent& agent = agents_[neighbours_.agents()[row]];
    const Disc self = disc_of(agent);
    Planes planes;
    for (const AgentId wall : near_walls_[row])
        planes.add(clear_of_wall(self, walls_[wall], settings_.horizons.walls));
    const float stride = 2 * settings_.fastest * settings_.horizons.step;
    for (const AgentId id : neighbours_[row]) {
        const Agent& other = agents_[id];
        const float reach = self.radius + other.radius + stride;
        const Vec apart = other.position() - self.position;
        if (dot(apart, apart) < reach * reach)
            planes.add(
                clear_of_agent(self, disc_of(other), settings_.horizons.step, agent.number < other.number));
    }
    const std::size_t firm = planes.size();
    for (const AgentId id : neighbours_[row]) {
        const Agent& other = agents_[id];
        planes.add(beside_agent(self, disc_of(other), settings_.horizons, agent.number < other.number));
    }
    return best_velocity(preferred_velocity(agent), settings_.fastest, planes.all(), firm);
}

// To the next gate. Agents that press against each other from all sides can block a door for ever. So agents
// that have waited for a while turn aside, now one way and now another, and further the longer they wait.
Vec Simulation::preferred_velocity(const Agent& agent) const {
    const Vec ahead =
        direction_of(routes_[agent.route].gates[agent.gate].nearest(agent.position()) - agent.position());
    if (agent.waiting < patience) return ahead * agent.speed;
    const float most = std::min(static_cast<float>(agent.waiting - patience) / (4 * patience), 1.0f);
    const float aside = (2 * scattered(agent.number, 16 + steps_ / patience) - 1) * most;
    return (ahead * (1 - 2 * std::abs(aside)) + turned_left(ahead) * (2 * aside)) * agent.speed;
}

void Simulation::move() {
    ++steps_;
    for (std::size_t i = 0; i < agents_.size(); ++i) {
        Agent& agent = agents_[i];
        agent.vx = chosen_[i].x;
        agent.vy = chosen_[i].y;
        const bool waits = length(chosen_[i]) < agent.speed * hardly;
        agent.waiting = waits ? static_cast<std::uint8_t>(std::min(agent.waiting + 1, 255))
                              : static_cast<std::uint8_t>(agent.waiting * 3 / 4);
        agent.x += agent.vx * settings_.horizons.step;
        agent.y += agent.vy * settings_.horizons.step;
        const std::vector<Gate>& gates = routes_[agent.route].gates;
        while (agent.gate < gates.size() && gates[agent.gate].passed_at(agent.position())) ++agent.gate;
        // An agent that was pushed back through a door has to go through it again.
        if (agent.gate > 0 && agent.gate < gates.size() && gates[agent.gate - 1].is_before(agent.position()))
            --agent.gate;
    }
    std::erase_if(agents_,
                  [this](const Agent& agent) { return agent.gate == routes_[agent.route].gates.size(); });
}

}  // namespace throng::crowd
