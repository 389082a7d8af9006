#include "worlds/hunted/heights.hpp"

#include <cmath>
#include <iterator>

namespace throng::worlds {

namespace {

using Kind = Parameter::Kind;

// The world is flat.
constexpr auto no_law = nullptr;
constexpr double of_a_storey = 3;

struct HeightLaw {
    Recipe recipe;
    Band (*band)(const Values& values, Random& random);
};

Band band_from(double base, double tall) {
    return {static_cast<float>(base), static_cast<float>(base + tall)};
}
double storey_of(double storeys, Random& random) {
    return of_a_storey * std::floor(random.uniform() * storeys);
}

// values: count, tall
Band storeys(const Values& values, Random& random) {
    return band_from(storey_of(values[0], random), values[1]);
}
// values: up, tall
Band anywhere(const Values& values, Random& random) {
    return band_from(random.uniform(0, values[0]), values[1]);
}
// values: count, share
Band pillars(const Values& values, Random& random) {
    const double base = storey_of(values[0], random);
    if (random.uniform() < values[1]) return band_from(0, of_a_storey * values[0]);
    return band_from(base, 1.8);
}

constexpr Parameter storey_count{"count", 200, 1, 10000, Kind::whole_by_magnitude};
constexpr Parameter body_height{"tall", 1.8, 0, 10};

constexpr HeightLaw all_height_laws[] = {
    {{"flat", "every agent is at every height"}, no_law},
    {{"storeys", "evenly on so many storeys, three units above each other", {{storey_count, body_height}}},
     storeys},
    {{"anywhere", "evenly, as far up as it says", {{{"up", 600, 0, 1e6}, body_height}}}, anywhere},
    {{"pillars",
      "on so many storeys, but for a share that reaches through all",
      {{storey_count, {"share", 0.01, 1e-5, 1, Kind::by_magnitude}}}},
     pillars},
};

}  // namespace

std::span<const Recipe> height_laws() noexcept {
    static constexpr auto recipes = [] {
        std::array<Recipe, std::size(all_height_laws)> all;
        for (std::size_t k = 0; k < all.size(); ++k) all[k] = all_height_laws[k].recipe;
        return all;
    }();
    return recipes;
}

std::vector<Band> heights_of(const Call& call, std::size_t agents, std::uint64_t seed) {
    std::vector<Band> heights;
    const auto law = all_height_laws[call.recipe].band;
    if (law == no_law) return heights;
    Random random(seed);
    heights.reserve(agents);
    for (std::size_t i = 0; i < agents; ++i) heights.push_back(law(call.values, random));
    return heights;
}

}  // namespace throng::worlds
