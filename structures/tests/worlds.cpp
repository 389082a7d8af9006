#include "structures/tests/worlds.hpp"

#include "structures/tests/test.hpp"
#include "worlds/scenes/recipe_parts.hpp"

namespace throng::structures::test {
namespace {

constexpr float smallest = std::numeric_limits<float>::min();
constexpr Box everywhere{-largest, -largest, largest, largest};

float side_of(const Box& box) { return finite(std::max(box.max_x - box.min_x, box.max_y - box.min_y)); }

// About the same centre, `times` as wide. No step of it overflows before it is clamped.
void stretch(float& low, float& high, float times) {
    const float centre = low * 0.5f + high * 0.5f, half = (high * 0.5f - low * 0.5f) * times;
    low = finite(centre - half);
    high = finite(centre + half);
}

// If everything is at one place, the extents of the world are made as wide as one of the elements.
void widen(float& low, float& high, float by) {
    if (high - low >= smallest) return;
    high = finite(std::max(low + by, std::nextafter(low, largest)));
    if (!(low < high)) low = std::nextafter(low, -largest);
}

Box beside(const Box& box, Random& random) {
    const float step = random.one_in(2) ? 1.0f : side_of(box);
    switch (random.below(8)) {
    case 0: return {box.max_x, box.max_y, box.max_x + step, box.max_y + step};
    case 1: return {box.min_x - step, box.min_y - step, box.min_x, box.min_y};
    case 2: return {std::nextafter(box.max_x, largest), box.min_y, box.max_x + step, box.max_y};
    case 3: return {box.min_x - step, box.min_y, std::nextafter(box.min_x, -largest), box.max_y};
    case 4: return {box.min_x, std::nextafter(box.max_y, largest), box.max_x, box.max_y + step};
    case 5: return {box.min_x, box.max_y, box.min_x, box.max_y};
    case 6: return {box.min_x - step, box.min_y - step, box.max_x + step, box.max_y + step};
    default: return box;
    }
}

Box sorted(const Box& box) {
    return {std::min(box.min_x, box.max_x), std::min(box.min_y, box.max_y), std::max(box.min_x, box.max_x),
            std::max(box.min_y, box.max_y)};
}

World world(std::string name, std::vector<Box> boxes) {
    const Expected expected = expected_of(boxes);
    return {std::move(name), std::move(boxes), expected};
}

}  // namespace

Expected expected_of(const std::vector<Box>& boxes) {
    Expected expected{.extents = {0, 0, 1, 1}, .elements = boxes.size()};
    if (boxes.empty()) return expected;
    expected.extents = boxes.front();
    std::vector<float> sides;
    for (const Box& box : boxes) {
        expected.extents = hull(expected.extents, box);
        sides.push_back(side_of(box));
    }
    std::sort(sides.begin(), sides.end());
    expected.largest_size = std::max(sides.back(), smallest);
    expected.typical_size = sides[sides.size() / 2];
    if (expected.typical_size < smallest)
        expected.typical_size = std::max(side_of(expected.extents) / 64, smallest);
    widen(expected.extents.min_x, expected.extents.max_x, expected.typical_size);
    widen(expected.extents.min_y, expected.extents.max_y, expected.typical_size);
    return expected;
}

Expected mistaken(Expected expected, Guess guess) {
    Box& extents = expected.extents;
    const float times = guess == Guess::world_too_small   ? 0.1f
                        : guess == Guess::world_too_large ? 30.0f
                                                          : 1.0f;
    if (times != 1.0f) {
        stretch(extents.min_x, extents.max_x, times);
        stretch(extents.min_y, extents.max_y, times);
        widen(extents.min_x, extents.max_x, expected.typical_size);
        widen(extents.min_y, extents.max_y, expected.typical_size);
    }
    if (guess == Guess::few_and_large) {
        expected.elements /= 50;
        expected.typical_size = std::min(expected.typical_size * 50, largest);
    }
    if (guess == Guess::many_and_small) {
        expected.elements *= 4;
        expected.typical_size = std::max(expected.typical_size * 0.01f, smallest);
    }
    return expected;
}

bool is_sane(const Box& extents) {
    const auto wide = [](float low, float high) {
        return std::isfinite(low) && std::isfinite(high) && high - low >= smallest;
    };
    return wide(extents.min_x, extents.max_x) && wide(extents.min_y, extents.max_y);
}

bool is_sane(const Expected& expected) {
    return is_sane(expected.extents) && expected.typical_size >= smallest &&
           expected.largest_size >= expected.typical_size && expected.largest_size <= largest;
}

Box query_about(const std::vector<Box>& boxes, Random& random) {
    if (boxes.empty()) return {0, 0, 1, 1};
    const Box some = boxes[random.below(boxes.size())], other = boxes[random.below(boxes.size())];
    switch (random.below(16)) {
    case 0: return everywhere;
    case 1:
    case 2: return hull(some, other);
    // A row and a column of the world.
    case 3: return {-largest, some.min_y, largest, some.max_y};
    case 4: return {some.min_x, std::min(some.min_y, other.min_y), some.max_x, largest};
    // Far outside, at the ends of the floats, and between two elements.
    case 5: return {3e38f, 3e38f, largest, largest};
    case 6: return {-largest, -largest, -3e38f, -3e38f};
    case 7: return sorted({some.min_x, some.min_y, other.min_x, other.min_y});
    default: return sorted(finite(beside(some, random)));
    }
}

std::vector<Box> queries_about(const std::vector<Box>& boxes, std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Box> queries;
    for (std::size_t i = 0; i < count; ++i) queries.push_back(query_about(boxes, random));
    return queries;
}

Box nudged(const Box& box, float by) {
    const float x = by * finite(box.max_x - box.min_x), y = by * finite(box.max_y - box.min_y);
    return finite({box.min_x + x, box.min_y + y, box.max_x + x, box.max_y + y});
}

std::vector<Box> even_crowd(std::size_t count, float side, std::uint64_t seed) {
    Random random(seed);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = random.uniform(0, side), y = random.uniform(0, side);
        boxes.push_back(Box::around(x, y, 0.4f, 0.4f));
    }
    return boxes;
}

namespace {

constexpr std::size_t min_of_many = 1500, min_of_some = 600;

std::vector<World> degenerate_worlds_of(std::size_t many, std::size_t some) {
    std::vector<World> worlds;
    const std::vector<Box> crowd = even_crowd(some, 90, 5);
    worlds.push_back(world("all at one place", std::vector<Box>(many, Box::around(7.3f, -2.1f, 0.4f, 0.4f))));
    worlds.push_back(world("all at one point", std::vector<Box>(many, Box{1, 1, 1, 1})));

    std::vector<Box> piled(many, Box::around(33.1f, 44.7f, 0.3f, 0.3f));
    std::copy(crowd.begin(), crowd.begin() + 300, piled.begin());
    worlds.push_back(world("most at one place of a wide world", piled));

    std::vector<Box> giants = crowd;
    for (std::size_t i = 0; i < 300; ++i) {
        const float out = static_cast<float>(i);
        giants[i * (some / 300)] = {-out, -out, 90 + out, 90 + out};
    }
    worlds.push_back(world("giants over the whole world", giants));
    worlds.push_back({"giants that were not expected", giants, expected_of(crowd)});

    std::vector<Box> outside, line, column, diagonal, far_apart;
    for (const Box& box : crowd) {
        const float x = box.min_x * 10'000, y = box.min_y * 10'000;
        far_apart.push_back({x, y, x + 1, y + 1});
        outside.push_back({box.min_x + 1e6f, box.min_y - 2e6f, box.max_x + 1e6f, box.max_y - 2e6f});
        line.push_back({box.min_x * 40, 3, box.min_x * 40 + 1, 4});
        column.push_back({3, box.min_y * 40, 3, box.min_y * 40 + 1});
        diagonal.push_back({box.min_x, box.min_x, box.max_x, box.max_x});
    }
    worlds.push_back({"all outside of the extents", outside, expected_of(crowd)});
    worlds.push_back(world("all far apart", far_apart));
    worlds.push_back(world("all on a line", line));
    worlds.push_back(world("all on a column", column));
    worlds.push_back(world("all on a diagonal", diagonal));

    for (const float size : {1e-30f, 1e30f, 3e36f}) {
        std::vector<Box> scaled_crowd;
        for (const Box& box : crowd)
            scaled_crowd.push_back({box.min_x * size, box.min_y * size, box.max_x * size, box.max_y * size});
        worlds.push_back(world("a world of the size " + std::to_string(size), scaled_crowd));
    }
    std::vector<Box> ends;
    for (std::size_t i = 0; i < some; ++i) {
        const float far = i % 2 == 0 ? largest : -largest, near = crowd[i].min_x;
        ends.push_back(sorted({far, near, i % 3 == 0 ? far : near, near + 1}));
    }
    worlds.push_back({"at the ends of the floats", ends, expected_of(crowd)});
    worlds.push_back(world("at the ends of the floats, and expected there", ends));
    worlds.push_back(world("a single element", {Box{4, 4, 5, 5}}));
    worlds.push_back({"many and small in the world of one", crowd, {.extents = {4, 4, 5, 5}, .elements = 1}});
    return worlds;
}

}  // namespace

std::vector<World> degenerate_worlds() {
    return degenerate_worlds_of(scaled(5000, min_of_many), scaled(2000, min_of_some));
}

std::vector<World> small_degenerate_worlds() { return degenerate_worlds_of(min_of_many, min_of_some); }

}  // namespace throng::structures::test
