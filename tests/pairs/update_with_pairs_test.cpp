// An update that also lists the pairs of its frame. They are those that the frame gives, in its order, in
// every world. A call that fails publishes nothing.
#include "support/test.hpp"

namespace throng::test {
namespace {

std::vector<Pair> as_listed(const PairList& list) { return {list.begin(), list.end()}; }

std::vector<Pair> pairs_of(const Frame& frame) {
    PairList list = listed_pairs(frame);
    return as_listed(list);
}

class UpdateWithPairs : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(UpdateWithPairs, lists_the_pairs_of_its_frame_in_their_order) {
    for (const Isa isa : instruction_sets()) {
        for (const unsigned workers : {1u, 3u}) {
            Scene scene(GetParam(), scaled(2000, 400), 5);
            const auto place = workers == 1 ? serial_workplace() : pool_workplace(workers);
            Engine together(scene.configure({.executor = place->executor(), .isa = isa}));
            Engine apart(scene.configure({.isa = isa}));
            PairList list;
            for (int frame = 0; frame < 4; ++frame, scene.step()) {
                ASSERT_EQ(together.update(scene.boxes(), list), Status{});
                ASSERT_EQ(apart.update(scene.boxes()), Status{});
                EXPECT_EQ(as_listed(list), pairs_of(apart.frame())) << to_string(isa) << ", " << workers;
                EXPECT_EQ(as_listed(list), pairs_of(together.frame()));
            }
            EXPECT_TRUE(together.validate().sound());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(every, UpdateWithPairs, enough_scenes(0), scene_name);

class UpdateWithPairsOnIslands : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(UpdateWithPairsOnIslands, lists_the_pairs_of_its_frame_in_their_order) {
    Scene scene(GetParam(), enough_for_islands, 5);
    Engine engine(scene.configure({.executor = serial_executor()}));
    PairList list;
    for (int frame = 0; frame < 2; ++frame, scene.step()) {
        ASSERT_EQ(engine.update(scene.boxes(), list), Status{});
        EXPECT_EQ(as_listed(list), pairs_of(engine.frame()));
    }
}

INSTANTIATE_TEST_SUITE_P(every, UpdateWithPairsOnIslands, enough_island_worlds(0), scene_name);

// On one thread rows are then sorted before all agents were looked at.
TEST(UpdateWithPairsInRowOrder, gives_what_several_threads_give_and_refuses_the_last_box) {
    Scene scene = make_scene("uniform", 12000);
    const auto pool = pool_workplace(3);
    Engine serial = engine_with(scene.boxes(), {.executor = serial_executor()});
    Engine parallel = engine_with(scene.boxes(), {.executor = pool->executor()});
    std::vector<AgentId> order(scene.agents().size());
    ASSERT_EQ(serial.frame().row_order(order).status, Status{});
    PairList one, other;
    std::vector<Box> boxes(order.size());
    for (int frame = 0; frame < 3; ++frame, scene.step()) {
        for (std::size_t i = 0; i < order.size(); ++i) boxes[i] = scene.agents()[order[i]];
        ASSERT_EQ(serial.update(boxes, one), Status{});
        ASSERT_EQ(parallel.update(boxes, other), Status{});
        EXPECT_EQ(serial.frame().fingerprint(), parallel.frame().fingerprint());
        EXPECT_EQ(as_listed(one), as_listed(other));
        EXPECT_TRUE(serial.validate().sound());
    }
    const std::uint64_t before = serial.frame().fingerprint();
    boxes.back().max_x = std::numeric_limits<float>::infinity();
    ASSERT_EQ(serial.update(boxes, one).code, Code::not_finite);
    EXPECT_EQ(serial.frame().fingerprint(), before);
    EXPECT_EQ(one.size(), 0u);
}

// A crowd on a lattice, so that many agents touch, and all of one size.
std::vector<Box> lattice(std::size_t side, float size) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < side * side; ++i) {
        const float x = static_cast<float>(i % side), y = static_cast<float>(i * 7 / side % side);
        boxes.push_back({x, y, x + size, y + size});
    }
    return boxes;
}

TEST(UpdateWithPairsOfOneCrowd, finds_agents_that_reach_further_than_any_before) {
    Engine engine({.executor = serial_executor()});
    PairList list;
    for (const float size : {0.5f, 0.5f, 0.75f, 1.0f, 1.5f, 0.25f}) {
        const std::vector<Box> boxes = lattice(60, size);
        ASSERT_EQ(engine.update(Boxes::of(boxes), list), Status{});
        EXPECT_EQ(as_listed(list), pairs_of(engine.frame())) << size;
        EXPECT_EQ(in_order(as_listed(list)), sorted_pairs(engine_with(boxes).frame())) << size;
    }
}

// On a grid that stays.
TEST(UpdateWithPairsOfOneCrowd, finds_agents_that_suddenly_reach_over_many_rows) {
    const EngineConfig config{
        .executor = serial_executor(), .cell_width = 1, .row_height = 2, .common_size = 50};
    for (const float height : {9.0f, 33.0f}) {
        Engine engine(config);
        PairList list;
        std::vector<Box> boxes = lattice(60, 0.5f);
        ASSERT_EQ(engine.update(Boxes::of(boxes), list), Status{});
        ASSERT_EQ(engine.update(Boxes::of(boxes), list), Status{});
        for (std::size_t i = 0; i < boxes.size(); i += 5) boxes[i].max_y = boxes[i].min_y + height;
        ASSERT_EQ(engine.update(Boxes::of(boxes), list), Status{});
        EXPECT_EQ(as_listed(list), pairs_of(engine.frame())) << height;
        ASSERT_EQ(engine.update(Boxes::of(boxes), list), Status{});
        EXPECT_EQ(as_listed(list), pairs_of(engine.frame())) << height;
    }
}

TEST(UpdateWithPairsOfOneCrowd, carries_labels_which_do_not_change_the_pairs) {
    const std::vector<Box> boxes = lattice(40, 1);
    std::vector<Label> labels;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        labels.push_back({1u << (i % 3), static_cast<std::uint32_t>(i % 5)});
    Engine engine({.executor = serial_executor()});
    PairList list;
    for (int frame = 0; frame < 2; ++frame) {
        ASSERT_EQ(engine.update(Boxes::of(boxes), list, {.labels = Labels::of(labels)}), Status{});
        EXPECT_EQ(as_listed(list), pairs_of(engine.frame()));
        EXPECT_EQ(engine.frame().label(7), labels[7]);
    }
}

TEST(UpdateWithPairsOfOneCrowd, leaves_out_the_static_layer) {
    const std::vector<Box> boxes = lattice(40, 1);
    const std::vector<Box> walls{{0, 0, 30, 1}};
    Engine engine({.executor = serial_executor()});
    ASSERT_EQ(engine.set_static_layer(StaticLayer(Boxes::of(walls))), Status{});
    PairList list;
    for (int frame = 0; frame < 2; ++frame) {
        ASSERT_EQ(engine.update(Boxes::of(boxes), list), Status{});
        EXPECT_EQ(as_listed(list), pairs_of(engine.frame()));
    }
    EXPECT_EQ(engine.frame().static_layer().size(), 1u);
}

TEST(UpdateWithPairsOfOneCrowd, lists_no_pairs_and_publishes_nothing_where_it_fails) {
    std::vector<Box> boxes = lattice(40, 1);
    Engine engine({.executor = serial_executor()});
    PairList list;
    ASSERT_EQ(engine.update(Boxes::of(boxes), list), Status{});
    const std::vector<Pair> before = as_listed(list);
    ASSERT_FALSE(before.empty());
    const std::uint64_t number = engine.frame().number();
    const std::vector<Box> good = boxes;
    boxes[1234].min_y = std::numeric_limits<float>::quiet_NaN();
    const Status refused = engine.update(Boxes::of(boxes), list);
    EXPECT_EQ(refused.code, Code::not_finite);
    EXPECT_EQ(refused.index, 1234u);
    EXPECT_TRUE(list.empty());
    const Label one{2, 3};
    EXPECT_EQ(engine.update(Boxes::of(good), list, {.labels = Labels::of({&one, 1})}).code,
              Code::size_mismatch);
    EXPECT_EQ(engine.frame().number(), number);
    EXPECT_EQ(pairs_of(engine.frame()), before);
    ASSERT_EQ(engine.move(3, good[4]), Status{});
    EXPECT_EQ(engine.update(Boxes::of(good), list).code, Code::edits_pending);
    Engine moved = std::move(engine);
    EXPECT_EQ(engine.update(Boxes::of(good), list).code, Code::moved_from);  // NOLINT
}

// Ids of the host's own, with holes and in any order.
TEST(UpdateWithPairsByIds, lists_the_pairs_of_its_frame_in_their_order) {
    Scene scene = make_scene("uniform", 3000);
    std::vector<AgentId> ids(scene.agents().size());
    for (std::size_t i = 0; i < ids.size(); ++i)
        ids[i] = static_cast<AgentId>(ids.size() + i * 7 % ids.size() * 2);
    const std::vector<Label> labels(ids.size(), Label{2, 3});
    for (const unsigned workers : {1u, 3u}) {
        const auto place = workers == 1 ? serial_workplace() : pool_workplace(workers);
        Engine engine({.executor = place->executor()});
        PairList list;
        for (int frame = 0; frame < 4; ++frame, scene.step()) {
            if (frame % 2 == 0)
                ASSERT_EQ(engine.update(ids, scene.boxes(), list), Status{});
            else
                ASSERT_EQ(engine.update(ids, scene.boxes(), list, {.labels = labels}), Status{});
            EXPECT_FALSE(list.empty());
            EXPECT_EQ(as_listed(list), pairs_of(engine.frame())) << workers;
            ASSERT_EQ(list.sort(), Status{});
            EXPECT_EQ(as_listed(list), sorted_pairs(engine.frame())) << workers;
            EXPECT_EQ(engine.frame().label(ids[5]), frame % 2 == 0 ? Label{} : labels[5]);
        }
        EXPECT_TRUE(engine.validate().sound());
    }
}

TEST(UpdateWithPairsByIds, lists_no_pairs_and_publishes_nothing_where_it_fails) {
    std::vector<Box> boxes = lattice(40, 1);
    std::vector<AgentId> ids(boxes.size());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<AgentId>(3 * (ids.size() - i));
    Engine engine({.executor = serial_executor()});
    PairList list;
    const std::vector<Box> good = boxes;
    boxes[1234].min_y = std::numeric_limits<float>::quiet_NaN();
    const std::vector<AgentId> unique = ids;
    ids[77] = ids[78];
    const auto expect_refused = [&](const Status& refused, Code code, std::uint64_t index) {
        EXPECT_EQ(refused.code, code);
        EXPECT_EQ(refused.index, index);
        EXPECT_TRUE(list.empty());
    };
    for (int frame = 1; frame < 4; ++frame) {
        ASSERT_EQ(engine.update(unique, good, list), Status{});
        const std::vector<Pair> before = as_listed(list);
        const std::uint64_t number = engine.frame().number();
        expect_refused(engine.update(unique, boxes, list), Code::not_finite, 1234);
        ASSERT_EQ(engine.frame().pairs(list), Status{});
        expect_refused(engine.update(ids, good, list), Code::duplicate_id, 78);
        EXPECT_EQ(engine.frame().number(), number);
        EXPECT_EQ(pairs_of(engine.frame()), before);
    }
    ASSERT_EQ(engine.move(unique[3], good[4]), Status{});
    EXPECT_EQ(engine.update(unique, good, list).code, Code::edits_pending);
}

TEST(UpdateWithPairsOfOneCrowd, lists_sortable_pairs) {
    const std::vector<Box> boxes = lattice(40, 1);
    Engine engine({.executor = serial_executor()});
    PairList list;
    for (int frame = 0; frame < 2; ++frame) ASSERT_EQ(engine.update(Boxes::of(boxes), list), Status{});
    ASSERT_EQ(list.sort(), Status{});
    EXPECT_EQ(as_listed(list), sorted_pairs(engine.frame()));
}

}  // namespace
}  // namespace throng::test
