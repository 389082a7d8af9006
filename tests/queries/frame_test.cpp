#include "support/test.hpp"

namespace throng {
namespace {

using test::frame_of;
using test::hits_of;
using test::make_scene;
using test::Scene;

constexpr Box everywhere{-1000, -1000, 1000, 1000};

// What makes no sense does not compile: half lists or counts of the nearest, and a radius and a count at
// once.
template <class AnyFrame>
concept TakesNonsense = requires(const AnyFrame& frame, NeighbourLists& lists) {
    frame.neighbours({.count = 2, .half = true}, lists);
}
|| requires(const AnyFrame& frame, std::span<std::uint32_t> counts) {
    frame.count_neighbours({.count = 2}, counts);
}
|| requires(const AnyFrame& frame, NeighbourLists& lists) {
    frame.neighbours({.radius = 2, .count = 2}, lists);
}
|| requires(const AnyFrame& frame, PairList& list) { frame.pairs(list, {.filter = {.within = 2}}); };
static_assert(!TakesNonsense<Frame>);

TEST(Frame, that_is_empty_answers_everything_with_nothing) {
    const Frame frame;
    EXPECT_EQ(frame.size(), 0u);
    EXPECT_EQ(frame.number(), 0u);
    EXPECT_TRUE(hits_of(frame, everywhere).empty());
    EXPECT_EQ(frame.count(everywhere).total, 0u);
    EXPECT_EQ(frame.any(everywhere).found, 0u);
    EXPECT_EQ(frame.count_pairs().total, 0u);
    EXPECT_TRUE(frame.validate().sound());
    EXPECT_EQ(frame.tuning().reason, TuningReason::nothing_to_fit);
    EXPECT_EQ(frame.explain(everywhere).hits, 0u);
    EXPECT_EQ(frame.on(serial_executor()).size(), 0u);

    const std::vector<Box> queries{everywhere, everywhere};
    const test::ExpectedAnswers nothing = test::expect({}, queries);
    EXPECT_TRUE(test::answers_as(frame, nothing));
}

TEST(Frame, outlives_its_engine) {
    const Scene scene = make_scene("clustered", 500);
    const Frame frame = frame_of(scene);
    EXPECT_TRUE(
        test::answers_as(frame, test::expect(test::twin_with(scene.boxes()).frame(), scene.queries(50))));
    EXPECT_TRUE(frame.validate().sound());
}

TEST(Frame, is_shared_by_its_copies) {
    const Scene scene = make_scene("uniform", 300);
    Frame original = frame_of(scene);
    const std::uint64_t fingerprint = original.fingerprint();
    Frame copy = original;
    original = Frame();
    EXPECT_EQ(copy.fingerprint(), fingerprint);
    Frame moved = std::move(copy);
    EXPECT_EQ(moved.fingerprint(), fingerprint);
    const Frame& self = moved;
    moved = self;
    EXPECT_EQ(moved.fingerprint(), fingerprint);
    EXPECT_EQ(moved.size(), 300u);
}

TEST(Frame, on_another_executor_answers_the_same) {
    const Scene scene = make_scene("uniform", 20000);
    const Frame frame = frame_of(scene);
    test::CountingExecutor executor;
    const Frame elsewhere = frame.on(executor.executor());
    const std::vector<Box> queries = scene.queries(3000);
    EXPECT_TRUE(test::identical(test::ask(frame, queries), test::ask(elsewhere, queries)));
    EXPECT_GT(executor.calls(), 0u);
    EXPECT_EQ(elsewhere.number(), frame.number());
}

TEST(Frame, stops_a_search_when_its_visitor_says_so) {
    const Frame frame = frame_of(make_scene("uniform", 2000));
    for (const std::size_t most : {std::size_t{1}, std::size_t{3}, std::size_t{100}}) {
        std::vector<AgentId> seen;
        ASSERT_EQ(frame.for_each_overlap(everywhere,
                                         [&](AgentId id) { return seen.push_back(id), seen.size() < most; }),
                  Status{});
        EXPECT_EQ(seen.size(), most);
    }
    int runs = 0;
    ASSERT_EQ(frame.for_each_overlap(everywhere, [&](std::span<const AgentId>) { return ++runs, false; }),
              Status{});
    EXPECT_EQ(runs, 1);
}

TEST(Frame, gives_a_visitor_of_spans_no_empty_run) {
    const Scene scene = make_scene("uniform", 2000);
    const Frame frame = frame_of(scene);
    for (const Box& query : scene.queries(200))
        ASSERT_EQ(
            frame.for_each_overlap(query, [&](std::span<const AgentId> run) { EXPECT_FALSE(run.empty()); }),
            Status{});
}

// What a visitor may be.
constexpr auto each = [](AgentId) {};
constexpr auto some_each = [](AgentId id) { return id < 3; };
constexpr auto spans = [](std::span<const AgentId>) {};
constexpr auto counter = [](AgentId id) { return static_cast<int>(id); };
constexpr auto either = [](auto) {};
static_assert(AgentVisitor<decltype(each)> && AgentVisitor<decltype(some_each)> &&
              AgentVisitor<decltype(spans)>);
static_assert(!AgentVisitor<decltype(counter)>, "a number that is returned would end the search, or not");
static_assert(!AgentVisitor<decltype(either)>, "it could be called with one id or with many");
constexpr auto of_pairs = [](Pair) {};
constexpr auto of_two = [](AgentId, AgentId) {};
constexpr auto spans_counter = [](std::span<const AgentId> ids) { return ids.size(); };
constexpr auto by_reference = [](const AgentId&) {};
static_assert(!AgentVisitor<decltype(of_pairs)> && !AgentVisitor<decltype(of_two)>, "they take no id");
static_assert(!AgentVisitor<decltype(spans_counter)> && AgentVisitor<decltype(by_reference)>);
// A smaller number than an id would take another id for some agents. A larger one is the host's choice.
static_assert(!AgentVisitor<void (*)(int)> && !AgentVisitor<void (*)(const int&)> &&
              !AgentVisitor<void (*)(float)> && !AgentVisitor<void(std::uint16_t)>);
static_assert(!detail::ParameterHoldsEveryAnswer<void (*)(int), AgentId> &&
              AgentVisitor<void (*)(std::int64_t)>);
constexpr auto same = [](std::same_as<AgentId> auto) {};
static_assert(AgentVisitor<decltype(same)> && !AgentVisitor<std::function<void(int)>>);
static_assert(VisitorOf<decltype(of_pairs), Pair> && !VisitorOfSpans<decltype(of_pairs), Pair>);
static_assert(VisitorOfSpans<decltype(spans), AgentId> && !VisitorOfSpans<decltype(spans_counter), AgentId>);
// The compiler tells which of its requirements a wrong visitor fails.
static_assert(!detail::TakesOneAnswerOrASpanOfThem<decltype(of_two), AgentId>);
static_assert(!detail::TakesOnlyOneOfTheTwo<decltype(either), AgentId>);
static_assert(!detail::ReturnsNothingOrBool<decltype(counter), AgentId>);

TEST(Frame, of_an_engine_that_is_not_usable_answers_with_the_status_of_that_engine) {
    Engine engine({.cell_width = -1});
    const Status bad{Code::bad_config};
    ASSERT_EQ(engine.status(), bad);
    const std::vector<AgentId> one_id{1};
    const std::vector<Box> one_box{everywhere};
    EXPECT_EQ(engine.update(one_id, one_box), bad);
    LeftOut left_out;
    EXPECT_EQ(engine.update(one_id, one_box, {.left_out = &left_out}), bad);
    EXPECT_EQ(engine.renumber(one_id), bad);
    const Frame first = engine.frame(), copy = first;
    Frame assigned;
    assigned = copy;
    for (const Frame& frame : {first, copy, assigned, copy.on(serial_executor()), copy.static_layer()}) {
        EXPECT_EQ(frame.status(), bad);
        EXPECT_EQ(frame.count(everywhere).status, bad);
        EXPECT_EQ(frame.any(everywhere).status, bad);
        EXPECT_EQ(frame.for_each_overlap(everywhere, each), bad);
        std::vector<AgentId> ids(1);
        EXPECT_EQ(frame.overlaps(everywhere, std::span(ids)).status, bad);
        OverlapLists hits;
        PairList list;
        std::vector<std::uint32_t> counts(1);
        const std::vector<Box> one{everywhere};
        EXPECT_EQ(frame.overlaps(one, hits), bad);
        EXPECT_EQ(frame.count(one, counts), bad);
        EXPECT_EQ(frame.explain(everywhere).status, bad);
        EXPECT_EQ(frame.pairs(list), bad);
        EXPECT_EQ(frame.count_pairs().status, bad);
        EXPECT_EQ(frame.for_each_pair_concurrently([](std::span<const Pair>) {}), bad);
        EXPECT_EQ(frame.pairs(list, test::with_other(Frame())), bad);
        EXPECT_EQ(Frame().pairs(list, test::with_other(frame)), bad);
        EXPECT_EQ(frame.with_static().count(everywhere).status, bad);
        const std::vector<Point> points(1);
        NeighbourLists lists;
        KeptNeighbours kept({.radius = 2, .skin = 0.5f});
        PairChanges changes;
        EXPECT_EQ(frame.neighbours({.radius = 1}, lists), bad);
        EXPECT_EQ(frame.neighbours(points, {.radius = 1}, lists), bad);
        EXPECT_EQ(frame.count_neighbours({.radius = 1}, counts), bad);
        EXPECT_EQ(frame.count_neighbours(points, {.radius = 1}, counts), bad);
        EXPECT_EQ(kept.update(frame), bad);
        EXPECT_EQ(changes.update(frame), bad);
        EXPECT_EQ(frame.row_order({}).status, bad);
    }
    EXPECT_EQ(Frame().count(everywhere).status, Status{}) << "an empty frame is no failure";
}

TEST(Frame, ends_the_search_for_pairs_when_a_visitor_has_enough) {
    const Frame frame = frame_of(make_scene("clustered", 5000)).on(serial_executor());
    std::size_t all = 0, calls = 0;
    ASSERT_EQ(frame.for_each_pair_concurrently([&](std::span<const Pair>) { ++all; }), Status{});
    ASSERT_GT(all, 1u);
    ASSERT_EQ(frame.for_each_pair_concurrently([&](std::span<const Pair>) { return ++calls, false; }),
              Status{});
    EXPECT_EQ(calls, 1u);
}

TEST(Frame, stays_with_its_layer_as_long_as_both_are_queried_together) {
    const std::vector<Box> given{{0, 0, 1, 1}};
    const StaticLayer layer(given);
    const WithStatic both = test::engine_with_layer(layer, given).frame().with_static();
    EXPECT_EQ(both.count(everywhere).total, 2u);
}

struct Collector {
    mutable std::vector<AgentId> ids;
    void operator()(AgentId id) const { ids.push_back(id); }
};

TEST(Frame, takes_visitors_that_are_constant) {
    const Frame frame = frame_of(make_scene("uniform", 100));
    const Collector collector;
    ASSERT_EQ(frame.for_each_overlap(everywhere, collector), Status{});
    EXPECT_EQ(collector.ids.size(), 100u);
}

std::atomic<std::size_t> visited;
void count_agent(AgentId) { ++visited; }
void count_box(AgentId, const Box&) { ++visited; }
void count_pairs(std::span<const Pair> pairs) { visited += pairs.size(); }
void count_answers(std::size_t, const OverlapLists& some) { visited += some.ids().size(); }

TEST(Frame, takes_plain_functions_as_visitors) {
    const std::vector<Box> boxes(3, Box{0, 0, 1, 1});
    const Frame frame = test::engine_with(boxes).frame();
    OverlapLists block;
    EXPECT_TRUE(frame.for_each_overlap(everywhere, count_agent) && visited.exchange(0) == 3);
    EXPECT_TRUE(frame.for_each_overlap(everywhere, count_box) && visited.exchange(0) == 3);
    EXPECT_TRUE(frame.for_each_pair_concurrently(count_pairs) && visited.exchange(0) == 3);
    EXPECT_TRUE(frame.for_each_answer(boxes, block, count_answers) && visited.exchange(0) == 9);
}

TEST(Frame, lets_an_exception_of_a_single_queries_visitor_through) {
    const Frame frame = frame_of(make_scene("uniform", 2000));
    const auto throws = [](AgentId) { throw std::runtime_error("enough"); };
    EXPECT_THROW(static_cast<void>(frame.for_each_overlap(everywhere, throws)), std::runtime_error);
    EXPECT_EQ(hits_of(frame, everywhere).size(), 2000u);
}

TEST(Frame, catches_an_exception_of_a_visitor_of_pairs) {
    const Scene scene = make_scene("clustered", 5000);
    for (const auto& place : test::all_workplaces({1, 3})) {
        Engine engine({.executor = place->executor()});
        place->run([&] {
            ASSERT_EQ(engine.update(scene.boxes()), Status{});
            const Frame frame = engine.frame();
            std::atomic<int> calls = 0;
            const Status status = frame.for_each_pair_concurrently([&](std::span<const Pair>) {
                ++calls;
                throw std::runtime_error("enough");
            });
            EXPECT_EQ(status.code, Code::visitor_threw) << place->name();
            EXPECT_LE(calls, place->executor().workers);
            PairList list = test::listed_pairs(frame);
            EXPECT_GT(list.size(), 0u);
        });
    }
}

TEST(Frame, answers_agents_at_one_point_by_ascending_id) {
    const Scene scene = make_scene("one_point", 500);
    const std::vector<AgentId> ids = hits_of(frame_of(scene), everywhere);
    ASSERT_EQ(ids.size(), 500u);
    for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(ids[i], i);
}

TEST(Frame, has_a_fingerprint_that_every_change_shows_in) {
    Scene scene = make_scene("uniform", 200);
    std::vector<Box> agents = scene.agents();
    const auto fingerprint = [&] {
        return test::engine_with(agents, {.cell_width = 2, .row_height = 6}).frame().fingerprint();
    };
    const std::uint64_t before = fingerprint();
    EXPECT_EQ(fingerprint(), before);
    for (const std::size_t changed : {std::size_t{0}, std::size_t{77}, std::size_t{199}}) {
        const Box kept = agents[changed];
        agents[changed].max_x = std::nextafter(kept.max_x, 1e9f);
        EXPECT_NE(fingerprint(), before) << changed;
        agents[changed] = kept;
    }
    std::swap(agents[3], agents[4]);
    EXPECT_NE(fingerprint(), before);
    std::swap(agents[3], agents[4]);
    agents.pop_back();
    EXPECT_NE(fingerprint(), before);
}

}  // namespace
}  // namespace throng
