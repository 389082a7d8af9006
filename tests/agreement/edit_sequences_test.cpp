// Random histories of edits, commits, discards and bulk updates, made by the engine and by its twin alike, with labels in
// every second one. Both have to agree in every status, every id that is handed out and every answer; frames that were
// held on the way have to answer at the end as they did when they were new.
#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

class History {
public:
    History(const SceneRecipe& recipe, Isa isa, Executor executor, std::uint64_t seed, bool labelled)
        : scene_(recipe, 120, seed),
          random_(seed),
          labelled_(labelled),
          engine_(scene_.configure({.executor = executor, .isa = isa})) {}

    void run(std::size_t steps) {
        for (std::size_t step = 0; step < steps && !::testing::Test::HasFatalFailure(); ++step) take_a_step();
        commit();
        for (const auto& [frame, expected] : held_)
            EXPECT_TRUE(answers_as(frame, expected)) << "a frame that was held";
    }

private:
    void take_a_step() {
        if (labelled_ && random_.one_in(5)) return random_.one_in(3) ? relabel_many() : relabel_one();
        switch (random_.below(23)) {
        case 0:
        case 1:
        case 2:
        case 3: return insert_one();
        case 4:
        case 5: return insert_many();
        case 6:
        case 7:
        case 8:
        case 9:
        case 10: return move_one();
        case 11: return move_many();
        case 12:
        case 13: return remove_one();
        case 14: return remove_many();
        case 15:
        case 16:
        case 17: return commit();
        case 18: return discard();
        case 19: return renumber();
        case 20:
        case 21: return update_by_ids();
        default: return update();
        }
    }

    void insert_one() {
        const Box box = scene_.place(random_);
        AgentId id = 0, twins = 0;
        if (labelled_ && random_.one_in(2)) {
            const Label label = random_label(random_);
            ASSERT_EQ(engine_.insert(box, label, id), twin_.insert(box, label, twins));
        } else {
            ASSERT_EQ(engine_.insert(box, id), twin_.insert(box, twins));
        }
        ASSERT_EQ(id, twins) << "the lowest free id";
    }
    void insert_many() {
        const std::vector<Box> boxes = some_boxes(random_.below(30));
        std::vector<AgentId> ids(boxes.size()), twins(boxes.size());
        if (labelled_ && random_.one_in(2)) {
            const std::vector<Label> labels = random_labels(random_, boxes.size());
            ASSERT_EQ(engine_.insert(boxes, labels, ids), twin_.insert(boxes, labels, twins));
        } else {
            ASSERT_EQ(engine_.insert(Boxes::of(boxes), ids), twin_.insert(Boxes::of(boxes), twins));
        }
        ASSERT_EQ(ids, twins) << "the lowest free ids";
    }
    void relabel_one() {
        const AgentId id = some_id();
        const Label label = random_label(random_);
        ASSERT_EQ(engine_.relabel(id, label).code, twin_.relabel(id, label).code);
    }
    void relabel_many() {
        const std::vector<AgentId> ids = some_ids();
        const std::vector<Label> labels = random_labels(random_, ids.size());
        ASSERT_EQ(engine_.relabel(ids, labels), twin_.relabel(ids, labels));
    }
    void move_one() {
        const AgentId id = some_id();
        const Box box = scene_.place(random_);
        ASSERT_EQ(engine_.move(id, box).code, twin_.move(id, box).code);
    }
    void move_many() {
        const std::vector<AgentId> ids = some_ids();
        const std::vector<Box> boxes = some_boxes(ids.size());
        ASSERT_EQ(engine_.move(ids, Boxes::of(boxes)), twin_.move(ids, Boxes::of(boxes)));
    }
    void remove_one() {
        const AgentId id = some_id();
        ASSERT_EQ(engine_.remove(id).code, twin_.remove(id).code);
    }
    void remove_many() {
        const std::vector<AgentId> ids = some_ids();
        ASSERT_EQ(engine_.remove(ids), twin_.remove(ids));
    }
    void commit() {
        ASSERT_EQ(engine_.commit(), twin_.commit());
        compare();
    }
    void discard() {
        engine_.discard();
        twin_.discard();
        compare();
    }
    void update() {
        const std::vector<Box> boxes = some_boxes(random_.below(200));
        const std::vector<Label> labels = labels_or_none(boxes.size());
        ASSERT_EQ(engine_.update(boxes, labels), twin_.update(boxes, labels));
        compare();
    }

    // In ascending order or any, with holes.
    void update_by_ids() {
        if (!random_.one_in(4)) commit();
        std::vector<AgentId> ids;
        for (AgentId id = 0; id < 260; ++id)
            if (!random_.one_in(4)) ids.push_back(id);
        if (random_.one_in(2)) shuffle(ids);
        if (random_.one_in(8)) ids.push_back(ids.front());
        const std::vector<Box> boxes = some_boxes(ids.size());
        const std::vector<Label> labels = labels_or_none(boxes.size());
        ASSERT_EQ(engine_.update(ids, boxes, labels), twin_.update(ids, boxes, labels));
        compare();
    }
    void renumber() {
        if (!random_.one_in(4)) commit();
        std::vector<AgentId> order(engine_.size());
        ASSERT_EQ(engine_.frame().order(order).written, order.size());
        if (random_.one_in(2)) shuffle(order);
        if (!order.empty() && random_.one_in(8)) order.back() = some_id();
        ASSERT_EQ(engine_.renumber(order), twin_.renumber(order));
        compare();
    }
    void shuffle(std::vector<AgentId>& ids) {
        for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[random_.below(i)]);
    }

    void compare() {
        ExpectedAnswers expected = expect(twin_.frame(), scene_.queries(40, random_.next()));
        ASSERT_EQ(engine_.size(), twin_.size());
        ASSERT_EQ(engine_.staged(), twin_.staged());
        ASSERT_TRUE(answers_as(engine_.frame(), expected)) << "frame " << engine_.frame().number();
        ASSERT_TRUE(engine_.validate().sound()) << ::testing::PrintToString(engine_.validate());
        if (labelled_) compare_filtered();
        if (random_.one_in(6) && held_.size() < 12) held_.emplace_back(engine_.frame(), std::move(expected));
    }

    void compare_filtered() {
        const FilteredQueries asked = random_filters(random_, 200, scene_.queries(12, random_.next()));
        ASSERT_TRUE(filters_agree(engine_.frame(), twin_.frame(), asked));
        ASSERT_TRUE(pair_filters_agree(engine_.frame(), expect_filtered_pairs(twin_.frame())));
    }
    std::vector<Label> labels_or_none(std::size_t count) {
        return random_labels(random_, labelled_ && random_.one_in(2) ? count : 0);
    }

    std::vector<Box> some_boxes(std::size_t count) {
        std::vector<Box> boxes;
        for (std::size_t i = 0; i < count; ++i) boxes.push_back(scene_.place(random_));
        return boxes;
    }
    // Mostly one that is in use.
    AgentId some_id() { return static_cast<AgentId>(random_.below(twin_.size() + 20)); }
    // Each at most once and all in use, or, now and then, with one that is not.
    std::vector<AgentId> some_ids() {
        std::vector<AgentId> ids;
        for (AgentId id = static_cast<AgentId>(random_.below(20)); id < 300;
             id += 1 + static_cast<AgentId>(random_.below(9)))
            if (twin_.knows(id)) ids.push_back(id);
        if (random_.one_in(10)) ids.push_back(random_.one_in(2) || ids.empty() ? 100000 : ids.front());
        for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[random_.below(i)]);
        return ids;
    }

    Scene scene_;
    Random random_;
    bool labelled_;
    Engine engine_;
    oracle::BruteForce twin_;
    std::vector<std::pair<Frame, ExpectedAnswers>> held_;
};

class EditSequence : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(EditSequence, leaves_the_engine_and_its_twin_in_agreement) {
    ThreadPool pool(3);
    const std::size_t histories = scaled(6, 2);
    for (std::size_t seed = 0; seed < histories; ++seed)
        for (const Isa isa : instruction_sets()) {
            const bool labelled = seed % 2 != 0, alone = (seed / 2 + static_cast<std::size_t>(isa)) % 2 != 0;
            History(GetParam(), isa, alone ? serial_executor() : pool.executor(), seed, labelled)
                .run(scaled(300, 60));
            ASSERT_FALSE(HasFailure()) << GetParam().name << ", history " << seed << ", " << to_string(isa);
        }
}

INSTANTIATE_TEST_SUITE_P(every, EditSequence, enough_scenes(3), scene_name);

}  // namespace
}  // namespace throng::test
