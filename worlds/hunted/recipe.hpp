// What a world is made of: recipes with a name and a few parameters, and calls of them. Strings, random
// worlds and the listing of `--help` all come from the tables of recipes, so a new recipe needs an entry
// there and a function.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "worlds/hunted/arithmetic.hpp"

namespace throng::worlds {

// A number with three digits, so that strings stay short.
double with_three_digits(double value);

struct Parameter {
    // How random values are drawn: as many of each value, or as many of each order of magnitude.
    enum class Kind : std::uint8_t { even, by_magnitude, whole_by_magnitude };

    const char* name = "";
    double fallback = 0, low = 0, high = 0;
    Kind kind = Kind::even;

    bool allows(double value) const noexcept;
    // Anything that it allows.
    double draw(Random& random) const;
    // Something near a value, or anything.
    double vary(double value, Random& random) const;
};

inline constexpr std::size_t max_parameters = 6;
using Values = std::array<double, max_parameters>;

struct Recipe {
    const char* name = "";
    const char* what = "";
    std::array<Parameter, max_parameters> parameters = {};

    // Those that have a name come first.
    std::span<const Parameter> named() const noexcept;
    Values fallbacks() const noexcept;
};

// The parts of a world that a string can say something about, each with a table of recipes.
enum class Part : std::uint8_t { place, size, at, ids, then, wraps, heights };
inline constexpr Part parts[] = {Part::place, Part::size,  Part::at,     Part::ids,
                                 Part::then,  Part::wraps, Part::heights};
const char* name_of(Part part) noexcept;
// The first is the one that a world has if it says nothing.
std::span<const Recipe> recipes_of(Part part) noexcept;

// One recipe of a table, with a value for each of its parameters.
struct Call {
    std::uint32_t recipe = 0;
    Values values = {};

    friend bool operator==(const Call&, const Call&) = default;
};

const Recipe& recipe_of(Part part, const Call& call) noexcept;
Call plain(Part part) noexcept;
std::optional<Call> find_recipe(Part part, std::string_view name) noexcept;

}  // namespace throng::worlds
