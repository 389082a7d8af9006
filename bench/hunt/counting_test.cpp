// Breeding by counted steps: the counts are those of the search, and the same every time.
#include "bench/hunt/breeding.hpp"
#include "gtest/gtest.h"
#include "worlds/hunted/text.hpp"

namespace throng::hunt {
namespace {

worlds::World world_of(const char* text) { return worlds::parse(text).world.value(); }

Trial counting() {
    Trial timed;
    timed.make = engine_subject();
    timed.seconds = 60;
    return counting_trial(timed);
}

// Up to 32 agents are compared all with all, in one cell of one row.
TEST(Counting, says_what_a_search_looks_at) {
    const std::vector<Box> boxes(20, Box{0, 0, 1, 1});
    const worlds::Scene scene{boxes, {}, {}};
    const std::unique_ptr<Subject> subject = counting_subject()(scene);
    subject->update(scene);
    const double before = subject->spent();
    EXPECT_EQ(subject->list({{boxes[0], {5, 5, 6, 6}}}), 20u);
    constexpr double begin = 8, row = 4, agent = 1.0 / 8;
    EXPECT_EQ(subject->spent() - before, 2 * (begin + row + 20 * agent));
}

TEST(Counting, is_the_same_every_time) {
    const worlds::World world = world_of("h1;n=2000;seed=4;place=radial(octaves=40);size=distance;then=walk");
    const Verdict once = try_world(world, counting()), again = try_world(world, counting());
    ASSERT_EQ(once.end, End::finished);
    ASSERT_EQ(once.scores.size(), again.scores.size());
    for (std::size_t k = 0; k < once.scores.size(); ++k) {
        EXPECT_EQ(once.scores[k].amount, again.scores[k].amount);
        EXPECT_EQ(once.scores[k].ratio, again.scores[k].ratio);
    }
    for (const Operation operation :
         {Operation::small, Operation::wide, Operation::circles, Operation::segments})
        EXPECT_TRUE(once.worst(operation)) << name_of(operation);
}

TEST(Counting, of_a_plain_crowd_is_that_of_a_plain_crowd) {
    const Verdict verdict = try_world(world_of("h1;n=2000;seed=9;place=square"), counting());
    for (const worlds::Question& question : worlds::questions)
        EXPECT_TRUE(verdict.worst(operation_of(question))) << question.name;
    for (const Score& score : verdict.scores) {
        EXPECT_GT(score.ratio, 0.7) << name_of(score.operation);
        // The first lists of a result are made twice, once to learn how long they are.
        EXPECT_LT(score.ratio, score.operation == operation_of("lists") ? 2.5 : 1.4)
            << name_of(score.operation);
    }
}

TEST(Counting, breeds_the_same_worlds_again) {
    Rules rules;
    rules.operations = {Operation::small, Operation::wide};
    rules.sizes = {300, 500};
    rules.worlds = 60;
    rules.top = 0;
    rules.trial.make = engine_subject();
    rules.trial.seconds = 60;
    rules.count_steps = true;
    Hunt once(rules), again(rules);
    for (Hunt* const hunt : {&once, &again}) hunt->run([](const Progress&) {});
    for (const Operation operation : rules.operations) {
        ASSERT_EQ(once.bred(operation).size(), again.bred(operation).size());
        ASSERT_FALSE(once.bred(operation).empty());
        for (std::size_t k = 0; k < once.bred(operation).size(); ++k) {
            EXPECT_EQ(once.bred(operation)[k].world, again.bred(operation)[k].world);
            EXPECT_EQ(once.bred(operation)[k].score.ratio, again.bred(operation)[k].score.ratio);
        }
    }
}

}  // namespace
}  // namespace throng::hunt
