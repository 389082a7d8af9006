// What writes to an engine: updates with pairs and of bad input, handles, other origins and orders, and
// layers that engines share.

#include "bindings/c/tests/both_worlds.hpp"

namespace throng::test {
namespace {

TEST(CWriting, an_update_lists_its_pairs) {
    Both both("clustered", 2000);
    const throng_boxes boxes = boxes_in_c(both.scene.agents());
    PairList pairs;
    ASSERT_TRUE(both.engine.update(both.scene.boxes(), pairs, {.labels = both.labels}));
    ASSERT_EQ(
        throng_engine_update_with_pairs(both.c.engine, &boxes, &both.given_labels, both.c.pairs, nullptr),
        THRONG_OK);
    EXPECT_GT(pairs.size(), 0u);
    expect_same_bytes(pairs.pairs(), got(both.c.pairs, throng_pairs_get));
    both.take_frames();
    std::vector<AgentId> ids(both.scene.agents().size());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<AgentId>(2 * i + 1);
    ASSERT_TRUE(both.engine.update(ids, both.scene.boxes(), pairs));
    ASSERT_EQ(throng_engine_update_by_ids_with_pairs(both.c.engine, ids.data(), ids.size(), &boxes, nullptr,
                                                     both.c.pairs, nullptr),
              THRONG_OK);
    expect_same_bytes(pairs.pairs(), got(both.c.pairs, throng_pairs_get));
    both.take_frames();
}

TEST(CWriting, an_update_leaves_out_what_is_illegal) {
    Both both("uniform", 100);
    std::vector<Box> agents = both.scene.agents();
    agents[7].min_x = std::numeric_limits<float>::quiet_NaN();
    agents[90] = {1, 0, 0, 0};
    const throng_boxes boxes = boxes_in_c(agents);
    std::vector<std::uint32_t> out(3, 5u);
    std::uint64_t total = 0;
    LeftOut left_out;
    ASSERT_TRUE(both.engine.update(agents, {.left_out = &left_out}));
    ASSERT_EQ(throng_engine_update_legal(both.c.engine, &boxes, nullptr, out.data(), 1, &total, nullptr),
              THRONG_OK);
    both.take_frames();
    EXPECT_EQ(total, 2u);
    EXPECT_EQ(out, (std::vector<std::uint32_t>{7, 5, 5}));
    std::vector<AgentId> ids(agents.size());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<AgentId>(3 * i);
    ASSERT_TRUE(both.engine.update(ids, agents, {.left_out = &left_out}));
    ASSERT_EQ(throng_engine_update_legal_by_ids(both.c.engine, ids.data(), ids.size(), &boxes, nullptr,
                                                out.data(), 3, &total, nullptr),
              THRONG_OK);
    both.take_frames();
    EXPECT_EQ(total, 2u);
    EXPECT_EQ(out, (std::vector<std::uint32_t>{21, 270, 5}));
}

TEST(CWriting, an_update_may_have_ghosts) {
    Both both("clustered", 2000);
    throng_boxes boxes = boxes_in_c(both.scene.agents());
    boxes.ghosts = 700;
    const UpdateOptions options{.labels = both.labels, .owned = 1300};
    ASSERT_TRUE(both.engine.update(both.scene.boxes(), options));
    ASSERT_EQ(throng_engine_update(both.c.engine, &boxes, &both.given_labels, nullptr), THRONG_OK);
    both.take_frames();
    EXPECT_EQ(throng_frame_ghost_count(both.c.frame), 700u);
    for (const std::uint32_t id : {0u, 1299u, 1300u, 1999u, 2000u})
        EXPECT_EQ(throng_frame_is_ghost(both.c.frame, id), both.frame.is_ghost(id) ? 1 : 0);
    EXPECT_EQ(throng_frame_is_ghost(nullptr, 1300), 0);
    EXPECT_EQ(throng_frame_ghost_count(nullptr), 0u);
    PairList pairs;
    ASSERT_TRUE(both.engine.update(both.scene.boxes(), pairs, options));
    ASSERT_EQ(
        throng_engine_update_with_pairs(both.c.engine, &boxes, &both.given_labels, both.c.pairs, nullptr),
        THRONG_OK);
    expect_same_bytes(pairs.pairs(), got(both.c.pairs, throng_pairs_get));
    std::vector<AgentId> ids(both.scene.agents().size());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<AgentId>(2 * i + 1);
    ASSERT_TRUE(both.engine.update(ids, both.scene.boxes(), options));
    ASSERT_EQ(throng_engine_update_by_ids(both.c.engine, ids.data(), ids.size(), &boxes, &both.given_labels,
                                          nullptr),
              THRONG_OK);
    both.take_frames();
    EXPECT_EQ(throng_frame_is_ghost(both.c.frame, 2601), 1);
}

TEST(CWriting, ghosts_are_refused_where_they_mean_nothing) {
    CWorld c;
    c.update({{0, 0, 1, 1}, {5, 5, 6, 6}});
    const std::vector<Box> agents{{0, 0, 1, 1}, {5, 5, 6, 6}};
    throng_boxes boxes = boxes_in_c(agents);
    auto details = made(throng_init_status_details);
    const auto expect_refused = [&](std::int32_t code) {
        EXPECT_EQ(code, THRONG_BAD_CONFIG);
        EXPECT_EQ(details.argument, THRONG_ARGUMENT_OWNED);
    };
    boxes.ghosts = 3;
    expect_refused(throng_engine_update(c.engine, &boxes, nullptr, &details));
    boxes.ghosts = 1;
    std::uint32_t ids[2] = {0, 1};
    expect_refused(throng_engine_insert(c.engine, &boxes, nullptr, ids, 2, &details));
    expect_refused(throng_engine_move(c.engine, ids, 2, &boxes, &details));
    ASSERT_EQ(throng_engine_frame(c.engine, &c.frame, nullptr), THRONG_OK);
    std::uint32_t counts[2];
    expect_refused(throng_frame_count_of(c.frame, &boxes, nullptr, counts, 2, &details));
}

TEST(CWriting, a_handle_is_of_its_agent_alone) {
    CWorld c;
    c.update({{0, 0, 1, 1}, {5, 5, 6, 6}});
    throng_handle first{}, second{};
    auto details = made(throng_init_status_details);
    ASSERT_EQ(throng_engine_handle(c.engine, 1, &first, nullptr), THRONG_OK);
    EXPECT_EQ(first.id, 1u);
    EXPECT_EQ(throng_engine_handle(c.engine, 2, &second, &details), THRONG_UNKNOWN_ID);
    EXPECT_EQ(details.argument, THRONG_ARGUMENT_IDS);
    const uint32_t id = throng_engine_id(c.engine, &first);
    EXPECT_EQ(id, 1u);
    ASSERT_EQ(throng_engine_remove(c.engine, &id, 1, nullptr), THRONG_OK);
    const uint32_t none = throng_engine_id(c.engine, &first);
    EXPECT_EQ(none, THRONG_NO_AGENT);
    const throng_box place{8, 8, 9, 9};
    auto boxes = made(throng_init_boxes);
    ASSERT_EQ(throng_boxes_of(&boxes, &place, 1), THRONG_OK);
    uint32_t again = 7;
    ASSERT_EQ(throng_engine_insert(c.engine, &boxes, nullptr, &again, 1, nullptr), THRONG_OK);
    EXPECT_EQ(again, 1u);
    ASSERT_EQ(throng_engine_handle(c.engine, again, &second, nullptr), THRONG_OK);
    EXPECT_NE(second.generation, first.generation);
    EXPECT_EQ(throng_engine_id(c.engine, &first), THRONG_NO_AGENT) << "another agent has the id";
    EXPECT_EQ(throng_engine_id(c.engine, &second), 1u);
    EXPECT_EQ(throng_engine_id(nullptr, &second), THRONG_NO_AGENT);
    EXPECT_EQ(throng_engine_id(c.engine, nullptr), THRONG_NO_AGENT);
    EXPECT_EQ(throng_engine_move(c.engine, &none, 1, &boxes, nullptr), THRONG_UNKNOWN_ID);
    EXPECT_EQ(throng_engine_remove(c.engine, &none, 1, nullptr), THRONG_UNKNOWN_ID);
    EXPECT_EQ(throng_engine_staged(c.engine), 1u);  // of one id
}

TEST(CWriting, another_origin_and_another_order_are_those_of_the_library) {
    Both both("clustered", 1000);
    ASSERT_TRUE(both.engine.rebase(10, -20));
    ASSERT_EQ(throng_engine_rebase(both.c.engine, 10, -20, nullptr), THRONG_OK);
    both.take_frames();
    const float bad = std::numeric_limits<float>::infinity();
    EXPECT_EQ(throng_engine_rebase(both.c.engine, bad, 0, nullptr), THRONG_NOT_FINITE);
    const std::size_t count = both.frame.size();
    std::vector<AgentId> order(count), c_order(count);
    ASSERT_TRUE(both.frame.row_order(order).status);
    ASSERT_EQ(throng_frame_row_order(both.c.frame, c_order.data(), count, nullptr), THRONG_OK);
    EXPECT_EQ(order, c_order);
    ASSERT_TRUE(both.engine.renumber(order));
    ASSERT_EQ(throng_engine_renumber(both.c.engine, c_order.data(), count, nullptr), THRONG_OK);
    both.take_frames();
    c_order[3] = c_order[2];
    auto details = made(throng_init_status_details);
    EXPECT_EQ(throng_engine_renumber(both.c.engine, c_order.data(), count, &details), THRONG_DUPLICATE_ID);
    EXPECT_EQ(details.index, 3u);
}

TEST(CWriting, a_plan_is_that_of_the_library) {
    Both both("clustered", 3000);
    std::vector<std::uint8_t> plan(2000, 7), c_plan(2000, 7);
    std::uint64_t total = 0;
    const Filled written = both.engine.plan(std::as_writable_bytes(std::span(plan)));
    ASSERT_EQ(throng_engine_plan(both.c.engine, c_plan.data(), c_plan.size(), &total, nullptr), THRONG_OK);
    EXPECT_EQ(total, written.total);
    EXPECT_EQ(plan, c_plan);
    EXPECT_EQ(throng_engine_plan(both.c.engine, nullptr, 0, nullptr, nullptr), THRONG_OK);
    EXPECT_EQ(throng_engine_replan(both.c.engine, nullptr), THRONG_OK);
    EXPECT_EQ(throng_engine_set_plan(both.c.engine, c_plan.data(), total, nullptr), THRONG_OK);
    EXPECT_EQ(throng_engine_set_plan(both.c.engine, c_plan.data(), total - 1, nullptr), THRONG_BAD_PLAN);
    EXPECT_EQ(throng_engine_set_plan(both.c.engine, nullptr, 1, nullptr), THRONG_NULL_VIEW);
    EXPECT_EQ(throng_engine_plan(both.c.engine, nullptr, 1, nullptr, nullptr), THRONG_NULL_VIEW);
    EXPECT_EQ(throng_engine_set_plan(nullptr, c_plan.data(), total, nullptr), THRONG_NULL_POINTER);
    EXPECT_EQ(throng_engine_plan(nullptr, c_plan.data(), total, nullptr, nullptr), THRONG_NULL_POINTER);
    EXPECT_EQ(throng_engine_replan(nullptr, nullptr), THRONG_NULL_POINTER);
    const throng_boxes boxes = boxes_in_c(both.scene.agents());
    ASSERT_TRUE(both.engine.update(both.scene.boxes()));
    ASSERT_EQ(throng_engine_update(both.c.engine, &boxes, nullptr, nullptr), THRONG_OK);
    both.take_frames();
}

TEST(CWriting, all_agents_are_given_with_their_boxes_and_labels) {
    Both both("clustered", 1000);
    const std::size_t count = both.frame.size();
    std::vector<AgentId> ids(count);
    std::vector<throng_box> boxes(count), by_id(count);
    std::vector<throng_label> labels(count);
    ASSERT_EQ(throng_frame_agents(both.c.frame, ids.data(), boxes.data(), count, nullptr), THRONG_OK);
    ASSERT_EQ(throng_frame_agent_boxes(both.c.frame, ids.data(), count, by_id.data(), count, nullptr),
              THRONG_OK);
    ASSERT_EQ(throng_frame_agent_labels(both.c.frame, ids.data(), count, labels.data(), count, nullptr),
              THRONG_OK);
    std::size_t k = 0;
    ASSERT_TRUE(both.frame.for_each_agent([&](AgentId id, const Box& box) {
        EXPECT_EQ(ids[k], id);
        EXPECT_EQ(box, (Box{boxes[k].min_x, boxes[k].min_y, boxes[k].max_x, boxes[k].max_y}));
        EXPECT_EQ(both.frame.label(id), (Label{labels[k].categories, labels[k].group}));
        ++k;
    }));
    EXPECT_EQ(k, count);
    EXPECT_EQ(std::memcmp(boxes.data(), by_id.data(), count * sizeof(throng_box)), 0);
    std::vector<AgentId> few(3, 99999u);
    ASSERT_EQ(throng_frame_agents(both.c.frame, few.data(), nullptr, 2, nullptr), THRONG_OK);
    EXPECT_EQ(few, (std::vector<AgentId>{ids[0], ids[1], 99999}));
    auto details = made(throng_init_status_details);
    ids[5] = 70000;
    EXPECT_EQ(throng_frame_agent_boxes(both.c.frame, ids.data(), count, by_id.data(), count, &details),
              THRONG_UNKNOWN_ID);
    EXPECT_EQ(details.index, 5u);
    EXPECT_EQ(throng_frame_agent_labels(both.c.frame, ids.data(), count, labels.data(), 5, &details),
              THRONG_SIZE_MISMATCH);
    EXPECT_EQ(details.argument, THRONG_ARGUMENT_OUTPUT);
}

TEST(CWriting, a_layer_outlives_its_engine_in_the_frames_of_another) {
    CountingResource memory;
    const throng_engine_config config = config_with(memory);
    const std::vector<Box> walls{{5, 5, 6, 6}, {7, 7, 8, 8}};
    const throng_boxes boxes = boxes_in_c(walls);
    throng_frame* layer_frame = nullptr;
    {
        CWorld other;
        {
            const CWorld owner(config);
            throng_static_layer *layer = nullptr, *rebased = nullptr;
            ASSERT_EQ(throng_static_layer_create(owner.engine, &boxes, nullptr, &layer, nullptr), THRONG_OK);
            ASSERT_EQ(throng_static_layer_rebased(layer, 5, 5, &rebased, nullptr), THRONG_OK);
            ASSERT_EQ(throng_engine_set_static_layer(other.engine, rebased, nullptr), THRONG_OK);
            ASSERT_EQ(throng_static_layer_frame(layer, &layer_frame, nullptr), THRONG_OK);
            throng_static_layer_destroy(layer);
            throng_static_layer_destroy(rebased);
        }
        EXPECT_NE(memory.blocks_out(), 0u);
        other.update({{0, 0, 1, 1}});
        const throng_box near_origin{0, 0, 1, 1};
        auto with = made(throng_init_filter);
        with.with_static = 1;
        std::uint64_t total = 0;
        EXPECT_EQ(throng_frame_count(other.frame, &near_origin, &with, &total, nullptr), THRONG_OK);
        EXPECT_EQ(total, 2u);
        EXPECT_EQ(throng_frame_size(layer_frame), 2u);
        EXPECT_EQ(throng_frame_count(layer_frame, &near_origin, nullptr, &total, nullptr), THRONG_OK);
        EXPECT_EQ(total, 0u);
    }
    throng_frame_release(layer_frame);
    EXPECT_EQ(memory.blocks_out(), 0u);
    EXPECT_FALSE(memory.misused());
}

TEST(CWriting, a_layer_that_is_illegal_is_none) {
    const std::vector<Box> walls{{5, 5, 6, 6}, {7, 7, 6, 8}};
    const throng_boxes boxes = boxes_in_c(walls);
    throng_static_layer* layer = nullptr;
    auto details = made(throng_init_status_details);
    EXPECT_EQ(throng_static_layer_create(nullptr, &boxes, nullptr, &layer, &details), THRONG_INVERTED);
    EXPECT_EQ(details.index, 1u);
    EXPECT_EQ(layer, nullptr);
}

TEST(CWriting, a_serial_frame_has_the_same_answers) {
    Both both("clustered", 2000);
    throng_frame* serial = nullptr;
    ASSERT_EQ(throng_frame_serial(both.c.frame, &serial, nullptr), THRONG_OK);
    ASSERT_EQ(throng_frame_pairs(serial, nullptr, both.c.pairs, nullptr), THRONG_OK);
    PairList pairs;
    ASSERT_TRUE(both.frame.pairs(pairs));
    expect_same_bytes(pairs.pairs(), got(both.c.pairs, throng_pairs_get));
    EXPECT_EQ(throng_frame_fingerprint(serial), both.frame.fingerprint());
    throng_frame_release(serial);
}

}  // namespace
}  // namespace throng::test
