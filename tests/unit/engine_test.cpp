#include "parallel/blocks.hpp"
#include "support/test.hpp"

namespace throng {
namespace {

using test::hits_of;
using Ids = std::vector<AgentId>;

constexpr Box everywhere{-1000, -1000, 1000, 1000};

Box at(float place) { return Box::around(place, 0, 0.25f, 0.25f); }

TEST(Engine, has_an_empty_frame_at_first) {
    const Engine engine;
    EXPECT_EQ(engine.status(), Status{});
    EXPECT_EQ(engine.frame().size(), 0u);
    EXPECT_EQ(engine.staged(), 0u);
    EXPECT_EQ(engine.frame().number(), 0u);
    EXPECT_TRUE(hits_of(engine.frame(), everywhere).empty());
    EXPECT_TRUE(engine.validate().sound());
}

TEST(Engine, publishes_a_frame_with_each_update) {
    const std::vector<Box> three{at(1), at(2), at(3)}, one{at(9)};
    Engine engine = test::engine_with(three);
    EXPECT_EQ(engine.frame().number(), 1u);
    EXPECT_EQ(engine.frame().size(), 3u);
    ASSERT_EQ(engine.update(Boxes::of(one)), Status{});
    EXPECT_EQ(engine.frame().number(), 2u);
    EXPECT_EQ(engine.frame().size(), 1u);
    EXPECT_EQ(hits_of(engine.frame(), everywhere), Ids{0});
    EXPECT_EQ(hits_of(engine.frame(), at(9)), Ids{0});
    ASSERT_EQ(engine.update(Boxes()), Status{});
    EXPECT_EQ(engine.frame().number(), 3u);
    EXPECT_EQ(engine.frame().size(), 0u);
}

TEST(Engine, hides_staged_edits_until_they_are_committed) {
    Engine engine;
    AgentId id = 99;
    ASSERT_EQ(engine.insert(at(1), id), Status{});
    EXPECT_EQ(id, 0u);
    EXPECT_EQ(engine.staged(), 1u);
    EXPECT_EQ(engine.frame().size(), 0u);
    EXPECT_TRUE(hits_of(engine.frame(), everywhere).empty());
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(engine.staged(), 0u);
    EXPECT_EQ(engine.frame().size(), 1u);
    EXPECT_EQ(hits_of(engine.frame(), at(1)), Ids{0});

    ASSERT_EQ(engine.move(id, at(5)), Status{});
    EXPECT_EQ(hits_of(engine.frame(), at(1)), Ids{0});
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_TRUE(hits_of(engine.frame(), at(1)).empty());
    EXPECT_EQ(hits_of(engine.frame(), at(5)), Ids{0});

    ASSERT_EQ(engine.remove(id), Status{});
    EXPECT_EQ(engine.frame().size(), 1u);
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(engine.frame().size(), 0u);
}

TEST(Engine, hands_out_the_lowest_free_id_among_very_many) {
    const std::vector<Box> agents(30000, at(1));
    Engine engine = test::engine_with(agents);
    std::set<AgentId> free;
    test::Random random(8);
    for (int round = 0; round < 4000; ++round) {
        if (free.empty() || random.one_in(2)) {
            // From the end, the middle and the beginning in turn.
            const AgentId id = static_cast<AgentId>(random.below(3) * 12000 + random.below(50));
            ASSERT_EQ(engine.remove(id).ok(), free.insert(id).second);
        } else {
            AgentId id = 0;
            ASSERT_EQ(engine.insert(at(2), id), Status{});
            ASSERT_EQ(id, *free.begin());
            free.erase(free.begin());
        }
    }
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(engine.frame().size(), agents.size() - free.size());
}

// The history of agreement/edit_sequences_test.cpp in small, with answers that do not come from the twin.
TEST(Engine, counts_the_last_of_several_edits) {
    const std::vector<Box> agents{at(1), at(2), at(3)};
    Engine engine = test::engine_with(agents);
    AgentId same = 99, staged = 99, gone = 99;
    ASSERT_EQ(engine.move(0, at(50)), Status{});
    ASSERT_EQ(engine.move(0, at(70)), Status{});
    ASSERT_EQ(engine.remove(1), Status{});
    ASSERT_EQ(engine.insert(at(40), same), Status{});
    ASSERT_EQ(engine.insert(at(41), staged), Status{});
    ASSERT_EQ(engine.insert(at(42), gone), Status{});
    ASSERT_EQ(engine.move(staged, at(8)), Status{});
    ASSERT_EQ(engine.remove(gone), Status{});
    EXPECT_EQ((Ids{same, staged, gone}), (Ids{1, 3, 4})) << "the lowest free ids";
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(hits_of(engine.frame(), everywhere).size(), 4u);
    EXPECT_EQ(hits_of(engine.frame(), at(70)), Ids{0});
    EXPECT_EQ(hits_of(engine.frame(), at(40)), Ids{1});
    EXPECT_EQ(hits_of(engine.frame(), at(8)), Ids{3});
    ASSERT_EQ(engine.update(Boxes::of(agents)), Status{});
    EXPECT_EQ(engine.frame().size(), 3u);
    EXPECT_EQ(hits_of(engine.frame(), at(2)), Ids{1});
    EXPECT_TRUE(engine.validate().sound());
}

TEST(Engine, forgets_what_is_discarded) {
    const std::vector<Box> agents{at(1), at(2)};
    Engine engine = test::engine_with(agents);
    const std::uint64_t before = engine.frame().fingerprint();
    AgentId id = 0;
    ASSERT_EQ(engine.remove(0), Status{});
    ASSERT_EQ(engine.insert(at(30), id), Status{});
    ASSERT_EQ(engine.insert(at(31), id), Status{});
    ASSERT_EQ(engine.move(1, at(32)), Status{});
    engine.discard();
    EXPECT_EQ(engine.staged(), 0u);
    ASSERT_EQ(engine.insert(at(33), id), Status{});
    EXPECT_EQ(id, 2u) << "the ids that were handed out and discarded are free again, and no others";
    engine.discard();
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(engine.frame().fingerprint(), before);
    EXPECT_EQ(hits_of(engine.frame(), at(1)), Ids{0});
    EXPECT_TRUE(engine.validate().sound());
}

TEST(Engine, moves_with_everything_it_has) {
    const std::vector<Box> agents{at(1), at(2)};
    Engine engine = test::engine_with(agents);
    ASSERT_EQ(engine.move(0, at(5)), Status{});
    Engine moved(std::move(engine));
    EXPECT_EQ(moved.staged(), 1u);
    ASSERT_EQ(moved.commit(), Status{});
    Engine assigned;
    assigned = std::move(moved);
    EXPECT_EQ(assigned.frame().size(), 2u);
    EXPECT_EQ(hits_of(assigned.frame(), at(5)), Ids{0});
}

TEST(Engine, chooses_a_cell_and_says_why) {
    Engine engine;
    EXPECT_EQ(engine.frame().tuning().reason, TuningReason::nothing_to_fit);
    const test::Scene scene = test::make_scene("uniform", 1000);
    ASSERT_EQ(engine.update(scene.boxes()), Status{});
    EXPECT_NE(engine.frame().tuning().reason, TuningReason::nothing_to_fit);
    EXPECT_GT(engine.frame().tuning().cell_width, 0);
    EXPECT_GT(engine.frame().tuning().row_height, 0);
    EXPECT_GT(engine.frame().tuning().columns, 0u);
    EXPECT_GT(engine.frame().tuning().rows, 0u);
    EXPECT_EQ(engine.frame().tuning().times_chosen, 1u);
}

TEST(Engine, refuses_a_configuration_that_is_not_to_be_had) {
    const float nan = std::numeric_limits<float>::quiet_NaN(),
                infinity = std::numeric_limits<float>::infinity();
    for (const float bad : {-1.0f, nan, infinity, -infinity}) {
        EXPECT_EQ(Engine({.cell_width = bad, .row_height = 1}).status().code, Code::bad_config) << bad;
        EXPECT_EQ(Engine({.cell_width = 1, .row_height = bad}).status().code, Code::bad_config) << bad;
    }
    EXPECT_EQ(Engine({.executor = {.workers = 4, .parallel_for = nullptr}}).status().code, Code::bad_config);
}

TEST(Engine, uses_the_executor_it_was_given) {
    test::CountingExecutor executor;
    const test::Scene scene = test::make_scene("uniform", 20000);
    Engine engine = test::engine_with(scene.boxes(), {.executor = executor.executor()});
    const std::uint64_t after_update = executor.calls();
    EXPECT_GT(after_update, 0u);
    PairList pairs = test::listed_pairs(engine.frame());
    EXPECT_GT(executor.calls(), after_update);
}

TEST(Engine, leaves_the_executor_alone_for_small_work) {
    test::CountingExecutor executor(1000);
    const test::Scene scene = test::make_scene("uniform", 5000);
    const Frame frame = test::engine_with(scene.boxes(), {.executor = executor.executor()}).frame();
    PairList pairs = test::listed_pairs(frame);
    std::size_t visited = 0;
    const Box all{-1e30f, -1e30f, 1e30f, 1e30f};
    ASSERT_EQ(frame.for_each_overlap(all, [&](AgentId) { ++visited; }), Status{});
    EXPECT_EQ(visited, 5000u);
    EXPECT_EQ(frame.count(all).total, 5000u);
    EXPECT_EQ(executor.calls(), 0u);
}

TEST(Engine, calls_the_executor_for_2_to_4096_blocks) {
    test::CountingExecutor executor(4'000'000'000u), other(4'000'000'000u);
    const test::Scene scene = test::make_scene("uniform", 40000);
    std::vector<std::uint32_t> counts(40000);
    ASSERT_EQ(test::engine_with(scene.boxes(), {.executor = executor.executor()})
                  .frame()
                  .count(scene.boxes(), counts),
              Status{});
    EXPECT_GE(executor.fewest_blocks(), 2u);
    EXPECT_LE(executor.most_blocks(), 4096u);
    EXPECT_GT(executor.most_blocks(), 0u);
    // None of the library's steps has that many blocks here, so the test makes such a step.
    EXPECT_TRUE(parallel::for_blocks(other.executor(), 10'000, [](std::size_t) {}));
    EXPECT_EQ(other.most_blocks(), 4096u);
}

}  // namespace
}  // namespace throng
