// Random histories of edits in a world with labels, made by the engine and by its twin alike: labels come
// with inserts and by relabelling, and stay with their agents through moves, commits and rebuilding.
#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

class LabelledHistory {
public:
    LabelledHistory(const SceneRecipe& recipe, Isa isa, Executor executor, std::uint64_t seed)
        : scene_(recipe, 150, seed),
          random_(seed),
          engine_(scene_.configure({.executor = executor, .isa = isa})) {}

    void run(std::size_t steps) {
        const std::vector<Box> boxes = some_boxes(150);
        ASSERT_EQ(engine_.update(Boxes::of(boxes)), twin_.update(Boxes::of(boxes)));
        for (std::size_t step = 0; step < steps && !::testing::Test::HasFatalFailure(); ++step) take_a_step();
        commit();
    }

private:
    void take_a_step() {
        switch (random_.below(16)) {
        case 0: return insert_plain();
        case 1:
        case 2: return insert();
        case 3: return insert_many();
        case 4:
        case 5:
        case 6: return move();
        case 7:
        case 8: return relabel();
        case 9: return relabel_many();
        case 10:
        case 11: return remove();
        case 12: return random_.one_in(3) ? discard() : move();
        case 13: return random_.one_in(3) ? update() : relabel();
        default: return commit();
        }
    }
    AgentId some_id() { return static_cast<AgentId>(random_.below(200)); }
    std::vector<Box> some_boxes(std::size_t count) {
        std::vector<Box> boxes;
        for (std::size_t i = 0; i < count; ++i) boxes.push_back(scene_.place(random_));
        return boxes;
    }

    void insert_plain() {
        const Box box = scene_.place(random_);
        AgentId id = 0, twins = 0;
        ASSERT_EQ(engine_.insert(box, id), twin_.insert(box, twins));
        ASSERT_EQ(id, twins);
    }
    void insert() {
        const Box box = scene_.place(random_);
        const Label label = random_label(random_);
        AgentId id = 0, twins = 0;
        ASSERT_EQ(engine_.insert(box, label, id), twin_.insert(box, label, twins));
        ASSERT_EQ(id, twins);
    }
    void insert_many() {
        const std::vector<Box> boxes = some_boxes(random_.below(20));
        const std::vector<Label> labels = random_labels(random_, boxes.size());
        std::vector<AgentId> ids(boxes.size()), twins(boxes.size());
        ASSERT_EQ(engine_.insert(Boxes::of(boxes), Labels::of(labels), ids),
                  twin_.insert(Boxes::of(boxes), Labels::of(labels), twins));
        ASSERT_EQ(ids, twins);
    }
    void move() {
        const AgentId id = some_id();
        const Box box = scene_.place(random_);
        ASSERT_EQ(engine_.move(id, box).code, twin_.move(id, box).code);
    }
    void relabel() {
        const AgentId id = some_id();
        const Label label = random_label(random_);
        ASSERT_EQ(engine_.relabel(id, label).code, twin_.relabel(id, label).code);
    }
    void relabel_many() {
        std::vector<AgentId> ids;
        for (std::size_t i = 0; i < random_.below(20); ++i) ids.push_back(some_id());
        const std::vector<Label> labels = random_labels(random_, ids.size());
        ASSERT_EQ(engine_.relabel(ids, Labels::of(labels)), twin_.relabel(ids, Labels::of(labels)));
    }
    void remove() {
        const AgentId id = some_id();
        ASSERT_EQ(engine_.remove(id).code, twin_.remove(id).code);
    }
    void discard() {
        engine_.discard();
        twin_.discard();
        compare();
    }
    void update() {
        const std::vector<Box> boxes = some_boxes(random_.below(200));
        const bool with_labels = random_.one_in(2);
        const std::vector<Label> labels = random_labels(random_, with_labels ? boxes.size() : 0);
        ASSERT_EQ(engine_.update(Boxes::of(boxes), Labels::of(labels)),
                  twin_.update(Boxes::of(boxes), Labels::of(labels)));
        compare();
    }
    void commit() {
        ASSERT_EQ(engine_.commit(), twin_.commit());
        compare();
    }
    void compare() {
        const Frame frame = engine_.frame();
        ASSERT_TRUE(engine_.validate().sound()) << ::testing::PrintToString(engine_.validate());
        const FilteredQueries asked = random_filters(random_, 200, scene_.queries(12, random_.next()));
        ASSERT_TRUE(filters_agree(frame, twin_.frame(), asked));
        ASSERT_TRUE(pair_filters_agree(frame, twin_.frame()));
        ASSERT_TRUE(answers_as(frame, expect(twin_.frame(), asked.queries)));
    }

    Scene scene_;
    Random random_;
    Engine engine_;
    oracle::BruteForce twin_;
};

class LabelledEdits : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(LabelledEdits, leave_the_engine_and_its_twin_in_agreement) {
    ThreadPool pool(3);
    for (std::size_t seed = 0; seed < scaled(2, 1); ++seed)
        for (const Isa isa : instruction_sets()) {
            LabelledHistory(GetParam(), isa, seed % 2 == 0 ? pool.executor() : serial_executor(), seed)
                .run(scaled(300, 60));
            ASSERT_FALSE(HasFailure()) << GetParam().name << ", history " << seed << ", " << to_string(isa);
        }
}

INSTANTIATE_TEST_SUITE_P(every, LabelledEdits, enough_scenes(4), scene_name);

// However a world with labels came about, it is the same world.
TEST(LabelledEdits, come_to_the_same_frame_as_an_update) {
    const Scene scene = make_scene("mixed_sizes", 2000);
    Random random(4);
    const std::vector<Label> labels = random_labels(random, scene.agents().size());
    Engine updated({.executor = serial_executor()}), edited({.executor = serial_executor()});
    ASSERT_EQ(updated.update(scene.boxes(), Labels::of(labels)), Status{});
    ASSERT_EQ(edited.update(scene.boxes()), Status{});
    for (AgentId id = 0; id < labels.size(); ++id) {
        ASSERT_EQ(edited.relabel(id, labels[id]), Status{});
        if (id % 50 == 0) {
            ASSERT_EQ(edited.commit(), Status{});
        }
    }
    ASSERT_EQ(edited.commit(), Status{});
    EXPECT_EQ(edited.frame().fingerprint(), updated.frame().fingerprint());
}

}  // namespace
}  // namespace throng::test
