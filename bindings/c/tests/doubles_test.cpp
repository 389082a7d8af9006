// Coordinates in doubles, counted from an origin, mean the same as in C++.

#include <cstddef>

#include "bindings/c/tests/both_worlds.hpp"
#include "support/test.hpp"
#include "throng/boxes.hpp"

namespace throng::test {
namespace {

constexpr Origin origin{500'000, 5'400'000};

struct Columns {
    std::vector<double> x, y, half_x, half_y;
    std::vector<float> reach;
};

Columns columns(std::size_t count) {
    Columns all;
    Random random(4);
    for (std::size_t i = 0; i < count; ++i) {
        all.x.push_back(origin.x + double{random.uniform(-30, 30)} / 3);
        all.y.push_back(origin.y + double{random.uniform(-30, 30)} / 3);
        all.half_x.push_back(double{random.uniform(0, 1)} / 3);
        all.half_y.push_back(double{random.uniform(0, 1)} / 3);
        all.reach.push_back(random.uniform(0, 1));
    }
    return all;
}

class CDoubles : public ::testing::Test {
protected:
    void expect_same_frame(const throng_boxes& given, const Boxes& boxes, const char* form) {
        CWorld c;  // since the order of agents depends on earlier updates
        ASSERT_EQ(throng_engine_update(c.engine, &given, nullptr, nullptr), THRONG_OK) << form;
        ASSERT_EQ(throng_engine_frame(c.engine, &c.frame, nullptr), THRONG_OK);
        EXPECT_EQ(throng_frame_fingerprint(c.frame), engine_with(boxes).frame().fingerprint()) << form;
    }

    const Columns all_ = columns(700);
    CWorld c_;
};

TEST_F(CDoubles, are_the_frames_of_the_same_views) {
    auto given = made(throng_init_boxes);
    const double *x = all_.x.data(), *y = all_.y.data(), *hx = all_.half_x.data(), *hy = all_.half_y.data();
    ASSERT_EQ(throng_boxes_double_centre_half(&given, x, y, hx, hy, 700, 0, origin.x, origin.y), THRONG_OK);
    expect_same_frame(given, Boxes::centre_half(all_.x, all_.y, all_.half_x, all_.half_y, origin), "centres");
    ASSERT_EQ(throng_boxes_double_min_max(&given, x, y, x, y, 700, 0, origin.x, origin.y), THRONG_OK);
    expect_same_frame(given, Boxes::min_max(all_.x, all_.y, all_.x, all_.y, origin), "corners");
    ASSERT_EQ(throng_boxes_double_points(&given, x, y, 0.5f, 700, 0, origin.x, origin.y), THRONG_OK);
    expect_same_frame(given, Boxes::points(all_.x, all_.y, 0.5f, origin), "points");
    // A fill of floats forgets the doubles.
    ASSERT_EQ(throng_boxes_points(&given, all_.reach.data(), all_.reach.data(), 0.5f, 700, 0), THRONG_OK);
    expect_same_frame(given, Boxes::points(all_.reach, all_.reach, 0.5f), "floats");
}

TEST_F(CDoubles, go_together_with_floats) {
    auto given = made(throng_init_boxes);
    given.form = THRONG_CENTRE_HALF;
    given.count = 700;
    given.double_x = all_.x.data();
    given.double_y = all_.y.data();
    given.last_x = given.last_y = all_.reach.data();
    given.origin_x = origin.x;
    given.origin_y = origin.y;
    expect_same_frame(given, Boxes::centre_half(all_.x, all_.y, all_.reach, all_.reach, origin), "halves");
    given.double_x = given.double_y = nullptr;
    given.x = given.y = all_.reach.data();
    expect_same_frame(given, Boxes::centre_half(all_.reach, all_.reach, all_.reach, all_.reach, origin),
                      "floats with an origin");
}

TEST_F(CDoubles, are_queries_and_points_too) {
    auto given = made(throng_init_boxes), queries = made(throng_init_boxes);
    const double *x = all_.x.data(), *y = all_.y.data();
    throng_boxes_double_points(&given, x, y, 0, 700, 0, origin.x, origin.y);
    throng_boxes_double_points(&queries, x, y, 0.7f, 100, 0, origin.x, origin.y);
    const Boxes agents = Boxes::points(all_.x, all_.y, 0, origin);
    ASSERT_EQ(throng_engine_update(c_.engine, &given, nullptr, nullptr), THRONG_OK);
    ASSERT_EQ(throng_engine_frame(c_.engine, &c_.frame, nullptr), THRONG_OK);
    const Frame frame = engine_with(agents).frame();
    OverlapLists hits;
    ASSERT_EQ(frame.overlaps(Boxes::points(all_.x, all_.y, 0.7f, origin).part(0, 100), hits), Status{});
    ASSERT_EQ(throng_frame_overlaps_of(c_.frame, &queries, nullptr, c_.hits, nullptr), THRONG_OK);
    expect_same_bytes(hits.ids(), got(c_.hits, throng_hits_ids));
    auto points = made(throng_init_points);
    points.count = 350;
    points.double_x = x;
    points.double_y = y;
    points.stride = 2 * sizeof(double);
    points.origin_x = origin.x;
    points.origin_y = origin.y;
    auto wanted = made(throng_init_nearest);
    wanted.count = 3;
    NeighbourLists lists;
    const Points places = Points::strided(x, y, 16, 16, 350, origin);
    ASSERT_EQ(frame.neighbours(places, {.count = 3}, lists), Status{});
    ASSERT_EQ(throng_frame_neighbours_nearest_of(c_.frame, &points, &wanted, nullptr, c_.lists, nullptr),
              THRONG_OK);
    expect_same_bytes(lists.ids(), got(c_.lists, throng_neighbours_ids));
}

TEST_F(CDoubles, that_no_float_holds_are_refused_by_their_element) {
    auto given = made(throng_init_boxes);
    std::vector<double> x = all_.x;
    x[333] = 1e300;
    throng_boxes_double_points(&given, x.data(), all_.y.data(), 1, 700, 0, origin.x, origin.y);
    auto details = made(throng_init_status_details);
    EXPECT_EQ(throng_engine_update(c_.engine, &given, nullptr, &details), THRONG_NOT_FINITE);
    EXPECT_EQ(details.index, 333u);
    given.stride_x = 4;
    EXPECT_EQ(throng_engine_update(c_.engine, &given, nullptr, nullptr), THRONG_BAD_STRIDE);
    given.double_x = nullptr;
    EXPECT_EQ(throng_engine_update(c_.engine, &given, nullptr, nullptr), THRONG_NULL_VIEW);
}

// A header from before there were doubles.
TEST_F(CDoubles, are_no_part_of_an_older_struct) {
    constexpr std::uint32_t older = offsetof(throng_boxes, double_x);
    throng_boxes given;
    std::memset(static_cast<void*>(&given), 0xAB, sizeof given);
    ASSERT_EQ(throng_init_boxes(&given, older), THRONG_OK);
    ASSERT_EQ(throng_boxes_points(&given, all_.reach.data(), all_.reach.data(), 0.5f, 700, 0), THRONG_OK);
    expect_same_frame(given, Boxes::points(all_.reach, all_.reach, 0.5f), "an older struct");
    const auto* const behind = reinterpret_cast<const unsigned char*>(&given) + older;
    EXPECT_TRUE(
        std::all_of(behind, behind + sizeof given - older, [](unsigned char c) { return c == 0xAB; }));
    EXPECT_EQ(throng_boxes_double_points(&given, all_.x.data(), all_.y.data(), 1, 700, 0, 0, 0),
              THRONG_BAD_STRUCT);
}

TEST_F(CDoubles, have_the_origin_that_is_chosen_in_cpp) {
    auto given = made(throng_init_boxes);
    throng_boxes_double_points(&given, all_.x.data(), all_.y.data(), 0.5f, 700, 0, 0, 0);
    auto choice = made(throng_init_origin_choice);
    ASSERT_EQ(throng_arrays_choose_origin(&given, 1, 2, 0, &choice, nullptr), THRONG_OK);
    const OriginChoice expected = choose_origin(Boxes::points(all_.x, all_.y, 0.5f, origin), {1, 2});
    EXPECT_EQ((Origin{choice.x, choice.y}), expected.origin);
    EXPECT_EQ(choice.spacing, expected.spacing);
    EXPECT_EQ(choice.extent, 1.0);
    EXPECT_EQ(choice.spread, expected.spread);
    ASSERT_EQ(throng_arrays_choose_origin(&given, 1, 2, 1e7, &choice, nullptr), THRONG_OK);
    EXPECT_EQ(choice.x, 1);
    EXPECT_EQ(throng_arrays_choose_origin(&given, 1, 2, 0, nullptr, nullptr), THRONG_NULL_POINTER);
    given.double_x = nullptr;
    EXPECT_EQ(throng_arrays_choose_origin(&given, 1, 2, 0, &choice, nullptr), THRONG_NULL_VIEW);
}

}  // namespace
}  // namespace throng::test
