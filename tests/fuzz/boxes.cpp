#include "fuzz/boxes.hpp"

#include "support/test.hpp"

namespace throng::fuzz {
namespace {

using test::Random;

// One of the worlds of island_worlds.hpp, by the seed.
constexpr const char* any_islands = "islands";

// Where boxes are, after the scenes of that name.
constexpr const char* places[32] = {
    "uniform",
    "uniform",
    "uniform",
    "lattice",
    "lattice",
    "lattice",
    "one_point",
    "on_a_line",
    "on_a_column",
    "clustered",
    "mixed_sizes",
    "cell_edges",
    "inexact_cell_edges",
    "piles_on_cell_edges",
    "huge_numbers",
    "tiny_numbers",
    "any_numbers",
    "any_numbers",
    "giants_over_small",
    "sizes_over_decades",
    "slivers",
    "specks",
    "two_worlds",
    "a_light_year_away",
    "lattice_by_centre",
    "sizes",
    "decades",
    "crushed",
    "villages",
    "power_law",
    "giants_everywhere",
    any_islands,
};

const test::SceneRecipe& recipe_of(const char* name, std::uint8_t seed) {
    if (std::string_view(name) == any_islands)
        return test::island_recipes()[seed / 4 % test::island_recipes().size()];
    for (const test::SceneRecipe& recipe : test::scene_recipes())
        if (std::string_view(recipe.name) == name) return recipe;
    return test::scene_recipes().front();
}

float awkward_float(std::uint8_t which, float raw) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    switch (which % 8) {
    case 0: return std::numeric_limits<float>::quiet_NaN();
    case 1: return infinity;
    case 2: return -infinity;
    case 3: return std::numeric_limits<float>::max();
    case 4: return std::numeric_limits<float>::lowest();
    case 5: return -0.0f;
    default: return raw;
    }
}

std::vector<Box> of_a_scene(Bytes& bytes, const char* name, std::size_t count) {
    static constexpr float sides[] = {20, 4, 60, 200};
    const std::uint8_t seed = bytes.byte();
    const test::SceneRecipe& recipe = recipe_of(name, seed);
    Random random(seed);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) boxes.push_back(recipe.place(random, i, sides[seed % 4]));
    return boxes;
}

// In quarters, so that edges meet.
std::vector<Box> one_by_one(Bytes& bytes, std::size_t count) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = static_cast<float>(bytes.byte()) * 0.25f,
                    y = static_cast<float>(bytes.byte()) * 0.25f;
        const std::uint8_t size = bytes.byte();
        boxes.push_back(
            {x, y, x + static_cast<float>(size % 16) * 0.25f, y + static_cast<float>(size / 16) * 0.25f});
    }
    return boxes;
}

std::vector<Box> of_raw_floats(Bytes& bytes, std::size_t count) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = bytes.any_float(), y = bytes.any_float();
        const float width = finite_or_zero(bytes.any_float());
        boxes.push_back({x, y, x + width, y + width});
    }
    return boxes;
}

}  // namespace

float finite_or_zero(float value) { return std::isfinite(value) ? std::fabs(value) : 0; }

std::vector<Box> read_boxes(Bytes& bytes, std::size_t count) {
    const std::uint8_t head = bytes.byte();
    switch (head >> 5) {
    case 6: return one_by_one(bytes, count);
    case 7: return of_raw_floats(bytes, count);
    default: return of_a_scene(bytes, places[head % 32], count);
    }
}

Box beside(const Box& box, std::uint8_t how) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const float step = static_cast<float>(how / 16);
    switch (how % 8) {
    case 0: return box;
    case 1: return {box.max_x, box.min_y, box.max_x + step, box.max_y};
    case 2: return {std::nextafter(box.max_x, infinity), box.min_y, box.max_x + step + 1, box.max_y};
    case 3: return {box.min_x, box.min_y - step - 1, box.max_x, std::nextafter(box.min_y, -infinity)};
    case 4: return {box.min_x, box.max_y, box.min_x, box.max_y};
    case 5: return {box.min_x - step, box.min_y - step, box.max_x + step, box.max_y + step};
    case 6: return {box.min_x - 100 * step, box.min_y, box.max_x + 100 * step, box.max_y};
    default: return {std::numeric_limits<float>::lowest(), box.min_y, box.max_x, box.max_y};
    }
}

BoxList as_a_host_has_it(Bytes& bytes, std::vector<Box> boxes) {
    const std::uint8_t head = bytes.byte();
    if (head >= 224 && !boxes.empty()) {
        Box& box = boxes[bytes.byte() % boxes.size()];
        float* const places_in_it[4] = {&box.min_x, &box.min_y, &box.max_x, &box.max_y};
        const std::uint8_t which = bytes.byte();
        *places_in_it[head % 4] = awkward_float(which, which % 8 > 5 ? bytes.any_float() : 0);
    }
    BoxList list{.form = static_cast<BoxList::Form>(head % 8 < 4 ? 0 : head % 8 - 4)};
    if (list.form == BoxList::Form::structures) {
        list.boxes = std::move(boxes);
        return list;
    }
    for (const Box& box : boxes) {
        const bool corners = list.form == BoxList::Form::corners;
        const float last[2] = {corners ? box.max_x : (box.max_x - box.min_x) * 0.5f,
                               corners ? box.max_y : (box.max_y - box.min_y) * 0.5f};
        list.coordinates[0].push_back(box.min_x);
        list.coordinates[1].push_back(box.min_y);
        list.coordinates[2].push_back(last[0]);
        list.coordinates[3].push_back(last[1]);
    }
    if (list.form == BoxList::Form::points && !boxes.empty()) list.radius = list.coordinates[2].front();
    return list;
}

}  // namespace throng::fuzz
