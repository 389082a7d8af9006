// Every call in worlds with storeys, and in worlds whose heights are hard for these, against brute force.
#include "engine/src/frame/frame_state.hpp"
#include "harness/agreement.hpp"
#include "support/engine_inside.hpp"
#include "support/filtered_answers.hpp"
#include "support/test.hpp"
#include "support/twins.hpp"

namespace throng::test {
namespace {

constexpr float endless = std::numeric_limits<float>::infinity();
constexpr std::size_t agents = 2300;  // enough for four storeys

Box in_a_crowd(Random& random) {
    return Box::around(random.uniform(0, 40), random.uniform(0, 40), random.uniform(0.2f, 0.5f),
                       random.uniform(0.2f, 0.5f));
}
Box in_a_pile(Random&) { return {3, 3, 4, 4}; }
Box with_giants(Random& random) {
    const float half = random.one_in(40) ? random.uniform(2, 15) : 0.4f;
    return Box::around(random.uniform(0, 40), random.uniform(0, 40), half, half);
}

// Towers, and a tower and a crowd, so far apart that they are islands; some giants reach from one into
// others.
Box in_far_towers(Random& random) {
    const auto tower = static_cast<float>(random.below(3));
    const float half = random.one_in(200) ? random.uniform(2, 5000) : random.uniform(0.2f, 0.5f);
    return Box::around(random.uniform(0, 14) + 3000 * tower, random.uniform(0, 14) + 700 * tower, half, half);
}
Box in_a_tower_far_from_a_crowd(Random& random) {
    return random.one_in(2) ? in_a_crowd(random).moved(5000, 0)
                            : Box::around(random.uniform(0, 14), random.uniform(0, 14), 0.3f, 0.3f);
}
// Cities far apart, with towers far apart, too; and a few agents on the land around them.
Box in_towers_of_cities(Random& random) {
    if (random.one_in(30)) return Box::around(random.uniform(0, 9e5f), random.uniform(0, 900), 0.3f, 0.3f);
    const float x = 4e5f * static_cast<float>(random.below(2)) + 170 * static_cast<float>(random.below(2));
    return Box::around(x + random.uniform(0, 12),
                       170 * static_cast<float>(random.below(2)) + random.uniform(0, 12), 0.3f, 0.3f);
}

// Edges of storeys, of stairs and of the harness's filters have heights in common.
Band on_a_storey(Random& random, const Box&) {
    const float base = 3 * static_cast<float>(random.below(4));
    return {base, base + 1.5f};
}
Band on_storeys_or_stairs(Random& random, const Box& box) {
    if (!random.one_in(24)) return on_a_storey(random, box);
    switch (random.below(5)) {
    case 0: return {};
    case 1: return {-endless, random.uniform(0, 9)};
    case 2: return {random.uniform(0, 9), endless};
    default: {
        const float base = random.uniform(0, 9);
        return {base, base + 1.5f};
    }
    }
}
Band at_any_height(Random& random, const Box&) {
    const float base = random.uniform(0, 11);
    return {base, base + random.uniform(0, 0.1f)};
}
Band on_thousand_storeys(Random& random, const Box&) {
    const float base = 0.01f * static_cast<float>(random.below(1000));
    return {base, base};
}
Band at_every_height_but_one(Random& random, const Box&) {
    return random.below(agents) == 0 ? Band{1, 2} : Band{};
}
Band on_storeys_of_the_tower(Random& random, const Box& box) {
    return box.min_x > 1000 ? Band{0, 1.5f} : on_storeys_or_stairs(random, box);
}
Band on_a_slope(Random&, const Box& box) { return {box.min_x / 4, box.min_x / 4 + 1.5f}; }

// No floor goes through them, and those of one storey share no height.
Band somewhere_on_a_storey(Random& random, const Box&) {
    const float base = 3 * static_cast<float>(random.below(4)) + random.uniform(0, 1);
    return {base, base + 0.3f};
}
// All have the height 1, some of them at an edge.
Band on_the_ground(Random& random, const Box&) {
    return {0.5f * static_cast<float>(random.below(3)), 1 + 0.5f * static_cast<float>(random.below(3))};
}
Band on_the_ground_or_above_it(Random& random, const Box& box) {
    return random.one_in(700) ? Band{6, 7.5f} : on_the_ground(random, box);
}

struct World {
    const char* name;
    Box (*place)(Random&);
    Band (*height)(Random&, const Box&);
    bool has_storeys;
    bool has_islands = false;
};
constexpr std::array worlds{
    World{"tower", in_a_crowd, on_a_storey, true},
    World{"stairs", in_a_crowd, on_storeys_or_stairs, true},
    World{"giants", with_giants, on_storeys_or_stairs, true},
    World{"any_height", in_a_crowd, at_any_height, true},
    World{"pile", in_a_pile, on_thousand_storeys, true},
    World{"every_height_but_one", in_a_crowd, at_every_height_but_one, false},
    World{"lamps", in_a_crowd, somewhere_on_a_storey, true},
    World{"ground", in_a_crowd, on_the_ground, false},
    World{"ground_and_giants", with_giants, on_the_ground, false},
    World{"ground_and_a_bird", in_a_crowd, on_the_ground_or_above_it, false},
    World{"slope", in_a_crowd, on_a_slope, false},
    World{"far_towers", in_far_towers, on_storeys_or_stairs, true, true},
    World{"tower_far_from_a_crowd", in_a_tower_far_from_a_crowd, on_storeys_of_the_tower, true, true},
    World{"towers_of_cities", in_towers_of_cities, on_storeys_or_stairs, true, true}};
void PrintTo(const World& world, std::ostream* out) { *out << world.name; }

class EveryCallOnStoreys : public ::testing::TestWithParam<World> {
protected:
    void place(std::size_t count) {
        boxes_.clear();
        bands_.clear();
        while (boxes_.size() < count) {
            boxes_.push_back(GetParam().place(random_));
            bands_.push_back(GetParam().height(random_, boxes_.back()));
        }
    }
    // Some walls have a height, and so storeys of their own; or none has.
    void set_walls(bool have_heights = true) {
        std::vector<Box> walls;
        std::vector<Band> heights;
        for (int i = 0; i < 1200; ++i) {
            walls.push_back(in_a_crowd(random_));
            heights.push_back(on_storeys_or_stairs(random_, walls.back()));
        }
        worlds_.twins().set_static_layer(walls, {}, have_heights ? heights : std::vector<Band>());
    }
    // Whether the world has storeys, and islands that have some, as it should.
    bool is_divided_as_it_should() {
        const auto& map = state_behind(worlds_.twins().frame()).map;
        bool on_islands = false;
        for (std::uint32_t region = 1; region < map.regions(); ++region)
            on_islands |= map.has_storeys(region);
        return map.has_storeys() == GetParam().has_storeys && on_islands == GetParam().has_islands;
    }
    void expect_agreement(Filtered filtered) {
        const Scene scene(
            {GetParam().name, 0, 0, 100000,
             [](Random& random, std::size_t, float) { return GetParam().place(random); }, nullptr},
            10, 1);
        ASSERT_TRUE(
            worlds_.agree(scene.with(worlds_.twins().twin().boxes()), amounts_, filtered, random_.next()));
    }
    // Moves on a storey and between storeys, agents that come and leave.
    void edit(std::size_t count) {
        Twins& twins = worlds_.twins();
        for (std::size_t i = 0; i < count; ++i) {
            const auto id = static_cast<AgentId>(random_.below(agents));
            const Box box = GetParam().place(random_);
            const Band height = GetParam().height(random_, box);
            AgentId other = 0;
            if (!twins.knows(id))
                (void)twins.insert(Boxes::of({&box, 1}), {&other, 1},
                                   UpdateOptions{.heights = Heights::of({&height, 1})});
            else if (random_.one_in(8))
                (void)twins.remove(id);
            else
                (void)(random_.one_in(2) ? twins.move(id, box, height) : twins.move(id, box));
        }
        (void)twins.commit();
    }

    Random random_{7};
    ManyTwins worlds_{{}};
    std::vector<Box> boxes_;
    std::vector<Band> bands_;
    const Amounts amounts_{scaled(600, 60), scaled(200, 20), 20, scaled(200, 20), 9, 4};
};

TEST_P(EveryCallOnStoreys, agrees_with_brute_force) {
    const std::vector<Label> labels = labels_by_id(agents);
    for (std::size_t frame = 0; frame < 4; ++frame) {
        SCOPED_TRACE(frame);
        place(agents);
        if (frame >= 2) set_walls(frame == 2);
        // Ids in any order in one frame, and labels in another.
        if (frame == 1) {
            std::vector<AgentId> ids(agents);
            std::iota(ids.begin(), ids.end(), 0u);
            shuffle(ids, random_);
            ASSERT_EQ(worlds_.twins().update(ids, boxes_, {.heights = bands_}), Code::ok);
        } else {
            ASSERT_EQ(worlds_.twins().update(
                          boxes_, {.labels = frame == 3 ? Labels(labels) : Labels(), .heights = bands_}),
                      Code::ok);
        }
        EXPECT_TRUE(is_divided_as_it_should());
        ASSERT_NO_FATAL_FAILURE(expect_agreement(static_cast<Filtered>(frame)));
    }
}

TEST_P(EveryCallOnStoreys, agrees_with_brute_force_after_commits) {
    place(agents);
    ASSERT_EQ(worlds_.twins().update(boxes_, {.heights = bands_}), Code::ok);
    for (const std::size_t edits : {1u, 5u, 40u, 300u, 40u}) {
        edit(edits);
        ASSERT_NO_FATAL_FAILURE(
            expect_agreement(edits == 40 ? Filtered::each_by_its_own : Filtered::not_at_all));
    }
    EXPECT_TRUE(is_divided_as_it_should());
    (void)worlds_.twins().rebase(100, -3);
    EXPECT_TRUE(is_divided_as_it_should());
    ASSERT_NO_FATAL_FAILURE(expect_agreement(Filtered::each_without_itself));
}

// Runs of queries and casts on one storey, short and long ones, whose bands all of its agents share; some
// queries among them reach far.
TEST_P(EveryCallOnStoreys, agrees_with_brute_force_on_one_storey_after_the_other) {
    place(agents);
    ASSERT_EQ(worlds_.twins().update(boxes_, {.heights = bands_}), Code::ok);
    FilteredQueries asked;
    std::vector<Cast> casts;
    for (std::size_t run = 0; run < 40; ++run) {
        const float base = 3 * static_cast<float>(run % 4);
        for (std::size_t i = 0; i < (run % 2 == 0 ? scaled(90, 90) : 1 + run / 3); ++i) {
            const float half = random_.one_in(20) ? 12 : 0.5f;
            const Box at = GetParam().place(random_);
            asked.queries.push_back(Box::around(at.min_x, at.min_y, half, half));
            asked.filters.push_back({.heights = {base + 0.5f, base + 1}});
            casts.push_back(Cast::ray(at.min_x, at.min_y, random_.uniform(-1, 1), random_.uniform(-1, 1)));
        }
    }
    const Frame frame = worlds_.twins().frame();
    const oracle::BruteForceFrame twin = worlds_.twins().twin();
    EXPECT_TRUE(filters_agree(frame, twin, asked));
    std::vector<CastHit> hits(casts.size()), expected(casts.size());
    ASSERT_EQ(frame.first_hits(casts, hits, asked.filters), Status{});
    ASSERT_EQ(twin.first_hits(casts, expected, asked.filters), Status{});
    for (std::size_t i = 0; i < casts.size(); ++i) ASSERT_EQ(hits[i].id, expected[i].id) << i;
}

// A plan with floors outlives the heights for which it was made.
TEST_P(EveryCallOnStoreys, agrees_with_brute_force_when_heights_come_and_go) {
    set_walls();
    for (std::size_t frame = 0; frame < 3; ++frame) {
        place(agents);
        const Heights heights = frame == 1 ? Heights() : Heights(bands_);
        ASSERT_EQ(worlds_.twins().update(boxes_, {.heights = heights}), Code::ok);
        ASSERT_NO_FATAL_FAILURE(expect_agreement(Filtered::each_by_its_own));
    }
}

INSTANTIATE_TEST_SUITE_P(every, EveryCallOnStoreys, ::testing::ValuesIn(enough_of(worlds, 1)),
                         [](const auto& world) { return std::string(world.param.name); });

}  // namespace
}  // namespace throng::test
