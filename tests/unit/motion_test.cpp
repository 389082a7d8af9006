// What a few agents tell of a motion that all share.
#include "engine/src/plan/motion.hpp"

#include <cmath>
#include <optional>
#include <vector>

#include "support/test.hpp"

namespace throng::test {
namespace {

using detail::Motion;
using detail::MotionTracker;

std::vector<Box> spots(std::size_t number, float apart) {
    Random random(3);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < number; ++i)
        boxes.push_back(
            Box::around(random.uniform(-apart, apart), random.uniform(-apart, apart), 0.5f, 0.25f));
    return boxes;
}
void move(Box& box, float x, float y) { box = {box.min_x + x, box.min_y + y, box.max_x + x, box.max_y + y}; }
std::optional<Motion> motion(const std::vector<Box>& from, const std::vector<Box>& to) {
    MotionTracker tracker;
    tracker.note(from.size(), [&](std::size_t i) { return from[i]; });
    return tracker.motion_to(to.size(), [&](std::size_t i) { return to[i]; });
}

TEST(Motion, is_what_all_moved_by) {
    const std::vector<Box> from = spots(1000, 64);
    std::vector<Box> to = from;
    for (Box& box : to) move(box, 16, -4096);
    const std::optional<Motion> found = motion(from, to);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->x, 16, 0.001);
    EXPECT_NEAR(found->y, -4096, 0.001);
}

TEST(Motion, is_what_most_moved_by_while_others_stay) {
    const std::vector<Box> from = spots(1000, 64);
    std::vector<Box> to = from;
    for (std::size_t i = 0; i < to.size(); i += 2) move(to[i], 300, 20);
    const std::optional<Motion> found = motion(from, to);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->x, 300, 0.001);
    EXPECT_NEAR(found->y, 20, 0.001);
}

// Three in four are so far out that a step of 100 becomes one of 128.
TEST(Motion, is_told_by_those_whose_coordinates_are_precise) {
    std::vector<Box> from = spots(1000, 64);
    for (std::size_t i = 0; i < from.size(); ++i)
        if (i % 4 != 0) move(from[i], 1e9f + 64 * static_cast<float>(i), 0);
    std::vector<Box> to = from;
    for (Box& box : to) move(box, 100, 0);
    const std::optional<Motion> found = motion(from, to);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->x, 100, 0.001);
}

TEST(Motion, is_none_where_each_goes_its_own_way) {
    const std::vector<Box> from = spots(1000, 64);
    std::vector<Box> to = from;
    Random random(5);
    for (Box& box : to) move(box, random.uniform(-10, 10), random.uniform(-10, 10));
    EXPECT_FALSE(motion(from, to).has_value());
}

TEST(Motion, is_none_where_nobody_moved) {
    const std::vector<Box> from = spots(1000, 64);
    EXPECT_FALSE(motion(from, from).has_value());
}

// Others may have joined at the end of the list, or left it there.
TEST(Motion, is_that_of_agents_whose_number_changed) {
    const std::vector<Box> from = spots(1000, 64);
    std::vector<Box> to = from;
    for (Box& box : to) move(box, 300, 20);
    const std::vector<Box> more = spots(77, 9);
    to.insert(to.end(), more.begin(), more.end());
    for (const std::size_t agents : {1077u, 1001u, 600u}) {
        to.resize(agents);
        const std::optional<Motion> found = motion(from, to);
        ASSERT_TRUE(found.has_value()) << agents;
        EXPECT_NEAR(found->x, 300, 0.001);
        EXPECT_NEAR(found->y, 20, 0.001);
    }
    to.resize(60);
    EXPECT_FALSE(motion(from, to).has_value()) << "hardly any is left";
    to.clear();
    EXPECT_FALSE(motion(from, to).has_value());
}

TEST(Motion, is_none_where_other_agents_are_in_their_places) {
    const std::vector<Box> from = spots(1000, 64);
    std::vector<Box> to = from;
    for (Box& box : to) move(box, 1, 2);
    to.erase(to.begin());
    EXPECT_FALSE(motion(from, to).has_value());
    EXPECT_FALSE(motion({}, to).has_value());
}

TEST(Motion, leaves_out_boxes_that_are_not_legal) {
    std::vector<Box> from = spots(1000, 64), to = from;
    for (Box& box : to) move(box, 300, 20);
    for (std::size_t i = 0; i < to.size(); i += 3) to[i].min_x = NAN;
    for (std::size_t i = 1; i < from.size(); i += 3) from[i].max_y = INFINITY;
    const std::optional<Motion> found = motion(from, to);
    ASSERT_TRUE(found.has_value());
    EXPECT_NEAR(found->x, 300, 0.001);
    for (Box& box : to) box.min_x = NAN;
    EXPECT_FALSE(motion(from, to).has_value());
}

}  // namespace
}  // namespace throng::test
