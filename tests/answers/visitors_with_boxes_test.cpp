// Visitors that get ids together with boxes: the same agents as every other form finds, each with its own box.
#include "support/test.hpp"

namespace throng::test {
namespace {

template <class Query>
void expect_boxes(const Frame& frame, const Scene& scene, const Query& query, const Filter& filter) {
    std::vector<AgentId> wanted, found;
    ASSERT_EQ(frame.for_each_overlap(
                  query, [&](AgentId id) { wanted.push_back(id); }, filter),
              Status{});
    ASSERT_EQ(frame.for_each_overlap(
                  query,
                  [&](AgentId id, const Box& box) {
                      ASSERT_EQ(box, scene.agents()[id]);
                      found.push_back(id);
                  },
                  filter),
              Status{});
    ASSERT_EQ(found, wanted);
    // The first half only.
    std::size_t left = wanted.size() / 2 + 1;
    found.clear();
    ASSERT_EQ(frame.for_each_overlap(
                  query,
                  [&](AgentId id, const Box&) {
                      found.push_back(id);
                      return --left != 0;
                  },
                  filter),
              Status{});
    ASSERT_EQ(found.size(), std::min(wanted.size(), wanted.size() / 2 + 1));
    ASSERT_TRUE(std::equal(found.begin(), found.end(), wanted.begin()));
}

void expect_boxes_of_hits(const Frame& frame, const Scene& scene, const Cast& cast, const Filter& filter) {
    std::vector<CastHit> wanted, found;
    ASSERT_EQ(frame.for_each_hit(
                  cast, [&](const CastHit& hit) { wanted.push_back(hit); }, filter),
              Status{});
    ASSERT_EQ(frame.for_each_hit(
                  cast,
                  [&](const CastHit& hit, const Box& box) {
                      ASSERT_EQ(box, scene.agents()[hit.id]);
                      found.push_back(hit);
                  },
                  filter),
              Status{});
    ASSERT_EQ(found, wanted);
}

void expect_boxes_in(const Scene& scene) {
    const std::vector<Label> labels = labels_by_id(scene.agents().size());
    for (const Isa isa : instruction_sets())
        for (const bool labelled : {false, true}) {
            const Frame frame = engine_with(scene.boxes(), labelled ? Labels::of(labels) : Labels(),
                                            scene.configure({.executor = serial_executor(), .isa = isa}))
                                    .frame();
            for (const Box& box : scene.queries(scaled(100, 30))) {
                const Filter filter = labelled ? Filter{.categories = 5, .not_in_group = 2} : Filter{};
                expect_boxes(frame, scene, box, filter);
                const float x = 0.5f * box.min_x + 0.5f * box.max_x, y = 0.5f * box.min_y + 0.5f * box.max_y;
                expect_boxes(frame, scene, Shape(Circle{x, y, 0.5f * box.max_x - 0.5f * box.min_x}), filter);
                expect_boxes(frame, scene, Point{x, y}, filter);
                expect_boxes_of_hits(frame, scene, Cast::segment({box.min_x, box.min_y}, {x, y}), filter);
                if (::testing::Test::HasFailure()) return;
            }
            std::vector<AgentId> ids;
            ASSERT_EQ(frame.for_each_agent([&](AgentId id, const Box& box) {
                ASSERT_EQ(box, scene.agents()[id]);
                ids.push_back(id);
            }),
                      Status{});
            ASSERT_EQ(ids.size(), scene.agents().size());
            std::sort(ids.begin(), ids.end());
            for (AgentId id = 0; id < ids.size(); ++id) ASSERT_EQ(ids[id], id);
        }
}

class VisitorsInScene : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(VisitorsInScene, get_the_boxes_of_the_agents_they_get) {
    expect_boxes_in(Scene(GetParam(), std::min<std::size_t>(scaled(1500, 400), GetParam().max_count), 1));
}

INSTANTIATE_TEST_SUITE_P(every, VisitorsInScene, enough_scenes(1), scene_name);

TEST(VisitorsWithBoxes, get_them_among_islands_and_giants) {
    expect_boxes_in(make_island_scene("villages_under_giants", enough_for_islands));
}

TEST(VisitorsWithBoxes, find_elements_of_the_static_layer_too) {
    const std::vector<Box> agents{{0, 0, 1, 1}, {5, 5, 6, 6}}, walls{{0.5f, 0, 9, 0.25f}};
    Engine engine = engine_with_layer(StaticLayer(walls), agents);
    std::vector<Box> found;
    const auto visitor = [&](AgentId, const Box& box) { found.push_back(box); };
    ASSERT_EQ(engine.frame().with_static().for_each_overlap(Box{0, 0, 2, 2}, visitor, visitor), Status{});
    EXPECT_EQ(found, (std::vector<Box>{agents[0], walls[0]}));
    found.clear();
    const auto of_hits = [&](const CastHit&, const Box& box) { found.push_back(box); };
    ASSERT_EQ(engine.frame().with_static().for_each_hit(Cast::ray(9, 0.1f, -9, 0), of_hits), Status{});
    EXPECT_EQ(found, (std::vector<Box>{walls[0], agents[0]}));
}

TEST(VisitorsWithBoxes, may_throw_and_may_be_asked_of_nothing) {
    const std::vector<Box> boxes(600, Box{0, 0, 1, 1});
    Engine engine = engine_with(boxes);
    std::size_t calls = 0;
    const auto throwing = [&](AgentId, const Box&) {
        if (++calls == 300) throw std::runtime_error("enough");
    };
    EXPECT_THROW((void)engine.frame().for_each_overlap(Box{0, 0, 1, 1}, throwing), std::runtime_error);
    EXPECT_EQ(calls, 300u);
    calls = 0;
    EXPECT_THROW((void)engine.frame().for_each_agent(throwing), std::runtime_error);
    EXPECT_EQ(calls, 300u);
    const auto hit = [](const CastHit&, const Box&) { throw std::runtime_error("enough"); };
    EXPECT_THROW((void)engine.frame().for_each_hit(Cast::ray(0, 0, 1, 1), hit), std::runtime_error);
    EXPECT_EQ(engine.frame().for_each_hit(Cast::ray(no_box.min_x, 0, 1, 1), hit),
              (Status{Code::not_finite, 0}));
    EXPECT_EQ(Frame().for_each_hit(Cast::ray(0, 0, 1, 1), hit), Status{});
    const auto none = [](AgentId, const Box&) { FAIL(); };
    EXPECT_EQ(Frame().for_each_overlap(Box{0, 0, 1, 1}, none), Status{});
    EXPECT_EQ(Frame().for_each_agent(none), Status{});
    EXPECT_EQ(engine.frame().for_each_overlap(Box{1, 0, 0, 1}, none), (Status{Code::inverted, 0}));
    EXPECT_EQ(engine.frame().for_each_overlap(no_box, none), (Status{Code::not_finite, 0}));
    const Engine unusable({.cell_width = -1});
    EXPECT_EQ(unusable.frame().for_each_agent(none), unusable.status());
    EXPECT_EQ(unusable.frame().for_each_overlap(Box{0, 0, 1, 1}, none), unusable.status());
}

template <class Visitor>
concept Accepted = requires(const Frame& frame, Visitor visitor) {
    frame.for_each_overlap(Box{}, visitor);
};
template <class... Arguments>
struct Takes {
    void operator()(Arguments...) const {}
};
struct Counts {
    int operator()(AgentId, const Box&) const { return 1; }
};
constexpr auto generic = [](auto id, const Box&) { return std::span(&id, 1).empty() || id < 3u; };
static_assert(Accepted<Takes<AgentId, const Box&>> && Accepted<Takes<AgentId, Box>> &&
              Accepted<decltype(generic)>);
// A counter could be taken for "stop"; boxes are not for changing; a box alone is no answer; and
// not every id is an int.
static_assert(!Accepted<Counts> && !Accepted<Takes<AgentId, Box&>> && !Accepted<Takes<const Box&>> &&
              !Accepted<Takes<int, const Box&>>);

}  // namespace
}  // namespace throng::test
