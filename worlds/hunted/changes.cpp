#include "worlds/hunted/changes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace throng::worlds {

namespace {

using Kind = Parameter::Kind;

void become(Moment& moment, std::span<const Agent> agents) {
    moment.agents.assign(agents.begin(), agents.end());
}

void still(const Values&, Moment& moment) { become(moment, moment.world); }

// values: step
void walk(const Values& values, Moment& moment) {
    if (moment.number == 0) return become(moment, moment.world);
    for (Agent& agent : moment.agents) {
        agent.centre.x += moment.random.uniform(-values[0], values[0]);
        agent.centre.y += moment.random.uniform(-values[0], values[0]);
    }
}

// values: x, y
void drift(const Values& values, Moment& moment) {
    become(moment, moment.world);
    const auto steps = static_cast<double>(moment.number);
    for (Agent& agent : moment.agents) {
        agent.centre.x += steps * values[0];
        agent.centre.y += steps * values[1];
    }
}

// values: share. That share of the agents change places.
void teleport(const Values& values, Moment& moment) {
    if (moment.number == 0) return become(moment, moment.world);
    std::vector<Agent>& agents = moment.agents;
    for (std::size_t i = agents.size(); i > 1; --i)
        if (moment.random.uniform() < values[0]) std::swap(agents[i - 1], agents[moment.random.below(i)]);
}

void scale(Moment& moment, double places, double sizes) {
    become(moment, moment.world);
    for (Agent& agent : moment.agents)
        agent = {{places * agent.centre.x, places * agent.centre.y},
                 {sizes * agent.half.x, sizes * agent.half.y}};
}

void to_one_point(Moment& moment) {
    become(moment, moment.world);
    for (Agent& agent : moment.agents) agent.centre = moment.world.front().centre;
}

// values: frames
void spawn(const Values& values, Moment& moment) {
    if (static_cast<double>(moment.number) < values[0]) return to_one_point(moment);
    become(moment, moment.world);
}

void gather(const Values&, Moment& moment) {
    if (moment.number > 0) return to_one_point(moment);
    become(moment, moment.world);
}

// values: places, sizes
void rescale(const Values& values, Moment& moment) {
    if (moment.number > 0) return scale(moment, values[0], values[1]);
    become(moment, moment.world);
}
void pulse(const Values& values, Moment& moment) {
    if (moment.number % 2 == 1) return scale(moment, values[0], values[1]);
    become(moment, moment.world);
}

// values: frames
void from_crowd(const Values& values, Moment& moment) {
    become(moment, static_cast<double>(moment.number) < values[0] ? moment.crowd : moment.world);
}
void alternate(const Values& values, Moment& moment) {
    const std::size_t period = static_cast<std::size_t>(values[0]);
    become(moment, moment.number / period % 2 == 0 ? moment.world : moment.crowd);
}

// values: share
void population(const Values& values, Moment& moment, bool full) {
    become(moment, moment.world);
    if (full) return;
    const double count = values[0] * static_cast<double>(moment.world.size());
    moment.agents.resize(std::clamp<std::size_t>(static_cast<std::size_t>(count), 1, moment.world.size()));
}
void grow(const Values& values, Moment& moment) { population(values, moment, moment.number > 0); }
void shrink(const Values& values, Moment& moment) { population(values, moment, moment.number == 0); }

struct Change {
    Recipe recipe;
    void (*run)(const Values& values, Moment& moment);
};

constexpr Parameter share(double fallback) { return {"share", fallback, 0.05, 1}; }
constexpr Parameter frames{"frames", 1, 1, 64, Kind::whole_by_magnitude};
constexpr Parameter places{"places", 0.01, 1e-9, 1e9, Kind::by_magnitude};
constexpr Parameter sizes{"sizes", 1, 1e-9, 1e9, Kind::by_magnitude};

constexpr Change all_changes[] = {
    {{"walk", "each takes a small step", {{{"step", 0.1, 0, 1e6}}}}, walk},
    {{"still", "nothing changes"}, still},
    {{"drift", "all move by the same", {{{"x", 1, -1e30, 1e30}, {"y", 0, -1e30, 1e30}}}}, drift},
    {{"teleport", "a share of them change places", {{share(1)}}}, teleport},
    {{"spawn", "all at one point at first, and then where they belong", {{frames}}}, spawn},
    {{"gather", "all at one point from the second frame on"}, gather},
    {{"rescale", "places and sizes are multiplied in the second frame", {{places, sizes}}}, rescale},
    {{"pulse", "places and sizes are multiplied in every second frame", {{places, sizes}}}, pulse},
    {{"from_crowd", "a plain crowd at first", {{frames}}}, from_crowd},
    {{"alternate",
      "this world, a plain crowd, this world, after so many frames each",
      {{{"period", 1, 1, 64, Kind::whole_by_magnitude}}}},
     alternate},
    {{"grow", "a share of them at first, and then all", {{share(0.1)}}}, grow},
    {{"shrink", "all of them at first, and then a share", {{share(0.1)}}}, shrink},
};

}  // namespace

std::span<const Recipe> changes() noexcept {
    static constexpr auto recipes = [] {
        std::array<Recipe, std::size(all_changes)> all;
        for (std::size_t k = 0; k < all.size(); ++k) all[k] = all_changes[k].recipe;
        return all;
    }();
    return recipes;
}

bool changes_number(const Call& call) noexcept {
    const auto run = all_changes[call.recipe].run;
    return run == grow || run == shrink;
}

void change(const Call& call, Moment& moment) {
    if (moment.world.empty()) return;
    all_changes[call.recipe].run(call.values, moment);
}

}  // namespace throng::worlds
