// Casts in the host's own arrays get the same answers as the casts that they stand for.
#include "support/casts.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// What a host might have.
struct Walker {
    char name[3];
    float x, y, half_x, half_y;
    double weight;
    Point velocity, target;
    float radius;
};

std::vector<Walker> walkers(std::size_t count) {
    const Scene scene = make_scene("mixed_sizes", 500);
    Random random(3);
    std::vector<Walker> some;
    for (std::size_t i = 0; i < count; ++i) {
        const Box& box = scene.agents()[random.below(scene.agents().size())];
        some.push_back({{},
                        box.min_x / 2 + box.max_x / 2,
                        box.min_y / 2 + box.max_y / 2,
                        (box.max_x - box.min_x) / 2,
                        (box.max_y - box.min_y) / 2,
                        70,
                        {random.uniform(-9, 9), random.uniform(-9, 9)},
                        {box.max_x + random.uniform(-9, 9), box.max_y + random.uniform(-9, 9)},
                        random.one_in(3) ? 0 : random.uniform(0, 2)});
    }
    return some;
}

// The casts of a view, one by one, as the definition says.
template <class MakeCast>
std::vector<Cast> casts_of(const std::vector<Walker>& some, const MakeCast& make) {
    std::vector<Cast> casts;
    for (const Walker& walker : some) casts.push_back(make(walker));
    return casts;
}

class CastViews : public ::testing::Test {
protected:
    CastViews() {
        const Scene scene = make_scene("mixed_sizes", 500);
        EXPECT_EQ(engine_.set_static_layer(StaticLayer(make_scene("mixed_sizes", 50, 9).boxes())), Status{});
        EXPECT_EQ(engine_.update(scene.boxes()), Status{});
    }
    // The same elements, and the same answers from every call.
    void expect_same(const Casts& view, const std::vector<Cast>& casts) const {
        ASSERT_EQ(view.fault(), Status{});
        ASSERT_EQ(view.size(), casts.size());
        for (std::size_t i = 0; i < casts.size(); ++i) ASSERT_EQ(view[i], casts[i]) << i;
        expect_same_answers(engine_.frame(), view, casts);
        expect_same_answers(engine_.frame().with_static(), view, casts);
    }
    template <class Target>
    static void expect_same_answers(const Target& target, const Casts& view, const std::vector<Cast>& casts) {
        std::vector<CastHit> first(casts.size()), expected_first(casts.size());
        std::vector<std::uint8_t> blocked(casts.size()), expected_blocked(casts.size());
        CastHits all, expected_all;
        ASSERT_EQ(target.first_hits(view, first, Filters::each_without_itself()), Status{});
        ASSERT_EQ(target.first_hits(casts, expected_first, Filters::each_without_itself()), Status{});
        EXPECT_EQ(first, expected_first);
        ASSERT_EQ(target.blocked(view, blocked), Status{});
        ASSERT_EQ(target.blocked(casts, expected_blocked), Status{});
        EXPECT_EQ(blocked, expected_blocked);
        ASSERT_EQ(target.all_hits(view, all), Status{});
        ASSERT_EQ(target.all_hits(casts, expected_all), Status{});
        ASSERT_EQ(all.size(), expected_all.size());
        EXPECT_EQ(std::vector(all.hits().begin(), all.hits().end()),
                  std::vector(expected_all.hits().begin(), expected_all.hits().end()));
        EXPECT_TRUE(std::equal(all.offsets().begin(), all.offsets().end(), expected_all.offsets().begin()));
    }

    ThreadPool pool_{3};
    Engine engine_{{.executor = pool_.executor()}};
};

TEST_F(CastViews, of_members_of_the_hosts_structs_are_the_casts_that_they_stand_for) {
    const std::vector<Walker> some = walkers(700);
    const Points places = Points::members(some, &Walker::x, &Walker::y);
    const auto points_at = [&](const Point Walker::*member) {
        return Points::arrays(&(some[0].*member).x, &(some[0].*member).y, some.size(), sizeof(Walker));
    };
    const Points velocities = points_at(&Walker::velocity), targets = points_at(&Walker::target);
    const Radii radii = Radii::members(some, &Walker::radius);
    expect_same(Casts::rays(places, velocities, 0.3f), casts_of(some, [](const Walker& w) {
                    return Cast::ray(w.x, w.y, w.velocity.x * 0.3f, w.velocity.y * 0.3f);
                }));
    expect_same(Casts::segments(places, targets), casts_of(some, [](const Walker& w) {
                    return Cast::segment({w.x, w.y}, w.target);
                }));
    expect_same(Casts::segments(places, targets, 0.5f), casts_of(some, [](const Walker& w) {
                    return Cast::circle(w.x, w.y, 0.5f, w.target.x - w.x, w.target.y - w.y);
                }));
    expect_same(Casts::circles(places, radii, velocities, 2), casts_of(some, [](const Walker& w) {
                    return Cast::circle(w.x, w.y, w.radius, w.velocity.x * 2, w.velocity.y * 2);
                }));
    expect_same(
        Casts::boxes(Boxes::centre_half(some, &Walker::x, &Walker::y, &Walker::half_x, &Walker::half_y),
                     velocities, -1, radii),
        casts_of(some, [](const Walker& w) {
            return Cast{Box::around(w.x, w.y, w.half_x, w.half_y), -w.velocity.x, -w.velocity.y, w.radius};
        }));
}

TEST_F(CastViews, of_arrays_are_the_casts_that_they_stand_for) {
    const std::vector<Walker> some = walkers(300);
    std::vector<float> x, y, dx, dy, radii;
    for (const Walker& walker : some) {
        x.push_back(walker.x);
        y.push_back(walker.y);
        dx.push_back(walker.velocity.x);
        dy.push_back(walker.velocity.y);
        radii.push_back(walker.radius);
    }
    const auto as_circle = [](const Walker& w) {
        return Cast::circle(w.x, w.y, w.radius, w.velocity.x, w.velocity.y);
    };
    const Points places = Points::arrays(x, y), movements = Points::arrays(dx, dy);
    expect_same(Casts::circles(places, radii, movements), casts_of(some, as_circle));
    expect_same(Casts::circles(places, Radii::arrays(radii.data(), radii.size()), movements),
                casts_of(some, as_circle));
    const std::vector<Cast> casts = casts_of(some, as_circle);
    expect_same(casts, casts);
    expect_same(std::span(casts), casts);
    expect_same(Casts(), {});
}

// More casts than are copied at a time.
TEST_F(CastViews, of_very_many_get_the_answers_of_each) {
    const std::vector<Walker> some = walkers(1000);
    constexpr std::size_t count = (1 << 17) + 300;
    std::vector<Point> from, to;
    std::vector<Cast> casts;
    while (from.size() < count) {
        const Walker& walker = some[from.size() % some.size()];
        const auto turn = static_cast<float>(from.size() / some.size());
        from.push_back({walker.x, walker.y});
        to.push_back({walker.target.x + 0.1f * turn, walker.target.y});
        casts.push_back(Cast::segment(from.back(), to.back()));
    }
    std::vector<CastHit> hits(count), expected(count);
    std::vector<Filter> filters(count);
    for (std::size_t i = 0; i < count; ++i) filters[i].self = static_cast<AgentId>(i % 500);
    const Frame frame = engine_.frame();
    ASSERT_EQ(frame.first_hits(Casts::segments(from, to), hits, Filters::of(filters)), Status{});
    ASSERT_EQ(frame.first_hits(casts, expected, Filters::of(filters)), Status{});
    EXPECT_TRUE(hits == expected);
}

TEST_F(CastViews, are_refused_where_a_cast_is_illegal) {
    std::vector<Point> from(400), to(400, Point{1, 1});
    std::vector<CastHit> hits(400, CastHit{7, 7});
    const auto refusal = [&](const Casts& casts) {
        const Status status = engine_.frame().first_hits(casts, hits);
        EXPECT_EQ(hits, std::vector<CastHit>(400)) << "of a batch that is refused, no cast has a hit";
        EXPECT_EQ(status.argument, Argument::boxes);
        return status;
    };
    from[300].x = 3e38f;
    to[300].x = -3e38f;
    EXPECT_EQ(refusal(Casts::segments(from, to)), (Status{Code::not_finite, 300})) << "too far apart";
    to[200].y = std::numeric_limits<float>::infinity();
    EXPECT_EQ(refusal(Casts::rays(from, to)), (Status{Code::not_finite, 200}));
    EXPECT_EQ(refusal(Casts::rays(to, from, 2)), (Status{Code::not_finite, 200}));
    to[200].y = 0;
    EXPECT_EQ(refusal(Casts::rays(to, from, 2)), (Status{Code::not_finite, 300})) << "too fast";
    EXPECT_EQ(refusal(Casts::circles(to, -1, to)), (Status{Code::inverted, 0}));
    EXPECT_EQ(refusal(Casts::boxes(Boxes::points(from, &Point::x, &Point::y, -1), to)),
              (Status{Code::inverted, 0}));
}

// A view of a temporary container would dangle.
static_assert(std::is_constructible_v<Casts, const std::vector<Cast>&> &&
              std::is_constructible_v<Casts, std::span<const Cast>> &&
              !std::is_constructible_v<Casts, std::vector<Cast>>);
static_assert(std::is_constructible_v<Radii, const std::vector<float>&> &&
              !std::is_constructible_v<Radii, std::vector<float>>);

// A view of views would have no arrays.
TEST_F(CastViews, are_copied_as_they_are) {
    const std::vector<Point> from{{0, 0}, {1, 2}}, to{{4, 0}, {1, 9}};
    Casts casts = Casts::segments(from, to);
    const Casts copy = casts, moved = std::move(casts);
    EXPECT_EQ(copy.size(), 2u);
    EXPECT_EQ(copy[1], Cast::segment({1, 2}, {1, 9}));
    EXPECT_EQ(moved[0], Cast::segment({0, 0}, {4, 0}));
    EXPECT_EQ(copy.fault(), Code::ok);
}

}  // namespace
}  // namespace throng::test
