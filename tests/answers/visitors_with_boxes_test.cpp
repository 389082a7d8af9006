// Visitors that get ids together with boxes. All comparisons with brute force check that they are the right
// ones: see harness/overlap_calls.cpp.
#include "support/test.hpp"

namespace throng::test {
namespace {

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
// A counter could be taken for "stop". Boxes may not be changed. A box alone is no answer. And an int does
// not hold every id.
static_assert(!Accepted<Counts> && !Accepted<Takes<AgentId, Box&>> && !Accepted<Takes<const Box&>> &&
              !Accepted<Takes<int, const Box&>>);

}  // namespace
}  // namespace throng::test
