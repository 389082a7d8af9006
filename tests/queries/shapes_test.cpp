// What shapes mean: what touches them, what is refused, and that large ones cost what their answers cost.
#include "oracle/shapes.hpp"
#include "support/test.hpp"

namespace throng {
namespace {

using test::frame_of;

// Four floats in braces are a box; constants of other types too, and also in a template. Fewer do not
// compile: tests/header_examples/planted shows that.
template <class Query>
concept TakesFourNumbers = requires(const Query& frame, float x, std::span<AgentId> ids) {
    frame.count({x, x, x, x});
    frame.count({0, 1, 2, 3});
    frame.any({.min_x = x, .min_y = 0, .max_x = x, .max_y = 1});
};
template <int side>
std::uint64_t count_around_origin(const Frame& frame) {
    return frame.count({-side, -side, side, side}).total;
}
static_assert(TakesFourNumbers<Frame> && TakesFourNumbers<WithStatic>);

// One query: what is a box or a shape, or converts to one.
struct HostRectangle {
    float x, y, side;
    operator Box() const { return {x, y, x + side, y + side}; }
};
struct HostDisc {
    float x, y, radius;
    operator Shape() const { return Circle{x, y, radius}; }
};
struct HostBody : HostRectangle {
    operator Shape() const { return Circle{x, y, side}; }
};
template <class Query>
concept IsAQuery = requires(const Frame& frame, const Query& query, std::span<AgentId> ids) {
    frame.any(query);
    frame.count(query, {.categories = 1});
    frame.overlaps(query, ids);
    frame.for_each_overlap(query, [](AgentId) {});
    frame.for_each_overlap(query, [](AgentId, const Box&) {});
    frame.explain(query);
    frame.with_static().any(query);
    frame.with_static().count(query);
};
static_assert(IsAQuery<Box> && IsAQuery<Point> && IsAQuery<Circle> && IsAQuery<ThickSegment> &&
              IsAQuery<ConvexPolygon> && IsAQuery<Shape> && IsAQuery<HostRectangle> && IsAQuery<HostDisc> &&
              IsAQuery<HostBody> && IsAQuery<std::reference_wrapper<const Box>>);

// A batch: a view of boxes or of shapes, or what such a view is made from. A container without a name would
// live until the call ends, but a view cannot know that.
template <class Queries>
concept IsABatch = requires(const Frame& frame, Queries&& queries, OverlapLists& hits,
                            OverlapsAsFound& found) {
    frame.overlaps(std::forward<Queries>(queries), hits);
    frame.overlaps(std::forward<Queries>(queries), found);
};
static_assert(IsABatch<Boxes> && IsABatch<const Boxes&> && IsABatch<Shapes> && IsABatch<std::vector<Box>&> &&
              IsABatch<const std::vector<Circle>&> && IsABatch<std::span<const Shape>> &&
              IsABatch<std::array<Point, 3>&> && IsABatch<const std::vector<HostDisc>&> &&
              IsABatch<BoxesOrShapes>);
static_assert(!IsABatch<std::vector<Box>> && !IsABatch<std::vector<Circle>> && !IsABatch<std::vector<int>&> &&
              !IsABatch<Box> && !IsABatch<Circle> && !IsABatch<HostRectangle>);

// Neither is the other, nor anything else.
template <class Query>
concept IsAnyQuery = requires(const Frame& frame, Query& query) {
    frame.any(query);
}
|| requires(const Frame& frame, Query& query) { frame.count(query); }
|| requires(const Frame& frame, Query& query, std::span<AgentId> ids) { frame.overlaps(query, ids); }
|| requires(const Frame& frame, Query& query) {
    frame.for_each_overlap(query, [](AgentId) {});
};
static_assert(!IsAnyQuery<float> && !IsAnyQuery<std::vector<Box>> && !IsAnyQuery<Boxes> &&
              !IsAnyQuery<Shapes> && !IsAnyQuery<Cast> && !IsAnyQuery<Within> && !IsAnyQuery<Nearest> &&
              !IsAnyQuery<std::array<float, 4>>);

// A view of a temporary container would dangle.
static_assert(std::is_constructible_v<Shapes, const std::vector<Circle>&> &&
              std::is_constructible_v<Shapes, std::span<const Circle>> &&
              !std::is_constructible_v<Shapes, std::vector<Circle>>);
static_assert(std::is_constructible_v<ConvexPolygon, const std::vector<Point>&> &&
              !std::is_constructible_v<ConvexPolygon, std::vector<Point>>);
static_assert(std::is_constructible_v<Points, const std::vector<Point>&> &&
              !std::is_constructible_v<Points, std::vector<Point>>);

constexpr float infinity = std::numeric_limits<float>::infinity();

// Boxes with a side of `size`, one for each point with whole coordinates below `side`.
Frame lattice(std::size_t side, float size) {
    std::vector<Box> boxes;
    for (std::size_t y = 0; y < side; ++y)
        for (std::size_t x = 0; x < side; ++x)
            boxes.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(x) + size,
                             static_cast<float>(y) + size});
    return frame_of(boxes);
}
std::uint64_t found(const Frame& frame, const Shape& shape) {
    const Count count = frame.count(shape);
    EXPECT_EQ(count.status, Status{});
    return count.total;
}

TEST(Shapes, a_circle_touches_the_nearest_point_of_a_box) {
    const Frame frame = frame_of({{3, 4, 5, 6}});
    EXPECT_EQ(found(frame, Circle{0, 0, 5}), 1u);
    EXPECT_EQ(found(frame, Circle{0, 0, std::nextafter(5.0f, 0.0f)}), 0u);
    EXPECT_EQ(found(frame, Circle{4, 5, 0}), 1u);
}

TEST(Shapes, a_circle_may_take_agents_as_centres_or_as_circles) {
    const Frame frame = frame_of({{3, -2, 7, 2}});  // its centre is 5 away, and its circle 3
    EXPECT_EQ(found(frame, Circle{0, 0, 5, AgentsAs::centres}), 1u);
    EXPECT_EQ(found(frame, Circle{0, 0, 4.9f, AgentsAs::centres}), 0u);
    EXPECT_EQ(found(frame, Circle{0, 0, 3, AgentsAs::circles}), 1u);
    EXPECT_EQ(found(frame, Circle{0, 0, 2.9f, AgentsAs::circles}), 0u);
    // Beyond a corner of the box, but not of its circle.
    EXPECT_EQ(found(frame, Circle{7.5f, 2.5f, 1, AgentsAs::boxes}), 1u);
    EXPECT_EQ(found(frame, Circle{7.5f, 2.5f, 1, AgentsAs::circles}), 0u);
}

TEST(Shapes, a_segment_has_round_ends_and_a_width) {
    const Frame frame = frame_of({{10, 10, 11, 11}});
    EXPECT_EQ(found(frame, ThickSegment{{0, 0}, {20, 20}, 0}), 1u);
    EXPECT_EQ(found(frame, ThickSegment{{0, 0}, {5, 5}, 7}), 0u);
    EXPECT_EQ(found(frame, ThickSegment{{0, 0}, {5, 5}, 7.1f}), 1u);
    EXPECT_EQ(found(frame, ThickSegment{{0, 9}, {20, 9}, 0.9f}), 0u);
    EXPECT_EQ(found(frame, ThickSegment{{20, 9}, {0, 9}, 1}), 1u);
    // A segment without a length is a circle.
    EXPECT_EQ(found(frame, ThickSegment{{7, 6}, {7, 6}, 5}), 1u);
    EXPECT_EQ(found(frame, ThickSegment{{7, 6}, {7, 6}, 4.9f}), 0u);
}

TEST(Shapes, a_polygon_may_go_round_in_either_sense) {
    const Frame frame = frame_of({{0, 0, 1, 1}, {4, 4, 5, 5}, {0, 4, 1, 5}});
    const std::array<Point, 3> corners = {{{0, 0}, {6, 0}, {6, 6}}};
    const std::array<Point, 3> reversed = {{{6, 6}, {6, 0}, {0, 0}}};
    EXPECT_EQ(found(frame, ConvexPolygon(corners)), 2u);
    EXPECT_EQ(found(frame, ConvexPolygon(reversed)), 2u);
}

TEST(Shapes, a_polygon_of_few_corners_is_a_point_or_a_segment) {
    const Frame frame = frame_of({{0, 0, 1, 1}, {4, 4, 5, 5}, {0, 4, 1, 5}});
    const std::vector<Point> one{{4.5f, 4.5f}}, two{{0, 0}, {5, 5}}, in_line{{0, 5}, {2.5f, 2.5f}, {5, 0}};
    EXPECT_EQ(found(frame, ConvexPolygon(one)), 1u);
    EXPECT_EQ(found(frame, ConvexPolygon(two)), 2u);
    EXPECT_EQ(found(frame, ConvexPolygon(in_line)), 1u);
}

TEST(Shapes, points_and_boxes_are_shapes) {
    const Frame frame = frame_of({{0, 0, 1, 1}, {4, 4, 5, 5}});
    EXPECT_EQ(found(frame, Point{1, 1}), 1u);
    EXPECT_EQ(found(frame, Shape(Box{1, 1, 4, 4})), 2u);
    const std::vector<Point> points = {{0.5f, 0.5f}, {2, 2}, {5, 5}};
    std::vector<std::uint8_t> any(3);
    EXPECT_EQ(frame.any(points, any), Status{});
    EXPECT_EQ(any, (std::vector<std::uint8_t>{1, 0, 1}));
}

TEST(Shapes, illegal_shapes_are_refused_by_name_and_number) {
    const Frame some = lattice(3, 0.5f), none;
    std::vector<Point> star, many;
    for (const std::size_t i : {0u, 2u, 4u, 1u, 3u}) {
        const float turn = 6.2831853f * static_cast<float>(i) / 5;
        star.push_back({std::cos(turn), std::sin(turn)});
    }
    many.resize(33);
    const std::array<Point, 4> dent = {{{0, 0}, {4, 0}, {1, 1}, {0, 4}}};
    const std::array<Point, 1> nowhere = {{{0, infinity}}};
    const struct {
        Shape shape;
        Code code;
    } illegal[] = {{Circle{0, 0, -1}, Code::inverted},
                   {Circle{0, 0, NAN}, Code::not_finite},
                   {Circle{infinity, 0, 1}, Code::not_finite},
                   {ThickSegment{{0, 0}, {0, NAN}, 0}, Code::not_finite},
                   {ThickSegment{{0, 0}, {1, 1}, -0.5f}, Code::inverted},
                   {ConvexPolygon(std::span<const Point>()), Code::bad_shape},
                   {ConvexPolygon(many), Code::bad_shape},
                   {ConvexPolygon(dent), Code::bad_shape},
                   {ConvexPolygon(star), Code::bad_shape},
                   {ConvexPolygon(nowhere), Code::not_finite},
                   {Box{1, 0, 0, 0}, Code::inverted},
                   {Point{NAN, 0}, Code::not_finite}};
    for (const Frame& frame : {some, none})
        for (const auto& [shape, code] : illegal) {
            EXPECT_EQ(frame.count(shape).status, (Status{code, 0}));
            EXPECT_EQ(frame.any(shape).status, (Status{code, 0}));
            EXPECT_EQ(frame.explain(shape).status, (Status{code, 0}));
            const std::vector<Shape> shapes = {Circle{0, 0, 1}, shape, shape};
            OverlapLists hits;
            EXPECT_EQ(frame.overlaps(shapes, hits), (Status{code, 1}));
            EXPECT_EQ(hits.size(), 0u);
            std::vector<std::uint32_t> counts(3, 77);
            EXPECT_EQ(frame.count(shapes, counts), (Status{code, 1}));
            EXPECT_EQ(counts, std::vector<std::uint32_t>(3, 77));
        }
    std::vector<std::uint32_t> counts(2);
    const std::vector<Circle> three(3);
    EXPECT_EQ(some.count(three, counts), Status{Code::size_mismatch});
    EXPECT_EQ(some.count(std::span<const Circle>(static_cast<const Circle*>(nullptr), 2), counts),
              Status{Code::null_view});
}

TEST(Shapes, may_be_the_hosts_own_where_they_convert) {
    const Frame frame = frame_of({{3, 4, 5, 6}});
    EXPECT_EQ(frame.count(HostRectangle{2, 3, 1}).total, 1u);
    EXPECT_EQ(frame.count(HostRectangle{1, 2, 1}).total, 0u);
    EXPECT_EQ(frame.count(HostDisc{0, 0, 5}).total, 1u);
    EXPECT_EQ(frame.count(HostDisc{0, 0, 4}).total, 0u);
    const std::vector<HostDisc> discs{{0, 0, 5}, {0, 0, 4}};
    std::vector<std::uint32_t> counts(2, 9u);
    EXPECT_TRUE(frame.count(discs, counts));
    EXPECT_EQ(counts, (std::vector<std::uint32_t>{1, 0}));
    EXPECT_EQ(frame.count({.min_x = 0, .min_y = 0, .max_x = 3, .max_y = 4}).total, 1u);
    EXPECT_EQ(frame.count(HostBody{{1, 2, 1}}).total, 0u) << "as a Box, where it converts to both";
    EXPECT_EQ(count_around_origin<3>(frame), 0u);
    EXPECT_EQ(count_around_origin<4>(frame), 1u);
}

TEST(Shapes, in_braces_or_of_the_host_tell_boxes_too) {
    const Frame frame = frame_of({{3, 4, 5, 6}});
    std::vector<Box> seen;
    const auto see = [&](AgentId, const Box& box) { seen.push_back(box); };
    const auto see_none = [](AgentId, const Box&) { FAIL(); };
    EXPECT_EQ(frame.for_each_overlap({0, 0, 4, 4}, see), Status{});
    EXPECT_EQ(frame.for_each_overlap(HostRectangle{2, 3, 1}, see), Status{});
    EXPECT_EQ(frame.for_each_overlap(HostDisc{0, 0, 5}, see), Status{});
    EXPECT_EQ(frame.with_static().for_each_overlap({0, 0, 4, 4}, see, see_none), Status{});
    EXPECT_EQ(seen, std::vector<Box>(4, {3, 4, 5, 6}));
}

TEST(Shapes, an_empty_frame_has_nothing_in_any_shape) {
    OverlapLists hits;
    const std::vector<Circle> circles(4);
    EXPECT_EQ(Frame().overlaps(circles, hits), Status{});
    EXPECT_EQ(hits.size(), 4u);
    EXPECT_EQ(hits.ids().size(), 0u);
}

TEST(Shapes, extreme_circles_find_everything_or_nothing_near) {
    const Frame frame = frame_of({{0, 0, 1, 1}, {1e30f, 0, 1e30f, 1}, {-3e38f, -3e38f, -3e38f, -3e38f}});
    EXPECT_EQ(found(frame, Circle{0, 0, 3e38f}), 3u);
    EXPECT_EQ(found(frame, Circle{0, 0, 1e-45f}), 1u);
    EXPECT_EQ(found(frame, Circle{-3e38f, -3e38f, 1}), 1u);
}

// Most agents in a large shape are taken without a test, and those beside it are not looked at.
TEST(Shapes, large_shapes_test_only_the_agents_at_their_border) {
    const Frame frame = lattice(200, 0.5f);
    const Explain circle = frame.explain(Circle{100, 100, 60});
    EXPECT_GT(circle.hits, 11000u);
    EXPECT_LT(circle.tested, circle.hits / 3);
    EXPECT_LT(circle.tested + circle.covered, circle.hits * 5 / 4);
    const std::array<Point, 3> wedge = {{{10, 10}, {180, 60}, {120, 180}}};
    const Explain polygon = frame.explain(ConvexPolygon(wedge));
    EXPECT_LT(polygon.tested, polygon.hits / 2);
    EXPECT_LT(polygon.tested + polygon.covered, polygon.hits * 5 / 4);
    const Explain segment = frame.explain(ThickSegment{{10, 5}, {180, 190}, 0.5f});
    EXPECT_GT(segment.hits, 300u);
    EXPECT_LT(segment.tested + segment.covered, segment.hits * 8);
}

TEST(Shapes, walls_and_agents_are_found_together) {
    Engine engine;
    const std::vector<Box> walls = {{0, 0, 10, 1}}, agents = {{2, 2, 3, 3}, {20, 2, 21, 3}};
    ASSERT_EQ(engine.set_static_layer(StaticLayer(walls)), Status{});
    ASSERT_EQ(engine.update(agents), Status{});
    const WithStatic both = engine.frame().with_static();
    EXPECT_EQ(both.count(Circle{2, 2, 2}).total, 2u);
    EXPECT_TRUE(both.any(Circle{9, 2, 1}).found);
    OverlapLists of_agents, of_walls;
    const std::vector<Circle> circles = {{2, 2, 2}, {20, 2, 1}};
    ASSERT_EQ(both.overlaps(circles, of_agents, of_walls), Status{});
    EXPECT_EQ(of_agents[0].size() + of_agents[1].size(), 2u);
    EXPECT_EQ(of_walls.ids().size(), 1u);
    std::vector<std::uint32_t> counts(2);
    ASSERT_EQ(both.count(circles, counts), Status{});
    EXPECT_EQ(counts, (std::vector<std::uint32_t>{2, 1}));
    std::vector<std::uint8_t> any(2);
    ASSERT_EQ(both.any(circles, any), Status{});
    EXPECT_EQ(any, (std::vector<std::uint8_t>{1, 1}));
    std::size_t seen = 0;
    const auto see = [&](AgentId) { ++seen; };
    ASSERT_EQ(both.for_each_overlap(Circle{2, 2, 2}, see, see), Status{});
    EXPECT_EQ(seen, 2u);
}

}  // namespace
}  // namespace throng
