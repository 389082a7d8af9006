// Circles, segments and polygons against brute force: every form of every query, on every scene and every instruction
// set, with labels and without, alone and in batches that are sorted.
#include "support/shapes.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

std::vector<AgentId> sorted(std::span<const AgentId> ids) {
    std::vector<AgentId> all(ids.begin(), ids.end());
    std::sort(all.begin(), all.end());
    return all;
}

void expect_same(const Frame& frame, const oracle::BruteForceFrame& twin, const std::vector<Shape>& shapes,
                 const Filter& filter) {
    oracle::HitLists wanted;
    const Status status = twin.overlaps(shapes, wanted, filter);
    ASSERT_EQ(status, Status{}) << static_cast<int>(shapes[status.index].kind());
    Hits hits;
    ASSERT_EQ(frame.overlaps(shapes, hits, filter), Status{});
    ASSERT_EQ(hits.size(), shapes.size());
    std::vector<std::uint32_t> counts(shapes.size());
    ASSERT_EQ(frame.count(shapes, counts, filter), Status{});
    std::vector<std::uint8_t> any(shapes.size());
    ASSERT_EQ(frame.any(shapes, any, filter), Status{});
    std::vector<std::uint64_t> offsets(shapes.size() + 1);
    std::vector<AgentId> ids(hits.ids().size());
    ASSERT_EQ(frame.overlaps(shapes, offsets, ids, filter).total, hits.ids().size());
    EXPECT_TRUE(std::equal(ids.begin(), ids.end(), hits.ids().begin()));
    std::vector<AgentId> one;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const std::vector<AgentId> same(wanted[i].begin(), wanted[i].end());
        ASSERT_EQ(sorted(hits[i]), same) << i << ", of kind " << static_cast<int>(shapes[i].kind());
        ASSERT_EQ(counts[i], same.size());
        ASSERT_EQ(any[i], !same.empty());
        one.clear();
        ASSERT_EQ(frame.for_each_overlap(
                      shapes[i], [&](AgentId id) { one.push_back(id); }, filter),
                  Status{});
        ASSERT_TRUE(equal_ranges(one, hits[i]));
        ids.resize(same.size() / 2);
        const Filled half = frame.overlaps(shapes[i], ids, filter);
        ASSERT_EQ(half.total, same.size());
        ASSERT_TRUE(std::equal(ids.begin(), ids.end(), hits[i].begin()));
        ASSERT_EQ(frame.count(shapes[i], filter).total, same.size());
        ASSERT_EQ(frame.any(shapes[i], filter).found, !same.empty());
    }
}

void expect_same_in(Scene scene, std::size_t queries, const std::string& where) {
    ThreadPool pool(3);
    const std::vector<Label> labels = labels_by_id(scene.agents().size());
    for (const bool labelled : {false, true}) {
        oracle::BruteForce twin;
        ASSERT_EQ(labelled ? twin.update(scene.boxes(), labels) : twin.update(scene.boxes()), Status{});
        const ShapesOf shapes(scene, queries, labelled);
        for (const Isa isa : instruction_sets()) {
            Engine engine(
                scene.configure({.executor = labelled ? pool.executor() : serial_executor(), .isa = isa}));
            ASSERT_EQ(labelled ? engine.update(scene.boxes(), labels) : engine.update(scene.boxes()),
                      Status{});
            SCOPED_TRACE(where + ", " + to_string(isa) + (labelled ? ", labelled" : ""));
            expect_same(engine.frame(), twin.frame(), shapes.all(), {});
            expect_same(engine.frame(), twin.frame(), shapes.all(),
                        labelled ? Filter{.categories = 5, .not_in_group = 2} : Filter{.self = 17});
            if (::testing::Test::HasFailure()) return;
        }
    }
}

class ShapesInScene : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(ShapesInScene, find_the_agents_of_brute_force) {
    expect_same_in(Scene(GetParam(), std::min<std::size_t>(scaled(2000, 400), GetParam().max_count), 1),
                   scaled(2000, 600), GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(every, ShapesInScene, enough_scenes(4), scene_name);

class ShapesAmongIslands : public ::testing::TestWithParam<std::string> {};

TEST_P(ShapesAmongIslands, find_the_agents_of_brute_force) {
    expect_same_in(make_island_scene(GetParam(), enough_for_islands), scaled(600, 60), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Worlds, ShapesAmongIslands,
                         ::testing::Values("a_city_and_hamlets", "villages_under_giants"));

}  // namespace
}  // namespace throng::test
