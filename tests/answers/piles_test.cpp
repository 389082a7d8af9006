// Very many agents with one box: what needs a few of them is found without a look at all, and is what brute
// force finds.
#include "oracle/neighbours.hpp"
#include "simd/query_kernels.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr std::size_t in_a_pile = 3000;

// Agents in any order of ids, so that no pile has ids of its own.
struct PileWorld {
    const char* name;
    std::vector<Box> boxes;
};

std::vector<PileWorld> pile_worlds() {
    Random random(1);
    const Box here{3, 4, 4, 5};
    std::vector<PileWorld> worlds{
        {"one pile", std::vector<Box>(in_a_pile, here)},
        {"two piles far from each other", {}},
        {"two piles in one cell", {}},
        {"a pile in a crowd, with others in its cell", std::vector<Box>(in_a_pile, here)},
        {"a pile at zeros of either sign", {}}};
    for (std::size_t i = 0; i < 2 * in_a_pile; ++i) {
        worlds[1].boxes.push_back(i % 2 == 0 ? here : here.moved(1e5f, 0));
        worlds[2].boxes.push_back(i < in_a_pile ? here : Box{3, 4, 3.5f, 6});
        worlds[4].boxes.push_back(i < in_a_pile ? Box{0, 0, 1, 1} : Box{-0.0f, 0, 1, 1});
    }
    for (int i = 0; i < 2000; ++i)
        worlds[3].boxes.push_back(Box::around(random.uniform(-30, 40), random.uniform(-30, 40), 0.5f, 0.5f));
    for (int i = 0; i < 20; ++i)
        worlds[3].boxes.push_back({random.uniform(3, 3.01f), random.uniform(4, 4.01f), 4.5f, 4.5f});
    for (std::size_t i = worlds[3].boxes.size(); i-- > 1;)
        std::swap(worlds[3].boxes[i], worlds[3].boxes[random.below(i + 1)]);
    return worlds;
}

// From all sides, from within, past it and along its edges: rays, boxes and circles.
std::vector<Cast> casts_at(const Box& pile, Random& random) {
    std::vector<Cast> casts;
    const Point to = pile.centre();
    for (int i = 0; i < 90; ++i) {
        const float x = random.uniform(-6, 6), y = random.uniform(-6, 6);
        const Box start = i % 3 == 0 ? Box{to.x + x, to.y + y, to.x + x, to.y + y}
                                     : Box::around(to.x + x, to.y + y, 0.25f, 0.125f);
        casts.push_back({start, -1.5f * x + random.uniform(-1, 1), -1.5f * y + random.uniform(-1, 1),
                         i % 5 == 0 ? 0.3f : 0.0f});
    }
    for (const float d : {-5.0f, 5.0f}) {
        casts.push_back(Cast::ray(to.x - d, pile.min_y, 2 * d, 0));
        casts.push_back(Cast::ray(pile.max_x, to.y - d, 0, 2 * d));
        casts.push_back(Cast::ray(to.x - d, pile.max_y + 0.001f, 2 * d, 0));
        casts.push_back(Cast::circle(to.x - d, to.y, 0.5f, 2 * d, 0));
    }
    casts.push_back(Cast::ray(to.x, to.y, 0, 0));
    return casts;
}

std::vector<Filter> filters_for(const std::vector<Box>& boxes) {
    return {{},
            {.self = 0},
            {.categories = 2},
            {.categories = 4},
            {.categories = 8},
            {.self = static_cast<AgentId>(boxes.size() / 2), .not_in_group = 1}};
}

void expect_agreement(const Frame& frame, const oracle::BruteForceFrame& twin,
                      const std::vector<Box>& boxes) {
    Random random(2);
    const std::vector<Cast> casts = casts_at(boxes[0], random);
    std::vector<CastHit> hits(casts.size());
    std::vector<std::uint8_t> blocked(casts.size());
    for (const Filter& filter : filters_for(boxes)) {
        ASSERT_EQ(frame.first_hits(casts, hits, filter), Status{});
        ASSERT_EQ(frame.blocked(casts, blocked, filter), Status{});
        for (std::size_t i = 0; i < casts.size(); ++i) {
            const CastHit expected = twin.first_hit(casts[i], filter).hit;
            ASSERT_EQ(frame.first_hit(casts[i], filter).hit, expected) << i;
            ASSERT_EQ(hits[i], expected) << i;
            ASSERT_EQ(blocked[i] != 0, expected.id != no_agent) << i;
        }
        std::vector<Point> places;
        for (std::size_t i = 0; i < 8; ++i) places.push_back({casts[i].start.min_x, casts[i].start.min_y});
        places.push_back(boxes[0].centre());
        for (const AgentsAs agents_as : {AgentsAs::centres, AgentsAs::boxes})
            for (const std::uint32_t count : {1u, 8u, 64u}) {
                const oracle::NeighbourLists expected =
                    oracle::neighbours(twin, places, {.max_count = count, .agents_as = agents_as}, filter);
                NeighbourLists lists;
                ASSERT_EQ(frame.neighbours(places, {.count = count, .agents_as = agents_as}, lists, filter),
                          Status{});
                for (std::size_t i = 0; i < places.size(); ++i) {
                    std::vector<Neighbour> found(64);
                    const Filled filled =
                        frame.neighbours(places[i], {.count = count, .agents_as = agents_as}, found, filter);
                    found.resize(static_cast<std::size_t>(filled.written));
                    ASSERT_EQ(found, expected[i]) << i;
                    ASSERT_EQ(lists[i].size(), found.size());
                    for (std::size_t k = 0; k < found.size(); ++k) ASSERT_EQ(lists[i][k], found[k].id);
                }
            }
    }
}

class Piles : public ::testing::TestWithParam<Isa> {};

// Also among holes, which single edits of a long row leave.
TEST_P(Piles, are_found_as_brute_force_finds_them) {
    for (const PileWorld& world : pile_worlds()) {
        SCOPED_TRACE(world.name);
        std::vector<Label> labels(world.boxes.size());
        for (std::size_t i = 0; i < labels.size(); ++i)
            labels[i] = {.categories = i % 3 == 0              ? 3u
                                       : i + 9 > labels.size() ? 5u
                                                               : 1u,
                         .group = static_cast<std::uint32_t>(i % 2)};
        for (const bool labelled : {false, true}) {
            const Labels used = labelled ? Labels::of(labels) : Labels();
            Engine engine({.executor = serial_executor(), .isa = GetParam()});
            oracle::BruteForce twin;
            ASSERT_EQ(engine.update(world.boxes, used), Status{});
            ASSERT_EQ(twin.update(world.boxes, used), Status{});
            expect_agreement(engine.frame(), twin.frame(), world.boxes);
            for (AgentId id = 0; id < 60; ++id) {
                const AgentId one = 40 * id + 3;
                if (id % 3 == 0) {
                    ASSERT_EQ(committed(engine, engine.remove(one)), Status{});
                    ASSERT_EQ(twin.remove(one), Status{});
                } else {
                    const Box to = id % 3 == 1 ? world.boxes[0] : world.boxes[one].moved(0.001f, 0);
                    ASSERT_EQ(committed(engine, engine.move(one, to)), Status{});
                    ASSERT_EQ(twin.move(one, to), Status{});
                }
            }
            ASSERT_EQ(twin.commit(), Status{});
            expect_agreement(engine.frame(), twin.frame(), world.boxes);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(on, Piles, every_instruction_set(), isa_name);

// The first thread looks for them, and the others wait.
TEST(PilesOfAFrame, are_looked_for_by_many_threads_at_once) {
    const std::vector<Box> boxes(in_a_pile, Box{3, 4, 4, 5});
    Engine engine({.executor = serial_executor()});
    for (int round = 0; round < 5; ++round) {
        ASSERT_EQ(engine.update(boxes), Status{});
        const Frame frame = engine.frame();
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&frame, &boxes, t] {
                for (int i = 0; i < 20; ++i) {
                    EXPECT_EQ(frame.first_hit(Cast::ray(0, 4.5f, 9, 0)).hit.id, 0u);
                    EXPECT_EQ(frame.nearest({0, 0}).neighbour.id, 0u);
                    EXPECT_EQ(t % 2 == 0 ? frame.box(7) : boxes[0], boxes[0]);
                }
            });
        for (std::thread& thread : threads) thread.join();
    }
}

TEST(PilesOfAFrame, are_found_without_memory_for_their_places) {
    const std::vector<Box> boxes(in_a_pile, Box{3, 4, 4, 5});
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    ASSERT_EQ(engine.update(boxes), Status{});
    for (const std::uint64_t successes : {0u, 1u}) {
        ASSERT_EQ(engine.update(boxes), Status{});
        const Frame frame = engine.frame();
        memory.fail_after(successes);
        EXPECT_EQ(frame.first_hit(Cast::ray(0, 4.5f, 9, 0)).hit.id, 0u);
        EXPECT_EQ(frame.nearest({0, 0}).neighbour.id, 0u);
        EXPECT_EQ(frame.box(7), (Box{3, 4, 4, 5}));
        memory.stop_failing();
    }
}

// --- Visitors that soon have enough ---

// How often a search hands on what it has, after it was told to stop as well.
TEST(Visitors, that_have_enough_end_the_search_of_a_pile) {
    const std::vector<Box> boxes(100'000, Box{3, 4, 4, 5});
    const Frame frame = engine_with(boxes).frame();
    const detail::FrameState& state = state_behind(frame);
    std::size_t handed_on = 0;
    std::array<AgentId, 64 + simd::gap> some;
    simd::IdSink sink{some.data(),
                      some.data(),
                      some.data() + 64,
                      [](simd::IdSink& full) {
                          ++*static_cast<std::size_t*>(full.context);
                          full.stopped = true;
                          full.at = full.begin;
                      },
                      nullptr,
                      &handed_on,
                      false};
    state.kernels->queries->find(state.view, {3.5f, 4.5f, 3.5f, 4.5f}, sink);
    EXPECT_TRUE(sink.stopped);
    EXPECT_EQ(handed_on, 1u);
    sink.stopped = false;
    handed_on = 0;
    std::array<Box, 64 + simd::gap> their_boxes;
    sink.boxes = &their_boxes[0].min_x;
    simd::ShapeQuery query{};
    query.kind = simd::ShapeQuery::Kind::circle;
    query.agents_as = AgentsAs::boxes;
    query.circle = {{3, 4, 4, 5}, 3.5f, 4.5f, 0.25f};
    std::uint64_t end;
    state.kernels->shapes->find(state.view, {}, {&query, nullptr, 1}, &sink, 0, &end);
    EXPECT_TRUE(sink.stopped);
    EXPECT_EQ(handed_on, 1u);
}

TEST(Visitors, are_called_as_soon_as_a_few_agents_are_found) {
    const std::vector<Box> boxes(100'000, Box{3, 4, 4, 5});
    const Frame frame = engine_with(boxes).frame();
    std::size_t seen = 0, calls = 0;
    const auto enough = [&](std::span<const AgentId> ids) {
        ++calls;
        seen += ids.size();
        return seen < 8;
    };
    ASSERT_EQ(frame.for_each_overlap(Point{3.5f, 4.5f}, enough), Status{});
    EXPECT_EQ(calls, 1u);
    EXPECT_GE(seen, 8u);
    EXPECT_LT(seen, 100u);
    // One that wants all is not called much more often than blocks are long.
    calls = seen = 0;
    const auto all = [&](std::span<const AgentId> ids) {
        ++calls;
        seen += ids.size();
    };
    ASSERT_EQ(frame.for_each_overlap(Point{3.5f, 4.5f}, all), Status{});
    EXPECT_EQ(seen, boxes.size());
    EXPECT_LT(calls, boxes.size() / 500);
}

}  // namespace
}  // namespace throng::test
