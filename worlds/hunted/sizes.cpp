#include "worlds/hunted/sizes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace throng::worlds {

namespace {

using Kind = Parameter::Kind;

struct Law {
    Recipe recipe;
    // The half size of one agent.
    Point (*half)(const Values& values, double side, const Point& point, Random& random);
};

Point uniform(const Values& values, double, const Point&, Random& random) {
    const double x = random.uniform(values[0], values[1]);
    return {x, random.uniform(values[0], values[1])};
}

// A box that is nearly a square, no larger than it says.
Point around(double half, Random& random) {
    const double x = random.uniform(0.85, 1);
    return {half * x, half * random.uniform(0.85, 1)};
}

Point constant(const Values& values, double, const Point&, Random&) { return {values[0], values[0]}; }

Point by_octave(const Values& values, double, const Point&, Random& random) {
    return around(values[0] * exp2(random.uniform() * values[1]), random);
}

// The share of those above a size falls with a power of it.
Point by_power(const Values& values, double, const Point&, Random& random) {
    const double share = 1 - random.uniform();
    return around(std::min(values[0] * exp2(-log2(share) / values[1]), values[2]), random);
}

Point by_distance(const Values& values, double, const Point& point, Random&) {
    const double half = values[0] * std::sqrt(point.x * point.x + point.y * point.y);
    return {half, half};
}

Point sliver(const Values& values, double, const Point&, Random& random) {
    const double length = values[0] * random.uniform(0.5, 1);
    if (random.uniform() < values[2]) return {values[1], length};
    return {length, values[1]};
}

Point giants(const Values& values, double side, const Point& point, Random& random) {
    if (random.uniform() < values[0]) return around(values[1], random);
    return uniform({0.35, 0.5}, side, point, random);
}

// As long as a share of the crowd's square.
Point wall(const Values& values, double side, const Point&, Random&) {
    return {values[1], 0.5 * side * values[0]};
}

constexpr Law all_laws[] = {
    {{"uniform", "evenly from one to the other", {{{"low", 0.35, 0, 1e6}, {"high", 0.5, 0, 1e6}}}}, uniform},
    {{"constant", "all of one size", {{{"half", 0.45, 0, 1e6}}}}, constant},
    {{"octaves",
      "as many of each octave",
      {{{"low", 0.25, 1e-9, 1e6, Kind::by_magnitude}, {"octaves", 7, 0, 60}}}},
     by_octave},
    {{"power",
      "a power law, cut off at the most",
      {{{"least", 0.35, 1e-9, 1e6, Kind::by_magnitude},
        {"exponent", 2, 0.5, 10},
        {"most", 1e4, 1e-9, 1e12, Kind::by_magnitude}}}},
     by_power},
    {{"distance",
      "a share of the distance from the centre of the layer",
      {{{"factor", 0.002, 1e-9, 10, Kind::by_magnitude}}}},
     by_distance},
    {{"sliver",
      "long and thin: flat, but for a share of tall ones",
      {{{"long", 100, 1e-6, 1e9, Kind::by_magnitude}, {"thin", 0.01, 0, 1}, {"tall", 0.5, 0, 1}}}},
     sliver},
    {{"giants",
      "as the crowd, but for a share of giants",
      {{{"share", 0.01, 1e-5, 1, Kind::by_magnitude}, {"half", 20, 0.5, 1e6, Kind::by_magnitude}}}},
     giants},
    {{"wall",
      "upright walls as long as a share of the crowd's square",
      {{{"length", 1, 1e-4, 1, Kind::by_magnitude}, {"thin", 0.01, 0, 1}}}},
     wall},
};

}  // namespace

std::span<const Recipe> size_laws() noexcept {
    static constexpr auto recipes = [] {
        std::array<Recipe, std::size(all_laws)> all;
        for (std::size_t k = 0; k < all.size(); ++k) all[k] = all_laws[k].recipe;
        return all;
    }();
    return recipes;
}

void give_sizes(const Call& call, double side, std::span<const Point> points, Random& random,
                std::span<Point> halves) {
    for (std::size_t i = 0; i < points.size(); ++i)
        halves[i] = all_laws[call.recipe].half(call.values, side, points[i], random);
}

}  // namespace throng::worlds
