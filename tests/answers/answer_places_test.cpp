// Blocks that are asked for one by one, each from a given place, are the blocks of one call.
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr std::size_t bytes_of_a_block = 20000;

// Where each block began, and what it had.
struct Blocks {
    std::vector<std::size_t> firsts, sizes;
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> answers;

    template <class Answers>
    void add(std::size_t first, const Answers& some) {
        firsts.push_back(first);
        sizes.push_back(some.size());
        offsets.insert(offsets.end(), some.offsets().begin(), some.offsets().end());
        for (const auto& list : some)
            for (const auto& answer : list) add_one(answer);
    }
    void add_one(AgentId id) { answers.push_back(id); }
    void add_one(const CastHit& hit) { answers.push_back(hit.id); }
    friend bool operator==(const Blocks&, const Blocks&) = default;
};

// call(visitor, limit) makes blocks within `limit`, of agents and perhaps of elements.
template <class Call>
void expect_the_same_one_by_one(std::size_t count, const Call& call) {
    Blocks all, one_by_one;
    const auto note_all = [&](std::size_t first, const auto&... some) { (all.add(first, some), ...); };
    ASSERT_EQ(call(note_all, AnswerLimit{.max_bytes = bytes_of_a_block}), Status{});
    const auto note_one = [&](std::size_t first, const auto&... some) {
        (one_by_one.add(first, some), ...);
        return false;
    };
    for (AnswerPlace place; place.first < count;) {
        const std::size_t before = place.first;
        ASSERT_EQ(call(note_one, AnswerLimit{.max_bytes = bytes_of_a_block, .place = &place}), Status{});
        ASSERT_GT(place.first, before);
    }
    EXPECT_GT(all.firsts.size(), 2u);
    EXPECT_TRUE(all == one_by_one);
}

struct World {
    World() : scene(make_scene("clustered", 4000)), engine(engine_with(scene.boxes())) {
        const std::vector<Box> walls = scene.queries(500, 3);
        EXPECT_EQ(engine.set_static_layer(StaticLayer(walls)), Status{});
        EXPECT_EQ(engine.update(scene.boxes()), Status{});
        frame = engine.frame();
        for (const Box& box : scene.agents()) {
            points.push_back(box.centre());
            circles.push_back({box.min_x, box.min_y, 2});
            casts.push_back(Cast::ray(box.min_x, box.min_y, 20, 5));
        }
    }
    Scene scene;
    Engine engine;
    Frame frame;
    std::vector<Point> points;
    std::vector<Circle> circles;
    std::vector<Cast> casts;
    OverlapLists hits, wall_hits;
    NeighbourLists lists, wall_lists;
    CastHits cast_hits;
};

TEST(AnswerPlaces, one_by_one_give_the_blocks_of_one_call) {
    World w;
    const std::size_t count = w.points.size();
    const std::vector<Filter> filters(count, Filter{.self = 7});
    std::vector<float> radii(count, 2.0f);
    radii[5] = 0.5f;
    const Frame& f = w.frame;
    const WithStatic both = f.with_static();
    const auto same = [&](const auto& call) { expect_the_same_one_by_one(count, call); };
    same([&](const auto& v, const AnswerLimit& l) {
        return f.for_each_answer(w.scene.boxes(), w.hits, v, l);
    });
    same([&](const auto& v, const AnswerLimit& l) {
        return f.for_each_answer(w.circles, w.hits, v, l, Filters::of(filters));
    });
    same([&](const auto& v, const AnswerLimit& l) {
        return f.for_each_answer(w.points, Within{.radii = radii}, w.lists, v, l);
    });
    for (const bool in_rows : {false, true}) {
        same([&](const auto& v, const AnswerLimit& l) {
            return f.for_each_answer(Within{.radii = radii, .in_row_order = in_rows}, w.lists, v, l);
        });
        same([&](const auto& v, const AnswerLimit& l) {
            return f.for_each_answer(f.static_layer(), Nearest{.count = 3, .in_row_order = in_rows}, w.lists,
                                     v, l);
        });
    }
    same([&](const auto& v, const AnswerLimit& l) { return f.for_each_answer(w.casts, w.cast_hits, v, l); });
}

TEST(AnswerPlaces, one_by_one_give_both_halves_of_the_blocks_of_one_call) {
    World w;
    const WithStatic both = w.frame.with_static();
    const auto same = [&](const auto& call) { expect_the_same_one_by_one(w.points.size(), call); };
    same([&](const auto& v, const AnswerLimit& l) {
        return both.for_each_answer(
            w.scene.boxes(), w.hits, w.wall_hits,
            [&](std::size_t n, const OverlapLists& a, const OverlapLists& b) { return v(n, a, b); }, l);
    });
    same([&](const auto& v, const AnswerLimit& l) {
        return both.for_each_answer(
            Nearest{.count = 4}, w.lists, w.wall_lists,
            [&](std::size_t n, const NeighbourLists& a, const NeighbourLists& b) { return v(n, a, b); }, l);
    });
    same([&](const auto& v, const AnswerLimit& l) {
        return both.for_each_answer(w.casts, w.cast_hits, v, l);
    });
}

// In the first call, whatever query it is; in a later call, when it comes to it. Its number counts in the
// whole batch.
template <class Call>
void expect_refused(const Status& bad, const Call& call) {
    const auto stop = [](std::size_t, const auto&) { return false; };
    AnswerPlace place;
    EXPECT_EQ(call(stop, AnswerLimit{.max_bytes = bytes_of_a_block, .place = &place}), bad);
    EXPECT_EQ(place.first, 0u);
    place = {1, 10};
    EXPECT_EQ(call(stop, AnswerLimit{.max_bytes = bytes_of_a_block, .place = &place}), Status{});
    EXPECT_EQ(place.first, 11u);
    const auto go_on = [](std::size_t, const auto&) {};
    EXPECT_EQ(call(go_on, AnswerLimit{.max_bytes = bytes_of_a_block, .place = &place}), bad);
    EXPECT_LE(place.first, bad.index);
}

TEST(AnswerPlaces, refuse_what_is_illegal_in_their_own_blocks) {
    World w;
    std::vector<Box> boxes = w.scene.agents();
    boxes[3000] = {1, 0, 0, 1};
    w.circles[3001].radius = -1;
    w.points[3002].x = std::numeric_limits<float>::infinity();
    w.casts[3003].radius = -1;
    std::vector<float> radii(w.points.size(), 2.0f);
    radii[3004] = -1;
    const Frame& f = w.frame;
    expect_refused({Code::inverted, 3000}, [&](const auto& v, const AnswerLimit& l) {
        return f.for_each_answer(
            boxes, w.hits, [&](std::size_t n, const OverlapLists& a) { return v(n, a); }, l);
    });
    expect_refused({Code::inverted, 3001}, [&](const auto& v, const AnswerLimit& l) {
        return f.for_each_answer(
            w.circles, w.hits, [&](std::size_t n, const OverlapLists& a) { return v(n, a); }, l);
    });
    expect_refused({Code::not_finite, 3002}, [&](const auto& v, const AnswerLimit& l) {
        return f.for_each_answer(
            w.points, Within{.radius = 1}, w.lists,
            [&](std::size_t n, const NeighbourLists& a) { return v(n, a); }, l);
    });
    expect_refused({Code::inverted, 3003}, [&](const auto& v, const AnswerLimit& l) {
        return f.for_each_answer(
            w.casts, w.cast_hits, [&](std::size_t n, const CastHits& a) { return v(n, a); }, l);
    });
    expect_refused({Code::inverted, 3004}, [&](const auto& v, const AnswerLimit& l) {
        return f.for_each_answer(
            Within{.radii = radii}, w.lists, [&](std::size_t n, const NeighbourLists& a) { return v(n, a); },
            l);
    });
}

TEST(AnswerPlaces, behind_the_last_query_give_no_block) {
    World w;
    AnswerPlace place{w.points.size(), 0};
    const auto none = [](std::size_t, const OverlapLists&) { FAIL(); };
    EXPECT_EQ(w.frame.for_each_answer(w.scene.boxes(), w.hits, none, {.place = &place}), Status{});
    EXPECT_TRUE(w.hits.empty());
}

}  // namespace
}  // namespace throng::test
