// Misuse gets a status of its own, in release builds too, and changes nothing.
#include "support/engine_state.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr Box box{0, 0, 1, 1};
constexpr AgentId last_id = std::numeric_limits<AgentId>::max();
const float* const nothing = nullptr;

class Misuse : public ::testing::Test {
protected:
    Misuse() : scene_(make_scene("uniform", 100)) {
        EXPECT_EQ(engine_.update(scene_.boxes()), Status{});
        EXPECT_EQ(committed(engine_, engine_.remove(40)), Status{});
        before_ = state_of(engine_, scene_.queries(20));
    }
    ~Misuse() override { EXPECT_TRUE(unchanged(before_, engine_)); }

    Scene scene_;
    Engine engine_;
    EngineState before_;
    std::vector<Box> boxes_ = std::vector<Box>(3, box);
    std::array<AgentId, 3> ids_{1, 2, 3};
};

TEST_F(Misuse, of_an_id_that_was_removed) {
    EXPECT_EQ(engine_.move(40, box).code, Code::unknown_id);
    EXPECT_EQ(engine_.remove(40).code, Code::unknown_id);
    ids_[2] = 40;
    EXPECT_EQ(engine_.move(ids_, Boxes::of(boxes_)), (Status{Code::unknown_id, 2}));
    EXPECT_EQ(engine_.remove(ids_), (Status{Code::unknown_id, 2}));
}

TEST_F(Misuse, of_an_id_that_was_never_handed_out) {
    for (const AgentId id :
         {AgentId{100}, AgentId{101}, AgentId{1000000}, AgentId{0x80000000}, last_id - 1, last_id}) {
        EXPECT_EQ(engine_.move(id, box).code, Code::unknown_id) << id;
        EXPECT_EQ(engine_.remove(id).code, Code::unknown_id) << id;
        ids_[1] = id;
        EXPECT_EQ(engine_.move(ids_, Boxes::of(boxes_)), (Status{Code::unknown_id, 1})) << id;
        EXPECT_EQ(engine_.remove(ids_), (Status{Code::unknown_id, 1})) << id;
    }
}

TEST_F(Misuse, of_an_id_that_is_staged_to_be_removed) {
    ASSERT_EQ(engine_.remove(7), Status{});
    EXPECT_EQ(engine_.move(7, box).code, Code::unknown_id);
    EXPECT_EQ(engine_.remove(7).code, Code::unknown_id);
    engine_.discard();
    EXPECT_EQ(engine_.move(7, scene_.agents()[7]), Status{});
    engine_.discard();
}

TEST_F(Misuse, in_several_ways_is_answered_for_the_lowest_element) {
    const float unbounded = std::numeric_limits<float>::infinity();
    ids_ = {5, 40, 5};
    boxes_[0].max_x = unbounded;
    EXPECT_EQ(engine_.move(ids_, Boxes::of(boxes_)), (Status{Code::not_finite, 0}));
    boxes_[0] = box;
    boxes_[2].max_x = -1;
    EXPECT_EQ(engine_.move(ids_, Boxes::of(boxes_)), (Status{Code::unknown_id, 1}));
    ids_ = {5, 5, 40};
    EXPECT_EQ(engine_.move(ids_, Boxes::of(boxes_)), (Status{Code::duplicate_id, 1}));
}

TEST_F(Misuse, of_an_id_twice_in_one_call) {
    ids_ = {5, 9, 5};
    EXPECT_EQ(engine_.move(ids_, Boxes::of(boxes_)), (Status{Code::duplicate_id, 2}));
    EXPECT_EQ(engine_.remove(ids_), (Status{Code::duplicate_id, 2}));
    ids_ = {5, 5, 5};
    EXPECT_EQ(engine_.move(ids_, Boxes::of(boxes_)), (Status{Code::duplicate_id, 1}));
    EXPECT_EQ(engine_.remove(ids_), (Status{Code::duplicate_id, 1}));
    ids_ = {5, 6, 7};
    EXPECT_EQ(engine_.remove(ids_), Status{}) << "a call that failed must not remember its ids";
    engine_.discard();
}

TEST_F(Misuse, of_sequences_that_differ_in_length) {
    std::array<AgentId, 4> more{1, 2, 3, 4};
    EXPECT_EQ(engine_.insert(Boxes::of(boxes_), more).code, Code::size_mismatch);
    EXPECT_EQ(engine_.insert(Boxes::of(boxes_), std::span(more).first(2)).code, Code::size_mismatch);
    EXPECT_EQ(engine_.move(more, Boxes::of(boxes_)).code, Code::size_mismatch);
    EXPECT_EQ(engine_.move(std::span(more).first(0), Boxes::of(boxes_)).code, Code::size_mismatch);

    const Frame frame = engine_.frame();
    std::array<std::uint64_t, 5> offsets{};
    std::array<AgentId, 10> ids{};
    std::array<std::uint32_t, 4> counts{};
    std::array<std::uint8_t, 4> any{};
    const Boxes queries = Boxes::of(boxes_);
    EXPECT_EQ(frame.overlaps(queries, offsets, ids).status.code, Code::size_mismatch);
    EXPECT_EQ(frame.overlaps(queries, std::span(offsets).first(3), ids).status.code, Code::size_mismatch);
    EXPECT_EQ(frame.overlaps(Boxes(), std::span(offsets).first(0), ids).status.code, Code::size_mismatch);
    EXPECT_EQ(frame.count(queries, std::span(counts).first(2)).code, Code::size_mismatch);
    EXPECT_EQ(frame.any(queries, std::span(any).first(0)).code, Code::size_mismatch);
    EXPECT_EQ(counts, (std::array<std::uint32_t, 4>{})) << "a refused call writes nothing";
}

TEST_F(Misuse, of_a_null_view_with_a_count) {
    const std::array<float, 3> some{1, 2, 3};
    const float* const values = some.data();
    const Boxes views[] = {Boxes::min_max(values, values, values, nothing, 3),
                           Boxes::points(nothing, values, 1, 3)};
    const Frame frame = engine_.frame();
    for (const Boxes& view : views) {
        OverlapLists hits;
        std::array<std::uint64_t, 4> offsets{};
        std::array<std::uint32_t, 3> counts{};
        std::array<std::uint8_t, 3> any{};
        EXPECT_EQ(engine_.update(view).code, Code::null_view);
        EXPECT_EQ(engine_.insert(view, ids_).code, Code::null_view);
        EXPECT_EQ(engine_.move(ids_, view).code, Code::null_view);
        EXPECT_EQ(frame.overlaps(view, hits).code, Code::null_view);
        EXPECT_EQ(frame.overlaps(view, offsets, {}).status.code, Code::null_view);
        EXPECT_EQ(frame.count(view, counts).code, Code::null_view);
        EXPECT_EQ(frame.any(view, any).code, Code::null_view);
        EXPECT_EQ(frame.explain(view).status.code, Code::null_view);
    }
}

TEST_F(Misuse, of_more_agents_than_there_are_ids) {
    // The count is refused before anything is read or allocated.
    const float zero = 0;
    EXPECT_EQ(engine_.update(Boxes::points(&zero, &zero, 1, most_agents + 1)).code, Code::too_many);
    EXPECT_EQ(engine_.update(Boxes::points(&zero, &zero, 1, std::numeric_limits<std::size_t>::max())).code,
              Code::too_many);
}

TEST_F(Misuse, of_a_bulk_update_while_edits_are_staged) {
    ASSERT_EQ(engine_.move(1, box), Status{});
    EXPECT_EQ(engine_.update(scene_.boxes()).code, Code::edits_pending);
    EXPECT_EQ(engine_.staged(), 1u);
    EXPECT_EQ(engine_.update(Boxes()).code, Code::edits_pending);
    engine_.discard();
}

TEST_F(Misuse, has_nothing_to_do_with_calls_about_nothing) {
    EXPECT_EQ(engine_.insert(Boxes(), {}), Status{});
    EXPECT_EQ(engine_.move(std::span<const AgentId>(), Boxes()), Status{});
    EXPECT_EQ(engine_.remove(std::span<const AgentId>()), Status{});
    EXPECT_EQ(engine_.staged(), 0u);
    OverlapLists hits;
    EXPECT_EQ(engine_.frame().overlaps(Boxes(), hits), Status{});
    EXPECT_EQ(engine_.frame().count(Boxes(), {}), Status{});
    EXPECT_EQ(engine_.frame().any(Boxes(), {}), Status{});
    EXPECT_EQ(engine_.frame().explain(Boxes()).status, Status{});
}

// Every call on an engine that cannot work gives this code, and nothing happens.
void expect_refused(Engine& engine, Code code) {
    const std::vector<Box> boxes(2, box);
    std::array<AgentId, 2> ids{0, 1};
    AgentId id = 77;
    EXPECT_EQ(engine.update(Boxes::of(boxes)).code, code);
    EXPECT_EQ(engine.insert(box, id).code, code);
    EXPECT_EQ(engine.insert(Boxes::of(boxes), ids).code, code);
    EXPECT_EQ(engine.move(0, box).code, code);
    EXPECT_EQ(engine.move(ids, Boxes::of(boxes)).code, code);
    EXPECT_EQ(engine.remove(0).code, code);
    EXPECT_EQ(engine.remove(ids).code, code);
    EXPECT_EQ(engine.commit().code, code);
    engine.discard();
    EXPECT_EQ(id, 77u);
    EXPECT_EQ(engine.staged(), 0u);
    EXPECT_EQ(engine.frame().size(), 0u);
    EXPECT_EQ(engine.frame().size(), 0u);
    EXPECT_EQ(engine.frame().number(), 0u);
    EXPECT_EQ(engine.memory().total(), 0u);
    EXPECT_EQ(engine.frame().tuning().reason, TuningReason::nothing_to_fit);
    static_cast<void>(engine.isa());
    static_cast<void>(engine.validate());
}

TEST(FailedEngine, gives_the_status_of_its_making_to_every_call) {
    Engine bad_cell({.cell_width = -1});
    ASSERT_EQ(bad_cell.status().code, Code::bad_config);
    expect_refused(bad_cell, Code::bad_config);

    Engine foreign({.isa = is_supported(Isa::neon64) ? Isa::avx2 : Isa::neon64});
    ASSERT_EQ(foreign.status().code, Code::unsupported_isa);
    expect_refused(foreign, Code::unsupported_isa);

    CountingResource memory;
    memory.fail_after(0);
    Engine starved({.memory = &memory});
    ASSERT_EQ(starved.status().code, Code::out_of_memory);
    expect_refused(starved, Code::out_of_memory);
}

// The same wherever a host may name one.
TEST(ExecutorWithoutCallback, that_names_several_workers_is_refused_by_every_call_on_it) {
    const Executor none{.workers = 4, .parallel_for = nullptr};
    const std::array<Box, 2> boxes{box, box};
    Engine engine = engine_with(boxes);
    const Frame frame = engine.frame().on(none);
    EXPECT_EQ(frame.status(), Status{Code::bad_config});
    EXPECT_EQ(frame.status().argument, Argument::executor);
    PairList list;
    EXPECT_EQ(frame.pairs(list), Status{Code::bad_config});
    EXPECT_EQ(frame.count(box).status, Status{Code::bad_config});
    EXPECT_EQ(frame.first_hit(Cast::ray(0, 0, 1, 1)).status, Status{Code::bad_config});
    EXPECT_EQ(Frame(frame).on(serial_executor()).status().argument, Argument::executor);
    EXPECT_EQ(Frame().on(none).count(box).status, Status{Code::bad_config});
    ASSERT_EQ(engine.frame().pairs(list), Status{});
    EXPECT_EQ(list.sort(none), Status{Code::bad_config});
    EXPECT_EQ(list.size(), 1u);
    EXPECT_EQ(engine.frame().on({.workers = 1, .parallel_for = nullptr}).count_pairs().total, 1u);
}

TEST(MovedFromEngine, does_nothing_and_says_so) {
    Engine engine = engine_with(Boxes::of(std::span(&box, 1)));
    const Engine moved(std::move(engine));
    expect_refused(engine, Code::moved_from);
    EXPECT_EQ(moved.frame().size(), 1u);
}

TEST(EngineOfNoUse, can_be_given_a_new_one) {
    Engine moved_from, failed({.cell_width = -1});
    const Engine moved(std::move(moved_from));
    for (Engine* engine : {&moved_from, &failed}) {
        *engine = Engine();
        EXPECT_EQ(engine->status(), Status{});
        EXPECT_EQ(engine->update(Boxes::of(std::span(&box, 1))), Status{});
        EXPECT_EQ(engine->frame().size(), 1u);
    }
}

TEST(MovedFromStaticLayer, is_refused_where_a_layer_is_wanted) {
    StaticLayer walls(Boxes::of(std::span(&box, 1)));
    Engine engine;
    ASSERT_EQ(engine.set_static_layer(walls), Status{});
    const StaticLayer moved(std::move(walls));
    EXPECT_EQ(moved.status(), Status{});
    EXPECT_EQ(moved.size(), 1u);
    EXPECT_EQ(walls.status().code, Code::moved_from);
    EXPECT_EQ(walls.size(), 0u);
    EXPECT_EQ(walls.frame().size(), 0u);
    EXPECT_EQ(walls.rebased(1, 1).status().code, Code::moved_from);
    EXPECT_EQ(StaticLayer(walls).status().code, Code::moved_from) << "and so is a copy of it";
    EXPECT_EQ(engine.set_static_layer(walls).code, Code::moved_from);
    ASSERT_EQ(engine.update(Boxes::of(std::span(&box, 1))), Status{});
    EXPECT_EQ(engine.frame().static_layer().size(), 1u) << "the layer from before is still there";
}

TEST(MovedFromStaticLayer, can_be_given_a_new_one) {
    StaticLayer walls(Boxes::of(std::span(&box, 1)));
    StaticLayer other(std::move(walls));
    walls = std::move(other);
    EXPECT_EQ(walls.status(), Status{});
    EXPECT_EQ(walls.size(), 1u);
    EXPECT_EQ(other.status().code, Code::moved_from);
    StaticLayer& itself = walls;
    walls = std::move(itself);
    EXPECT_EQ(walls.status(), Status{});
    EXPECT_EQ(walls.size(), 1u);
    other = walls;
    EXPECT_EQ(other.status(), Status{});
    EXPECT_EQ(other.size(), 1u);
}

// Those that may be empty are empty.
TEST(MovedFromFrame, is_an_empty_one) {
    Frame frame = engine_with(Boxes::of(std::span(&box, 1))).frame();
    const Frame moved(std::move(frame));
    EXPECT_EQ(moved.size(), 1u);
    EXPECT_EQ(frame.size(), 0u);
    EXPECT_EQ(frame.number(), 0u);
    EXPECT_EQ(frame.count(box).total, 0u);
    EXPECT_EQ(frame.count_pairs(with_other(moved)).total, 0u);
    EXPECT_EQ(moved.count_pairs(with_other(frame)).total, 0u);
    EXPECT_TRUE(frame.validate().sound());
    EXPECT_EQ(frame.on(serial_executor()).size(), 0u);
}

TEST(MovedFromResults, are_empty_and_may_be_filled_again) {
    const std::array<Box, 2> boxes{box, box};
    Engine engine = engine_with(boxes);
    OverlapLists hits;
    PairList list;
    for (int again = 0; again < 2; ++again) {
        ASSERT_EQ(engine.frame().overlaps(Boxes::of(boxes), hits), Status{});
        ASSERT_EQ(engine.frame().pairs(list), Status{});
        const OverlapLists moved_hits(std::move(hits));
        const PairList moved_list(std::move(list));
        EXPECT_EQ(moved_hits.ids().size(), 4u);
        EXPECT_EQ(moved_list.size(), 1u);
        EXPECT_EQ(hits.size(), 0u);
        EXPECT_TRUE(hits.ids().empty());
        EXPECT_TRUE(list.empty());
    }
}

}  // namespace
}  // namespace throng::test
