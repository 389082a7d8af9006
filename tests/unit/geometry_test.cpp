#include "support/test.hpp"

namespace throng {
namespace {

constexpr Box unit{0, 0, 1, 1};

TEST(Box, overlaps_what_touches_it_in_an_edge_or_a_corner) {
    EXPECT_TRUE(unit.overlaps({1, 0, 2, 1}));
    EXPECT_TRUE(unit.overlaps({-1, 0, 0, 1}));
    EXPECT_TRUE(unit.overlaps({0, 1, 1, 2}));
    EXPECT_TRUE(unit.overlaps({0, -1, 1, 0}));
    EXPECT_TRUE(unit.overlaps({1, 1, 2, 2}));
    EXPECT_TRUE(unit.overlaps({-1, -1, 0, 0}));
}

TEST(Box, misses_what_is_one_step_of_a_float_away) {
    const float above = std::nextafter(1.0f, 2.0f), below = -std::numeric_limits<float>::denorm_min();
    EXPECT_FALSE(unit.overlaps({above, 0, 2, 1}));
    EXPECT_FALSE(unit.overlaps({-1, 0, below, 1}));
    EXPECT_FALSE(unit.overlaps({0, above, 1, 2}));
    EXPECT_FALSE(unit.overlaps({0, -1, 1, below}));
}

TEST(Box, overlaps_what_lies_inside_it_and_what_contains_it) {
    EXPECT_TRUE(unit.overlaps({0.4f, 0.4f, 0.6f, 0.6f}));
    EXPECT_TRUE(unit.overlaps({-5, -5, 5, 5}));
    EXPECT_TRUE(unit.overlaps({-5, 0.5f, 5, 0.5f}));
}

TEST(Box, without_an_extent_is_a_point_that_overlaps) {
    EXPECT_TRUE(unit.overlaps({0.5f, 0.5f, 0.5f, 0.5f}));
    EXPECT_TRUE((Box{1, 1, 1, 1}.overlaps(unit)));
    EXPECT_TRUE((Box{3, 4, 3, 4}.overlaps({3, 4, 3, 4})));
}

TEST(Box, takes_the_two_zeros_for_one) {
    EXPECT_TRUE((Box{-1, -1, -0.0f, -0.0f}.overlaps({0.0f, 0.0f, 1, 1})));
    EXPECT_TRUE((Box{0.0f, 0.0f, 1, 1}.overlaps({-1, -1, -0.0f, -0.0f})));
}

TEST(Box, around_a_point_is_a_square) {
    EXPECT_EQ(Box::around({3, 4}, 2), (Box{1, 2, 5, 6}));
    EXPECT_EQ(Box::around({3, 4}, 2), Box::around(3, 4, 2, 2));
}

TEST(Box, has_a_centre_that_does_not_overflow) {
    EXPECT_EQ((Box{1, 2, 5, 6}.centre()), (Point{3, 4}));
    EXPECT_EQ((Box{7, -7, 7, -7}.centre()), (Point{7, -7}));
    constexpr float largest = std::numeric_limits<float>::max();
    EXPECT_EQ((Box{largest, -largest, largest, largest}.centre()), (Point{largest, 0}));
}

TEST(Box, united_with_another_is_the_smallest_around_both) {
    EXPECT_EQ((Box{0, 0, 1, 1}.united({3, -2, 4, 0})), (Box{0, -2, 4, 1}));
    EXPECT_EQ((Box{3, -2, 4, 0}.united({0, 0, 1, 1})), (Box{0, -2, 4, 1}));
    EXPECT_EQ((Box{-5, -5, 5, 5}.united(unit)), (Box{-5, -5, 5, 5}));
    EXPECT_EQ(no_box.united(unit), unit);
    EXPECT_EQ(unit.united(no_box), unit);
    EXPECT_EQ(no_box.united(no_box), no_box);
}

TEST(Box, grows_and_shrinks_on_every_side_and_moves_without_either) {
    EXPECT_EQ(unit.grown(2), (Box{-2, -2, 3, 3}));
    EXPECT_EQ(unit.grown(2).grown(-2), unit);
    EXPECT_EQ(unit.grown(-1), (Box{1, 1, 0, 0})) << "inverted";
    EXPECT_EQ(unit.moved(2, -3), (Box{2, -3, 3, -2}));
    static_assert(unit.grown(1).moved(1, 1).united(unit).centre() == Point{1.5f, 1.5f});
}

TEST(Box, around_a_centre_reaches_equally_far_to_both_sides) {
    EXPECT_EQ(Box::around(3, 4, 1, 2), (Box{2, 2, 4, 6}));
    EXPECT_EQ(Box::around(-3, 0, 0, 0.5f), (Box{-3, -0.5f, -3, 0.5f}));
}

TEST(Pair, is_equal_only_with_its_ids_in_the_same_places) {
    EXPECT_EQ((Pair{1, 2}), (Pair{1, 2}));
    EXPECT_NE((Pair{1, 2}), (Pair{2, 1}));
}

}  // namespace
}  // namespace throng
