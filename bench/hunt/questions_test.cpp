// The engine as the hunt asks it: about circles, neighbours, casts and trial moves, in worlds with heights
// and in worlds that wrap around.
#include <string_view>

#include "bench/hunt/subject.hpp"
#include "gtest/gtest.h"

namespace throng::hunt {
namespace {

const worlds::Question& question(std::string_view name) {
    for (const worlds::Question& one : worlds::questions)
        if (name == one.name) return one;
    ADD_FAILURE() << name;
    return worlds::questions[0];
}

// Four discs of width 1 in a row, 1 apart from centre to centre.
const std::vector<Box> row = {{0, 0, 1, 1}, {1, 0, 2, 1}, {2, 0, 3, 1}, {3, 0, 4, 1}};

std::unique_ptr<Subject> asked(const worlds::Scene& scene) {
    std::unique_ptr<Subject> subject = engine_subject()(scene);
    subject->update(scene);
    subject->follow(scene);
    worlds::Random random(1);
    subject->look_at(scene, 100, random);
    return subject;
}

std::uint64_t touching(const worlds::Scene& scene) { return asked(scene)->ask(question("touching")); }

TEST(Questions, are_put_at_the_heights_and_periods_of_the_world) {
    EXPECT_EQ(touching({row, {}, {}}), 3u);
    EXPECT_EQ(touching({row, {}, {4, 0}}), 4u);
    const std::vector<Band> storeys = {{0, 1}, {0, 1}, {3, 4}, {3, 4}};
    EXPECT_EQ(touching({row, storeys, {}}), 2u);
}

TEST(Questions, look_as_far_as_a_typical_agent_has_its_fourth_neighbour) {
    worlds::Random random(1);
    EXPECT_GE(worlds::reach_of({row, {}, {}}, random), 2);
    EXPECT_LE(worlds::reach_of({row, {}, {}}, random), 3);
    // Nobody is farther away than half a period.
    EXPECT_EQ(worlds::reach_of({row, {}, {4, 0}}, random), 2);
    const std::vector<Box> pile(50, Box{0, 0, 3, 2});
    EXPECT_EQ(worlds::reach_of({pile, {}, {}}, random), 2);
}

TEST(Questions, have_about_as_many_answers_as_are_expected) {
    const worlds::Frames crowd(worlds::World{.agents = 2500});
    const std::unique_ptr<Subject> subject = asked(worlds::scene_of(crowd));
    for (const worlds::Question& one : worlds::questions) {
        const double expected = subject->expected_answers(one);
        const auto answers = static_cast<double>(subject->ask(one));
        EXPECT_GT(answers, 0) << one.name;
        EXPECT_LT(answers, 2 * expected) << one.name;
        EXPECT_GT(answers, 0.5 * expected) << one.name;
        EXPECT_TRUE(subject->is_promised(one)) << one.name;
    }
}

TEST(Questions, are_not_put_where_nothing_is_promised) {
    std::vector<Box> boxes;
    for (int i = 0; i < 200; ++i) boxes.push_back(Box::around(0, 0, 1, 1 + 0.01f * static_cast<float>(i)));
    const std::unique_ptr<Subject> different = asked({boxes, {}, {}});
    EXPECT_FALSE(different->is_promised(question("first_rays")));
    EXPECT_TRUE(different->is_promised(question("all_rays")));
    EXPECT_TRUE(asked({std::vector<Box>(200, boxes[0]), {}, {}})->is_promised(question("first_rays")));
    const std::vector<Box> far = {{0, 0, 1, 1}, {1e20f, 0, 1e20f, 1}};
    EXPECT_FALSE(asked({far, {}, {}})->is_promised(question("nearest")));
}

TEST(Trials, are_all_accepted) {
    const std::unique_ptr<Subject> subject = asked({row, {}, {}});
    if (!subject->can(Operation::trials)) GTEST_SKIP() << "there is no C library";
    // Beside two others, and far from all; then from there and back.
    EXPECT_EQ(subject->try_moves({{1, {10, 0, 11, 1}}}), 2u);
    EXPECT_EQ(subject->try_moves({{1, {11, 0, 12, 1}}, {1, row[1]}}), 2u);
}

}  // namespace
}  // namespace throng::hunt
