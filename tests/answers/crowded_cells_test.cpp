// Very many agents in one cell: a search that touches few of them, or none, looks at few. What it finds, and
// in which order, is the same as without their bounds, and as brute force finds it.
#include "oracle/neighbours.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr Box pile_box{3, 4, 4, 5};

struct CrowdedWorld {
    const char* name;
    std::vector<Box> boxes;
};

// Agents in any order of ids, so that those beside a pile have theirs among those of its agents.
void shuffle(std::vector<Box>& boxes, Random& random) {
    for (std::size_t i = boxes.size(); i-- > 1;) std::swap(boxes[i], boxes[random.below(i + 1)]);
}

std::vector<CrowdedWorld> crowded_worlds(std::size_t count) {
    Random random(1);
    std::vector<CrowdedWorld> worlds{{"one pile", std::vector<Box>(count, pile_box)},
                                     {"two piles far from each other", {}},
                                     {"a pile that is spread a little", {}},
                                     {"a pile with others in its cell", std::vector<Box>(count, pile_box)},
                                     {"a pile in a crowd", std::vector<Box>(count, pile_box)},
                                     {"a pile in a village among others", std::vector<Box>(count, pile_box)},
                                     {"a pile in a crowd under giants", std::vector<Box>(count, pile_box)}};
    for (std::size_t i = 0; i < count; ++i) {
        worlds[1].boxes.push_back(i % 2 == 0 ? pile_box : pile_box.moved(100, 0));
        worlds[2].boxes.push_back(pile_box.moved(random.uniform(0, 0.01f), random.uniform(0, 0.01f)));
    }
    for (int i = 0; i < 20; ++i)
        worlds[3].boxes.push_back(pile_box.moved(0.01f * static_cast<float>(i), 0.7f));
    for (int i = 0; i < 2000; ++i) {
        const float x = random.uniform(-30, 40), y = random.uniform(-30, 40);
        worlds[4].boxes.push_back(Box::around(x, y, 0.5f, 0.5f));
        worlds[6].boxes.push_back(Box::around(x, y, i % 100 == 0 ? 20.0f : 0.5f, 0.5f));
    }
    for (int i = 0; i < 6000; ++i)
        worlds[5].boxes.push_back(Box::around(static_cast<float>(i / 300) * 900 + random.uniform(-9, 9),
                                              random.uniform(-9, 9), 0.5f, 0.5f));
    for (CrowdedWorld& world : worlds) shuffle(world.boxes, random);
    return worlds;
}

// Within the pile, on its edges, beside it, past it, and over all there is.
std::vector<Box> boxes_around(Random& random) {
    std::vector<Box> boxes{{-100, -100, 200, 200}, {-9, 4.5f, 9, 4.5f}, {3.5f, -50, 3.6f, 50}, {4, 5, 4, 5}};
    for (const float d : {0.0f, 1e-6f, 0.05f, 0.4f})
        for (const Box& side : {pile_box.moved(1 + d, 0), pile_box.moved(-1 - d, 0), pile_box.moved(0, 1 + d),
                                pile_box.moved(0, -1 - d)})
            boxes.push_back(side);
    for (int i = 0; i < 24; ++i)
        boxes.push_back(Box::around(random.uniform(0, 8), random.uniform(0, 9),
                                    random.uniform(0, i % 4 == 0 ? 20.0f : 1.0f), random.uniform(0, 1)));
    return boxes;
}

std::vector<Filter> filters_for(std::size_t count) {
    return {{}, {.self = 0}, {.categories = 2}, {.self = static_cast<AgentId>(count / 2), .not_in_group = 1}};
}

// All that searches answer, in their order.
struct Answers {
    std::vector<std::vector<AgentId>> lists;
    std::vector<std::uint32_t> counts;
    std::vector<std::uint8_t> any;
    std::vector<Pair> pairs;
    bool operator==(const Answers&) const = default;
};

template <class Lists>
void add_lists(const Lists& lists, std::vector<std::vector<AgentId>>& to) {
    for (std::size_t i = 0; i < lists.size(); ++i) to.emplace_back(lists[i].begin(), lists[i].end());
}

template <class Queries>
void ask(const Frame& frame, const Queries& queries, const Filter& filter, Answers& answers) {
    OverlapLists hits;
    std::vector<std::uint32_t> counts(queries.size());
    std::vector<std::uint8_t> any(queries.size());
    ASSERT_EQ(frame.overlaps(queries, hits, filter), Status{});
    ASSERT_EQ(frame.count(queries, counts, filter), Status{});
    ASSERT_EQ(frame.any(queries, any, filter), Status{});
    add_lists(hits, answers.lists);
    answers.counts.insert(answers.counts.end(), counts.begin(), counts.end());
    answers.any.insert(answers.any.end(), any.begin(), any.end());
    for (const auto& query : queries) {
        std::vector<AgentId> ids;
        ASSERT_EQ(frame.for_each_overlap(
                      query,
                      [&](std::span<const AgentId> some) { ids.insert(ids.end(), some.begin(), some.end()); },
                      filter),
                  Status{});
        answers.lists.push_back(ids);
    }
}

std::vector<Shape> shapes_of(const std::vector<Box>& boxes) {
    std::vector<Shape> shapes;
    for (const Box& box : boxes) {
        if (shapes.size() % 2 == 0)
            shapes.push_back(Circle{box.min_x, box.min_y, 0.5f * (box.max_x - box.min_x)});
        else
            shapes.push_back(ThickSegment{{box.min_x, box.min_y}, {box.max_x, box.max_y}, 0.1f});
    }
    return shapes;
}

Answers answers_of(const Frame& frame, const std::vector<Box>& boxes, const StaticLayer& walls,
                   std::size_t agents) {
    Answers answers;
    const std::vector<Shape> shapes = shapes_of(boxes);
    std::vector<Point> points;
    for (const Box& box : boxes) points.push_back({box.min_x, box.min_y});
    NeighbourLists lists;
    for (const Filter& filter : filters_for(agents)) {
        ask(frame, boxes, filter, answers);
        ask(frame, shapes, filter, answers);
        for (const AgentsAs agents_as : {AgentsAs::centres, AgentsAs::boxes}) {
            EXPECT_EQ(frame.neighbours(points, {.radius = 0.6f, .agents_as = agents_as}, lists, filter),
                      Status{});
            add_lists(lists, answers.lists);
            EXPECT_EQ(frame.neighbours(points, {.count = 8, .agents_as = agents_as}, lists, filter),
                      Status{});
            add_lists(lists, answers.lists);
        }
    }
    PairList pairs;
    EXPECT_EQ(frame.pairs_with(walls.frame(), pairs), Status{});
    answers.pairs.assign(pairs.begin(), pairs.end());
    return answers;
}

void expect_brute_force(const Frame& frame, const oracle::BruteForceFrame& twin,
                        const std::vector<Box>& boxes, std::size_t agents) {
    const std::vector<Shape> shapes = shapes_of(boxes);
    const auto expect = [&](const auto& queries, const Filter& filter) {
        OverlapLists hits;
        oracle::OverlapLists expected;
        ASSERT_EQ(frame.overlaps(queries, hits, filter), Status{});
        ASSERT_EQ(twin.overlaps(queries, expected, filter), Status{});
        for (std::size_t i = 0; i < queries.size(); ++i) {
            std::vector<AgentId> found(hits[i].begin(), hits[i].end());
            std::sort(found.begin(), found.end());
            ASSERT_EQ(found, std::vector<AgentId>(expected[i].begin(), expected[i].end())) << i;
        }
    };
    for (const Filter& filter : filters_for(agents)) {
        expect(boxes, filter);
        expect(shapes, filter);
    }
}

// With bounds, without them, and by brute force.
void expect_agreement(const Frame& frame, const oracle::BruteForceFrame& twin, const StaticLayer& walls) {
    Random random(2);
    const std::vector<Box> boxes = boxes_around(random);
    expect_brute_force(frame, twin, boxes, twin.size());
    const Answers with = answers_of(frame, boxes, walls, twin.size());
    simd::PileFinder& piles = state_behind(frame).piles;
    const simd::PileFinder all = std::exchange(piles, {});
    const Answers without = answers_of(frame, boxes, walls, twin.size());
    piles = all;
    ASSERT_TRUE(with == without);
}

class CrowdedCells : public ::testing::TestWithParam<Isa> {};

TEST_P(CrowdedCells, are_searched_as_brute_force_searches_them) {
    Random random(3);
    const std::vector<Box> around = boxes_around(random);
    const StaticLayer walls(around, {.executor = serial_executor()});
    for (const CrowdedWorld& world : crowded_worlds(3000)) {
        SCOPED_TRACE(world.name);
        std::vector<Label> labels(world.boxes.size());
        for (std::size_t i = 0; i < labels.size(); ++i)
            labels[i] = {.categories = i % 5 == 0 ? 3u : 1u, .group = static_cast<std::uint32_t>(i % 2)};
        for (const bool labelled : {false, true}) {
            const Labels used = labelled ? Labels::of(labels) : Labels();
            Engine engine({.executor = serial_executor(), .isa = GetParam()});
            oracle::BruteForce twin;
            ASSERT_EQ(engine.update(world.boxes, used), Status{});
            ASSERT_EQ(twin.update(world.boxes, used), Status{});
            ASSERT_TRUE(state_behind(engine.frame()).may_be_crowded());
            expect_agreement(engine.frame(), twin.frame(), walls);
            for (AgentId id = 0; id < 60; ++id) {
                const AgentId one = 40 * id + 3;
                const Box to = world.boxes[one].moved(0.3f, id % 2 == 0 ? 0.001f : -0.9f);
                ASSERT_EQ(id % 3 == 0 ? engine.remove(one) : engine.move(one, to), Status{});
                ASSERT_EQ(id % 3 == 0 ? twin.remove(one) : twin.move(one, to), Status{});
                ASSERT_EQ(engine.commit(), Status{});
            }
            ASSERT_EQ(twin.commit(), Status{});
            expect_agreement(engine.frame(), twin.frame(), walls);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(on, CrowdedCells, every_instruction_set(), isa_name);

void expect_few_steps(const Frame& frame, const char* name) {
    for (const float d : {0.02f, 0.3f, 5.0f, 50.0f, 5e4f})
        for (const Box& box : {pile_box.moved(1 + d, 0), pile_box.moved(-1 - d, 0), pile_box.moved(0, 1 + d),
                               pile_box.moved(0, -1 - d)})
            for (const Filter& filter : {Filter{}, Filter{.self = 7}}) {
                const Box thin = Box::around(box.centre().x, box.centre().y, 0.5f, 0.5f);
                for (const Explain& cost :
                     {frame.explain(thin, {filter}),
                      frame.explain(Shape(Circle{box.centre().x, box.centre().y, 0.5f}), {filter})}) {
                    ASSERT_EQ(cost.status, Status{});
                    ASSERT_LE(cost.tested, 2000 + 600 * cost.hits) << name << " at " << d;
                }
            }
}

// A pile that single edits left in pieces counts as well.
TEST(CrowdedCell, is_not_looked_at_by_a_search_beside_it) {
    for (const CrowdedWorld& world : crowded_worlds(100'000)) {
        Engine engine({.executor = serial_executor()});
        ASSERT_EQ(engine.update(world.boxes), Status{});
        expect_few_steps(engine.frame(), world.name);
        for (AgentId id = 0; id < 20; ++id) {
            ASSERT_EQ(engine.move(4000 * id, world.boxes[4000 * id].moved(0.001f, 0)), Status{});
            ASSERT_EQ(engine.commit(), Status{});
        }
        expect_few_steps(engine.frame(), world.name);
    }
}

// Of 100,000, a search that touches one of them looks at the chunk where it is.
TEST(CrowdedCell, is_looked_at_where_an_agent_stands_apart) {
    std::vector<Box> boxes(100'000, pile_box);
    boxes[51'234] = pile_box.moved(0.5f, 0.5f);
    const Frame frame = engine_with(boxes).frame();
    const Explain cost = frame.explain(Box{4.2f, 5.2f, 4.3f, 5.3f});
    EXPECT_EQ(cost.hits, 1u);
    EXPECT_LE(cost.tested, 2000u);
}

// The first thread looks for them, and the others wait.
TEST(CrowdedCellsOfAFrame, are_looked_for_by_many_threads_at_once) {
    const std::vector<Box> boxes(3000, pile_box);
    Engine engine({.executor = serial_executor()});
    for (int round = 0; round < 5; ++round) {
        ASSERT_EQ(engine.update(boxes), Status{});
        const Frame frame = engine.frame();
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&frame, t] {
                for (int i = 0; i < 20; ++i) {
                    EXPECT_FALSE(frame.any(pile_box.moved(1.1f, 0)).found);
                    EXPECT_EQ(frame.count(pile_box).total, 3000u);
                    EXPECT_EQ(t % 2 == 0 ? frame.box(7) : pile_box, pile_box);
                }
            });
        for (std::thread& thread : threads) thread.join();
    }
}

TEST(CrowdedCellsOfAFrame, are_searched_without_memory_for_their_bounds) {
    const std::vector<Box> boxes(3000, pile_box);
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    for (const std::uint64_t successes : {0u, 1u, 2u}) {
        ASSERT_EQ(engine.update(boxes), Status{});
        const Frame frame = engine.frame();
        memory.fail_after(successes);
        EXPECT_FALSE(frame.any(pile_box.moved(1.1f, 0)).found);
        EXPECT_EQ(frame.count(pile_box).total, 3000u);
        memory.stop_failing();
    }
}

}  // namespace
}  // namespace throng::test
