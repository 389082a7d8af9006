// Lists in ascending order do not depend on how the frame came about.
#include "support/test.hpp"

namespace throng::test {
namespace {

struct Listed {
    AgentId id;
    float distance;
    friend bool operator==(const Listed&, const Listed&) = default;
    friend bool operator<(const Listed& one, const Listed& other) { return one.id < other.id; }
};

std::vector<std::vector<Listed>> listed(const NeighbourLists& lists) {
    std::vector<std::vector<Listed>> all(lists.size());
    for (std::size_t i = 0; i < lists.size(); ++i)
        for (std::size_t k = 0; k < lists[i].size(); ++k)
            all[i].push_back({lists[i][k], lists.squared_distances(i)[k]});
    return all;
}

TEST(SortedLists, have_the_ids_and_distances_that_they_had) {
    const Scene scene = make_scene("uniform", scaled(3000, 300));
    for (const std::unique_ptr<Workplace>& place : all_workplaces({1, 4})) {
        const Engine engine = engine_with(scene.boxes(), {.executor = serial_executor()});
        const Frame frame = engine.frame();
        for (const float radius : {1.0f, 20.0f}) {
            NeighbourLists lists, without;
            ASSERT_EQ(frame.neighbours(Within{.radius = radius, .distances = true}, lists), Status{});
            ASSERT_EQ(frame.neighbours(Within{.radius = radius}, without), Status{});
            std::vector<std::vector<Listed>> expected = listed(lists);
            for (std::vector<Listed>& list : expected) std::sort(list.begin(), list.end());
            place->run([&] {
                EXPECT_EQ(lists.sort(place->executor()), Status{});
                EXPECT_EQ(without.sort(place->executor()), Status{});
            });
            EXPECT_EQ(listed(lists), expected) << place->name();
            EXPECT_TRUE(std::equal(lists.ids().begin(), lists.ids().end(), without.ids().begin(),
                                   without.ids().end()));
        }
    }
}

TEST(SortedLists, of_overlaps_are_those_of_another_history) {
    Scene scene = make_scene("uniform", scaled(2000, 300));
    Engine straight, winding;
    for (int step = 0; step < 3; ++step, scene.step()) ASSERT_EQ(winding.update(scene.boxes()), Status{});
    for (AgentId id = 0; id < 100; ++id) ASSERT_EQ(winding.move(id, scene.agents()[id]), Status{});
    ASSERT_EQ(winding.commit(), Status{});
    std::vector<Box> now;
    for (AgentId id = 0; id < scene.agents().size(); ++id) now.push_back(winding.frame().box(id));
    ASSERT_EQ(straight.update(now), Status{});
    EXPECT_EQ(straight.frame().agents_fingerprint(), winding.frame().agents_fingerprint());
    const std::vector<Box> queries = scene.queries(500);
    OverlapLists one, other;
    OverlapsAsFound found;
    ASSERT_EQ(straight.frame().overlaps(queries, one), Status{});
    ASSERT_EQ(winding.frame().overlaps(queries, other), Status{});
    ASSERT_EQ(winding.frame().overlaps(queries, found), Status{});
    EXPECT_EQ(one.sort(), Status{});
    EXPECT_EQ(other.sort(), Status{});
    EXPECT_EQ(found.sort(), Status{});
    for (std::size_t q = 0; q < one.size(); ++q) {
        EXPECT_TRUE(std::is_sorted(one[q].begin(), one[q].end()));
        EXPECT_TRUE(std::equal(one[q].begin(), one[q].end(), other[q].begin(), other[q].end()));
    }
    for (const auto& [query, agents] : found)
        EXPECT_TRUE(std::equal(agents.begin(), agents.end(), one[query].begin(), one[query].end()));
}

TEST(SortedLists, say_what_the_executor_did) {
    const Engine engine = engine_with(make_scene("uniform", 2000).boxes(), {.executor = serial_executor()});
    NeighbourLists lists, none;
    ASSERT_EQ(engine.frame().neighbours(Within{.radius = 2}, lists), Status{});
    EXPECT_EQ(lists.sort({.workers = 4}), (Status{Code::bad_config, Argument::executor}));
    EXPECT_EQ(lists.size(), 2000u);
    FaultyExecutor bad(FaultyExecutor::Habit::skips_the_last, 0);
    EXPECT_EQ(lists.sort(bad.executor()).code, Code::bad_executor);
    EXPECT_TRUE(lists.empty());
    EXPECT_EQ(none.sort(), Status{});
}

// Another id, box or label gives another fingerprint; another order does not.
TEST(AgentsFingerprint, is_that_of_ids_boxes_and_labels) {
    const std::vector<Box> boxes{{0, 0, 1, 1}, {5, 5, 6, 6}}, swapped{boxes[1], boxes[0]};
    const std::vector<AgentId> ids{0, 1}, backward{1, 0};
    const std::vector<Label> labels{{2, 3}, {4, 5}}, others{{2, 3}, {4, 6}};
    const UpdateOptions with_labels{.labels = labels}, with_others{.labels = others};
    const auto of = [](const auto&... given) {
        Engine engine;
        EXPECT_EQ(engine.update(given...), Status{});
        return engine.frame().agents_fingerprint();
    };
    EXPECT_EQ(of(ids, boxes), of(backward, swapped));
    EXPECT_EQ(of(boxes), of(ids, boxes));
    EXPECT_NE(of(ids, boxes), of(backward, boxes));
    EXPECT_NE(of(boxes), of(swapped));
    EXPECT_NE(of(boxes, with_labels), of(boxes, with_others));
    EXPECT_NE(of(boxes, with_labels), of(boxes));
    EXPECT_NE(of(boxes), of(std::vector<Box>{boxes[0]}));
}

}  // namespace
}  // namespace throng::test
