// Which agents of a region are common, and when a survey decides it: told by the steps that are spent on it.
#include "engine/src/islands/region_sizes.hpp"

#include "support/test.hpp"

namespace throng::test {
namespace {

struct RegionSizes : ::testing::Test {
    // Agents all over a square, as wide and high as the number says; larger than what is around.
    static std::vector<Box> agents_on(float side, std::size_t count, float size) {
        Random random(11);
        std::vector<Box> boxes;
        for (std::size_t i = 0; i < count; ++i)
            boxes.push_back(
                Box::around(random.uniform(0, side), random.uniform(0, side), size / 2, size / 2));
        return boxes;
    }
    detail::Sizes common_size(float side, const std::vector<Box>& points, double most, double weight = 1) {
        effort.start(100'000, false);
        surveys.start(effort);
        const detail::Sizes around{0.001, 0.001};
        return detail::common_size_in(points, weight, Box{0, 0, side, side}, around, {most, most}, surveys);
    }
    bool was_surveyed() const {
        detail::Effort all;
        all.start(100'000, false);
        return effort.left() != all.left();
    }
    detail::Effort effort;
    detail::RegionSurveys surveys;
};

TEST_F(RegionSizes, of_all_agents_serve_where_their_cells_are_roomy) {
    const detail::Sizes common = common_size(1000, agents_on(1000, 2000, 4), 20);
    EXPECT_FALSE(was_surveyed());
    EXPECT_GE(common.width, 4);
    EXPECT_LE(common.width, 8);
}

TEST_F(RegionSizes, are_told_by_a_survey_where_many_would_share_a_cell) {
    (void)common_size(1000, agents_on(1000, 2000, 60), 100);
    EXPECT_TRUE(was_surveyed());
}

// One agent in ten is wider than any cell may be.
TEST_F(RegionSizes, of_so_few_agents_that_one_cell_may_have_them_all_are_told_without_a_survey) {
    const auto with_large_ones = [](std::size_t count) {
        std::vector<Box> boxes = agents_on(1000, count, 100);
        for (std::size_t i = 0; i < count; i += 10) boxes[i].max_x = boxes[i].min_x + 400;
        return boxes;
    };
    const detail::Sizes common = common_size(1000, with_large_ones(64), 200);
    EXPECT_FALSE(was_surveyed());
    EXPECT_EQ(common.width, 200) << "as wide as they may be";
    EXPECT_LE(common.height, 200);
    (void)common_size(1000, with_large_ones(65), 200);
    EXPECT_TRUE(was_surveyed());
    (void)common_size(1000, with_large_ones(64), 200, 2);
    EXPECT_TRUE(was_surveyed()) << "each stands for two";
}

TEST_F(RegionSizes, around_it_serve_where_agents_are_as_large) {
    EXPECT_EQ(common_size(1000, agents_on(1000, 300, 0.0009f), 20).width, 0.001);
    EXPECT_FALSE(was_surveyed());
}

TEST_F(RegionSizes, leave_out_the_largest_agent_of_160) {
    std::vector<Box> boxes = agents_on(1000, 1280, 4);
    for (std::size_t i = 0; i < 8; ++i) boxes[i * 160].max_x = boxes[i * 160].min_x + 400;
    EXPECT_LE(common_size(1000, boxes, 1000).width, 8) << "as wide as the others";
}

// A tile at the edge of the world has all that lies beyond it, too.
TEST_F(RegionSizes, are_those_of_a_crowd_whatever_lies_far_outside) {
    const auto crowd_and_slivers = [](std::size_t outside) {
        std::vector<Box> boxes = agents_on(1000, 4000, 1);
        for (std::size_t i = 0; i < boxes.size(); i += 40) {
            boxes[i].max_x = boxes[i].min_x + 500;
            boxes[i + 20].max_y = boxes[i + 20].min_y + 500;
        }
        for (std::size_t i = 0; i < outside; ++i) {
            Box& box = boxes[i * (boxes.size() / outside) + 1];  // not a sliver
            box.min_y = box.max_y = 1e20f;
        }
        return boxes;
    };
    EXPECT_LE(common_size(1000, crowd_and_slivers(1), 1000).width, 50);
    EXPECT_LE(common_size(1000, crowd_and_slivers(100), 1000).width, 50) << "as wide as a sliver";
    EXPECT_GE(common_size(1000, crowd_and_slivers(2500), 1000).width, 400) << "the crowd is outside";
}

}  // namespace
}  // namespace throng::test
