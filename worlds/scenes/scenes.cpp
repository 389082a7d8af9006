#include "worlds/scenes/scenes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "worlds/scenes/recipe_parts.hpp"

namespace throng::test {
namespace {

Box sorted(const Box& corners) {
    return {std::min(corners.min_x, corners.max_x), std::min(corners.min_y, corners.max_y),
            std::max(corners.min_x, corners.max_x), std::max(corners.min_y, corners.max_y)};
}

Box person(Random& random, const Step& at) {
    return Around{at.x, at.y, random.uniform(0.35f, 0.5f), random.uniform(0.35f, 0.5f)}.box();
}

// --- Agents on numbers that meet exactly -------------------------------------------------------------------

// The same products for agents and queries, so that edges coincide to the last bit.
Box on_tenths(Random& random, std::size_t, float side) {
    const int reach = static_cast<int>(side * 2);
    const int x = random.between(-reach, reach), y = random.between(-reach, reach);
    const int width = random.between(0, 8), height = random.between(0, 8);
    return {static_cast<float>(x) * 0.1f, static_cast<float>(y) * 0.1f, static_cast<float>(x + width) * 0.1f,
            static_cast<float>(y + height) * 0.1f};
}

// The same, as in hosts that keep a centre and a half extent.
Box on_tenths_by_centre(Random& random, std::size_t, float side) {
    const int reach = static_cast<int>(side * 2);
    const int x = random.between(-reach, reach), y = random.between(-reach, reach);
    const int half_x = random.between(0, 4), half_y = random.between(0, 4);
    return Box::around(static_cast<float>(x) * 0.1f, static_cast<float>(y) * 0.1f,
                       static_cast<float>(half_x) * 0.1f, static_cast<float>(half_y) * 0.1f);
}

// On a multiple of the cell, or the next float below or above it.
float near_multiple(Random& random, int multiple, float cell) {
    const float edge = static_cast<float>(multiple) * cell;
    switch (random.below(4)) {
    case 0: return std::nextafter(edge, -largest);
    case 1: return std::nextafter(edge, largest);
    default: return edge;
    }
}

Box on_edges(Random& random, float side, float width, float height) {
    const int columns = static_cast<int>(side / width) + 1, rows = static_cast<int>(side / height) + 1;
    const int x = random.between(-columns / 4, columns), y = random.between(-rows / 4, rows);
    const int right = x + random.between(0, 1), top = y + random.between(0, 1);
    return sorted({near_multiple(random, x, width), near_multiple(random, y, height),
                   near_multiple(random, right, width), near_multiple(random, top, height)});
}

// Piles of small agents where cells begin, and agents that begin just before a cell and are as wide as one,
// two or three of them, give or take a little.
Box on_piles(Random& random, std::size_t i, float side) {
    const int last = std::max(static_cast<int>(side / 40), 2);
    const float x = static_cast<float>(random.between(0, last)) * 10,
                y = static_cast<float>(random.between(0, last)) * 10;
    if (i % 8 != 0) return {x, y, x + random.uniform(0, 0.5f), y + random.uniform(0, 0.5f)};
    const Step before{random.uniform(0, 0.2f), random.uniform(0, 0.2f)};
    const Step size{10 * static_cast<float>(random.between(1, 3)),
                    10 * static_cast<float>(random.between(0, 2))};
    return {x - before.x, y - before.y, x - before.x + size.x + random.uniform(-0.2f, 0.3f),
            y - before.y + size.y + random.uniform(0, 0.3f)};
}

// --- The recipes -------------------------------------------------------------------------------------------

Box anywhere(Random& random, std::size_t, float side) {
    return person(random, {random.uniform(0, side), random.uniform(0, side)});
}

Box in_a_cluster(Random& random, std::size_t, float side) {
    Random centre(random.below(16) + 99);
    const float x = centre.uniform(0.1f, 0.9f) * side, y = centre.uniform(0.1f, 0.9f) * side;
    return person(random, {x + random.bell() * side * 0.03f, y + random.bell() * side * 0.03f});
}

Box of_any_size(Random& random, std::size_t, float side) {
    const float scale = random.one_in(100) ? random.uniform(4, 100) : 1.0f;
    return Around{random.uniform(0, side), random.uniform(0, side), scale * random.uniform(0.35f, 0.5f),
                  scale * random.uniform(0.35f, 0.5f)}
        .box();
}

Box over_decades(Random& random, std::size_t, float side) {
    const float half = random.decades(-5, 0);
    return Around{random.uniform(0, side), random.uniform(0, side), half, half * random.uniform(0.5f, 2.0f)}
        .box();
}

Box giant_or_small(Random& random, std::size_t i, float side) {
    if (i % 150 != 7) return anywhere(random, i, side);
    return Around{random.uniform(0, side), random.uniform(0, side), side * random.uniform(0.3f, 3.0f),
                  side * random.uniform(0.3f, 3.0f)}
        .box();
}

Box sliver(Random& random, std::size_t i, float side) {
    const float x = random.uniform(0, side), y = random.uniform(0, side),
                length = random.uniform(0, side * 0.3f);
    return i % 2 == 0 ? Box{x, y, x + length, y} : Box{x, y, x, y + length};
}

Box speck(Random& random, std::size_t, float side) {
    const float x = std::floor(random.uniform(0, side) * 2) * 0.5f,
                y = std::floor(random.uniform(0, side) * 2) * 0.5f;
    return {x, y, x, y};
}

Box far_and_near(Random& random, std::size_t i, float side) {
    if (i == 3) return Box::around(9.46e15f, -9.46e15f, 1, 1);
    return anywhere(random, i, side);
}

Box in_one_of_two_worlds(Random& random, std::size_t i, float side) {
    const Box box = anywhere(random, i, side);
    return i % 2 == 0 ? box : shifted(box, {1e7f, -1e7f});
}

Box of_huge_numbers(Random& random, std::size_t, float) {
    const float half = random.decades(30, 36);
    const Around around{random.uniform(-3e38f, 3e38f), random.uniform(-3e38f, 3e38f), half,
                        half * random.uniform(0.1f, 3.0f)};
    return finite(around.box());
}

Box of_tiny_numbers(Random& random, std::size_t, float) {
    const float x = random.subnormal(), y = random.subnormal();
    return sorted({x, y, x + random.subnormal() * 0.05f, y + random.subnormal() * 0.05f});
}

Box of_any_numbers(Random& random, std::size_t, float) {
    const float x = random.any_finite(), y = random.any_finite();
    if (random.one_in(4)) return sorted({x, y, random.any_finite(), random.any_finite()});
    return sorted({x, y, x * random.uniform(0.5f, 1.0f), y * random.uniform(0.5f, 1.0f)});
}

// Worlds of large agents are wider, or all agents would overlap each other.
Box of_half_extents(Random& random, float side, const Step& half) {
    return Around{random.uniform(0, side), random.uniform(0, side), half.x, half.y}.box();
}

// Half extents over seven octaves, from 0.25 to 32, each octave as often as the others.
Box over_octaves(Random& random, std::size_t, float side) {
    const float scale = static_cast<float>(1 << random.between(0, 6)) * 0.25f;
    return of_half_extents(random, side * 8,
                           {scale * random.uniform(1.0f, 2.0f), scale * random.uniform(1.0f, 2.0f)});
}

// Half extents over five decades, from 0.01 to 1000.
Box over_five_decades(Random& random, std::size_t, float side) {
    const float half = random.decades(-2, 2);
    return of_half_extents(random, side * 64, {half, half * random.uniform(0.5f, 2.0f)});
}

// Nine of ten agents on a hundredth of the ground.
Box in_the_crush(Random& random, std::size_t i, float side) {
    if (random.one_in(10)) return anywhere(random, i, side);
    return person(random, {side * random.uniform(0.45f, 0.55f), side * random.uniform(0.45f, 0.55f)});
}

// Thirty to a village, and mostly nothing between the villages.
Box in_a_village(Random& random, std::size_t i, float) {
    Random village(i / 30 + 4711);
    const Step centre{village.uniform(0, 1e6f), village.uniform(0, 1e6f)};
    return person(random, {centre.x + random.uniform(-5, 5), centre.y + random.uniform(-5, 5)});
}

// Agents of twice the size are a quarter as many, so that each octave of sizes covers as much ground as the
// next.
Box by_power_law(Random& random, std::size_t, float side) {
    float scale = 0.25f;
    while (random.one_in(4) && scale < 256) scale *= 2;
    return of_half_extents(random, side,
                           {scale * random.uniform(1.0f, 2.0f), scale * random.uniform(1.0f, 2.0f)});
}

Box giant_or_person(Random& random, std::size_t, float side) {
    const float scale = random.one_in(20) ? random.uniform(20, 100) : 1.0f;
    return of_half_extents(random, side,
                           {scale * random.uniform(0.35f, 0.5f), scale * random.uniform(0.35f, 0.5f)});
}

Box another(Random& random, float side, Box (*place)(Random&, std::size_t, float)) {
    return place(random, 0, side);
}

const std::vector<SceneRecipe>& recipes() {
    static const std::vector<SceneRecipe> all = {
        {"uniform", 0, 0, many, anywhere, walk},
        {"mixed_sizes", 0, 0, many, of_any_size, walk},
        {"clustered", 0, 0, many, in_a_cluster, walk},
        {"one_point", 0, 0, 600,
         [](Random&, std::size_t, float) { return Box::around(7.3f, -2.1f, 0.4f, 0.4f); }, stay},
        {"on_a_line", 0, 0, many,
         [](Random& random, std::size_t, float side) {
             return person(random, {random.uniform(0, side * 8), 5.0f});
         },
         [](Random& random, const Box& box, float) {
             return shifted(box, {random.uniform(-0.1f, 0.1f), 0});
         }},
        {"on_a_column", 0, 0, many,
         [](Random& random, std::size_t, float side) {
             return person(random, {5.0f, random.uniform(0, side * 8)});
         },
         [](Random& random, const Box& box, float) {
             return shifted(box, {0, random.uniform(-0.1f, 0.1f)});
         }},
        {"lattice", 0, 0, many, on_tenths,
         [](Random& random, const Box& box, float side) {
             return random.one_in(3) ? another(random, side, on_tenths) : box;
         }},
        {"lattice_by_centre", 0, 0, many, on_tenths_by_centre,
         [](Random& random, const Box& box, float side) {
             return random.one_in(3) ? another(random, side, on_tenths_by_centre) : box;
         }},
        {"lattice_in_tenth_cells", 0.1f, 0.3f, many, on_tenths,
         [](Random& random, const Box& box, float side) {
             return random.one_in(3) ? another(random, side, on_tenths) : box;
         }},
        {"cell_edges", 1.25f, 6.0f, many,
         [](Random& random, std::size_t, float side) { return on_edges(random, side, 1.25f, 6.0f); },
         [](Random& random, const Box& box, float) {
             return shifted(box, {1.25f * static_cast<float>(random.between(-1, 1)), 0});
         }},
        {"inexact_cell_edges", 0.7f, 2.3f, many,
         [](Random& random, std::size_t, float side) { return on_edges(random, side, 0.7f, 2.3f); },
         [](Random& random, const Box& box, float) {
             return shifted(box, {0, 2.3f * static_cast<float>(random.between(-1, 1))});
         }},
        {"piles_on_cell_edges", 10, 10, many, on_piles,
         [](Random& random, const Box& box, float) {
             return shifted(box,
                            {10 * static_cast<float>(random.between(-1, 1)), random.uniform(-0.1f, 0.1f)});
         }},
        {"huge_numbers", 0, 0, many, of_huge_numbers, walk_by_size},
        {"tiny_numbers", 0, 0, many, of_tiny_numbers,
         [](Random& random, const Box& box, float side) {
             return random.one_in(2) ? another(random, side, of_tiny_numbers) : box;
         }},
        {"any_numbers", 0, 0, many, of_any_numbers, walk_by_size},
        {"none", 0, 0, 0, anywhere, walk},
        {"one_agent", 0, 0, 1, anywhere, walk},
        {"giants_over_small", 0, 0, many, giant_or_small, walk},
        {"sizes_over_decades", 0, 0, many, over_decades, walk_by_size},
        {"slivers", 0, 0, many, sliver, walk},
        {"specks", 0, 0, many, speck,
         [](Random& random, const Box& box, float) {
             return shifted(box, {0.5f * static_cast<float>(random.between(-1, 1)), 0});
         }},
        {"a_light_year_away", 0, 0, many, far_and_near, walk},
        {"two_worlds", 0, 0, many, in_one_of_two_worlds, walk},
        {"sizes", 0, 0, many, over_octaves, walk_by_size},
        {"decades", 0, 0, many, over_five_decades, walk_by_size},
        {"crushed", 0, 0, many, in_the_crush, walk},
        {"villages", 0, 0, many, in_a_village, walk},
        {"power_law", 0, 0, many, by_power_law, walk_by_size},
        {"giants_everywhere", 0, 0, many, giant_or_person, walk},
    };
    return all;
}

}  // namespace

std::span<const SceneRecipe> scene_recipes() { return recipes(); }

const SceneRecipe& recipe_named(std::span<const SceneRecipe> recipes, std::string_view name) {
    const auto found = std::find_if(recipes.begin(), recipes.end(),
                                    [&](const SceneRecipe& recipe) { return recipe.name == name; });
    return found != recipes.end() ? *found : recipes.front();
}

Scene make_scene(std::string_view name, std::size_t count, std::uint64_t seed) {
    return {recipe_named(recipes(), name), count, seed};
}

Scene::Scene(const SceneRecipe& recipe, std::size_t count, std::uint64_t seed)
    : name_(recipe.name), recipe_(recipe), random_(seed) {
    count = std::min(count, recipe.max_count);
    side_ = 2 * std::sqrt(static_cast<float>(count) + 1);
    for (std::size_t i = 0; i < count; ++i) agents_.push_back(recipe_.place(random_, i, side_));
}

Box Scene::place(Random& random) const { return recipe_.place(random, random.below(200), side_); }

void Scene::step() {
    for (std::size_t i = 0; i < agents_.size(); ++i)
        agents_[i] =
            random_.one_in(50) ? recipe_.place(random_, i, side_) : recipe_.nudge(random_, agents_[i], side_);
}

std::vector<Box> Scene::queries(std::size_t count, std::uint64_t seed) const {
    Random random(seed + 1000);
    std::vector<Box> all;
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i) all.push_back(query(random));
    return all;
}

Box Scene::query(Random& random) const {
    if (agents_.empty()) return place(random);
    const auto some_agent = [&] { return agents_[random.below(agents_.size())]; };
    const Box box = some_agent();
    switch (random.below(16)) {
    case 0:
    case 1:
    case 2: return place(random);
    case 3: return box;
    // Beyond an agent's right and upper edge: from the edge itself, and from the next number after it.
    case 4: return finite({box.max_x, box.max_y, box.max_x + 1, box.max_y + 1});
    case 5: return finite(sorted({std::nextafter(box.max_x, largest), box.min_y, box.max_x + 1, box.max_y}));
    case 6: return finite(sorted({box.min_x, std::nextafter(box.max_y, largest), box.max_x, box.max_y + 1}));
    // And before its left and lower edge.
    case 7: return finite({box.min_x - 1, box.min_y - 1, box.min_x, box.min_y});
    case 8: return finite(sorted({box.min_x - 1, box.min_y, std::nextafter(box.min_x, -largest), box.max_y}));
    // A point, which is a box without an extent.
    case 9: return {box.min_x, box.max_y, box.min_x, box.max_y};
    // A neighbourhood.
    case 10:
    case 11:
    case 12: return finite({box.min_x - 2, box.min_y - 2, box.max_x + 2, box.max_y + 2});
    // A large part of the world, and a row or a column of it.
    case 13: return hull(box, some_agent());
    case 14: {
        const Box other = hull(box, some_agent());
        return random.one_in(2) ? Box{other.min_x, box.min_y, other.max_x, box.max_y}
                                : Box{box.min_x, other.min_y, box.max_x, other.max_y};
    }
    default: return random.one_in(8) ? Box{-largest, -largest, largest, largest} : hull(box, place(random));
    }
}

EngineConfig Scene::configure(EngineConfig config) const {
    config.cell_width = recipe_.cell_width;
    config.row_height = recipe_.row_height;
    return config;
}

std::vector<Label> labels_by_id(std::size_t count) {
    std::vector<Label> labels;
    for (std::uint32_t id = 0; id < count; ++id) labels.push_back({1u << id % 3, id % 5});
    return labels;
}

}  // namespace throng::test
