// Agents and queries in doubles, counted from an origin, give the same world as the floats that they are
// rounded to: in every form and layout, on every instruction set, and in every rounding mode.
#include <cfenv>
#include <cstddef>
#include <set>

#include "support/test.hpp"
#include "throng/adapters/vector.hpp"

namespace throng::test {
namespace {

// Numbers as on maps, where floats are half a unit apart.
constexpr Origin origin{500'000, 5'400'000};

// What hosts have: other members before and behind, centres in doubles, extents in floats.
struct Body {
    char name;
    double x, y, half_x, half_y;
    float reach_x, reach_y;
};

std::vector<Body> bodies(std::size_t count) {
    std::vector<Body> some;
    Random random(count);
    const Scene scene = make_scene("uniform", count);
    for (const Box& box : scene.agents())
        some.push_back({'b', origin.x + double{box.min_x} + random.uniform(0, 1) * 1e-3,
                        origin.y + double{box.min_y} - random.uniform(0, 1) * 1e-3, random.uniform(0, 2),
                        random.one_in(9) ? 0 : random.uniform(0, 2), random.uniform(0, 2),
                        random.uniform(0, 2)});
    return some;
}

// The rule of geometry.hpp, written a second time: a difference in double, and one rounding.
Box by_hand(double x, double y, double half_x, double half_y) {
    const double from_x = x - origin.x, from_y = y - origin.y;
    const double edges[] = {from_x - half_x, from_y - half_y, from_x + half_x, from_y + half_y};
    return {float(edges[0]), float(edges[1]), float(edges[2]), float(edges[3])};
}
Box around(const Body& b) { return by_hand(b.x, b.y, b.half_x, b.half_y); }
Box reach_around(const Body& b) { return by_hand(b.x, b.y, double{b.reach_x}, double{b.reach_y}); }
Box spot(const Body& b) { return by_hand(b.x, b.y, 0, 0); }
Box square(const Body& b) { return by_hand(b.x, b.y, double{0.45f}, double{0.45f}); }
// A box from x, y to x + half_x, y + half_y.
Box corners(const Body& b) {
    return {float(b.x - origin.x), float(b.y - origin.y), float(b.x + b.half_x - origin.x),
            float(b.y + b.half_y - origin.y)};
}

using VisitExpected =
    std::function<void(const Boxes& boxes, const std::vector<Box>& expected, const char* form)>;

template <class MakeBox>
std::vector<Box> each(const std::vector<Body>& some, const MakeBox& make) {
    std::vector<Box> boxes;
    for (const Body& body : some) boxes.push_back(make(body));
    return boxes;
}

void for_each_array(const std::vector<Body>& some, const VisitExpected& visit) {
    std::vector<double> x, y, half_x, half_y, max_x, max_y, table;
    std::vector<float> reach_x, reach_y;
    std::vector<Box> float_corners;
    for (const Body& b : some) {
        x.push_back(b.x), y.push_back(b.y), half_x.push_back(b.half_x), half_y.push_back(b.half_y);
        max_x.push_back(b.x + b.half_x), max_y.push_back(b.y + b.half_y);
        reach_x.push_back(b.reach_x), reach_y.push_back(b.reach_y);
        table.insert(table.end(), {b.x, b.y});
    }
    const std::vector<Box> around_each = each(some, around), spots = each(some, spot);
    visit(Boxes::centre_half(x, y, half_x, half_y, origin), around_each, "arrays of centres");
    visit(Boxes::centre_half(x, y, reach_x, reach_y, origin), each(some, reach_around), "halves in floats");
    visit(Boxes::min_max(x, y, max_x, max_y, origin), each(some, corners), "arrays of corners");
    visit(Boxes::points(x, y, 0.45f, origin), each(some, square), "arrays of points with a radius");
    visit(Boxes::points(x, y, 0, origin), spots, "arrays of points");
    visit(Boxes::strided(Boxes::Form::points, {&table[0], &table[1]}, {16, 16}, some.size(), origin), spots,
          "an array of points");
    visit(Boxes::strided(Boxes::Form::centre_half, {&table[0], &table[1], half_x.data(), reach_y.data()},
                         {16, 16, 8, 4}, some.size(), origin),
          each(some, [](const Body& b) { return by_hand(b.x, b.y, b.half_x, double{b.reach_y}); }),
          "a stride and a kind for each array");
    // Floats are counted from an origin too.
    visit(Boxes::points(reach_x, reach_y, 0.45f, origin),
          each(some, [](const Body& b) { return by_hand(b.reach_x, b.reach_y, 0.45f, 0.45f); }), "floats");
}

// At odd addresses.
void for_each_packed(const std::vector<Body>& some, const VisitExpected& visit) {
    constexpr std::size_t stride = 2 * sizeof(double) + 2 * sizeof(float) + 1;
    std::vector<std::byte> bytes(1 + some.size() * stride);
    for (std::size_t i = 0; i < some.size(); ++i) {
        std::byte* const to = bytes.data() + 1 + i * stride;
        std::memcpy(to, &some[i].x, 2 * sizeof(double));
        std::memcpy(to + 2 * sizeof(double), &some[i].reach_x, 2 * sizeof(float));
    }
    const auto at = [&](std::size_t offset) -> const void* { return bytes.data() + 1 + offset; };
    const auto doubles = [&](std::size_t offset) { return static_cast<const double*>(at(offset)); };
    const auto floats = [&](std::size_t offset) { return static_cast<const float*>(at(offset)); };
    visit(Boxes::strided(Boxes::Form::centre_half, {doubles(0), doubles(8), floats(16), floats(20)},
                         {stride, stride, stride, stride}, some.size(), origin),
          each(some, reach_around), "packed structures");
}

void for_each_member(const std::vector<Body>& some, const VisitExpected& visit) {
    std::vector<std::vector<Body>> pages;
    std::vector<const Body*> table, list;
    for (std::size_t i = 0; i < some.size(); ++i) {
        if (i % 64 == 0) pages.emplace_back();
        pages.back().push_back(some[i]);
        list.push_back(&some[some.size() - 1 - i]);
    }
    for (const auto& page : pages) table.push_back(page.data());
    const std::vector<Body> backwards(some.rbegin(), some.rend());
    const auto both = [&](const auto& elements, const std::vector<Body>& same, const char* where) {
        visit(Boxes::centre_half(elements, &Body::x, &Body::y, &Body::half_x, &Body::half_y, origin),
              each(same, around), where);
        visit(Boxes::centre_half(elements, &Body::x, &Body::y, &Body::reach_x, &Body::reach_y, origin),
              each(same, reach_around), where);
        visit(Boxes::points(elements, &Body::x, &Body::y, 0.45f, origin), each(same, square), where);
        visit(Boxes::points(elements, &Body::x, &Body::y, 0, origin), each(same, spot), where);
        visit(Boxes::min_max(elements, &Body::x, &Body::y, &Body::x, &Body::y, origin), each(same, spot),
              where);
    };
    both(some, some, "members");
    both(paged(table.data(), some.size(), 64), some, "pages");
    both(by_pointer(list), backwards, "pointers");
}

void for_each_view(const std::vector<Body>& some, const VisitExpected& visit) {
    for_each_array(some, visit);
    for_each_packed(some, visit);
    for_each_member(some, visit);
}

// Several counts: kernels treat whole vectors and the rest apart, and readers work in blocks.
constexpr std::size_t bodies_counts[] = {1, 5, 31, 257, 2500};

TEST(DoubleViews, have_the_boxes_that_the_doubles_say) {
    for (const std::size_t count : bodies_counts)
        for_each_view(bodies(count), [](const Boxes& view, const std::vector<Box>& boxes, const char* form) {
            SCOPED_TRACE(form);
            ASSERT_EQ(view.fault(), Code::ok);
            ASSERT_EQ(view.size(), boxes.size());
            const std::size_t half = boxes.size() / 2;
            for (std::size_t i = 0; i < boxes.size(); ++i) ASSERT_EQ(view[i], boxes[i]) << i;
            for (std::size_t i = half; i < boxes.size(); ++i)
                ASSERT_EQ(view.part(half, boxes.size() - half)[i - half], boxes[i]) << i;
        });
}

TEST(DoubleViews, are_the_same_world_as_agents_and_as_queries) {
    for (const std::size_t count : bodies_counts)
        for_each_view(bodies(count), [](const Boxes& view, const std::vector<Box>& boxes, const char* form) {
            SCOPED_TRACE(form);
            for (const Isa isa : instruction_sets()) {
                const Engine plain = engine_with(boxes, {.isa = isa}),
                             viewed = engine_with(view, {.isa = isa});
                EXPECT_TRUE(identical(ask(plain.frame(), boxes), ask(viewed.frame(), boxes)))
                    << to_string(isa);
                OverlapLists from_plain, from_view;
                ASSERT_EQ(plain.frame().overlaps(boxes, from_plain), Status{});
                ASSERT_EQ(plain.frame().overlaps(view, from_view), Status{});
                EXPECT_TRUE(equal_ranges(from_plain.ids(), from_view.ids())) << to_string(isa);
            }
        });
}

// Enough that several threads read them.
TEST(DoubleViews, are_the_same_world_on_several_threads) {
    ThreadPool pool(3);
    const std::vector<Body> some = bodies(50000);
    for_each_view(some, [&](const Boxes& view, const std::vector<Box>& boxes, const char* form) {
        const Engine plain = engine_with(boxes), viewed = engine_with(view, {.executor = pool.executor()});
        EXPECT_EQ(plain.frame().fingerprint(), viewed.frame().fingerprint()) << form;
    });
}

TEST(DoubleViews, are_read_alike_in_every_rounding_mode) {
    const std::vector<Body> some = bodies(300);
    for (const int mode : {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO}) {
        ASSERT_EQ(std::fesetround(mode), 0);
        for_each_view(some, [&](const Boxes& view, const std::vector<Box>&, const char* form) {
            const Frame frame = engine_with(view).frame();
            for (std::size_t i = 0; i < view.size(); ++i)
                ASSERT_EQ(frame.box(static_cast<AgentId>(i)), view[i]) << form << ", " << i << ", " << mode;
        });
        ASSERT_EQ(std::fesetround(FE_TONEAREST), 0);
    }
}

TEST(DoubleViews, are_edits_and_static_layers_too) {
    const std::vector<Body> some = bodies(400);
    std::vector<AgentId> ids(some.size());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<AgentId>(i);
    const std::vector<double> x(some.size(), origin.x), y(some.size(), origin.y);
    for_each_view(some, [&](const Boxes& view, const std::vector<Box>& boxes, const char* form) {
        SCOPED_TRACE(form);
        Engine engine = engine_with(Boxes::points(x, y, 1, origin));
        ASSERT_EQ(engine.set_static_layer(StaticLayer(view)), Status{});
        ASSERT_EQ(committed(engine, engine.move(ids, view)), Status{});
        std::vector<AgentId> inserted(some.size());
        ASSERT_EQ(committed(engine, engine.insert(view, inserted)), Status{});
        const Frame frame = engine.frame();
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            ASSERT_EQ(frame.box(ids[i]), boxes[i]);
            ASSERT_EQ(frame.box(inserted[i]), boxes[i]);
            ASSERT_EQ(frame.static_layer().box(ids[i]), boxes[i]);
        }
    });
}

// Distances in doubles, by brute force. Without an origin a quarter of these pairs would be missing.
TEST(DoubleViews, find_the_pairs_that_are_near_each_other_in_doubles) {
    Random random(5);
    std::vector<double> x, y;
    for (int i = 0; i < 3000; ++i) {
        x.push_back(origin.x + double{random.uniform(-6, 6)});
        y.push_back(origin.y + double{random.uniform(-6, 6)});
    }
    std::set<std::pair<AgentId, AgentId>> expected, found;
    constexpr float within = 0.3f;
    constexpr double slack = 1e-6;
    std::size_t doubtful = 0;
    for (AgentId a = 0; a < x.size(); ++a)
        for (AgentId b = a + 1; b < x.size(); ++b) {
            const double distance = std::hypot(x[a] - x[b], y[a] - y[b]);
            if (std::abs(distance - double{within}) <= slack) ++doubtful;
            if (distance <= double{within}) expected.emplace(a, b);
        }
    ASSERT_EQ(doubtful, 0u);
    PairList pairs;
    ASSERT_EQ(engine_with(Boxes::points(x, y, 0, origin)).frame().pairs(pairs, {.within = within}), Status{});
    for (const Pair& pair : pairs) found.emplace(std::min(pair.a, pair.b), std::max(pair.a, pair.b));
    EXPECT_EQ(found, expected);
}

// Each touches the next in one double, which floats do not have: rounding keeps the order of edges.
TEST(DoubleViews, of_corners_that_touch_in_doubles_touch) {
    Random random(6);
    std::vector<double> edges, low, high, zeros(2000, origin.y);
    for (int i = 0; i < 2001; ++i) edges.push_back(origin.x + double{random.uniform(0, 100)} / 3);
    std::sort(edges.begin(), edges.end());
    low.assign(edges.begin(), edges.end() - 1);
    high.assign(edges.begin() + 1, edges.end());
    const Frame frame = engine_with(Boxes::min_max(low, zeros, high, zeros, origin)).frame();
    std::set<std::pair<AgentId, AgentId>> found;
    PairList pairs;
    ASSERT_EQ(frame.pairs(pairs), Status{});
    for (const Pair& pair : pairs) found.emplace(std::min(pair.a, pair.b), std::max(pair.a, pair.b));
    for (AgentId i = 0; i + 1 < low.size(); ++i) ASSERT_TRUE(found.contains({i, i + 1})) << i;
}

TEST(DoubleViews, of_points_and_casts_are_counted_from_the_origin) {
    const std::vector<Body> some = bodies(500);
    std::vector<Point> places;
    std::vector<Cast> casts, moved;
    for (const Body& b : some) {
        places.push_back(origin.point(b.x, b.y));
        const Point end = origin.point(b.x + b.half_x, b.y);
        casts.push_back(Cast::ray(places.back().x, places.back().y, end.x - places.back().x, 0));
        moved.push_back({around(b), static_cast<float>(b.half_y) * 2, static_cast<float>(b.half_x) * 2, 0});
    }
    const Frame frame = engine_with(Boxes::points(some, &Body::x, &Body::y, 0.3f, origin)).frame();
    const Points view = Points::members(some, &Body::x, &Body::y, origin);
    std::vector<double> end_x, end_y;
    for (const Body& b : some) end_x.push_back(b.x + b.half_x), end_y.push_back(b.y);
    const Casts rays = Casts::segments(view, Points::arrays(end_x, end_y, origin));
    const Casts boxes =
        Casts::boxes(Boxes::centre_half(some, &Body::x, &Body::y, &Body::half_x, &Body::half_y, origin),
                     Points::members(some, &Body::half_y, &Body::half_x, Origin{}), 2);
    for (std::size_t i = 0; i < some.size(); ++i) {
        ASSERT_EQ(view[i], places[i]);
        ASSERT_EQ(rays[i], casts[i]);
        ASSERT_EQ(boxes[i], moved[i]);
    }
    NeighbourLists lists, expected;
    ASSERT_EQ(frame.neighbours(view, {.count = 5, .distances = true}, lists), Status{});
    ASSERT_EQ(frame.neighbours(places, {.count = 5, .distances = true}, expected), Status{});
    EXPECT_TRUE(equal_ranges(lists.ids(), expected.ids()));
    std::vector<CastHit> hits(some.size()), expected_hits(some.size());
    ASSERT_EQ(frame.first_hits(boxes, hits), Status{});
    ASSERT_EQ(frame.first_hits(moved, expected_hits), Status{});
    EXPECT_EQ(hits, expected_hits);
}

TEST(DoubleViews, of_what_no_float_holds_are_refused_by_their_element) {
    constexpr double endless = std::numeric_limits<double>::infinity(),
                     nan = std::numeric_limits<double>::quiet_NaN();
    for (const double bad : {1e300, -1e300, 3.5e38, endless, -endless, nan})
        for (const std::size_t at : {0u, 17u, 255u, 256u, 299u}) {
            std::vector<double> x(300, origin.x), y(300, origin.y);
            y[at] = bad;
            Engine engine;
            ASSERT_EQ(engine.update(Boxes::points(x, y, 1, origin)), (Status{Code::not_finite, at})) << bad;
            AgentId ids[2];
            LeftOut left_out{ids};
            ASSERT_EQ(engine.update(Boxes::points(x, y, 0, origin), {.left_out = &left_out}), Status{});
            ASSERT_EQ(left_out.total, 1u);
            EXPECT_EQ(ids[0], at);
        }
    const std::vector<double> places(3, 0.0), halves{1, -1, 1};
    Engine engine;
    EXPECT_EQ(engine.update(Boxes::centre_half(places, places, halves, halves, Origin{})),
              (Status{Code::inverted, 1}));
}

TEST(DoubleViews, that_are_no_views_are_refused) {
    const std::vector<double> three{1, 2, 3}, two{1, 2};
    const std::vector<float> floats{1, 2, 3};
    EXPECT_EQ(Boxes::centre_half(three, three, three, two, origin).fault(), Code::size_mismatch);
    EXPECT_EQ(Boxes::centre_half(three, three, floats, floats, origin).fault(), Code::ok);
    EXPECT_EQ(Boxes::points(three, two, 1, origin).fault(), Code::size_mismatch);
    const auto strided = [&](detail::RealPointer y, std::size_t stride) {
        return Boxes::strided(Boxes::Form::points, {three.data(), y}, {8, stride}, 3, origin).fault();
    };
    EXPECT_EQ(strided(three.data(), 8), Code::ok);
    EXPECT_EQ(strided(three.data(), 4), Code::bad_stride);
    EXPECT_EQ(strided(floats.data(), 4), Code::ok);
    EXPECT_EQ(strided(nullptr, 8), Code::null_view);
}

}  // namespace
}  // namespace throng::test
