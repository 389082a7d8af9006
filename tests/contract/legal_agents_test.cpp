// An update of input that may be bad: illegal agents are left out and listed, and the rest is a frame like
// any other.
#include "support/test.hpp"

namespace throng::test {
namespace {

const float nan = std::numeric_limits<float>::quiet_NaN(), endless = std::numeric_limits<float>::infinity();

struct Damaged {
    std::vector<Box> boxes;
    std::vector<AgentId> illegal;
};

// Every seventh is not legal, in one of three ways; so are the first and the last.
Damaged damaged(const Scene& scene) {
    Damaged world;
    const Boxes boxes = scene.boxes();
    for (AgentId id = 0; id < boxes.size(); ++id) {
        Box box = boxes[id];
        if (id % 7 == 0 || id + 1 == boxes.size()) {
            if (id % 3 == 0) box.min_x = nan;
            if (id % 3 == 1) box.max_y = endless;
            if (id % 3 == 2) std::swap(box.min_x, box.max_x), box.min_x += 1;
            world.illegal.push_back(id);
        }
        world.boxes.push_back(box);
    }
    return world;
}

// The same world by edits: all, and then without some.
oracle::BruteForce twin_of(const Damaged& world) {
    oracle::BruteForce twin;
    std::vector<Box> legal = world.boxes;
    for (const AgentId id : world.illegal) legal[id] = {};
    EXPECT_EQ(twin.update(legal), Status{});
    EXPECT_EQ(twin.remove(world.illegal), Status{});
    EXPECT_EQ(twin.commit(), Status{});
    return twin;
}

TEST(LeftOut, leaves_out_and_lists_what_is_not) {
    for (const char* name : {"uniform", "villages", "mixed_sizes"}) {
        SCOPED_TRACE(name);
        const Scene scene = make_scene(name, 700);
        const Damaged world = damaged(scene);
        Engine engine;
        EXPECT_FALSE(engine.update(world.boxes).ok());
        std::vector<AgentId> ids(world.boxes.size());
        LeftOut left_out{ids};
        ASSERT_EQ(engine.update(world.boxes, {.left_out = &left_out}), Status{});
        EXPECT_EQ(left_out.total, world.illegal.size());
        EXPECT_EQ(left_out.written, world.illegal.size());
        ids.resize(static_cast<std::size_t>(left_out.written));
        EXPECT_EQ(ids, world.illegal);
        EXPECT_EQ(engine.frame().size(), world.boxes.size() - world.illegal.size());
        EXPECT_TRUE(engine.validate().sound());
        EXPECT_TRUE(answers_as(engine.frame(), expect(twin_of(world).frame(), scene.queries(100))));
    }
}

TEST(LeftOut, lists_as_many_as_fit) {
    const Damaged world = damaged(make_scene("uniform", 100));
    Engine engine;
    std::vector<AgentId> three(3, no_agent);
    LeftOut left_out{three}, uncounted, nowhere{{static_cast<AgentId*>(nullptr), 3}};
    ASSERT_EQ(engine.update(world.boxes, {.left_out = &left_out}), Status{});
    EXPECT_EQ(left_out.total, world.illegal.size());
    EXPECT_EQ(left_out.written, 3u);
    EXPECT_TRUE(std::equal(three.begin(), three.end(), world.illegal.begin()));
    EXPECT_EQ(engine.update(world.boxes, {.left_out = &uncounted}), Status{});
    EXPECT_EQ(uncounted.total, world.illegal.size());
    EXPECT_EQ(uncounted.written, 0u);
    EXPECT_EQ(engine.update(world.boxes, {.left_out = &nowhere}),
              (Status{Code::null_view, Argument::output}));
}

TEST(LeftOut, goes_with_the_pairs_of_the_others) {
    const Scene scene = make_scene("mixed_sizes", 400);
    const Damaged world = damaged(scene);
    std::vector<AgentId> ids(world.boxes.size());
    std::iota(ids.begin(), ids.end(), AgentId{3});
    for (const float period : {0.0f, 4096.0f})
        for (const bool named : {false, true}) {
            Engine engine({.period_x = period, .period_y = period});
            PairList pairs, of_frame;
            LeftOut left_out;
            const UpdateOptions options{.left_out = &left_out};
            ASSERT_EQ(named ? engine.update(ids, world.boxes, pairs, options)
                            : engine.update(world.boxes, pairs, options),
                      Status{});
            EXPECT_EQ(left_out.total, world.illegal.size());
            ASSERT_EQ(engine.frame().pairs(of_frame), Status{});
            EXPECT_GT(pairs.size(), 0u);
            EXPECT_TRUE(equal_ranges(pairs, of_frame));
        }
}

TEST(LeftOut, is_for_updates_alone) {
    LeftOut left_out;
    const std::vector<Box> one{{0, 0, 1, 1}};
    const Status refused{Code::bad_config, Argument::options};
    EXPECT_EQ(StaticLayer(one, {.left_out = &left_out}).status(), refused);
    Engine engine;
    std::vector<AgentId> id(1);
    EXPECT_EQ(engine.insert(one, id, {.left_out = &left_out}), refused);
    EXPECT_EQ(engine.staged(), 0u);
}

TEST(LeftOut, is_an_update_where_everything_is_legal_or_something_else_is_wrong) {
    const Scene scene = make_scene("uniform", 300);
    Engine one, other;
    ASSERT_EQ(one.update(scene.boxes()), Status{});
    LeftOut left_out{.ids = {}, .total = 7, .written = 7};
    EXPECT_EQ(other.update(scene.boxes(), {.left_out = &left_out}), Status{});
    EXPECT_EQ(left_out.total + left_out.written, 0u) << "of this update";
    EXPECT_EQ(one.frame().fingerprint(), other.frame().fingerprint());
    ASSERT_EQ(other.remove(5), Status{});
    const std::vector<Box> given = damaged(scene).boxes;
    EXPECT_EQ(other.update(given, {.left_out = &left_out}), Status{Code::edits_pending});
    other.discard();
    const std::vector<Label> few(3);
    EXPECT_EQ(other.update(given, {.labels = few, .left_out = &left_out}).code, Code::size_mismatch);
    EXPECT_EQ(left_out.total, 0u);
}

TEST(LeftOut, may_leave_out_all) {
    const std::vector<Box> none{{nan, 0, 0, 0}, {1, 0, 0, 0}};
    Engine engine;
    LeftOut left_out;
    ASSERT_EQ(engine.update(none, {.left_out = &left_out}), Status{});
    EXPECT_EQ(left_out.total, 2u);
    EXPECT_EQ(engine.frame().size(), 0u);
    AgentId id = no_agent;
    ASSERT_EQ(engine.insert({0, 0, 1, 1}, id), Status{});
    EXPECT_EQ(id, 0u) << "the ids are free";
}

TEST(LeftOut, keeps_the_labels_of_the_others_and_takes_edits) {
    const Scene scene = make_scene("uniform", 200);
    const Damaged world = damaged(scene);
    std::vector<Label> labels(world.boxes.size());
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = {1u << i % 5, static_cast<std::uint32_t>(i)};
    Engine engine;
    LeftOut left_out;
    ASSERT_EQ(engine.update(world.boxes, {.labels = labels, .left_out = &left_out}), Status{});
    const Box everywhere{-1e9f, -1e9f, 1e9f, 1e9f};
    for (const AgentId id : {1u, 2u, 33u})
        EXPECT_EQ(engine.frame().count(everywhere, {.categories = 1u << id % 5, .self = id}).total + 1,
                  engine.frame().count(everywhere, {.categories = 1u << id % 5}).total);
    EXPECT_EQ(engine.move(0, {0, 0, 1, 1}), (Status{Code::unknown_id, 0})) << "it was left out";
    EXPECT_EQ(engine.remove(7), (Status{Code::unknown_id, 0}));
    AgentId first = no_agent, second = no_agent;
    ASSERT_EQ(engine.insert({0, 0, 1, 1}, first), Status{});
    ASSERT_EQ(engine.insert({0, 0, 1, 1}, second), Status{});
    EXPECT_EQ(first, 0u);
    EXPECT_EQ(second, 7u);
    ASSERT_EQ(committed(engine, engine.remove(1)), Status{});
    EXPECT_EQ(engine.frame().size(), world.boxes.size() - world.illegal.size() + 1);
    EXPECT_TRUE(engine.validate().sound());
    ASSERT_EQ(engine.rebase(8, 8), Status{});
    EXPECT_TRUE(engine.validate().sound());
    ASSERT_EQ(engine.update(scene.boxes()), Status{}) << "all are legal again";
    EXPECT_EQ(engine.frame().size(), world.boxes.size());
}

}  // namespace
}  // namespace throng::test
