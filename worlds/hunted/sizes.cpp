#include "worlds/hunted/sizes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace throng::worlds {

namespace {

using Kind = Parameter::Kind;

// The agent that gets a size: its number and its place in its layer.
struct Given {
    const Values& values;
    double side;
    std::size_t number;
    const Point& point;
    Random& random;
};

struct Law {
    Recipe recipe;
    // The half size of one agent.
    Point (*half)(const Given& given);
};

Point between(double low, double high, Random& random) {
    const double x = random.uniform(low, high);
    return {x, random.uniform(low, high)};
}
Point as_in_the_crowd(Random& random) { return between(0.35, 0.5, random); }

// A box that is nearly a square, no larger than it says.
Point around(double half, Random& random) {
    const double x = random.uniform(0.85, 1);
    return {half * x, half * random.uniform(0.85, 1)};
}

Point uniform(const Given& given) { return between(given.values[0], given.values[1], given.random); }

Point constant(const Given& given) { return {given.values[0], given.values[0]}; }

Point by_octave(const Given& given) {
    return around(given.values[0] * exp2(given.random.uniform() * given.values[1]), given.random);
}

// The share of those above a size falls with a power of it.
Point by_power(const Given& given) {
    const double share = 1 - given.random.uniform();
    return around(std::min(given.values[0] * exp2(-log2(share) / given.values[1]), given.values[2]),
                  given.random);
}

Point by_distance(const Given& given) {
    const Point& point = given.point;
    const double half = given.values[0] * std::sqrt(point.x * point.x + point.y * point.y);
    return {half, half};
}

Point sliver(const Given& given) {
    const double length = given.values[0] * given.random.uniform(0.5, 1);
    if (given.random.uniform() < given.values[2]) return {given.values[1], length};
    return {length, given.values[1]};
}

Point giants(const Given& given) {
    if (given.random.uniform() < given.values[0]) return around(given.values[1], given.random);
    return as_in_the_crowd(given.random);
}

// As long as a share of the crowd's square.
Point wall(const Given& given) { return {given.values[1], 0.5 * given.side * given.values[0]}; }

Point crossing(const Given& given) {
    const double length = 0.5 * given.side * given.values[0];
    if (given.random.uniform() < given.values[2]) return {given.values[1], length};
    return {length, given.values[1]};
}

Point widest(const Given& given) {
    if (static_cast<double>(given.number) >= given.values[0]) return as_in_the_crowd(given.random);
    return {0.5 * given.side * given.values[1], 0.5 * given.side * given.values[2]};
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
    {{"crossing",
      "as long as a share of the crowd's square: wide and flat, but for a share of tall and thin ones",
      {{{"length", 0.33, 1e-3, 1, Kind::by_magnitude}, {"thin", 0.05, 0, 1}, {"tall", 0.5, 0, 1}}}},
     crossing},
    {{"widest",
      "as the crowd, but for the first few, which are as wide and as high as the crowd's square",
      {{{"count", 1, 1, 1000, Kind::whole_by_magnitude}, {"wide", 1, 0, 2}, {"high", 1, 0, 2}}}},
     widest},
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
        halves[i] = all_laws[call.recipe].half({call.values, side, i, points[i], random});
}

}  // namespace throng::worlds
