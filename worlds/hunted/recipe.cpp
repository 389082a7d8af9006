#include "worlds/hunted/recipe.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "worlds/hunted/changes.hpp"
#include "worlds/hunted/heights.hpp"
#include "worlds/hunted/orders.hpp"
#include "worlds/hunted/periods.hpp"
#include "worlds/hunted/placements.hpp"
#include "worlds/hunted/sizes.hpp"

namespace throng::worlds {

namespace {

using Kind = Parameter::Kind;

// Where a layer lies. All layers are made around the origin first.
constexpr Recipe transforms[] = {
    {"at",
     "moves, scales and turns a layer: `spread` scales places only, `scale` the sizes as well",
     {{{"x", 0, -1e30, 1e30},
       {"y", 0, -1e30, 1e30},
       {"scale", 1, 1e-12, 1e12, Kind::by_magnitude},
       {"spread", 1, 1e-12, 1e12, Kind::by_magnitude},
       {"turn", 0, 0, 1}}}},
};

}  // namespace

double with_three_digits(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3g", value);
    return std::strtod(text, nullptr);
}

bool Parameter::allows(double value) const noexcept {
    if (kind == Kind::whole_by_magnitude && value != std::floor(value)) return false;
    return value >= low && value <= high;
}

double Parameter::draw(Random& random) const {
    double value = 0;
    if (kind == Kind::even) {
        // A parameter that ranges over all floats is drawn by magnitude, on both sides of zero.
        if (high < 1e6) {
            value = random.uniform(low, high);
        } else {
            value = exp2(random.uniform(-3, 40));
            if (low < 0 && random.one_in(2)) value = -value;
        }
    } else {
        const double least = std::max(low, 1e-12);
        value = least * exp2(random.uniform() * log2(high / least));
    }
    if (kind == Kind::whole_by_magnitude) value = std::round(value);
    return std::clamp(with_three_digits(value), low, high);
}

double Parameter::vary(double value, Random& random) const {
    if (random.one_in(3)) return draw(random);
    if (random.one_in(6)) return fallback;
    double other = value * exp2(random.uniform(-1.5, 1.5));
    if (kind == Kind::whole_by_magnitude) other = std::round(other);
    return std::clamp(with_three_digits(other), low, high);
}

std::span<const Parameter> Recipe::named() const noexcept {
    const auto end = std::find_if(parameters.begin(), parameters.end(),
                                  [](const Parameter& parameter) { return *parameter.name == '\0'; });
    return {parameters.begin(), end};
}

Values Recipe::fallbacks() const noexcept {
    Values values{};
    for (std::size_t k = 0; k < max_parameters; ++k) values[k] = parameters[k].fallback;
    return values;
}

const char* name_of(Part part) noexcept {
    switch (part) {
    case Part::place: return "place";
    case Part::size: return "size";
    case Part::at: return "at";
    case Part::ids: return "ids";
    case Part::then: return "then";
    case Part::wraps: return "wraps";
    case Part::heights: break;
    }
    return "heights";
}

std::span<const Recipe> recipes_of(Part part) noexcept {
    switch (part) {
    case Part::place: return placements();
    case Part::size: return size_laws();
    case Part::at: return transforms;
    case Part::ids: return orders();
    case Part::then: return changes();
    case Part::wraps: return periods();
    case Part::heights: break;
    }
    return height_laws();
}

const Recipe& recipe_of(Part part, const Call& call) noexcept { return recipes_of(part)[call.recipe]; }

Call plain(Part part) noexcept { return {0, recipes_of(part).front().fallbacks()}; }

std::optional<Call> find_recipe(Part part, std::string_view name) noexcept {
    const std::span<const Recipe> all = recipes_of(part);
    for (std::uint32_t k = 0; k < all.size(); ++k)
        if (name == all[k].name) return Call{k, all[k].fallbacks()};
    return std::nullopt;
}

}  // namespace throng::worlds
