// Illegal ids are refused: the status names the lowest element at fault, and nothing has changed.
#include "support/engine_state.hpp"
#include "support/ids_with_holes.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr AgentId largest = largest_id, far_away = largest - 1000;

class RefusedIds : public ::testing::Test {
protected:
    RefusedIds() {
        EXPECT_EQ(engine_.update(scene_.boxes()), Status{});
        before_ = state_of(engine_, scene_.queries(30));
    }
    // Of as many boxes as there are ids.
    void expect_refused(const std::vector<AgentId>& ids, Code code, std::size_t element) {
        const std::vector<Box> boxes(ids.size(), here);
        const std::vector<Label> labels(ids.size(), Label{.categories = 2});
        expect(engine_.update(ids, boxes), code, element);
        expect(engine_.update(ids, boxes, {.labels = labels}), code, element);
        LeftOut left_out;
        expect(engine_.update(ids, boxes, {.left_out = &left_out}), code, element);
        EXPECT_EQ(left_out.total, 0u);
    }
    void expect(const Status& status, Code code, std::size_t element) {
        EXPECT_EQ(status, (Status{code, element}));
        EXPECT_EQ(status.argument, Argument::ids);
        EXPECT_TRUE(unchanged(before_, engine_));
    }

    const Scene scene_ = make_scene("uniform", 200);
    Engine engine_;
    EngineState before_;
};

TEST_F(RefusedIds, that_come_twice) {
    expect_refused({3, 3}, Code::duplicate_id, 1);
    expect_refused({0, 1, 2, 3, 3, 4}, Code::duplicate_id, 4);
    expect_refused({9, 4, 7, 4, 9}, Code::duplicate_id, 3);
    expect_refused({9, far_away, 7, 9, far_away}, Code::duplicate_id, 3);
    expect_refused({far_away, 5, 5}, Code::duplicate_id, 2);
}

TEST_F(RefusedIds, that_are_too_large) {
    expect_refused({largest + 1}, Code::too_many, 0);
    expect_refused({1, 5, largest + 1, no_agent}, Code::too_many, 2);
    expect_refused({1, no_agent, 5}, Code::too_many, 1);
    expect_refused({no_agent, 1, 1}, Code::too_many, 0);
    expect_refused({5, 1, 1, no_agent}, Code::duplicate_id, 2);
    EXPECT_NE(std::string(describe(Code::too_many, Argument::ids)), describe(Code::too_many));
}

TEST_F(RefusedIds, are_those_above_the_largest_and_no_holes_below) {
    const std::vector<AgentId> both{0, largest};
    const std::vector<Box> boxes(2, here);
    AgentId id = no_agent;
    ASSERT_EQ(engine_.update(both, boxes), Status{});
    ASSERT_EQ(engine_.insert(here, id), Status{});
    EXPECT_EQ(id, 1u);
}

TEST_F(RefusedIds, wherever_they_stand_in_a_long_list) {
    Random random(3);
    for (const std::size_t at : {1u, 4095u, 4096u, 4097u, 70000u, 99999u}) {
        std::vector<AgentId> ids = ids_with_holes(100000, 1, random);
        ids[at] = ids[at - 1];
        expect_refused(ids, Code::duplicate_id, at);
        shuffle(ids, random);
        std::vector<bool> seen(200000);
        std::size_t twice = 0;
        while (!seen[ids[twice]]) seen[ids[twice++]] = true;
        expect_refused(ids, Code::duplicate_id, twice);
    }
}

TEST_F(RefusedIds, before_the_boxes_are_looked_at) {
    const std::vector<Box> bad{{1, 0, 0, 0}, here, here};
    expect(engine_.update(std::vector<AgentId>{3, 7, 7}, bad), Code::duplicate_id, 2);
}

TEST_F(RefusedIds, that_are_not_as_many_as_boxes) {
    const std::vector<AgentId> two{0, 1};
    const std::vector<Box> three(3, here);
    const std::vector<Label> one(1);
    expect(engine_.update(two, three), Code::size_mismatch, Status::no_index);
    LeftOut left_out;
    expect(engine_.update(two, three, {.left_out = &left_out}), Code::size_mismatch, Status::no_index);
    expect(engine_.update({static_cast<const AgentId*>(nullptr), 3}, three), Code::null_view,
           Status::no_index);
    const Status labels = engine_.update(two, all_here(2), {.labels = one});
    EXPECT_EQ(labels, Status{Code::size_mismatch});
    EXPECT_EQ(labels.argument, Argument::labels);
}

TEST_F(RefusedIds, while_edits_are_staged) {
    ASSERT_EQ(engine_.remove(5), Status{});
    EXPECT_EQ(engine_.update(std::vector<AgentId>{5, 3}, all_here(2)), Status{Code::edits_pending});
    EXPECT_EQ(engine_.staged(), 1u);
}

TEST_F(RefusedIds, and_boxes_name_their_element_in_any_order_of_the_ids) {
    std::vector<Box> boxes(3, here);
    boxes[1].max_x = std::numeric_limits<float>::infinity();
    boxes[2] = {1, 0, 0, 0};
    for (const std::vector<AgentId>& ids :
         {std::vector<AgentId>{1, 2, 9}, {9, 1, 2}, {far_away, 1, 2}, {7, far_away, 1}}) {
        EXPECT_EQ(engine_.update(ids, boxes), (Status{Code::not_finite, 1}));
        EXPECT_TRUE(unchanged(before_, engine_));
    }
}

// An executor that does not run every block is found out before anything is published.
TEST(IdsOnAFaultyExecutor, change_nothing) {
    const Scene scene = make_scene("uniform", 400000);
    Random random(1);
    std::vector<AgentId> ids = ids_with_holes(scene.agents().size(), 1, random);
    for (std::uint64_t from = 0; from < 4; ++from) {
        FaultyExecutor executor(FaultyExecutor::Habit::skips_the_last, from);
        Engine engine({.executor = executor.executor()});
        EXPECT_EQ(engine.update(ids, scene.boxes()), Status{Code::bad_executor});
        EXPECT_TRUE(executor.guilty());
        EXPECT_EQ(engine.frame().size(), 0u);
    }
}

}  // namespace
}  // namespace throng::test
