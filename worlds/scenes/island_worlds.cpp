#include "worlds/scenes/island_worlds.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "worlds/scenes/recipe_parts.hpp"

namespace throng::test {
namespace {

constexpr float continent = 800;  // the side of most of these worlds

// Where a village is; the same for all agents that live there.
Step home(std::size_t village, float world) {
    Random random(village + 4711);
    return {random.uniform(0, world), random.uniform(0, world)};
}
Box person(Random& random, const Step& at, float spread) {
    return Around{at.x + random.uniform(-spread, spread), at.y + random.uniform(-spread, spread),
                  random.uniform(0.35f, 0.5f), random.uniform(0.35f, 0.5f)}
        .box();
}

// --- The recipes -------------------------------------------------------------------------------------------

// A tile holds some six hundred agents that stand as closely as these do. So a village is about half as wide
// as a tile, and most of them lie across a border.
Box villager(Random& random, std::size_t i, float) { return person(random, home(i / 150, continent), 12); }

// From four agents to some two hundred, here in a heap and there scattered.
Box villager_of_some_place(Random& random, std::size_t i, float) {
    std::size_t village = 0;
    while (4 * (village + 1) * (village + 1) <= i) ++village;
    Random place(village + 17);
    const float spread = place.decades(0, 1) * 0.5f;
    return person(random, home(village, 1000), spread);
}

// Five of eight in one city, which is larger than a tile; forty to a hamlet.
Box citizen_or_peasant(Random& random, std::size_t i, float) {
    if (i % 8 < 5) return person(random, {300, 420}, 50);
    return person(random, home((i / 8 * 3 + i % 8 - 5) / 40, continent), 6);
}

// A city of many tiles, in which agents are so large that many meet where four tiles do.
Box neighbour(Random& random, std::size_t i, float) {
    const Step at = i % 8 < 6 ? Step{700, 900} : home(i / 160, 3000);
    const float spread = i % 8 < 6 ? 80 : 15;
    const Step middle{at.x + random.uniform(-spread, spread), at.y + random.uniform(-spread, spread)};
    return Around{middle.x, middle.y, random.uniform(2.5f, 4), random.uniform(2.5f, 4)}.box();
}

Box villager_or_stray(Random& random, std::size_t i, float side) {
    if (i % 4 != 1) return villager(random, i, side);
    return person(random, {random.uniform(0, continent), random.uniform(0, continent)}, 1);
}

// Some giants lie over one village, some over many, and some over none.
Box villager_or_giant(Random& random, std::size_t i, float side) {
    if (i % 60 != 7) return villager(random, i, side);
    const float scale = random.decades(1, 2) * 0.5f;
    return Around{random.uniform(-100, continent), random.uniform(-100, continent), scale,
                  scale * random.uniform(0.2f, 2)}
        .box();
}

// Wide ones and high ones, which reach from an island into the next.
Box villager_with_a_pole(Random& random, std::size_t i, float) {
    const Box box = person(random, home(i / 150, 2000), 12);
    if (i % 5 != 2) return box;
    const float length = random.uniform(1, 4);
    return i % 2 == 0 ? Box{box.min_x, box.min_y, box.max_x + length, box.max_y}
                      : Box{box.min_x, box.min_y, box.max_x, box.max_y + length};
}

// As far apart as floats can be, and some at the very ends.
Box villager_at_the_end(Random& random, std::size_t i, float) {
    if (i % 97 == 5) {
        const float x = i % 2 == 0 ? largest : -largest, y = i % 4 < 2 ? largest : -largest;
        return {x, y, x, y};
    }
    constexpr float unit = 3e38f / continent;
    Random village(i / 150 + 4711);
    const Step at{village.uniform(-3e38f, 3e38f), village.uniform(-3e38f, 3e38f)};
    const Around around{at.x + random.uniform(-24, 24) * unit, at.y + random.uniform(-24, 24) * unit,
                        unit * random.uniform(0.7f, 1.0f), unit * random.uniform(0.7f, 1.0f)};
    return finite(around.box());
}

// Three of four in villages around the origin; the others are, as far as a float can tell, at the origin.
Box villager_or_speck(Random& random, std::size_t i, float side) {
    if (i % 4 != 0) return shifted(villager(random, i, side), {-continent / 2, -continent / 2});
    const float x = random.subnormal(), y = random.subnormal();
    return {std::min(x, 0.0f), std::min(y, 0.0f), std::max(x, -0.0f), std::max(y, -0.0f)};
}

// On whole numbers, and as large as those are apart: edges meet everywhere.
Box villager_on_the_lattice(Random& random, std::size_t i, float) {
    Random village(i / 300 + 4711);
    const int x = village.between(0, 40) * 20 + random.between(-8, 8),
              y = village.between(0, 40) * 20 + random.between(-8, 8);
    const int width = random.between(0, 1), height = random.between(0, 1);
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(x + width),
            static_cast<float>(y + height)};
}

Box pile(Random&, std::size_t i, float) {
    const Step at = home(i / 60, continent);
    return Box::around(at.x, at.y, 0.5f, 0.5f);
}

// Villages along a road: none has another below.
Box villager_on_the_road(Random& random, std::size_t i, float) {
    Random village(i / 150 + 4711);
    const float x = village.uniform(0, 1e5f) + random.uniform(-20, 20);
    return {x, 5, x + random.uniform(0.5f, 1.0f), 5};
}

// Thousands of kilometres between them.
Box villager_far_away(Random& random, std::size_t i, float) {
    return person(random, home(i / 300, 1e6f), 20);
}

// A place on the edge of a square round the middle, as far out as is given.
Step round_the_middle(Random& random, float far) {
    const float along = random.uniform(-far, far);
    switch (random.below(4)) {
    case 0: return {far, along};
    case 1: return {-far, along};
    case 2: return {along, far};
    default: return {along, -far};
    }
}

// As many in each ring as in the next, which is twice as wide: islands within islands.
Box townsman_or_settler(Random& random, std::size_t, float) {
    const Step at = round_the_middle(random, random.decades(0, 4));
    return Around{at.x, at.y, random.uniform(0.005f, 0.01f), random.uniform(0.005f, 0.01f)}.box();
}
// The same, with houses as large as the land that there is.
Box householder(Random& random, std::size_t, float) {
    const float far = random.decades(0, 2);
    const Step at = round_the_middle(random, far);
    return Around{at.x, at.y, far * random.uniform(0.0005f, 0.002f), far * random.uniform(0.0005f, 0.002f)}
        .box();
}

// Six quarters to a town, six towns to a county, and so on, each a thousandth as wide as what it lies in.
Box neighbour_of_neighbours(Random& random, std::size_t i, float) {
    Step at{0, 0};
    float wide = 1e9f;
    for (std::size_t place = 1, rest = i; wide > 10; wide *= 1e-3f, rest /= 6) {
        place = place * 7 + rest % 6;
        Random within(place + 99);
        at.x += within.uniform(0, wide);
        at.y += within.uniform(0, wide);
    }
    return Around{at.x + random.uniform(0, wide), at.y + random.uniform(0, wide), 0.2f, 0.2f}.box();
}

// --- How agents move ---------------------------------------------------------------------------------------

Box walk_on_the_lattice(Random& random, const Box& box, float) {
    return shifted(box,
                   {static_cast<float>(random.between(-1, 1)), static_cast<float>(random.between(-1, 1))});
}
Box walk_along(Random& random, const Box& box, float) {
    return shifted(box, {random.uniform(-0.1f, 0.1f), 0});
}
const std::vector<SceneRecipe>& recipes() {
    static const std::vector<SceneRecipe> all = {
        {"villages", 0, 0, many, villager, walk},
        {"villages_of_all_sizes", 0, 0, many, villager_of_some_place, walk},
        {"a_city_and_hamlets", 0, 0, many, citizen_or_peasant, walk},
        {"neighbours", 0, 0, many, neighbour, walk},
        {"villages_and_strays", 0, 0, many, villager_or_stray, walk},
        {"villages_under_giants", 0, 0, many, villager_or_giant, walk},
        {"villages_with_poles", 0, 0, many, villager_with_a_pole, walk},
        {"villages_at_the_ends_of_the_floats", 0, 0, many, villager_at_the_end, walk_by_size},
        {"villages_around_specks", 0, 0, many, villager_or_speck, walk},
        {"villages_on_a_lattice", 0, 0, many, villager_on_the_lattice, walk_on_the_lattice},
        {"piles", 0, 0, many, pile, stay},
        {"villages_on_a_road", 0, 0, many, villager_on_the_road, walk_along},
        {"villages_far_away", 0, 0, many, villager_far_away, walk},
        {"a_city_and_its_hinterland", 0, 0, many, townsman_or_settler, walk_by_size},
        {"houses_by_distance", 0, 0, many, householder, walk_by_size},
        {"villages_of_villages", 0, 0, many, neighbour_of_neighbours, walk},
    };
    return all;
}

}  // namespace

std::span<const SceneRecipe> island_recipes() { return recipes(); }

Scene make_island_scene(std::string_view name, std::size_t count, std::uint64_t seed) {
    return {recipe_named(recipes(), name), count, seed};
}

}  // namespace throng::test
