// Random histories of all calls that write, in any order. The engine and its twin make the same calls, with
// labels in every second history, and give memory back after every third call. Both must agree in every
// status, every id that is handed out and every answer. Frames that were held on the way must answer at the
// end as they did when they were new.
#include "support/filtered_answers.hpp"
#include "support/test.hpp"
#include "support/twins.hpp"

namespace throng::test {
namespace {

// How many agents there are, and which share of them is edited at once: one in up to that many.
struct Size {
    std::size_t agents, one_in;
};
// Commits of a few edits, and commits that build their frame from scratch. Mostly one kind follows the other,
// since what the engine keeps from one to the next must never be out of date.
constexpr Size of_few{120, 9}, of_many{500, 3};

class History {
public:
    History(const SceneRecipe& recipe, const EngineConfig& config, std::uint64_t seed, bool labelled,
            const Size& size)
        : scene_(recipe, size.agents, seed),
          random_(seed),
          labelled_(labelled),
          size_(size),
          world_(scene_.configure(config)) {}

    void run(std::size_t steps) {
        if (size_.one_in == of_many.one_in) update();
        for (std::size_t step = 0; step < steps && !::testing::Test::HasFailure(); ++step) {
            take_a_step();
            if (random_.one_in(3)) world_.release_memory();
            if (random_.one_in(6)) world_.reserve(random_.below(2 * size_.agents));
            if (size_.one_in != of_many.one_in) continue;
            if (random_.one_in(5)) discard();
            commit();
        }
        commit();
        for (const auto& [frame, expected] : held_)
            EXPECT_TRUE(answers_as(frame, expected)) << "a frame that was held";
    }

private:
    void take_a_step() {
        const AgentId id = some_id();
        if (labelled_ && random_.one_in(5)) {
            random_.one_in(3) ? relabel_many() : (void)world_.relabel(id, random_label(random_));
            return;
        }
        const std::size_t what = random_.below(30);
        if (what < 4) return insert(1);
        if (what < 6) return insert(random_.below(size_.agents / 4));
        if (what < 9) return move(id);
        if (what < 12) return move_many();
        if (what < 14) return (void)world_.remove(id);
        if (what < 15) return (void)world_.remove(some_ids());
        if (what < 18) return commit();
        if (what < 19) return discard();
        if (what < 20) return renumber();
        if (what < 21) return (void)world_.rebase(0, 0);
        if (what < 23) return update_by_ids();
        if (what < 24) return update();
        if (what < 25) return update_what_is_legal();
        if (what < 26) return set_walls();
        if (what < 27) return (void)world_.remove_by_handle(id);
        if (what < 28) return (void)world_.move_by_handle(id, scene_.place(random_));
        if (what < 29) return insert_and_remove_a_crowd();
        random_.one_in(2) ? world_.relocate() : drop();
    }

    void insert(std::size_t count) {
        const std::vector<Box> boxes = some_boxes(count);
        const std::vector<Label> labels = labels_or_none(count);
        const std::vector<Band> heights = bad_now_and_then(heights_or_none(count));
        std::vector<AgentId> ids(count);
        world_.insert(boxes, ids, {labels, heights});
    }
    void move(AgentId id) {
        const Box box = scene_.place(random_);
        labelled_&& random_.one_in(3) ? world_.move(id, box, random_band(random_)) : world_.move(id, box);
    }
    // Many more edits than there are agents.
    void insert_and_remove_a_crowd() {
        std::vector<AgentId> ids(6 * size_.agents + 1200);
        const std::vector<Box> boxes = some_boxes(ids.size());
        const std::vector<Label> labels = labels_or_none(ids.size());
        world_.insert(boxes, ids, {.labels = labels});
        world_.release_memory();
        random_.one_in(2) ? discard() : (void)world_.remove(ids);
    }
    void relabel_many() {
        const std::vector<AgentId> ids = some_ids();
        const std::vector<Label> labels = random_labels(random_, ids.size());
        world_.relabel(ids, labels);
    }
    void move_many() {
        const std::vector<AgentId> ids = some_ids();
        std::vector<Box> boxes = some_boxes(ids.size());
        if (!boxes.empty() && random_.one_in(10))
            boxes.back().min_x = std::numeric_limits<float>::quiet_NaN();
        const std::vector<Band> heights = bad_now_and_then(heights_or_none(boxes.size()));
        world_.move(ids, boxes, heights);
    }
    void commit() {
        world_.commit();
        compare();
    }
    void discard() {
        world_.discard();
        compare();
    }
    void update() {
        const std::vector<Box> boxes = some_boxes(size_.agents / 2 + random_.below(size_.agents));
        const std::vector<Label> labels = labels_or_none(boxes.size());
        const std::vector<Band> heights = heights_or_none(boxes.size());
        const UpdateOptions options = options_for(labels, heights, boxes.size());
        random_.one_in(2) ? world_.update(boxes, options) : world_.update_with_pairs(boxes, options);
        compare();
    }
    // An update refuses what this leaves out.
    void update_what_is_legal() {
        if (!random_.one_in(4)) commit();
        std::vector<Box> boxes = some_boxes(size_.agents);
        for (Box& box : boxes)
            if (random_.one_in(50)) box.max_y = std::numeric_limits<float>::quiet_NaN();
        std::vector<AgentId> ids(boxes.size());
        std::iota(ids.begin(), ids.end(), AgentId{0});
        if (random_.one_in(2)) shuffle(ids, random_);
        const std::vector<Label> labels = labels_or_none(boxes.size());
        std::vector<Band> heights = heights_or_none(boxes.size());
        if (!heights.empty() && random_.one_in(3)) heights[heights.size() / 2] = {1, 0};
        const UpdateOptions options = options_for(labels, heights, boxes.size());
        world_.update(ids, boxes, options);
        world_.update_legal(ids, boxes, options);
        compare();
    }
    // Some are ghosts, or none is, or more are owned than there are.
    UpdateOptions options_for(const std::vector<Label>& labels, const std::vector<Band>& heights,
                              std::size_t count) {
        UpdateOptions options{.labels = labels, .heights = heights};
        if (random_.one_in(3)) options.owned = random_.below(count + 2);
        return options;
    }
    // Of the next frame, which has perhaps no edit.
    void set_walls() {
        const std::vector<Box> walls = some_boxes(random_.below(20));
        walls.empty() ? world_.clear_static_layer()
                      : world_.set_static_layer(walls, labels_or_none(walls.size()));
        if (random_.one_in(2)) commit();
    }
    void drop() {
        if (!held_.empty())
            held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(random_.below(held_.size())));
    }
    // In ascending order or any, with holes.
    void update_by_ids() {
        if (!random_.one_in(4)) commit();
        std::vector<AgentId> ids;
        for (AgentId id = 0; id < 2 * size_.agents; ++id)
            if (!random_.one_in(4)) ids.push_back(id);
        if (random_.one_in(2)) shuffle(ids, random_);
        if (random_.one_in(8)) ids.push_back(ids.front());
        const std::vector<Box> boxes = some_boxes(ids.size());
        const std::vector<Label> labels = labels_or_none(boxes.size());
        world_.update(ids, boxes, {.labels = labels});
        compare();
    }
    void renumber() {
        if (!random_.one_in(4)) commit();
        std::vector<AgentId> order(world_.engine().frame().size());
        ASSERT_EQ(world_.frame().row_order(order).written, order.size());
        if (random_.one_in(2)) shuffle(order, random_);
        if (!order.empty() && random_.one_in(8)) order.back() = some_id();
        world_.renumber(order);
        compare();
    }

    void compare() {
        const std::vector<Box> queries = scene_.queries(40, random_.next());
        ASSERT_TRUE(world_.agree(queries)) << "frame " << world_.frame().number();
        if (labelled_) compare_filtered();
        if (random_.one_in(6) && held_.size() < 12)
            held_.emplace_back(world_.frame(), expect(world_.twin(), queries));
    }
    void compare_filtered() {
        const FilteredQueries asked = random_filters(random_, 200, scene_.queries(12, random_.next()));
        ASSERT_TRUE(filters_agree(world_.frame(), world_.twin(), asked));
        ASSERT_TRUE(expect_filtered_pairs(world_.twin()).met_by(world_.frame()));
    }
    std::vector<Label> labels_or_none(std::size_t count) {
        return random_labels(random_, labelled_ && random_.one_in(2) ? count : 0);
    }
    std::vector<Band> heights_or_none(std::size_t count) {
        return random_bands(random_, labelled_ && random_.one_in(2) ? count : 0);
    }
    std::vector<Band> bad_now_and_then(std::vector<Band> heights) {
        if (!heights.empty() && random_.one_in(10)) heights[random_.below(heights.size())] = {1, 0};
        return heights;
    }
    std::vector<Box> some_boxes(std::size_t count) {
        std::vector<Box> boxes;
        for (std::size_t i = 0; i < count; ++i) boxes.push_back(scene_.place(random_));
        return boxes;
    }
    // Mostly one that is in use.
    AgentId some_id() { return static_cast<AgentId>(random_.below(world_.size() + 20)); }
    // Each at most once and all in use; now and then one that is not in use.
    std::vector<AgentId> some_ids() {
        std::vector<AgentId> ids;
        const std::size_t one_in = random_.one_in(3) ? 1 : size_.one_in;
        for (std::size_t id = random_.below(20); id < 3 * size_.agents; id += 1 + random_.below(one_in))
            if (world_.knows(static_cast<AgentId>(id))) ids.push_back(static_cast<AgentId>(id));
        if (random_.one_in(10)) ids.push_back(random_.one_in(2) || ids.empty() ? 100000 : ids.front());
        if (random_.one_in(2)) shuffle(ids, random_);
        return ids;
    }

    Scene scene_;
    Random random_;
    bool labelled_;
    Size size_;
    Twins world_;
    std::vector<std::pair<Frame, ExpectedAnswers>> held_;
};

class EditSequence : public ::testing::TestWithParam<SceneRecipe> {
protected:
    void run(std::size_t histories, std::size_t steps, Size size) {
        // In these scenes every agent meets every other: their pairs took two thirds of the time of a
        // sanitized run.
        if (GetParam().max_count <= 600) size.agents = std::min<std::size_t>(size.agents, 160);
        ThreadPool pool(3);
        // Each on one instruction set: together they take every path. Other tests compare the sets.
        const std::vector<Isa> sets = instruction_sets();
        const std::size_t first = std::string_view(GetParam().name).size();
        for (std::size_t seed = 0; seed < histories; ++seed) {
            const bool labelled = seed % 2 != 0, alone = (first + seed / 2) % 2 != 0;
            const Isa isa = sets[(first / 2 + seed) % sets.size()];
            const Executor executor = alone ? serial_executor() : pool.executor();
            History(GetParam(), {.executor = executor, .isa = isa}, seed, labelled, size).run(steps);
            ASSERT_FALSE(HasFailure()) << GetParam().name << ", history " << seed << ", " << to_string(isa);
        }
    }
};

TEST_P(EditSequence, leaves_the_engine_and_its_twin_in_agreement) {
    run(scaled(24, 2), scaled(300, 60), of_few);
}
TEST_P(EditSequence, of_large_commits_leaves_the_engine_and_its_twin_in_agreement) {
    run(scaled(16, 2), scaled(60, 8), of_many);
}

INSTANTIATE_TEST_SUITE_P(every, EditSequence, enough_scenes(3), scene_name);

// A new box for every agent is an update, but a label that changes nothing is no box.
TEST(EditsOfAll, leave_an_agent_in_its_place_that_only_got_a_label) {
    Twins world;
    const std::vector<Box> boxes{{0, 0, 1, 1}, {2, 0, 3, 1}, {4, 0, 5, 1}};
    ASSERT_EQ(world.update(boxes), Code::ok);
    ASSERT_EQ(world.relabel(0, Label{}), Code::ok);
    for (const AgentId id : {1u, 2u}) ASSERT_EQ(world.move(id, {6, 6, 7, 7}), Code::ok);
    ASSERT_EQ(world.commit(), Code::ok);
    EXPECT_TRUE(agents_agree_by_id(world.frame(), world.twin()));
}

}  // namespace
}  // namespace throng::test
