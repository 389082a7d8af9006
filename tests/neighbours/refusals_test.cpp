// What is refused, with which status and which index; and what looks odd and is not.
#include <initializer_list>

#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity(),
                nan = std::numeric_limits<float>::quiet_NaN();

// Radii for one call. They go when it ends.
std::span<const float> these(const std::initializer_list<float>& radii) {
    return {radii.begin(), radii.size()};
}

class RefusedNeighbours : public ::testing::Test {
protected:
    RefusedNeighbours() {
        EXPECT_EQ(engine_.update(boxes_), Status{});
        frame_ = engine_.frame();
        EXPECT_EQ(frame_.neighbours({.radius = 9}, lists_), Status{});
        EXPECT_FALSE(lists_.empty());
    }
    Status of_agents(const Nearest& wanted) {
        const Status status = frame_.neighbours(wanted, lists_);
        EXPECT_TRUE(status.ok() || lists_.empty()) << "a refused call left lists";
        return status;
    }
    Status of_agents(const Within& wanted) {
        const Status status = frame_.neighbours(wanted, lists_);
        EXPECT_TRUE(status.ok() || lists_.empty()) << "a refused call left lists";
        std::vector<std::uint32_t> counts(boxes_.size(), 7);
        EXPECT_EQ(frame_.count_neighbours(wanted, counts), status);
        EXPECT_TRUE(status.ok() || counts == std::vector<std::uint32_t>(boxes_.size(), 7))
            << "a refused call counted";
        return status;
    }
    Status of_points(const Points& points, const Within& wanted) {
        const Status status = frame_.neighbours(points, wanted, lists_);
        EXPECT_TRUE(status.ok() || lists_.empty()) << "a refused call left lists";
        return status;
    }

    const std::vector<Box> boxes_{{0, 0, 1, 1}, {2, 0, 3, 1}, {4, 0, 5, 1}, {0, 3, 1, 4}};
    const std::vector<Point> points_{{0, 0}, {1, 1}, {2, 2}};
    Engine engine_;
    Frame frame_;
    NeighbourLists lists_;
};

TEST_F(RefusedNeighbours, have_a_radius_that_is_negative_or_not_finite) {
    EXPECT_EQ(of_agents({.radius = -1}), Status{Code::inverted});
    EXPECT_EQ(of_agents({.radius = nan}), Status{Code::not_finite});
    EXPECT_EQ(of_agents({.radius = infinite}), Status{Code::not_finite});
    EXPECT_EQ(of_agents(Within{}), Status{Code::not_finite});
    EXPECT_EQ(of_agents({.count = 3, .max_radius = nan}), Status{Code::not_finite});
    EXPECT_EQ(of_agents({.count = 3, .max_radius = -1}), Status{Code::inverted});
    EXPECT_EQ(of_agents({.radius = -0.0f}), Status{});
    EXPECT_EQ(of_agents({.radius = -infinite}), Status{Code::not_finite}) << "as a circle's";
    EXPECT_EQ(of_agents({.count = 3, .max_radius = -infinite}), Status{Code::not_finite});
    EXPECT_EQ(of_agents({.radii = these({1.0f, -infinite, nan, 1.0f})}), (Status{Code::not_finite, 1}));
    PairList pairs;
    EXPECT_EQ(frame_.pairs(pairs, {.within = -infinite}), Status{Code::not_finite});
    EXPECT_EQ(frame_.pairs(pairs, {.within = -1}), Status{Code::inverted});
    EXPECT_EQ(frame_.pairs(pairs, {.within = nan}), Status{Code::not_finite});
    EXPECT_EQ(of_agents({.count = 3, .max_radius = infinite}), Status{});
    EXPECT_EQ(of_points(points_, {.radius = -1}), Status{Code::inverted});
}

TEST_F(RefusedNeighbours, have_an_illegal_radius_of_their_own_and_the_status_names_the_first) {
    EXPECT_EQ(of_agents({.radii = these({1.0f, -2.0f, nan, 1.0f})}), (Status{Code::inverted, 1}));
    EXPECT_EQ(of_agents({.radii = these({1.0f, 2.0f, nan, -1.0f})}), (Status{Code::not_finite, 2}));
    EXPECT_EQ(of_agents({.radii = these({1.0f, 2.0f, infinite, 1.0f})}), (Status{Code::not_finite, 2}));
    EXPECT_EQ(of_agents({.count = 2, .max_radii = these({1.0f, 2.0f, infinite, 1.0f})}), Status{});
    EXPECT_EQ(of_agents({.radii = these({1.0f, 2.0f, 3.0f})}), Status{Code::size_mismatch});
    EXPECT_EQ(of_agents({.radii = these({1.0f, 2.0f, 3.0f, 4.0f, nan})}), Status{}) << "id 4 is not in use";
    EXPECT_EQ(of_points(points_, {.radii = these({1.0f, 2.0f, -3.0f})}), (Status{Code::inverted, 2}));
    EXPECT_EQ(of_points(points_, {.radii = these({1.0f, 2.0f, 3.0f, 4.0f})}), Status{Code::size_mismatch});
    const float* const nothing = nullptr;
    EXPECT_EQ(of_agents({.radii = {nothing, 4}}), Status{Code::null_view});
}

TEST_F(RefusedNeighbours, do_not_look_at_the_radius_of_an_id_that_was_removed) {
    ASSERT_EQ(committed(engine_, engine_.remove(1)), Status{});
    frame_ = engine_.frame();
    EXPECT_EQ(of_agents({.radii = these({1.0f, nan, 2.0f, 1.0f})}), Status{});
    EXPECT_TRUE(lists_[1].empty());
    EXPECT_EQ(lists_.size(), 4u);
}

TEST_F(RefusedNeighbours, want_more_than_a_list_can_have_or_what_does_not_go_together) {
    EXPECT_EQ(of_agents({.count = 64}), Status{});
    EXPECT_EQ(of_agents({.count = 65}), Status{Code::bad_config});
    EXPECT_EQ(of_agents({.radius = 1, .agents_as = AgentsAs::circles}), Status{});
    EXPECT_EQ(of_agents({.radius = 1, .agents_as = AgentsAs::circles, .half = true}),
              Status{Code::bad_config});
    EXPECT_EQ(of_agents({.radius = 1, .agents_as = AgentsAs{7}}), Status{Code::bad_config});
    EXPECT_EQ(of_agents({.count = 1, .agents_as = AgentsAs{7}}), Status{Code::bad_config});
    EXPECT_EQ(frame_.count(Circle{0, 0, 1, AgentsAs{7}}).status, (Status{Code::bad_config, 0}));
    const std::vector<Circle> circles{{0, 0, 1}, {0, 0, 1, AgentsAs{7}}};
    std::vector<std::uint32_t> two(2);
    EXPECT_EQ(frame_.count(circles, two), (Status{Code::bad_config, 1}));
    EXPECT_EQ(of_agents({.count = 0}), Status{Code::bad_config});
    EXPECT_EQ(of_agents({.radius = 1, .agents_as = AgentsAs::boxes, .half = true}), Status{Code::bad_config});
    EXPECT_EQ(of_agents({.radius = 1, .agents_as = AgentsAs::boxes, .either_reaches = true}),
              Status{Code::bad_config});
    EXPECT_EQ(of_points(points_, {.radius = 1, .half = true}), Status{Code::bad_config});
    EXPECT_EQ(of_points(points_, {.radius = 1, .either_reaches = true}), Status{Code::bad_config});
    EXPECT_EQ(of_points(points_, {.radius = 1, .in_row_order = true}), Status{Code::bad_config});
    EXPECT_EQ(of_points(points_, {.radius = 1, .with_self = true}), Status{});
    EXPECT_EQ(of_agents({.radius = 1, .half = true, .with_self = true}), Status{Code::bad_config});
    EXPECT_EQ(of_agents({.radius = 1, .either_reaches = true, .with_self = true}), Status{});
    EXPECT_EQ(of_agents({.radius = 1, .half = true, .in_row_order = true}), Status{});
    EXPECT_EQ(of_agents({.radii = these({1.0f, 2.0f, 3.0f, 4.0f}), .half = true, .in_row_order = true}),
              Status{Code::bad_config});
    EXPECT_EQ(frame_.neighbours_in(frame_.static_layer(), {.radius = 1, .in_row_order = true}, lists_),
              Status{});
    EXPECT_EQ(frame_.neighbours_in(frame_.static_layer(), {.radius = 1, .half = true}, lists_),
              Status{Code::bad_config});
}

TEST_F(RefusedNeighbours, have_points_that_are_not_finite_or_no_points_at_all) {
    const std::vector<Point> bad{{0, 0}, {1, infinite}, {nan, 0}};
    EXPECT_EQ(of_points(bad, {.radius = 1}), (Status{Code::not_finite, 1}));
    EXPECT_EQ(frame_.neighbours(bad[2], {.radius = 1}, std::span<Neighbour>()).status,
              (Status{Code::not_finite, 0}));
    std::vector<std::uint32_t> counts(3, 7);
    EXPECT_EQ(frame_.count_neighbours(bad, {.radius = 1}, counts), (Status{Code::not_finite, 1}));
    EXPECT_EQ(counts, (std::vector<std::uint32_t>{7, 7, 7}));
    const float* const nothing = nullptr;
    EXPECT_EQ(of_points(Points::arrays(nothing, nothing, 3), {.radius = 1}), Status{Code::null_view});
    EXPECT_EQ(of_points(Points::arrays(&points_[0].x, &points_[0].y, 3, 2), {.radius = 1}),
              Status{Code::bad_stride});
    const std::array<float, 2> two{};
    EXPECT_EQ(of_points(Points::arrays(two, std::span(two).first(1)), {.radius = 1}),
              Status{Code::size_mismatch});
    EXPECT_EQ(of_points({}, {.radius = 1}), Status{});
    EXPECT_TRUE(lists_.empty());
}

TEST(NoNeighbours, are_in_an_empty_frame) {
    const Frame frame;
    NeighbourLists lists;
    std::vector<std::uint32_t> counts(2, 7);
    const std::vector<Point> points(2);
    EXPECT_EQ(frame.neighbours({.radius = 1}, lists), Status{});
    EXPECT_EQ(lists.size(), 0u);
    EXPECT_EQ(frame.neighbours(points, {.count = 2}, lists), Status{});
    EXPECT_EQ(lists.size(), 2u);
    EXPECT_TRUE(lists[0].empty() && lists[1].empty() && lists[2].empty());
    EXPECT_EQ(frame.count_neighbours(points, {.radius = 1}, counts), Status{});
    EXPECT_EQ(counts, (std::vector<std::uint32_t>{0, 0}));
    EXPECT_EQ(frame.neighbours(points[0], {.count = 2}, std::span<Neighbour>()).total, 0u);
    EXPECT_EQ(frame.neighbours(points, {.radius = -2}, lists), Status{Code::inverted});
}

// Without labels all agents have the first category.
TEST(NoNeighbours, are_admitted_by_a_filter_for_another_category_than_the_only_one) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < 400; ++i) {
        const auto x = static_cast<float>(i % 20), y = static_cast<float>(i / 20);
        boxes.push_back({x, y, x + 1, y + 1});
    }
    const std::vector<Filter> each(boxes.size(), Filter{.categories = 2});
    for (const Isa isa : instruction_sets()) {
        Engine engine = engine_with(boxes, {.isa = isa});
        const auto expect_none = [&](const auto& wanted, const Filters& filters) {
            NeighbourLists lists;
            EXPECT_EQ(engine.frame().neighbours(wanted, lists, filters), Status{});
            EXPECT_EQ(lists.ids().size(), 0u);
            EXPECT_EQ(engine.frame().neighbours(wanted, lists), Status{});
            EXPECT_NE(lists.ids().size(), 0u);
        };
        for (const Filters& filters : {Filters(each[0]), Filters::of(each)}) {
            expect_none(Within{.radius = 3}, filters);
            expect_none(Nearest{.count = 3}, filters);
        }
    }
}

TEST(Neighbours, are_all_when_the_square_of_the_radius_overflows) {
    for (const Isa isa : instruction_sets()) {
        const std::vector<Box> apart{{-3e38f, -3e38f, -2e38f, 3e38f}, {2e38f, 0, 3e38f, 0}, {0, 0, 0, 0}};
        Engine engine = engine_with(apart, {.isa = isa});
        throng::NeighbourLists lists;
        ASSERT_EQ(engine.frame().neighbours({.radius = 1e30f, .distances = true}, lists), Status{});
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(lists[i].size(), 2u);
            EXPECT_EQ(lists.squared_distances(i)[0], infinite);
        }
        ASSERT_EQ(engine.frame().neighbours({.count = 1, .with_self = true}, lists), Status{});
        for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(lists[i][0], i);
        ASSERT_EQ(engine.frame().neighbours({.count = 1}, lists), Status{});
        EXPECT_EQ(lists[2][0], 0u) << "all are infinitely far away, so the lowest id is the nearest";
    }
}

}  // namespace
}  // namespace throng::test
