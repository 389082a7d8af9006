// Pairs within a distance of each other, box to box: the definition, and what is refused.
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity(),
                nan = std::numeric_limits<float>::quiet_NaN();

bool by_ids(const Pair& x, const Pair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }

std::vector<Pair> sorted(std::vector<Pair> pairs) {
    std::sort(pairs.begin(), pairs.end(), by_ids);
    return pairs;
}

TEST(PairsWithin, are_measured_from_box_to_box_and_the_bound_belongs_to_them) {
    Engine engine;
    // 1 is 3 to the right and 4 above 0: 5 away. 2 touches 1.
    const std::vector<Box> boxes{{0, 0, 1, 1}, {4, 5, 6, 6}, {6, 6, 7, 7}};
    ASSERT_EQ(engine.update(boxes), Status{});
    const Frame frame = engine.frame();
    PairList list;
    const auto found = [&](float within) {
        EXPECT_EQ(frame.pairs(list, {.within = within}), Status{});
        return sorted({list.begin(), list.end()});
    };
    EXPECT_EQ(found(5), (std::vector<Pair>{{0, 1}, {1, 2}}));
    EXPECT_EQ(found(std::nextafter(5.0f, 0.0f)), (std::vector<Pair>{{1, 2}}));
    EXPECT_EQ(found(1e-45f), (std::vector<Pair>{{1, 2}}));
    EXPECT_EQ(found(std::numeric_limits<float>::max()).size(), 3u);
}

TEST(PairsWithin, are_found_at_the_edges_of_the_floats) {
    const float most = std::numeric_limits<float>::max();
    const std::vector<Box> boxes{{-most, -most, -most, most}, {most, -1, most, 1},
                                 {0, 0, 1e-45f, 0},           {3e-45f, 0, 1, 1},
                                 {1e38f, 1e38f, 2e38f, most}, {-1, -1, -1e-45f, 0}};
    oracle::BruteForce twin = twin_with(boxes);
    for (const Isa isa : instruction_sets()) {
        Engine engine = engine_with(boxes, {.isa = isa});
        for (const float within : {1e-45f, 2.8e-45f, 1e-30f, 1.0f, 1e38f, 3e38f, most}) {
            oracle::PairLists expected;
            ASSERT_EQ(twin.frame().pairs(expected, {.within = within}), Status{});
            PairList list = listed_pairs(engine.frame(), {.within = within});
            EXPECT_EQ(sorted({list.begin(), list.end()}), sorted({expected.begin(), expected.end()}))
                << within;
        }
    }
}

TEST(PairsWithin, are_as_near_as_the_distance_in_double_says) {
    // 1 + 1e-20 is 1 in double.
    const std::vector<Box> boxes{{-2, -2, -1, -1}, {1e-20f, -2, 1, -1}, {-2, 1e-20f, -1, 1}};
    for (const Isa isa : instruction_sets()) {
        const PairList list = listed_pairs(engine_with(boxes, {.isa = isa}).frame(), {.within = 1});
        EXPECT_EQ(in_order(list.pairs()), (std::vector<Pair>{{0, 1}, {0, 2}})) << to_string(isa);
    }
}

// The next float that many steps further up, or down.
float steps_from(float value, int steps) {
    for (; steps > 0; --steps) value = std::nextafter(value, infinite);
    for (; steps < 0; ++steps) value = std::nextafter(value, -infinite);
    return value;
}
// Two boxes. Along the axes where a direction is not 0 the second is about that far away; along the others
// they overlap.
std::pair<Box, Box> neighbours_apart(Random& random, const Point& at, const std::array<int, 2>& direction,
                                     float distance) {
    const Box box{at.x, at.y, at.x + random.uniform(0, 1), at.y + random.uniform(0, 1)};
    const auto beside = [&](float min, float max, int way) {
        const float size = random.uniform(0, 1);
        const int steps = static_cast<int>(random.below(3)) - 1;
        if (way == 0) return std::pair{min, max};
        if (way > 0) return std::pair{steps_from(max + distance, steps), max + distance + size + 1};
        return std::pair{min - distance - size - 1, steps_from(min - distance, steps)};
    };
    const auto [left, right] = beside(box.min_x, box.max_x, direction[0]);
    const auto [low, high] = beside(box.min_y, box.max_y, direction[1]);
    return {box, {left, low, right, high}};
}

TEST(PairsWithin, have_boxes_a_step_nearer_than_that_in_every_direction_and_none_a_step_further) {
    constexpr std::array<std::array<int, 2>, 8> directions{
        {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
    constexpr int columns = 40, pairs = columns * columns;
    Random random(11);
    for (const float within : {0.1f, 1.0f, 3.7f, 12.0f})
        for (const float origin : {0.0f, -within, -700.0f, 1e5f}) {
            std::vector<Box> boxes;
            for (int i = 0; i < pairs; ++i) {
                const Point at{origin + static_cast<float>(i % columns) * 40 + random.uniform(0, 2),
                               origin + static_cast<float>(i / columns) * 40 + random.uniform(0, 2)};
                const std::array<int, 2> direction = directions[random.below(8)];
                const bool diagonal = direction[0] != 0 && direction[1] != 0;
                const auto [one, other] =
                    neighbours_apart(random, i % 9 == 0 ? Point{origin, at.y} : at, direction,
                                     diagonal ? within * 0.70710678f : within);
                boxes.push_back(one);
                boxes.push_back(other);
            }
            oracle::PairLists expected;
            ASSERT_EQ(twin_with(boxes).frame().pairs(expected, {.within = within}), Status{});
            ASSERT_GT(expected.size(), pairs / 3u) << within << " from " << origin;
            for (const Isa isa : instruction_sets()) {
                const PairList list =
                    listed_pairs(engine_with(boxes, {.isa = isa}).frame(), {.within = within});
                EXPECT_EQ(in_order(list.pairs()), in_order(expected.pairs()))
                    << within << " from " << origin << " with " << to_string(isa);
            }
        }
}

TEST(PairsWithin, of_a_frame_with_itself_are_the_pairs_of_two_frames) {
    const std::vector<Box> boxes{{0, 0, 1, 1}, {2, 0, 3, 1}};
    Engine engine = engine_with(boxes);
    const auto with_itself = [&](const PairQuery& query) {
        PairList list;
        EXPECT_EQ(engine.frame().pairs(list, with_other(engine.frame(), query)), Status{});
        return sorted({list.begin(), list.end()});
    };
    EXPECT_EQ(with_itself({.within = 1}), (std::vector<Pair>{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
    EXPECT_EQ(with_itself({}), (std::vector<Pair>{{0, 0}, {1, 1}}));
}

TEST(PairsWithin, are_refused_if_the_distance_is_none) {
    const std::vector<Box> boxes{{0, 0, 1, 1}, {2, 0, 3, 1}};
    Engine engine = engine_with(boxes);
    const auto none = [](std::span<const Pair>) { FAIL(); };
    for (const Frame& frame : {engine.frame(), Frame()})
        for (const auto& [within, code] :
             {std::pair{-1.0f, Code::inverted}, std::pair{-infinite, Code::not_finite},
              std::pair{infinite, Code::not_finite}, std::pair{nan, Code::not_finite}}) {
            const PairQuery wanted{.within = within};
            PairList list;
            PairChanges changes;
            std::vector<Pair> out(3);
            EXPECT_EQ(frame.pairs(list, wanted), Status{code});
            EXPECT_EQ(frame.pairs(out, wanted).status, Status{code});
            EXPECT_EQ(frame.count_pairs(wanted).status, Status{code});
            EXPECT_EQ(frame.for_each_pair_concurrently(none, wanted), Status{code});
            EXPECT_EQ(frame.pairs(list, with_other(frame, wanted)), Status{code});
            EXPECT_EQ(frame.pairs(out, with_other(frame, wanted)).status, Status{code});
            EXPECT_EQ(frame.count_pairs(with_other(frame, wanted)).status, Status{code});
            EXPECT_EQ(frame.for_each_pair_concurrently(none, with_other(frame, wanted)), Status{code});
            EXPECT_EQ(changes.update(frame, wanted).code, code);
        }
}

// The frame that is asked has the memory of the call, whichever of the two has more agents.
TEST(PairsWithin, use_no_memory_of_the_other_frame) {
    const Scene many = make_scene("uniform", 40000), few = make_scene("uniform", 8000);
    CountingExecutor host(8);
    for (const bool ask_many : {true, false}) {
        CountingResource others;
        Engine engine({.executor = host.executor()}), other({.executor = host.executor(), .memory = &others});
        ASSERT_EQ(engine.update((ask_many ? many : few).boxes()), Status{});
        ASSERT_EQ(other.update((ask_many ? few : many).boxes()), Status{});
        const std::uint64_t before = others.calls();
        PairList list;
        for (const float within : {0.0f, 1.0f})
            ASSERT_EQ(engine.frame().pairs(list, with_other(other.frame(), {.within = within})), Status{});
        EXPECT_EQ(others.calls(), before);
    }
}

}  // namespace
}  // namespace throng::test
