// Edits of a row that holds most of the world: older versions of it are brought up to date instead of copied, and the
// frames are those of an engine that copies each row.
#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr std::size_t agents_in_a_row = 12000;

// A road as wide as an agent, a pile at one point, and a pile among a crowd.
std::vector<Box> road(Random& random) {
    std::vector<Box> agents(agents_in_a_row);
    for (Box& box : agents) box = Box::around(random.uniform(0, 15000), 0, 0.5f, 0.4f);
    return agents;
}
std::vector<Box> pile(Random& random) {
    std::vector<Box> agents(agents_in_a_row);
    for (Box& box : agents) box = Box::around(7, 7, random.uniform(0.4f, 0.5f), 0.5f);
    return agents;
}
std::vector<Box> pile_in_a_crowd(Random& random) {
    std::vector<Box> agents = pile(random);
    for (std::size_t i = 0; i < agents.size() / 3; ++i)
        agents[i] = Box::around(random.uniform(0, 60), random.uniform(0, 60), random.uniform(0.2f, 3), 0.5f);
    return agents;
}

struct FullRows : ::testing::TestWithParam<std::vector<Box> (*)(Random&)> {};

// Both engines get the same edits; readers hold all frames of the second, so it has no older version to write into.
struct Pair {
    Engine engine{{.executor = serial_executor()}}, copying{{.executor = serial_executor()}};
    std::vector<Frame> history;
    std::vector<Box> boxes;  // by id

    template <class Call>
    void both(Call&& call) {
        for (Engine* each : {&engine, &copying}) ASSERT_EQ(call(*each), Status{});
    }
    void commit() {
        both([](Engine& each) { return each.commit(); });
        history.push_back(copying.frame());
        ASSERT_EQ(engine.frame().fingerprint(), copying.frame().fingerprint());
    }
};

void edit_at_random(Pair& pair, std::vector<AgentId>& ids, bool labelled, Random& random) {
    const std::size_t at = random.below(ids.size());
    const AgentId id = ids[at];
    Box box = pair.boxes[ids[random.below(ids.size())]];
    switch (random.below(labelled ? 6 : 5)) {
    case 0:
        ids.emplace_back();
        pair.both([&](Engine& each) { return each.insert(box, ids.back()); });
        if (ids.back() >= pair.boxes.size()) pair.boxes.resize(ids.back() + std::size_t{1});
        pair.boxes[ids.back()] = box;
        return;
    case 1:
        ids[at] = ids.back();
        ids.pop_back();
        return pair.both([&](Engine& each) { return each.remove(id); });
    case 2: break;
    case 5: return pair.both([&](Engine& each) { return each.relabel(id, {4, 1}); });
    default: box = pair.boxes[id]; box.max_x += random.uniform(0, 0.05f);
    }
    pair.boxes[id] = box;
    pair.both([&](Engine& each) { return each.move(id, box); });
}

TEST_P(FullRows, are_edited_as_if_they_were_copied) {
    for (const bool labelled : {false, true}) {
        Random random(11);
        const std::vector<Box> agents = GetParam()(random);
        Pair pair;
        pair.boxes = agents;
        pair.both([&](Engine& each) { return each.update(Boxes::of(agents)); });
        std::vector<AgentId> ids(agents.size());
        for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<AgentId>(i);
        if (labelled) pair.both([](Engine& each) { return each.relabel(7, {2, 7}); });
        pair.commit();
        std::vector<Frame> held;
        const std::size_t commits = scaled(400, 30);
        for (std::size_t k = 0; k < commits; ++k) {
            edit_at_random(pair, ids, labelled, random);
            pair.commit();
            if (::testing::Test::HasFatalFailure()) return;
            if (k % 7 == 0) held.push_back(pair.engine.frame());
            if (held.size() > 2) held.erase(held.begin() + static_cast<std::ptrdiff_t>(random.below(3)));
            if (k % 20 != 0) continue;
            ASSERT_TRUE(pair.engine.validate().sound()) << ::testing::PrintToString(pair.engine.validate());
        }
        EXPECT_LT(store_behind(pair.engine.frame()).agents_written(),
                  store_behind(pair.copying.frame()).agents_written());
    }
}

// There and back, as an agent that is nudged in every frame, while readers are two frames behind.
TEST_P(FullRows, are_not_copied_for_an_edit_in_place) {
    Random random(12);
    const std::vector<Box> agents = GetParam()(random);
    Engine engine({.executor = serial_executor()});
    ASSERT_EQ(engine.update(Boxes::of(agents)), Status{});
    constexpr AgentId id = agents_in_a_row - 1;
    std::vector<Frame> held(2);
    const auto nudge = [&](std::size_t k) {
        held[k % held.size()] = engine.frame();
        Box box = agents[id];
        box.max_y += k % 2 == 0 ? 0.01f : 0;
        ASSERT_EQ(engine.move(id, box), Status{});
        ASSERT_EQ(engine.commit(), Status{});
    };
    for (std::size_t k = 0; k < 8; ++k) nudge(k);
    const std::uint64_t before = store_behind(engine.frame()).agents_written();
    for (std::size_t k = 0; k < 50; ++k) nudge(k);
    EXPECT_LE(store_behind(engine.frame()).agents_written() - before, 50 * 2u);
    EXPECT_TRUE(engine.validate().sound());
}

INSTANTIATE_TEST_SUITE_P(Worlds, FullRows, ::testing::Values(road, pile, pile_in_a_crowd));

}  // namespace
}  // namespace throng::test
