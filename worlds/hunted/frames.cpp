#include "worlds/hunted/frames.hpp"

#include <algorithm>
#include <cmath>

#include "worlds/hunted/heights.hpp"
#include "worlds/hunted/orders.hpp"
#include "worlds/hunted/placements.hpp"
#include "worlds/hunted/sizes.hpp"

namespace throng::worlds {

namespace {

// Where the plain crowd stands: an agent to four units of area.
double side_for(std::size_t agents) { return 2 * std::sqrt(static_cast<double>(agents)); }

// Every layer gets its share, to the agent; the last takes what rounding left.
std::vector<std::size_t> split(const World& world) {
    double all = 0, before = 0;
    for (const Layer& layer : world.layers) all += layer.share;
    std::vector<std::size_t> ends;
    for (const Layer& layer : world.layers) {
        before += layer.share;
        ends.push_back(static_cast<std::size_t>(static_cast<double>(world.agents) * (before / all)));
    }
    ends.back() = world.agents;
    return ends;
}

Agent transformed(const Values& at, const Point& direction, const Point& centre, const Point& half) {
    const double scale = at[2], reach = at[2] * at[3];
    return {{at[0] + reach * (centre.x * direction.x - centre.y * direction.y),
             at[1] + reach * (centre.x * direction.y + centre.y * direction.x)},
            {scale * half.x, scale * half.y}};
}

void add_layer(const Layer& layer, std::size_t count, double side, Random& random,
               std::vector<Agent>& agents) {
    std::vector<Point> points(count), halves(count);
    place(layer.place, side, random, points);
    give_sizes(layer.size, side, points, random, halves);
    const Values& at = layer.at.values;
    const Point direction = at[4] == 0 ? Point{1, 0} : on_circle(at[4]);
    for (std::size_t i = 0; i < count; ++i)
        agents.push_back(transformed(at, direction, points[i], halves[i]));
}

std::vector<Agent> make(const World& world) {
    const std::vector<std::size_t> ends = split(world);
    std::vector<Agent> agents;
    agents.reserve(world.agents);
    std::size_t last_layer = 0;
    for (std::size_t k = 0; k < ends.size(); ++k) {
        // A layer keeps its agents when another one changes.
        Random random(mix(world.seed) + k);
        last_layer = agents.size();
        add_layer(world.layers[k], ends[k] - agents.size(), side_for(world.agents), random, agents);
    }
    std::vector<Point> centres;
    centres.reserve(agents.size());
    for (const Agent& agent : agents) centres.push_back(agent.centre);
    Random random(mix(world.seed + 1));
    std::vector<Agent> by_id;
    by_id.reserve(agents.size());
    for (const std::uint32_t i : order(world.ids, {centres, last_layer}, random)) by_id.push_back(agents[i]);
    return by_id;
}

// Any world stays within the floats, with room for a query around each agent.
float edge(double value) { return static_cast<float>(std::clamp(value, -1e37, 1e37)); }

}  // namespace

Frames::Frames(const World& world)
    : then_(world.then),
      random_(mix(world.seed + 2)),
      world_(make(world)),
      heights_(heights_of(world.heights, world.agents, mix(world.seed + 4))),
      period_(period_of(world.wraps, side_for(world.agents))) {
    World crowd;
    crowd.agents = world.agents;
    crowd.seed = world.seed + 3;
    crowd_ = make(crowd);
    show();
}

void Frames::next() {
    ++number_;
    show();
}

void Frames::show() {
    Moment moment{number_, world_, crowd_, agents_, random_};
    change(then_, moment);
    boxes_.resize(agents_.size());
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
        const Agent& agent = agents_[i];
        boxes_[i] = {edge(agent.centre.x - agent.half.x), edge(agent.centre.y - agent.half.y),
                     edge(agent.centre.x + agent.half.x), edge(agent.centre.y + agent.half.y)};
    }
}

std::vector<Point> centres_of(const std::vector<Box>& boxes) {
    std::vector<Point> centres;
    centres.reserve(boxes.size());
    for (const Box& box : boxes)
        centres.push_back(
            {0.5 * (double{box.min_x} + double{box.max_x}), 0.5 * (double{box.min_y} + double{box.max_y})});
    return centres;
}

}  // namespace throng::worlds
