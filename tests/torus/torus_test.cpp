// A world that wraps around, against brute force over all images: agents and queries anywhere, on the seams,
// and wider than the world, in every state that agents may have come into.
#include <cmath>

#include "harness/histories.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

Box bounds_of(const std::vector<Box>& boxes) {
    Box bounds = no_box;
    for (const Box& box : boxes) bounds = bounds.united(box);
    return bounds;
}

bool is_at_hand(const Scene& scene) {
    const Box bounds = bounds_of(scene.agents());
    const float side = std::max(bounds.max_x - bounds.min_x, bounds.max_y - bounds.min_y);
    return side > 1e-3f && side < 1e6f;
}

// A period that folds agents several times or hardly ever, or no period.
float period_for(float side, Random& random) {
    if (random.one_in(6)) return 0;
    const float factors[] = {0.03f, 0.13f, 0.4f, 0.77f, 1, 1.3f};
    const float period = factors[random.below(6)] * std::max(side, 1e-3f);
    return random.one_in(3) ? std::exp2(std::round(std::log2(period))) : period;
}

// The same boxes a few times around, and some of them exactly on a seam.
std::vector<Box> around(const std::vector<Box>& boxes, const EngineConfig& config, Random& random) {
    std::vector<Box> there;
    for (const Box& box : boxes) {
        const auto times = [&] { return static_cast<float>(static_cast<int>(random.below(5)) - 2); };
        Box moved = box.moved(times() * config.period_x, times() * config.period_y);
        if (random.one_in(20)) moved = moved.moved(-moved.min_x, 0);
        if (random.one_in(20)) moved = moved.moved(0, -moved.max_y);
        if (random.one_in(20)) moved = Box::around(0, moved.min_y, 0, 0);
        there.push_back(moved);
    }
    return there;
}

class EveryServedCall : public ::testing::TestWithParam<SceneRecipe> {
protected:
    void compare(std::size_t agents, std::size_t states, const Amounts& amounts, std::uint64_t seed) {
        Scene scene(GetParam(), agents, seed);
        if (!is_at_hand(scene)) return;
        Random random(seed);
        const Box bounds = bounds_of(scene.agents());
        EngineConfig config = scene.configure();
        config.period_x = period_for(bounds.max_x - bounds.min_x, random);
        config.period_y = period_for(bounds.max_y - bounds.min_y, random);
        if (config.period_x == 0 && config.period_y == 0) config.period_x = 1 + bounds.max_x - bounds.min_x;
        ManyTwins worlds(config);
        for (std::size_t i = 0; i < states; ++i, scene.step()) {
            SCOPED_TRACE(scene.name() + ", " + std::to_string(agents) + " agents, state " +
                         std::to_string(i) + ", seed " + std::to_string(seed) + ", periods " +
                         std::to_string(config.period_x) + " and " + std::to_string(config.period_y));
            const By ways[] = {By::update, By::ids_with_holes, By::edits, By::other_ids, By::another_origin};
            const State state{ways[random.below(5)], random.one_in(2), random.one_in(2), random.one_in(3),
                              random.one_in(3)};
            bring_into(state, scene.with(around(scene.agents(), config, random)), worlds.twins(), random);
            const std::vector<Box> boxes = worlds.twins().twin().boxes();
            ASSERT_TRUE(worlds.agree(scene.with(random.one_in(2) ? boxes : around(boxes, config, random)),
                                     amounts, static_cast<Filtered>(random.below(4)), random.next()));
            if (::testing::Test::HasFailure()) return;
        }
    }
};

TEST_P(EveryServedCall, agrees_with_brute_force_over_all_images) {
    for (std::uint64_t seed = 1; seed <= scaled(8, 2); ++seed)
        compare(400, 2, {scaled(700, 330), scaled(300, 40), 40, 40, 9, 4}, seed);
}

TEST_P(EveryServedCall, agrees_among_very_few_agents) {
    for (std::uint64_t seed = 1; seed <= scaled(30, 8); ++seed)
        compare(1 + seed * 7 % 19, 2, {40, 40, 40, 40, 1, 6}, seed);
}

INSTANTIATE_TEST_SUITE_P(every, EveryServedCall, enough_scenes(3), scene_name);

TEST(Torus, a_bad_period_is_refused_when_the_engine_is_made) {
    for (const float bad : {-1.0f, NAN, INFINITY, 1e31f, 1e-31f, -0.5f}) {
        EXPECT_EQ(Engine({.period_x = bad}).status(), Code::bad_config) << bad;
        EXPECT_EQ(Engine({.period_y = bad}).status().argument, Argument::period) << bad;
    }
    EXPECT_EQ(Engine({.period_x = 0, .period_y = 1e-30f}).status(), Status{});
}

TEST(Torus, agents_are_folded_and_those_inside_stay_as_they_are) {
    Engine engine({.period_x = 10});
    const std::vector<Box> boxes{
        {0.1f, -70, 0.3f, -60}, {12, 0, 13, 1}, {-1, 0, 0, 1}, {-3, 5, 40, 6}, {9, 0, 11, 1}};
    ASSERT_EQ(engine.update(boxes), Status{});
    EXPECT_EQ(engine.frame().box(0), boxes[0]);
    EXPECT_EQ(engine.frame().box(1), (Box{2, 0, 3, 1}));
    EXPECT_EQ(engine.frame().box(2), (Box{9, 0, 10, 1}));
    EXPECT_EQ(engine.frame().box(3), (Box{-1.5f, 5, 18.5f, 6})) << "its middle, and a period to each side";
    EXPECT_EQ(engine.frame().box(4), (Box{-1, 0, 1, 1})) << "the seam is the world's lower edge";
}

// Boxes of any size, of which many have a centre within a few roundings of a seam.
std::vector<Box> boxes_near_seams(float period, std::size_t count, Random& random) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        const float half_sizes[] = {0.003f, 0.3f, 0.5f, 0.501f, 0.7f, 1, 1.3f};
        const float half =
            period * half_sizes[random.below(7)] * (random.one_in(2) ? 1 : random.uniform(0, 1));
        const auto centre = [&] {
            if (random.one_in(3)) return random.uniform(-2 * period, 3 * period);
            const float seam = static_cast<float>(static_cast<int>(random.below(5)) - 2) * period;
            return seam +
                   period * std::ldexp(random.uniform(-1, 1), -20 - static_cast<int>(random.below(30)));
        };
        const float x = centre();
        boxes.push_back(Box::around(x, centre(), half, half));
    }
    return boxes;
}

TEST(Torus, a_box_lies_where_one_in_doubles_lies_and_where_it_lay_before) {
    Random random(5);
    for (const float period : {100.0f, 0.7f, 8.0f, 1e-30f, 3e7f}) {
        const std::vector<Box> boxes = boxes_near_seams(period, 4000, random);
        std::vector<double> columns[4];
        for (const Box& box : boxes) {
            const float edges[] = {box.min_x, box.min_y, box.max_x, box.max_y};
            for (int k = 0; k < 4; ++k) columns[k].push_back(static_cast<double>(edges[k]));
        }
        Engine engine({.period_x = period, .period_y = period}),
            of_doubles({.period_x = period, .period_y = period});
        ASSERT_EQ(engine.update(boxes), Status{});
        ASSERT_EQ(of_doubles.update(Boxes::min_max(columns[0], columns[1], columns[2], columns[3], Origin{})),
                  Status{});
        std::vector<Box> there;
        for (AgentId id = 0; id < boxes.size(); ++id) there.push_back(engine.frame().box(id));
        for (AgentId id = 0; id < boxes.size(); ++id) {
            ASSERT_EQ(of_doubles.frame().box(id), there[id]) << id << ", period " << period;
            EXPECT_EQ(oracle::folded(boxes[id], {period, period}), there[id]) << id << ", period " << period;
            EXPECT_LT(double{there[id].min_x} + double{there[id].max_x}, 2 * double{period}) << id;
        }
        ASSERT_EQ(engine.update(there), Status{});
        for (AgentId id = 0; id < boxes.size(); ++id) ASSERT_EQ(engine.frame().box(id), there[id]) << id;
    }
}

// The grid begins where it began before, so a rebase moves the agents and not their grid.
TEST(Torus, a_rebase_leaves_the_grid_where_the_agents_are) {
    const Scene scene = make_scene("uniform", 3000);
    const Box bounds = bounds_of(scene.agents());
    for (const bool both : {true, false}) {
        EngineConfig config{.executor = serial_executor(), .period_x = bounds.max_x - bounds.min_x};
        if (both) config.period_y = bounds.max_y - bounds.min_y;
        Engine engine(config);
        ASSERT_EQ(engine.update(scene.boxes()), Status{});
        const Tuning before = engine.frame().tuning();
        ASSERT_EQ(engine.rebase(3 * config.period_x, 1000), Status{});
        EXPECT_EQ(engine.frame().tuning().origin_x, before.origin_x);
        EXPECT_NEAR(engine.frame().tuning().origin_y, before.origin_y - (both ? 0 : 1000), 1e-3f);
    }
}

TEST(Torus, an_update_with_pairs_lists_those_across_the_seams) {
    const Scene scene = make_scene("uniform", 2000);
    const Box bounds = bounds_of(scene.agents());
    Twins twins({.period_x = 0.9f * bounds.max_x, .period_y = 0.7f * bounds.max_y});
    EXPECT_EQ(twins.update_with_pairs(scene.boxes()), Code::ok);
    const std::vector<Box> folded = twins.twin().boxes();
    PairList with, without;
    Engine flat;
    ASSERT_EQ(flat.update(folded, without), Status{});
    ASSERT_EQ(twins.frame().pairs(with), Status{});
    EXPECT_GT(with.size(), without.size());
    oracle::PairLists expected;
    ASSERT_EQ(twins.twin().pairs(expected), Status{});
    EXPECT_EQ(with.size(), expected.size());
}

TEST(Torus, an_update_lists_pairs_once_where_agents_are_nearly_as_wide_as_the_world) {
    const std::vector<Box> boxes{{0, 0, 3, 1}, {3.5f, 0, 4.5f, 1}, {1, 0.5f, 4.2f, 2}, {-2, 0, 9, 3}};
    Twins twins({.period_x = 5, .period_y = 4});
    EXPECT_EQ(twins.update_with_pairs(boxes), Code::ok);
    oracle::PairLists expected;
    ASSERT_EQ(twins.twin().pairs(expected), Status{});
    EXPECT_EQ(twins.frame().count_pairs().total, expected.size());
}

// Agents drift in one direction, so many cross a seam while lists are kept.
TEST(Torus, kept_lists_have_all_that_is_near_also_once_agents_have_crossed_a_seam) {
    const Scene scene = make_scene("uniform", 500);
    const Box bounds = bounds_of(scene.agents());
    const oracle::Around period{0.8f * bounds.max_x, 0.8f * bounds.max_y};
    std::vector<Box> boxes = scene.agents();
    Engine engine({.period_x = period.x, .period_y = period.y});
    KeptNeighbours kept({.radius = 1.5f, .skin = 0.5f});
    std::size_t crossed = 0;
    Random random(3);
    for (int i = 0; i < 40; ++i) {
        std::vector<Box> before;
        if (i != 0) before = boxes;
        for (Box& box : boxes) box = box.moved(random.uniform(0.03f, 0.06f), -0.04f);
        ASSERT_EQ(engine.update(boxes), Status{});
        const Frame frame = engine.frame();
        for (AgentId id = 0; id < before.size(); ++id)
            crossed += oracle::folded(before[id], period).max_x > frame.box(id).max_x;
        ASSERT_EQ(kept.update(frame), Status{});
        NeighbourLists near;
        ASSERT_EQ(frame.neighbours({.radius = 1.5f}, near), Status{});
        ASSERT_EQ(kept.lists().size(), near.size());
        for (std::size_t list = 0; list < near.size(); ++list)
            for (const AgentId id : near[list])
                ASSERT_EQ(std::count(kept.lists()[list].begin(), kept.lists()[list].end(), id), 1)
                    << "frame " << i << ", agent " << id << " near agent " << list;
    }
    EXPECT_GT(crossed, 10u);
    EXPECT_GE(kept.times_rebuilt(), 6u);
    EXPECT_LE(kept.times_rebuilt(), 20u);
}

TEST(Torus, kept_lists_of_another_period_are_made_again) {
    const std::vector<Box> boxes{{0.1f, 0, 0.2f, 1}, {9.8f, 0, 9.9f, 1}};
    KeptNeighbours kept({.radius = 1, .skin = 1});
    for (const float period : {10.0f, 0.0f, 10.0f, 30.0f}) {
        Engine engine({.period_x = period});
        ASSERT_EQ(engine.update(boxes), Status{});
        ASSERT_EQ(kept.update(engine.frame()), Status{});
        EXPECT_TRUE(kept.was_rebuilt());
        EXPECT_EQ(kept.lists().ids().size(), period == 10 ? 2u : 0u) << period;
    }
}

TEST(Torus, an_engine_folds_a_layer_that_it_is_given_and_leaves_the_hosts_as_it_was) {
    Engine engine({.period_x = 10, .period_y = 10});
    const std::vector<Box> walls{{12, 1, 13, 2}, {-1, 3, 1, 4}}, agents{{8, 3, 9.5f, 4}};
    const std::vector<Label> labels{{4, 0}, {4, 7}};
    const StaticLayer layer(walls, {.labels = labels});
    ASSERT_EQ(engine.set_static_layer(layer), Status{});
    ASSERT_EQ(engine.update(agents), Status{});
    const Frame frame = engine.frame();
    EXPECT_EQ(frame.static_layer().box(0), (Box{2, 1, 3, 2}));
    EXPECT_EQ(frame.static_layer().label(1), labels[1]);
    EXPECT_EQ(layer.frame().box(0), walls[0]);
    EXPECT_EQ(frame.count_pairs(with_other(frame.static_layer())).total, 1u) << "across the seam";
    EXPECT_EQ(frame.static_layer().count_pairs(with_other(frame)).total, 1u);
    ASSERT_EQ(engine.set_static_layer(StaticLayer()), Status{});
    ASSERT_EQ(engine.update(agents), Status{});
    EXPECT_EQ(engine.frame().count_pairs(with_other(engine.frame().static_layer())).total, 0u);
}

TEST(Torus, frames_of_worlds_that_wrap_around_otherwise_are_refused) {
    Engine engine({.period_x = 10, .period_y = 10}), other({.period_x = 10}),
        like({.period_x = 10, .period_y = 10});
    const std::vector<Box> one{{1, 1, 2, 2}};
    for (Engine* each : {&engine, &other, &like}) ASSERT_EQ(each->update(one), Status{});
    const Frame frame = engine.frame(), layer = StaticLayer(one).frame();
    PairList pairs;
    NeighbourLists lists;
    for (const Frame& another : {other.frame(), layer}) {
        EXPECT_EQ(frame.pairs(pairs, with_other(another)).argument, Argument::period);
        EXPECT_EQ(another.pairs(pairs, with_other(frame)).argument, Argument::period);
        EXPECT_EQ(frame.count_pairs(with_other(another)).status, Code::bad_config);
        EXPECT_EQ(frame.pairs(std::span<Pair>(), with_other(another)).status.argument, Argument::period);
        EXPECT_EQ(frame.neighbours_in(another, {.radius = 1}, lists).argument, Argument::period);
        EXPECT_EQ(another.neighbours_in(frame, Nearest{.count = 1}, lists), Code::bad_config);
    }
    EXPECT_EQ(frame.pairs(pairs, with_other(like.frame())), Status{});
    EXPECT_EQ(pairs.size(), 1u);
}

TEST(Torus, what_goes_around_too_often_is_refused) {
    Engine engine({.period_x = 10, .period_y = 10});
    const std::vector<Box> one{{1, 1, 2, 2}};
    ASSERT_EQ(engine.update(one), Status{});
    const Frame frame = engine.frame();
    EXPECT_EQ(frame.first_hit(Cast::ray(0, 0, 161, 1)).status, Code::too_large);
    const std::vector<Point> long_way{{0, 0}, {161, 1}};
    const Status refused = frame.count(ThickSegment{long_way[0], long_way[1], 0}).status;
    EXPECT_EQ(refused, Code::too_large);
    EXPECT_NE(std::string_view(refused.message()).find("around the world"), std::string_view::npos);
}

// A query goes around too often or is illegal: whichever comes first is named, also in the second block.
TEST(Torus, a_batch_names_the_first_that_is_refused) {
    Engine engine({.period_x = 10, .period_y = 10});
    const std::vector<Box> agents(20, Box{1, 1, 2, 2});
    ASSERT_EQ(engine.update(agents), Status{});
    const Frame frame = engine.frame();
    const Cast short_cast = Cast::ray(0, 0, 3, 3), long_cast = Cast::ray(0, 0, 161, 1),
               no_cast = Cast::ray(NAN, 0, 1, 1);
    const Shape short_shape = ThickSegment{{0, 0}, {3, 3}, 0}, long_shape = ThickSegment{{0, 0}, {161, 1}, 0},
                no_shape = ThickSegment{{NAN, 0}, {1, 1}, 0};
    for (const bool long_first : {true, false}) {
        std::vector<Cast> casts(40, short_cast);
        std::vector<Shape> shapes(40, short_shape);
        casts[30] = long_first ? long_cast : no_cast, casts[35] = long_first ? no_cast : long_cast;
        shapes[30] = long_first ? long_shape : no_shape, shapes[35] = long_first ? no_shape : long_shape;
        const Status expected{long_first ? Code::too_large : Code::not_finite, 30};
        std::vector<CastHit> hits(40, CastHit{7, 0.5f});
        std::vector<std::uint8_t> found(40, 1);
        CastHits all;
        OverlapLists lists;
        EXPECT_EQ(frame.first_hits(casts, hits), expected);
        EXPECT_EQ(hits, std::vector<CastHit>(40)) << "as of any batch that is refused";
        EXPECT_EQ(frame.blocked(casts, found), expected);
        EXPECT_EQ(frame.all_hits(casts, all), expected);
        EXPECT_EQ(frame.overlaps(shapes, lists), expected);
        std::size_t blocks = 0;
        const auto count = [&](std::size_t, const auto&) { ++blocks; };
        EXPECT_EQ(frame.for_each_answer(casts, all, count, {.max_bytes = 500}), expected);
        EXPECT_EQ(frame.for_each_answer(shapes, lists, count, {.max_bytes = 500}), expected);
        EXPECT_EQ(blocks, 0u) << "all are looked at before the first answer";
    }
}

TEST(Torus, a_frame_without_agents_wraps_around_as_its_engine_does) {
    Engine engine({.period_x = 10, .period_y = 10});
    const Frame none = engine.frame();
    EXPECT_EQ(none.first_hit(Cast::ray(0, 0, 161, 1)).status, Code::too_large);
    const std::vector<Box> one{{1, 1, 2, 2}};
    ASSERT_EQ(engine.update(one), Status{});
    NeighbourLists lists;
    EXPECT_EQ(engine.frame().neighbours_in(none, {.radius = 1}, lists), Status{});
    EXPECT_EQ(none.neighbours_in(engine.frame(), {.radius = 1}, lists), Status{});
}

// Boxes of doubles, so many periods away, where floats are too coarse for them.
struct Body {
    double x, y, half, to_x, to_y;
};
std::vector<Body> bodies_at(double away) {
    std::vector<Body> bodies;
    Random random(3);
    const auto number = [&](double most) {
        return std::floor(static_cast<double>(random.below(1 << 20)) * most) * 0x1p-20;
    };
    for (int i = 0; i < 200; ++i) {
        const double x = number(16) + away, y = number(16) - away, half = number(0.5);
        bodies.push_back({x, y, half, x + half, y + half});
    }
    return bodies;
}
Boxes boxes_of(const std::vector<Body>& bodies, int form) {
    if (form == 0) return Boxes::min_max(bodies, &Body::x, &Body::y, &Body::to_x, &Body::to_y, Origin{});
    if (form == 1) return Boxes::points(bodies, &Body::x, &Body::y, 0.25f, Origin{});
    return Boxes::centre_half(bodies, &Body::x, &Body::y, &Body::half, &Body::half, Origin{});
}

TEST(Torus, agents_in_doubles_are_folded_before_they_are_rounded) {
    const std::vector<Body> far = bodies_at(0x1p23), near = bodies_at(0);
    std::vector<AgentId> ids(far.size());
    for (const int form : {0, 1, 2}) {
        Engine engine({.period_x = 16, .period_y = 16}), expected({.period_x = 16, .period_y = 16});
        ASSERT_EQ(expected.update(boxes_of(near, form)), Status{});
        const auto compare = [&](const char* call) {
            for (AgentId id = 0; id < far.size(); ++id)
                ASSERT_EQ(engine.frame().box(id), expected.frame().box(id)) << call << ", form " << form;
        };
        ASSERT_EQ(engine.insert(boxes_of(far, form), ids), Status{});
        ASSERT_EQ(engine.commit(), Status{});
        compare("insert");
        ASSERT_EQ(engine.update(boxes_of(far, form)), Status{});
        compare("update");
    }
}

TEST(Torus, queries_in_doubles_are_folded_before_they_are_rounded) {
    const std::vector<Body> far = bodies_at(0x1p23), near = bodies_at(0);
    Engine engine({.period_x = 16, .period_y = 16});
    ASSERT_EQ(engine.update(boxes_of(near, 1)), Status{});
    for (const int form : {0, 1, 2}) {
        std::vector<std::uint32_t> counts(far.size()), expected(far.size());
        ASSERT_EQ(engine.frame().count(boxes_of(far, form), counts), Status{});
        ASSERT_EQ(engine.frame().count(boxes_of(near, form), expected), Status{});
        EXPECT_EQ(counts, expected) << "form " << form;
    }
    NeighbourLists lists;
    const Points points = Points::members(far, &Body::x, &Body::y, Origin{});
    ASSERT_EQ(engine.frame().neighbours(points, Nearest{.count = 1, .distances = true}, lists), Status{});
    for (std::size_t i = 0; i < far.size(); ++i) EXPECT_EQ(lists.squared_distances(i)[0], 0) << i;
}

// The square of any distance is zero there, so all agents are near each other, and each comes once.
TEST(Torus, a_world_whose_period_has_no_square_lists_an_agent_once) {
    Twins twins({.period_x = 1e-30f, .period_y = 1e-30f});
    std::vector<Box> boxes;
    for (int i = 0; i < 50; ++i)
        boxes.push_back(Box::around(static_cast<float>(i) * 1e-32f, static_cast<float>(i) * 3e-32f, 0, 0));
    ASSERT_EQ(twins.update(boxes), Code::ok);
    NeighbourLists lists;
    ASSERT_EQ(twins.frame().neighbours({.radius = 1e-33f}, lists), Status{});
    ASSERT_EQ(lists.size(), boxes.size());
    for (std::size_t i = 0; i < lists.size(); ++i) EXPECT_EQ(lists[i].size(), boxes.size() - 1);
}

}  // namespace
}  // namespace throng::test
