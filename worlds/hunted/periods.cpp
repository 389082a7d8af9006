#include "worlds/hunted/periods.hpp"

#include <iterator>

namespace throng::worlds {

namespace {

using Kind = Parameter::Kind;

struct Way {
    Recipe recipe;
    Point (*period)(const Values& values, double side);
};

Point plane(const Values&, double) { return {}; }
// values: share
Point in_x(const Values& values, double side) { return {values[0] * side, 0}; }
Point in_y(const Values& values, double side) { return {0, values[0] * side}; }
// values: x, y
Point both(const Values& values, double side) { return {values[0] * side, values[1] * side}; }
// values: agents, other. An agent of a crowd has two units of length.
Point narrow_x(const Values& values, double side) { return {2 * values[0], values[1] * side}; }
Point narrow_y(const Values& values, double side) { return {values[1] * side, 2 * values[0]}; }

constexpr Parameter of_the_side(const char* name) { return {name, 1, 0.01, 100, Kind::by_magnitude}; }
constexpr Parameter agents_around{"agents", 3, 0.5, 20};
constexpr Parameter in_the_other{"other", 0, 0, 2};

constexpr Way all_ways[] = {
    {{"plane", "it does not wrap around"}, plane},
    {{"x", "in x, after such a share of the crowd's square", {{of_the_side("share")}}}, in_x},
    {{"y", "in y, after such a share of the crowd's square", {{of_the_side("share")}}}, in_y},
    {{"both", "in both, after such shares of the crowd's square", {{of_the_side("x"), of_the_side("y")}}},
     both},
    {{"narrow_x",
      "in x, after the room of so many agents, and in y after a share of the crowd's square, if any",
      {{agents_around, in_the_other}}},
     narrow_x},
    {{"narrow_y", "the same with x and y exchanged", {{agents_around, in_the_other}}}, narrow_y},
};

}  // namespace

std::span<const Recipe> periods() noexcept {
    static constexpr auto recipes = [] {
        std::array<Recipe, std::size(all_ways)> all;
        for (std::size_t k = 0; k < all.size(); ++k) all[k] = all_ways[k].recipe;
        return all;
    }();
    return recipes;
}

Period period_of(const Call& call, double side) noexcept {
    const Point period = all_ways[call.recipe].period(call.values, side);
    return {static_cast<float>(period.x), static_cast<float>(period.y)};
}

}  // namespace throng::worlds
