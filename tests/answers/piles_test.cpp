// Very many agents in one cell, or with one box. What is found without a look at each of them is what brute
// force finds. Its order is the same as without the bounds that a frame keeps.
#include "answers/pile_worlds.hpp"
#include "harness/agreement.hpp"
#include "simd/neighbour_kernels.hpp"
#include "simd/query_kernels.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"
#include "support/twins.hpp"

namespace throng::test {
namespace {

constexpr std::size_t in_a_pile = 3000;

std::vector<PileWorld> worlds_to_ask() {
    const auto two_piles = [](const Box& one, const Box& other) {
        std::vector<Box> boxes(in_a_pile, one);
        boxes.insert(boxes.end(), in_a_pile, other);
        return boxes;
    };
    std::vector<PileWorld> worlds = pile_worlds(in_a_pile);
    worlds.push_back({"two piles in one cell", two_piles(pile_box, {3, 4, 3.5f, 6})});
    worlds.push_back({"a pile at zeros of either sign", two_piles({0, 0, 1, 1}, {-0.0f, 0, 1, 1})});
    worlds.push_back({"piles of a hundred in one cell", {}});
    for (std::size_t i = 0; i < in_a_pile; ++i)
        worlds.back().boxes.push_back({3, 4, 3.5f + 0.01f * static_cast<float>(i / 100), 6});
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

// From all sides, from within, past it and along its edges: rays, boxes and circles.
std::vector<Cast> casts_at(const Box& pile, Random& random) {
    std::vector<Cast> casts;
    const Point to = pile.centre();
    for (int i = 0; i < 30; ++i) {
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

// Beside the agents that stand out most to each side: a search may find only that one agent of its chunk.
void add_boxes_at_the_edges(std::vector<Box> agents, std::vector<Box>& boxes) {
    for (float Box::*const edge : {&Box::min_x, &Box::min_y, &Box::max_x, &Box::max_y}) {
        const bool lower = edge == &Box::min_x || edge == &Box::min_y;
        std::sort(agents.begin(), agents.end(),
                  [&](const Box& a, const Box& b) { return lower ? a.*edge < b.*edge : a.*edge > b.*edge; });
        for (std::size_t i = 1; i < 60; ++i) {
            if (agents[i].*edge == agents[i - 1].*edge) continue;
            boxes.push_back(agents[i - 1]);
            const bool along_x = edge == &Box::min_x || edge == &Box::max_x;
            boxes.back().*(along_x ? &Box::min_x : &Box::min_y) = agents[i - 1].*edge - (lower ? 1.0f : 0.0f);
            boxes.back().*(along_x ? &Box::max_x : &Box::max_y) = agents[i - 1].*edge + (lower ? 0.0f : 1.0f);
        }
    }
}

// What is asked, with each of the filters in turn: `turn` says which query begins.
std::shared_ptr<Asked> asked_of(const std::vector<Box>& agents, std::size_t turn) {
    Random random(2);
    const auto asked = std::make_shared<Asked>();
    asked->boxes = boxes_around(random);
    add_boxes_at_the_edges(agents, asked->boxes);
    asked->shapes = ShapesOf(make_scene("none", 0).with(boxes_around(random)), 20, turn);
    asked->cast(casts_at(agents[0], random));
    for (const std::vector<Box>& places : {asked->boxes, asked->cast_boxes})
        for (std::size_t i = 0; i < 12; ++i) asked->points.push_back({places[i].min_x, places[i].min_y});
    asked->points.push_back(agents[0].centre());
    const Filter some[] = {{},
                           {.self = 0},
                           {.categories = 2},
                           {.categories = 4},
                           {.categories = 8},
                           {.self = static_cast<AgentId>(agents.size() / 2), .not_in_group = 1}};
    for (std::size_t i = 0; i <= asked->casts.size() + asked->boxes.size(); ++i)
        asked->each.push_back(some[(i + turn) % std::size(some)]);
    asked->filtered = Filtered::each_by_its_own;
    asked->ids = agents.size();
    asked->one_in = 9;
    return asked;
}

// An engine, one whose frames are asked without bounds, and their twin.
class Piled {
public:
    Piled(Isa isa, const std::vector<Box>& boxes, const Labels& labels)
        : pair_{Twins(on(isa)), Twins(on(isa))} {
        Random random(3);
        const std::vector<Box> walls = boxes_around(random);
        for (Twins& world : pair_) {
            world.set_static_layer(walls, {});
            EXPECT_EQ(world.update(boxes, {.labels = labels}), Code::ok);
        }
        EXPECT_TRUE(state_behind(pair_[0].frame()).may_be_crowded());
    }
    // Single edits of a long row leave holes. Some agents come to be in the pile, others beside it.
    void edit(const std::vector<Box>& boxes) {
        for (Twins& world : pair_)
            for (AgentId id = 0; id < 60; ++id) {
                const AgentId one = 40 * id + 3;
                const Box beside = boxes[one].moved(0.3f, id % 2 == 0 ? 0.001f : -0.9f);
                EXPECT_EQ(id % 3 == 0 ? world.remove(one) : world.move(one, id % 3 == 1 ? boxes[0] : beside),
                          Code::ok);
                EXPECT_EQ(world.commit(), Code::ok);
            }
    }
    ::testing::AssertionResult agree(const std::vector<Box>& agents, std::size_t turn) {
        const Frame with = pair_[0].frame(), without = pair_[1].frame();
        // They are looked for once.
        (void)without.any(agents[0]);
        (void)without.nearest({0, 0});
        state_behind(without).piles = {};
        const AskedFrame frames[] = {{with, results_[0]}, {without, results_[1]}};
        const std::shared_ptr<Asked> asked = asked_of(agents, turn);
        const Expectation all(pair_[0].twin(), asked,
                              {"boxes", "shapes", "casts", "the nearest", "pairs with the static layer"});
        if (::testing::AssertionResult same = all.met_by(frames); !same) return same;
        for (const AgentsAs agents_as : {AgentsAs::centres, AgentsAs::boxes})
            for (const std::uint32_t count : {0u, 1u, 8u, 64u}) {
                asked->of_points = OwnNeighbourhood(
                    {.radius = count == 0 ? 0.6f : infinite, .max_count = count, .agents_as = agents_as});
                const Expectation some(pair_[0].twin(), asked, {"neighbours of points"});
                if (::testing::AssertionResult same = some.met_by(frames); !same)
                    return same << ", " << count << " wanted";
            }
        return ::testing::AssertionSuccess();
    }

private:
    static constexpr float infinite = std::numeric_limits<float>::infinity();

    static EngineConfig on(Isa isa) { return {.executor = serial_executor(), .isa = isa}; }

    Twins pair_[2];
    Results results_[2];
};

class Piles : public ::testing::TestWithParam<Isa> {};

TEST_P(Piles, are_found_as_brute_force_finds_them_with_their_bounds_and_without) {
    std::size_t turn = 0;
    for (const PileWorld& world : enough_of(worlds_to_ask(), static_cast<std::size_t>(GetParam()))) {
        SCOPED_TRACE(world.name);
        std::vector<Label> labels(world.boxes.size());
        for (std::size_t i = 0; i < labels.size(); ++i)
            labels[i] = {.categories = i % 3 == 0              ? 3u
                                       : i + 9 > labels.size() ? 5u
                                                               : 1u,
                         .group = static_cast<std::uint32_t>(i % 2)};
        for (const bool labelled : {false, true}) {
            Piled piled(GetParam(), world.boxes, labelled ? Labels::of(labels) : Labels());
            ASSERT_TRUE(piled.agree(world.boxes, turn++));
            piled.edit(world.boxes);
            ASSERT_TRUE(piled.agree(world.boxes, turn++));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(on, Piles, every_instruction_set(), isa_name);

// What makes a frame look for crowded cells, and for piles.
void look_for_cells(const Frame& frame) {
    EXPECT_FALSE(frame.any(pile_box.moved(1.1f, 0)).found);
    EXPECT_EQ(frame.count(pile_box).total, in_a_pile);
}
void look_for_piles(const Frame& frame) {
    EXPECT_EQ(frame.first_hit(Cast::ray(0, 4.5f, 9, 0)).hit.id, 0u);
    EXPECT_EQ(frame.nearest({0, 0}).neighbour.id, 0u);
}
constexpr std::array looks{look_for_cells, look_for_piles};

// The first thread looks for them, and the others wait.
TEST(PilesOfAFrame, are_looked_for_by_many_threads_at_once) {
    const std::vector<Box> boxes(in_a_pile, pile_box);
    Engine engine({.executor = serial_executor()});
    for (std::size_t round = 0; round < 10; ++round) {
        ASSERT_EQ(engine.update(boxes), Status{});
        const Frame frame = engine.frame();
        const auto look = looks[round % 2];
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&frame, look, t] {
                for (int i = 0; i < 20; ++i) {
                    look(frame);
                    EXPECT_EQ(t % 2 == 0 ? frame.box(7) : pile_box, pile_box);
                }
            });
        for (std::thread& thread : threads) thread.join();
    }
}

TEST(PilesOfAFrame, are_found_without_memory_for_their_bounds) {
    const std::vector<Box> boxes(in_a_pile, pile_box);
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    for (const auto look : looks)
        for (const std::uint64_t successes : {0u, 1u, 2u}) {
            ASSERT_EQ(engine.update(boxes), Status{});
            const Frame frame = engine.frame();
            memory.fail_after(successes);
            look(frame);
            EXPECT_EQ(frame.box(7), pile_box);
            memory.stop_failing();
        }
}

// The ids of agents in the middle of a pile are changed, behind the back of its frame, to one that would be
// the first of all. So a search that looks at them finds it.
void change_ids_in_the_middle(const Frame& frame) {
    constexpr std::uint32_t looked_at = simd::gathered + simd::least_pile;
    for (const simd::Row& row : state_behind(frame).rows) {
        const detail::RowArrays arrays(row);
        std::vector<std::uint32_t> pile;
        detail::for_each_slot(row, [&](std::uint32_t i) {
            if (arrays.box(i) == pile_box) pile.push_back(i);
        });
        for (std::size_t k = looked_at; k + looked_at < pile.size(); ++k)
            const_cast<AgentId*>(arrays.id)[pile[k]] = 0;
    }
}

TEST(PilesOfAFrame, are_passed_by_searches_that_have_looked_at_the_first_of_their_agents) {
    Random random(8);
    for (const std::size_t count : {800u, 2'000u, 3'000u}) {
        std::vector<Box> boxes = make_scene("uniform", 2'000).agents();
        for (Box& box : boxes) box = box.moved(100, 100);
        boxes.insert(boxes.begin() + 1, count, pile_box);
        const Frame frame = engine_with(boxes).frame();
        EXPECT_EQ(frame.first_hit(Cast::ray(0, 4.5f, 9, 0)).hit.id, 1u);  // looks for the piles
        change_ids_in_the_middle(frame);
        const std::vector<Cast> casts = casts_at(pile_box, random);
        std::vector<CastHit> hits(casts.size());
        ASSERT_EQ(frame.first_hits(casts, hits), Status{});
        NeighbourLists lists;
        const std::vector<Point> points{pile_box.centre(), {2, 3}, {3.5f, 6}, {9, 4.5f}};
        for (std::size_t i = 0; i < casts.size(); ++i) {
            EXPECT_EQ(frame.first_hit(casts[i]).hit, hits[i]) << ::testing::PrintToString(casts[i]);
            EXPECT_TRUE(hits[i].id == 1 || hits[i].id == no_agent) << ::testing::PrintToString(casts[i]);
        }
        for (const AgentsAs agents_as : {AgentsAs::centres, AgentsAs::boxes}) {
            ASSERT_EQ(frame.neighbours(points, Nearest{.count = 8, .agents_as = agents_as}, lists), Status{});
            for (std::size_t i = 0; i < points.size(); ++i)
                EXPECT_EQ(lists[i][0], 1u) << count << ", point " << i;
        }
        for (const Point& point : points) EXPECT_EQ(frame.nearest(point).neighbour.id, 1u);
    }
}

// --- Visitors that soon have enough ---

// How often a search calls its visitor, also after the visitor said stop.
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
    // A visitor that wants all is called about once for each full block.
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
