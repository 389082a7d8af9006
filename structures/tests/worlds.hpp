// What a structure is told to expect, queries that are awkward for given elements, and the worlds that are
// the worst for some structure.
#pragma once

#include "structures/tests/test.hpp"
#include "throng/structures/spatial_index.hpp"

namespace throng::structures::test {

// What a host that knows its elements would say. Extents and sizes are never zero, whatever the elements are.
Expected expected_of(const std::vector<Box>& boxes);

// A host may be wrong: a structure answers right all the same.
enum class Guess { right, world_too_small, world_too_large, few_and_large, many_and_small };
inline constexpr Guess guesses[] = {Guess::right, Guess::world_too_small, Guess::world_too_large,
                                    Guess::few_and_large, Guess::many_and_small};
Expected mistaken(Expected expected, Guess guess);

// Whether a structure must work with such extents and sizes. With others it may say bad_config.
bool is_sane(const Box& extents);
bool is_sane(const Expected& expected);

// Boxes of elements, boxes that touch one or miss it by the smallest step there is, points, neighbourhoods,
// large parts of the world, all there can be, and nothing at all.
Box query_about(const std::vector<Box>& boxes, Random& random);
std::vector<Box> queries_about(const std::vector<Box>& boxes, std::size_t count, std::uint64_t seed);

// A little way to the side and up, by a number of times its size.
Box nudged(const Box& box, float by);

struct World {
    std::string name;
    std::vector<Box> boxes;
    Expected expected;
};

// Thousands at one place, giants, all elements outside, all on a line, worlds of any size.
std::vector<World> degenerate_worlds();
// The same with as few elements as still mean something, at every scale of the tests.
std::vector<World> small_degenerate_worlds();

// Small boxes spread evenly over a square.
std::vector<Box> even_crowd(std::size_t count, float side, std::uint64_t seed);

}  // namespace throng::structures::test
