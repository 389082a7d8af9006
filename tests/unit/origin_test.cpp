// Where choose_origin puts the origin of a world, and what it says of its floats.
#include "support/test.hpp"
#include "throng/boxes.hpp"

namespace throng::test {
namespace {

struct Cloud {
    std::vector<double> x, y;

    Cloud(std::size_t count, double at_x, double at_y, double side) {
        Random random(count);
        for (std::size_t i = 0; i < count; ++i) {
            x.push_back(at_x + double{random.uniform(0, 1)} * side);
            y.push_back(at_y + double{random.uniform(0, 1)} * side);
        }
    }
    OriginChoice choice(const Origin& current = {}, float radius = 0) const {
        return choose_origin(Boxes::points(x, y, radius, {7, 7}), current);
    }
};

TEST(ChooseOrigin, is_zero_for_a_world_that_is_about_there) {
    for (const std::size_t count : {1u, 2u, 10u, 5000u}) {
        EXPECT_EQ(Cloud(count, 0, 0, 300).choice({}, 50).origin, Origin{});
        EXPECT_EQ(Cloud(count, -500, 100, 1000).choice({}, 100).origin, Origin{});
    }
    EXPECT_EQ(Cloud(1, 0, 0, 0).choice().origin, Origin{});
}

TEST(ChooseOrigin, is_amid_a_world_that_is_far_away) {
    for (const std::size_t count : {1u, 3u, 100u, 5000u}) {
        const Origin origin = Cloud(count, 5e5, 5e6, 20).choice().origin;
        EXPECT_NEAR(origin.x, 5e5 + 10, 30) << count;
        EXPECT_NEAR(origin.y, 5e6 + 10, 30) << count;
    }
    const Origin origin = Cloud(1000, 5e5, 5e6, 20).choice().origin;
    EXPECT_EQ(origin.x, std::round(origin.x));
    EXPECT_EQ(origin.y, std::round(origin.y));
}

TEST(ChooseOrigin, stays_while_a_world_moves_by_a_few_of_its_spreads) {
    const Origin first = Cloud(1000, 5e5, 5e6, 20).choice().origin;
    EXPECT_EQ(Cloud(1000, 5e5 + 20, 5e6 - 20, 20).choice(first).origin, first);
    EXPECT_NE(Cloud(1000, 5e5 + 200, 5e6, 20).choice(first).origin, first);
    EXPECT_EQ(Cloud(1000, 0, 0, 20).choice(first).origin, Origin{});
}

TEST(ChooseOrigin, stays_where_floats_are_fine_for_the_extents_or_the_walls) {
    const Cloud walker(1, 3000, 100, 0);
    EXPECT_EQ(walker.choice({}, 0.5f).origin, Origin{});
    EXPECT_NE(walker.choice({}, 0.05f).origin, Origin{});
    EXPECT_NE(walker.choice().origin, Origin{});
    const Boxes boxes = Boxes::points(walker.x, walker.y, 0, {});
    EXPECT_EQ(choose_origin(boxes, {}, 400).origin, Origin{});
}

TEST(ChooseOrigin, is_not_drawn_away_by_a_few_that_are_far_from_the_rest) {
    Cloud world(1000, 5e5, 5e6, 20);
    for (std::size_t i = 0; i < 100; ++i) world.x[i * 10] = 1e12;
    EXPECT_NEAR(world.choice().origin.x, 5e5 + 10, 30);
}

TEST(ChooseOrigin, says_how_far_apart_floats_are) {
    EXPECT_EQ(Cloud(1000, 0, 0, 1000).choice().spacing, std::ldexp(1.0, 9 - 23));
    EXPECT_EQ(Cloud(1000, 0, 0, 1e6).choice().spacing, 0.0625);
    EXPECT_LT(Cloud(1000, 5e5, 5e6, 20).choice().spacing, 1e-5);
    EXPECT_EQ(Cloud(1, 0, 0, 0).choice().spacing, 0.0);
    EXPECT_EQ(Cloud(10, 0, 0, 1).choice({}, 0.25f).extent, 0.5);
    EXPECT_EQ(Cloud(10, 0, 0, 1).choice().extent, 0.0);
    const std::vector<double> zero(3, 0), halves{0, 0.5, 2};
    EXPECT_EQ(choose_origin(Boxes::centre_half(zero, zero, halves, halves, {})).extent, 1.0);
    EXPECT_EQ(choose_origin(Boxes::min_max(zero, zero, halves, halves, {})).extent, 0.5);
}

TEST(ChooseOrigin, passes_over_what_is_no_place) {
    Cloud world(100, 5e5, 5e6, 20);
    world.x[3] = std::nan("");
    world.y[4] = std::numeric_limits<double>::infinity();
    EXPECT_NEAR(world.choice().origin.x, 5e5 + 10, 30);
    const Cloud none(2, std::nan(""), 0, 1);
    EXPECT_EQ(none.choice({3, 4}).origin, (Origin{3, 4}));
    EXPECT_EQ(choose_origin(Boxes(), {3, 4}).origin, (Origin{3, 4}));
    EXPECT_EQ(choose_origin(Boxes::points(nullptr, nullptr, 1, 3), {3, 4}).origin, (Origin{3, 4}));
    const std::vector<double> huge{1e308, -1e308};
    EXPECT_EQ(choose_origin(Boxes::points(huge, huge, 1, {})).origin, Origin{});
}

}  // namespace
}  // namespace throng::test
