// Rows with very many agents that are edited one by one have places without an agent. No answer shows these
// places, and no edit copies the row.
#include "engine/src/frame/row_layout.hpp"
#include "harness/agreement.hpp"
#include "support/engine_inside.hpp"
#include "support/filtered_answers.hpp"
#include "support/neighbour_answers.hpp"
#include "support/test.hpp"
#include "support/twins.hpp"
#include "worlds/scenes/full_row_worlds.hpp"

namespace throng::test {
namespace {

struct RowsWithHoles : ::testing::TestWithParam<FullRowWorld (*)(Random&)> {};

bool has_holes(const Frame& frame) {
    const detail::FrameState& state = state_behind(frame);
    return std::any_of(state.rows.begin(), state.rows.end(),
                       [](const simd::Row& row) { return row.holes != 0; });
}

// Brute force and two engines that get the same edits. Readers hold all frames of the second engine, so it
// has no older version of a row to write into, and copies each.
class EditedRow {
public:
    EditedRow(const FullRowWorld& world, bool labelled, Random& random)
        : world_(world), labelled_(labelled), random_(random), boxes_(world.agents) {
        for (std::size_t i = 0; i < boxes_.size(); ++i) ids_.push_back(static_cast<AgentId>(i));
        all([&](auto& each) { return each.update(boxes_); });
        for (std::size_t k = 0; k < 40 && labelled; ++k) relabel(any());
        commit();
    }
    const Engine& engine() const { return twins_.engine(); }
    const Engine& copying() const { return copying_; }
    oracle::BruteForceFrame twin() const { return twins_.twin(); }

    // One edit mostly, and now and then a few.
    void edit() {
        const std::size_t edits = random_.one_in(10) ? 1 + random_.below(8) : 1;
        for (std::size_t k = 0; k < edits; ++k) edit_one();
        commit();
    }
    // Many at once: the row is written as a whole.
    void edit_many() {
        for (std::size_t k = 0; k < 300; ++k) edit_one();
        commit();
    }
    // Enough that rows are merged with what comes into them, holes and all.
    void edit_a_sixth() {
        for (std::size_t k = 0; k < ids_.size() / 6; ++k) edit_one();
        commit();
    }
    std::vector<Box> queries(std::size_t count) {
        std::vector<Box> asked = {{-1e7f, -1e7f, 1e7f, 1e7f}, {-1e7f, -1e7f, 1000, 1e7f}};
        while (asked.size() < count) {
            Box box = boxes_[any()];
            if (random_.one_in(3)) box.max_x += random_.uniform(0, 300);
            if (random_.one_in(4)) box.min_y -= 1000;
            if (random_.one_in(4)) box.max_y += 1000;
            asked.push_back(box);
        }
        return asked;
    }

private:
    template <class Call>
    void all(Call&& call) {
        ASSERT_EQ(call(twins_), Code::ok);
        ASSERT_EQ(call(copying_), Status{});
    }
    void commit() {
        all([](auto& each) { return each.commit(); });
        history_.push_back(copying_.frame());
        ASSERT_EQ(engine().frame().fingerprint(), copying_.frame().fingerprint());
    }
    AgentId any() { return ids_[random_.below(ids_.size())]; }
    void relabel(AgentId id) {
        const Label label = random_label(random_);
        all([&](auto& each) { return each.relabel(id, label); });
    }
    void edit_one() {
        const std::size_t at = random_.below(ids_.size());
        const AgentId id = ids_[at];
        // Where another agent is, where this one was at first, or beside its place.
        Box box = boxes_[random_.one_in(2) ? any() : id];
        if (random_.one_in(3)) box = world_.agents[id % world_.agents.size()];
        const float by = random_.uniform(-0.6f, 0.6f);
        if (random_.one_in(2)) box = {box.min_x + by, box.min_y, box.max_x + by, box.max_y};
        switch (random_.below(labelled_ ? 7 : 6)) {
        case 0: {
            AgentId added = 0;
            all([&](auto& each) { return each.insert(box, added); });
            ids_.push_back(added);
            if (added >= boxes_.size()) boxes_.resize(added + std::size_t{1});
            boxes_[added] = box;
            return;
        }
        case 1:
            ids_[at] = ids_.back();
            ids_.pop_back();
            return all([&](auto& each) { return each.remove(id); });
        case 6: return relabel(id);
        default: boxes_[id] = box; return all([&](auto& each) { return each.move(id, box); });
        }
    }

    const FullRowWorld& world_;
    bool labelled_;
    Random& random_;
    Twins twins_{{.executor = serial_executor()}};
    Engine copying_{{.executor = serial_executor()}};
    std::vector<Frame> history_;
    std::vector<Box> boxes_;  // by id
    std::vector<AgentId> ids_;
};

using Held = std::pair<Frame, oracle::BruteForceFrame>;

void expect_the_same_casts(const Frame& frame, const oracle::BruteForceFrame& twin, Random& random) {
    const std::vector<Box> boxes = twin.boxes();
    const auto centre = [&] {
        const Box& box = boxes[random.below(boxes.size())];
        return Point{(box.min_x + box.max_x) / 2, (box.min_y + box.max_y) / 2};
    };
    for (std::size_t k = 0; k < 30; ++k) {
        const Point from = centre(), to = centre();
        const Cast cast = k % 3 == 0 ? Cast::circle(from.x - 5, from.y, 0.3f, to.x - from.x, to.y - from.y)
                                     : Cast::segment({from.x, from.y - 2}, to);
        ASSERT_EQ(frame.first_hit(cast).hit, twin.first_hit(cast).hit);
    }
}

void expect_the_same_neighbours(const Frame& frame, const oracle::BruteForceFrame& twin, Random& random,
                                bool has_few_pairs) {
    const std::vector<Box> boxes = twin.boxes();
    const auto asked = std::make_shared<Asked>();
    asked->points = random_points(random, boxes, 20);
    asked->one_in = 7;
    for (const AgentsAs as : {AgentsAs::centres, AgentsAs::boxes})
        for (const std::uint32_t most : {0u, 3u, 12u})
            for (const float radius : {1.5f, std::numeric_limits<float>::infinity()}) {
                if (most == 0 && radius != 1.5f) continue;
                asked->ids = frame.id_bound();
                asked->of_points = asked->of_agents =
                    OwnNeighbourhood({.radius = radius, .max_count = most, .agents_as = as});
                std::vector<std::string_view> kinds{"neighbours of points"};
                // Brute force compares all with all.
                if (has_few_pairs && radius == 1.5f && as == AgentsAs::centres &&
                    (most == 3 || scale() >= 0.4))
                    kinds.push_back("neighbours");
                ASSERT_TRUE(Expectation(twin, asked, kinds).met_by(frame));
            }
}

void expect_the_same_cross_pairs(const Frame& frame, const oracle::BruteForceFrame& twin) {
    std::vector<Box> others;
    const std::vector<Box> boxes = twin.boxes();
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < boxes.size(); i += 40) others.push_back(boxes[i]);
    for (const Box& other : others) expected += twin.count(other).total;
    Engine small = engine_with(others, {.executor = serial_executor()});
    EXPECT_EQ(frame.count_pairs(with_other(small.frame())).total, expected);
    others.resize(2 * boxes.size(), Box{-5e8f, 0, -5e8f, 0});
    ASSERT_EQ(small.update(Boxes::of(others)), Status{});
    EXPECT_EQ(frame.count_pairs(with_other(small.frame())).total, expected);
}

void expect_the_same(const Frame& frame, const oracle::BruteForceFrame& twin, std::vector<Box> queries,
                     const FullRowWorld& world, bool labelled, Random& random) {
    const Validation found = frame.validate();
    ASSERT_TRUE(found.sound()) << ::testing::PrintToString(found);
    ASSERT_TRUE(agents_agree_by_id(frame, twin));
    ASSERT_NO_FATAL_FAILURE(expect_the_same_casts(frame, twin, random));
    if (labelled || scale() >= 0.1) {
        ASSERT_NO_FATAL_FAILURE(expect_the_same_neighbours(frame, twin, random, world.has_few_pairs));
    }
    ASSERT_NO_FATAL_FAILURE(expect_the_same_cross_pairs(frame, twin));
    if (labelled) {
        const FilteredQueries asked = random_filters(random, twin.size(), queries);
        ASSERT_TRUE(filters_agree(frame, twin, asked));
        if (world.has_few_pairs) {
            ASSERT_TRUE(expect_filtered_pairs(twin, false).met_by(frame));
        }
    }
    if (world.has_few_pairs) {
        ASSERT_TRUE(answers_as(frame, expect(twin, queries)));
        return;
    }
    EXPECT_EQ(frame.count_pairs().total, twin.count_pairs().total);
    for (const Box& query : queries) EXPECT_EQ(frame.count(query).total, twin.count(query).total);
}

TEST_P(RowsWithHoles, answer_as_brute_force_does) {
    for (const bool labelled : {false, true}) {
        Random random(21);
        const FullRowWorld world = GetParam()(random);
        EditedRow row(world, labelled, random);
        std::vector<Held> held;
        std::size_t frames_with_holes = 0;
        const std::size_t rounds = scaled(6, 2);
        for (std::size_t round = 0; round < rounds; ++round) {
            for (std::size_t k = 0; k < 60; ++k) {
                ASSERT_NO_FATAL_FAILURE(row.edit());
                frames_with_holes += has_holes(row.engine().frame());
                if (k % 17 == 0) held.emplace_back(row.engine().frame(), row.twin());
            }
            if (round % 3 == 0) {
                ASSERT_NO_FATAL_FAILURE(row.edit_a_sixth());
            }
            if (round % 3 == 1) {
                ASSERT_NO_FATAL_FAILURE(row.edit_many());
            }
            ASSERT_TRUE(row.engine().validate().sound()) << ::testing::PrintToString(row.engine().validate());
            ASSERT_NO_FATAL_FAILURE(
                expect_the_same(row.engine().frame(), row.twin(), row.queries(25), world, labelled, random));
            while (held.size() > 3) {
                const std::size_t at = random.below(held.size());
                ASSERT_TRUE(agents_agree_by_id(held[at].first, held[at].second));
                held.erase(held.begin() + static_cast<std::ptrdiff_t>(at));
            }
        }
        EXPECT_GT(frames_with_holes, rounds * 30);
        EXPECT_LT(store_behind(row.engine().frame()).agents_written(),
                  store_behind(row.copying().frame()).agents_written());
    }
}

// Holes among oversized agents have no category, and are no agents that lack it.
TEST(RowsWithHolesAmongOversized, keep_a_category_that_all_agents_have) {
    Random random(27);
    const std::vector<Box> agents = with_giants(random).agents;
    const std::vector<Label> labels(agents.size(), Label{.categories = 2});
    Engine engine = engine_with(agents, Labels::of(labels), {.executor = serial_executor()});
    // Every sixteenth is oversized.
    for (AgentId id = 0; id < 640; id += 16) {
        ASSERT_EQ(committed(engine, engine.remove(id)), Status{});
        ASSERT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
        EXPECT_EQ(engine.frame().count({-1e7f, -1e7f, 1e7f, 1e7f}, {.categories = 2}).total,
                  engine.frame().size());
    }
    EXPECT_TRUE(has_holes(engine.frame()));
}

// Agents that leave a place and come back, and others that come and go, in any order.
TEST_P(RowsWithHoles, are_not_copied_for_one_edit) {
    Random random(22);
    const FullRowWorld world = GetParam()(random);
    std::vector<Box> agents;
    for (std::size_t k = 0; k < 3; ++k) agents.insert(agents.end(), world.agents.begin(), world.agents.end());
    Engine engine = engine_with(agents, {.executor = serial_executor()});
    const auto nudge = [&](float by) {
        const std::size_t id = random.below(agents.size());
        Box& box = agents[id];
        box = {box.min_x + by, box.min_y, box.max_x + by, box.max_y};
        ASSERT_EQ(committed(engine, engine.move(static_cast<AgentId>(id), box)), Status{});
    };
    for (std::size_t k = 0; k < 20; ++k) nudge(1.5f);
    std::vector<std::uint64_t> written;
    const auto total = [&] { return store_behind(engine.frame()).agents_written(); };
    for (std::size_t k = 0; k < 300; ++k) {
        const std::uint64_t before = total();
        nudge(1.5f);
        written.push_back(total() - before);
    }
    std::sort(written.begin(), written.end());
    EXPECT_LE(written[written.size() / 2], 200u);
    EXPECT_LE(written[written.size() * 9 / 10], 200u);
    EXPECT_TRUE(engine.validate().sound());
}

// Also while rows are written as a whole now and then.
TEST_P(RowsWithHoles, allocate_nothing_once_they_have_settled) {
    Random random(26);
    const FullRowWorld world = GetParam()(random);
    CountingResource memory;
    Engine engine = engine_with(world.agents, {.executor = serial_executor(), .memory = &memory});
    Frame held;
    const auto swap_two = [&] {
        const auto one = static_cast<AgentId>(random.below(agents_in_a_row)),
                   other = static_cast<AgentId>(random.below(agents_in_a_row));
        ASSERT_EQ(committed(engine, engine.move(one, world.agents[other])), Status{});
        held = engine.frame();
        ASSERT_EQ(committed(engine, engine.move(one, world.agents[one])), Status{});
    };
    for (std::size_t k = 0; k < 600; ++k) ASSERT_NO_FATAL_FAILURE(swap_two());
    memory.fail_after(0);
    for (std::size_t k = 0; k < scaled(1500, 300); ++k) ASSERT_NO_FATAL_FAILURE(swap_two());
    EXPECT_EQ(memory.failures(), 0u);
    EXPECT_TRUE(has_holes(engine.frame()));
}

// All newcomers are the last of their cell, where holes are used up first.
TEST_P(RowsWithHoles, take_in_many_that_come_to_one_place) {
    Random random(23);
    const FullRowWorld world = GetParam()(random);
    Twins twins({.executor = serial_executor()});
    ASSERT_EQ(twins.update(world.agents), Code::ok);
    const std::size_t commits = scaled(1500, 600);
    for (std::size_t k = 0; k < commits; ++k) {
        AgentId id = 0;
        ASSERT_EQ(twins.insert(world.agents[11], id), Code::ok);
        ASSERT_EQ(twins.commit(), Code::ok);
    }
    ASSERT_TRUE(twins.engine().validate().sound()) << ::testing::PrintToString(twins.engine().validate());
    ASSERT_TRUE(agents_agree_by_id(twins.frame(), twins.twin()));
    EXPECT_LT(store_behind(twins.frame()).agents_written(), commits * agents_in_a_row / 8);
}

// To and fro, as an agent that is nudged in every frame, while readers are two frames behind.
TEST_P(RowsWithHoles, are_not_copied_for_an_edit_in_place) {
    Random random(12);
    const FullRowWorld world = GetParam()(random);
    Engine engine = engine_with(world.agents, {.executor = serial_executor()});
    constexpr AgentId id = agents_in_a_row - 1;
    std::vector<Frame> held(2);
    const auto nudge = [&](std::size_t k) {
        held[k % held.size()] = engine.frame();
        Box box = world.agents[id];
        box.max_y += k % 2 == 0 ? 0.01f : 0;
        ASSERT_EQ(committed(engine, engine.move(id, box)), Status{});
    };
    for (std::size_t k = 0; k < 8; ++k) nudge(k);
    const std::uint64_t before = store_behind(engine.frame()).agents_written();
    for (std::size_t k = 0; k < 50; ++k) nudge(k);
    EXPECT_LE(store_behind(engine.frame()).agents_written() - before, 50 * 2u);
}

// The row becomes one of few agents, and forgets its holes.
TEST_P(RowsWithHoles, empty_one_by_one) {
    Random random(24);
    const FullRowWorld world = GetParam()(random);
    Engine engine = engine_with(world.agents, {.executor = serial_executor()});
    std::vector<Box> left = world.agents;
    for (std::size_t k = 0; k < agents_in_a_row; ++k) {
        ASSERT_EQ(committed(engine, engine.remove(static_cast<AgentId>(k))), Status{});
        if (k % 499 != 0) continue;
        ASSERT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
        ASSERT_EQ(engine.frame().count({-1e7f, -1e7f, 1e7f, 1e7f}).total, agents_in_a_row - 1 - k);
    }
    EXPECT_FALSE(has_holes(engine.frame()));
    EXPECT_EQ(engine.frame().size(), 0u);
}

// What is noted of the places of a row, one number after the other.
TEST_P(RowsWithHoles, are_validated_with_their_notes) {
    Random random(25);
    const FullRowWorld world = GetParam()(random);
    EditedRow edited(world, false, random);
    for (std::size_t k = 0; k < 30; ++k) ASSERT_NO_FATAL_FAILURE(edited.edit());
    const Frame frame = edited.engine().frame();
    detail::FrameState& state = state_behind(frame);
    for (std::size_t r = 0; r < state.rows.size(); ++r) {
        simd::Row& row = state.rows[r];
        if (row.holes == 0) continue;
        auto* numbers = reinterpret_cast<std::uint32_t*>(
            const_cast<detail::RowChunk*>(detail::chunks_of(row, state.map.columns(r))));
        for (std::size_t k = 0; k < sizeof(detail::RowChunk) / sizeof *numbers; ++k) {
            numbers[k] += 1u << 20;
            EXPECT_EQ(frame.validate().first, Fault::row_capacity);
            numbers[k] -= 1u << 20;
        }
        ++row.holes;
        EXPECT_FALSE(frame.validate().sound());
        --row.holes;
    }
    EXPECT_TRUE(frame.validate().sound());
    EXPECT_TRUE(has_holes(frame));
}

constexpr std::array worlds{pile, road, slivers, far_away, with_giants};

INSTANTIATE_TEST_SUITE_P(Worlds, RowsWithHoles, ::testing::ValuesIn(enough_of(worlds, 1)));

}  // namespace
}  // namespace throng::test
