// Updates of all agents, and a few edits after each: hosts that mix both. The engine finds the agents of such
// edits only when they are committed. Until then it answers as brute force does. Afterwards its rows are the
// same as in an engine that always knew where each agent was.
#include "support/engine_inside.hpp"
#include "support/ids_with_holes.hpp"
#include "support/test.hpp"
#include "support/twins.hpp"
#include "worlds/scenes/island_worlds.hpp"

namespace throng::test {
namespace {

class MixedHistory {
public:
    MixedHistory(Scene scene, std::uint64_t seed, bool labelled, const Executor& executor)
        : scene_(std::move(scene)),
          random_(seed),
          labelled_(labelled),
          world_(scene_.configure({.executor = executor})) {}

    // Some updates are followed by more edits than the engine takes without a table.
    void run(std::size_t updates) {
        for (std::size_t u = 0; u < updates; ++u, scene_.step()) {
            update();
            for (std::size_t commits = random_.below(7); commits > 0; --commits) {
                for (std::size_t edits = 1 + random_.below(12); edits > 0; --edits) edit();
                if (random_.one_in(6)) world_.discard();
                if (random_.one_in(12)) edit();
                world_.commit();
                ASSERT_TRUE(world_.agree(scene_.queries(12, random_.next())))
                    << scene_.name() << ", frame " << world_.frame().number();
                if (random_.one_in(8)) world_.rebase(0, 0);
            }
        }
    }

private:
    void update() {
        const std::size_t count = scene_.agents().size();
        const std::vector<Label> labels = random_labels(random_, labelled_ && random_.one_in(2) ? count : 0);
        const std::size_t how = random_.below(4);
        last_.clear();
        if (how < 2) return (void)world_.update(scene_.boxes(), {.labels = labels});
        std::vector<AgentId> ids = ids_with_holes(count, 1 + random_.below(3), random_);
        if (how == 3) shuffle(ids, random_);
        world_.update(ids, scene_.boxes(), {.labels = labels});
    }
    void edit() {
        const AgentId id = some_id();
        const std::size_t what = random_.below(labelled_ ? 12 : 10);
        if (what < 4) return (void)world_.move(id, scene_.place(random_));
        if (what < 6) return insert();
        if (what < 8) return (void)world_.remove(id);
        if (what < 10) return move_some();
        world_.relabel(id, random_label(random_));
    }
    void insert() {
        AgentId id = 0;
        world_.insert(scene_.place(random_), id);
        last_.push_back(id);
    }
    // Now and then an agent comes twice, or there is an unknown id or an illegal box: then none is moved.
    void move_some() {
        std::vector<AgentId> ids{some_id(), some_id(), some_id()};
        std::vector<Box> boxes{scene_.place(random_), scene_.place(random_), scene_.place(random_)};
        if (random_.one_in(3)) boxes[1] = {1, 1, 0, 0};
        if (random_.one_in(3)) ids[2] = ids[0];
        world_.move(ids, boxes);
    }
    // Often one that was edited before, and that is no longer where the update found it.
    AgentId some_id() {
        if (!last_.empty() && random_.one_in(3)) return last_[random_.below(last_.size())];
        last_.push_back(static_cast<AgentId>(random_.below(world_.frame().id_bound() + 4)));
        return last_.back();
    }

    Scene scene_;
    Random random_;
    bool labelled_;
    Twins world_;
    std::vector<AgentId> last_;
};

TEST(FewEditsAfterUpdates, agree_with_brute_force) {
    ThreadPool pool(3);
    std::uint64_t seed = 1;
    for (const char* name : {"uniform", "mixed_sizes", "giants_over_small", "one_point"})
        for (const bool labelled : {false, true})
            for (const std::size_t count : {1u, 30u, 900u})
                MixedHistory(make_scene(name, count), ++seed, labelled,
                             labelled ? pool.executor() : serial_executor())
                    .run(scaled(40, 6));
}

TEST(FewEditsAfterUpdates, agree_with_brute_force_on_islands) {
    for (const bool labelled : {false, true})
        MixedHistory(make_island_scene("villages_under_giants", enough_for_islands), 5, labelled,
                     serial_executor())
            .run(scaled(20, 4));
}

// Enough that each agent has an entry of its own in a table.
void make_a_table(Engine& engine) {
    const std::vector<Box> boxes(2000, here);
    std::vector<AgentId> ids(boxes.size());
    ASSERT_EQ(engine.insert(Boxes::of(boxes), ids), Status{});
    engine.discard();
}

TEST(FewEditsAfterUpdates, make_the_rows_that_an_engine_makes_which_knows_all_places) {
    for (const char* name : {"uniform", "mixed_sizes", "giants_over_small"}) {
        Scene scene = make_scene(name, 20000);
        Engine few = engine_with(scene.boxes()), all = engine_with(scene.boxes());
        Random random(4);
        for (std::size_t k = 0; k < scaled(20, 5); ++k, scene.step()) {
            for (Engine* engine : {&few, &all}) ASSERT_EQ(engine->update(scene.boxes()), Status{});
            make_a_table(all);
            for (int commit = 0; commit < 3; ++commit) {
                for (int e = 0; e < 10; ++e) {
                    const auto id = static_cast<AgentId>(random.below(20000));
                    const Box box = scene.place(random);
                    for (Engine* engine : {&few, &all})
                        e == 3 ? (void)engine->remove(id) : (void)engine->move(id, box);
                }
                for (Engine* engine : {&few, &all}) ASSERT_EQ(engine->commit(), Status{});
                ASSERT_EQ(few.frame().fingerprint(), all.frame().fingerprint()) << name;
                ASSERT_TRUE(few.validate().sound()) << ::testing::PrintToString(few.validate());
            }
        }
    }
}

// What was staged while edits were few stays as it was.
TEST(FewEditsAfterUpdates, may_become_many_before_they_are_committed) {
    for (const bool holes : {false, true}) {
        const Scene scene = make_scene("uniform", 6000);
        Random random(9);
        Twins world;
        std::vector<AgentId> ids = ids_with_holes(6000, holes ? 2 : 0, random);
        ASSERT_EQ(world.update(ids, scene.boxes()), Code::ok);
        shuffle(ids, random);
        const auto move = [&](std::size_t first, std::size_t count) {
            std::vector<Box> boxes;
            for (std::size_t i = 0; i < count; ++i) boxes.push_back(scene.place(random));
            EXPECT_EQ(world.move(std::span(ids).subspan(first, count), boxes), Code::ok);
        };
        AgentId id = 0;
        move(0, 5);
        EXPECT_EQ(world.remove(ids[2]), Code::ok);
        EXPECT_EQ(world.remove(ids[6]), Code::ok);
        EXPECT_EQ(world.insert(here, id), Code::ok);
        EXPECT_EQ(world.insert(there, id), Code::ok);
        EXPECT_EQ(world.insert(there, id), Code::ok);
        move(10, 1100);
        EXPECT_TRUE(world.engine().validate().sound()) << ::testing::PrintToString(world.engine().validate());
        EXPECT_EQ(world.move(ids[6], here), world.knows(ids[6]) ? Code::ok : Code::unknown_id);
        EXPECT_EQ(world.move(ids[4], here), Code::ok);
        EXPECT_EQ(world.commit(), Code::ok);
        EXPECT_TRUE(world.agree(scene.queries(30)));
        move(1, 1);
        EXPECT_EQ(world.commit(), Code::ok);
        EXPECT_TRUE(world.agree(scene.queries(30)));
    }
}

// A row that is edited again and again has holes: an agent that leaves it leaves its id there.
TEST(FewEditsAfterUpdates, are_not_looked_for_in_holes) {
    Random random(8);
    std::vector<Box> agents;
    for (int i = 0; i < 20000; ++i)
        agents.push_back(Box::around(random.uniform(0, 200), random.uniform(0, 200), 0.4f, 0.4f));
    Twins world({.executor = serial_executor(), .cell_width = 2, .row_height = 20});
    ASSERT_EQ(world.update(Boxes::of(agents)), Code::ok);
    std::vector<AgentId> row;
    for (AgentId id = 0; row.size() < 5; ++id)
        if (agents[id].min_y > 105 && agents[id].min_y < 115) row.push_back(id);
    for (int commit = 0; commit < 3; ++commit) {
        const AgentId id = row[static_cast<std::size_t>(commit)];
        ASSERT_EQ(world.move(id, Box::around(50, 110, 0.4f, 0.4f)), Code::ok);
        ASSERT_EQ(world.commit(), Code::ok);
    }
    const Frame frame = world.frame();
    const auto& rows = state_behind(frame).rows;
    ASSERT_TRUE(std::any_of(rows.begin(), rows.end(), [](const simd::Row& one) { return one.holes != 0; }));
    for (const float y : {30.0f, 170.0f, 110.0f}) {
        ASSERT_EQ(world.move(row[4], Box::around(60, y, 0.4f, 0.4f)), Code::ok);
        ASSERT_EQ(world.commit(), Code::ok);
        ASSERT_TRUE(world.agree_by_id());
    }
}

// A table of all agents by id has four bytes for each.
TEST(FewEditsAfterUpdates, need_no_memory_for_agents_without_edits) {
    Scene scene = make_scene("uniform", 50000);
    Engine engine = engine_with(scene.boxes());
    for (int frame = 0; frame < 3; ++frame) {
        ASSERT_EQ(engine.update(scene.boxes()), Status{});
        AgentId id = 0;
        ASSERT_EQ(engine.insert(here, id), Status{});
        ASSERT_EQ(engine.remove(7), Status{});
        ASSERT_EQ(committed(engine, engine.move(9, there)), Status{});
        ASSERT_EQ(committed(engine, engine.move(9, here)), Status{});
    }
    EXPECT_LT(engine.memory().agents, 50000u);
}

}  // namespace
}  // namespace throng::test
