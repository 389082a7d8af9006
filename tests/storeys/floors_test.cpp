// Where floors are: between storeys, through as few agents as possible, and nowhere if they save nothing.
#include "engine/src/casts/casts.hpp"
#include "engine/src/plan/survey.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using detail::find_floors;
using detail::layer_of;

constexpr std::size_t sampled = 2000;

template <class BandAt>
std::vector<Band> bands_of(const BandAt& band_at) {
    std::vector<Band> bands;
    for (std::size_t i = 0; i < sampled; ++i) bands.push_back(band_at(i));
    return bands;
}
Band standing_at(float base) { return {base, base + 1.8f}; }

TEST(Floors, part_storeys_in_the_middle_of_what_is_between_them) {
    const auto floors = find_floors(
        bands_of([](std::size_t i) { return standing_at(3.0f * static_cast<float>(i % 16)); }), 32);
    ASSERT_EQ(floors.count, 15u);
    for (std::uint32_t k = 0; k < floors.count; ++k)
        EXPECT_FLOAT_EQ(floors.at[k], 3.0f * static_cast<float>(k) + 2.4f);
    EXPECT_NE(floors.at[floors.count], floors.at[floors.count]) << "what is behind the last is NaN";
}

TEST(Floors, go_through_few_agents_on_stairs) {
    Random random(1);
    const std::vector<Band> bands = bands_of([&](std::size_t i) {
        return standing_at(i % 50 == 0 ? random.uniform(0, 45) : 3.0f * static_cast<float>(i % 16));
    });
    const auto floors = find_floors(bands, 32);
    EXPECT_GE(floors.count, 12u);
    const auto between = std::count_if(bands.begin(), bands.end(),
                                       [&](const Band& band) { return layer_of(floors, band) == 0; });
    EXPECT_LE(between, 40);
}

TEST(Floors, are_no_more_than_are_wanted) {
    const std::vector<Band> bands =
        bands_of([](std::size_t i) { return standing_at(3.0f * static_cast<float>(i % 100)); });
    for (const std::size_t most : {0u, 1u, 2u, 7u, 32u, 1000u})
        EXPECT_LE(find_floors(bands, most).count + 1,
                  std::max<std::size_t>(1, std::min<std::size_t>(most, 32)));
    EXPECT_EQ(find_floors(bands, 7).count, 6u);
}

TEST(Floors, are_none_where_all_share_a_height_or_are_few) {
    EXPECT_EQ(find_floors({}, 32).count, 0u);
    EXPECT_EQ(find_floors(bands_of([](std::size_t) { return Band{}; }), 32).count, 0u);
    EXPECT_EQ(find_floors(bands_of([](std::size_t i) { return i == 7 ? standing_at(3) : Band{}; }), 32).count,
              0u);
    EXPECT_EQ(find_floors(bands_of([](std::size_t) { return standing_at(1); }), 32).count, 0u);
    Random random(2);
    EXPECT_EQ(find_floors(bands_of([&](std::size_t) { return standing_at(random.uniform(0, 3)); }), 32).count,
              0u);
    const std::vector<Band> some =
        bands_of([](std::size_t i) { return standing_at(i % 2 != 0 ? 3.0f : 0.0f); });
    EXPECT_EQ(find_floors(std::span(some).first(20), 32).count, 0u);
}

TEST(Floors, may_lie_at_the_ends_of_the_floats) {
    constexpr float most = std::numeric_limits<float>::max(), all = std::numeric_limits<float>::infinity();
    const Band ends[] = {{-all, -most}, {most, all}, {-all, -all}, {all, all}};
    const auto floors = find_floors(bands_of([&](std::size_t i) { return ends[i % 4]; }), 32);
    ASSERT_GE(floors.count, 1u);
    for (std::uint32_t k = 0; k < floors.count; ++k) EXPECT_LE(std::abs(floors.at[k]), most);
    EXPECT_NE(layer_of(floors, ends[0]), layer_of(floors, ends[1]));
    const Band next[] = {{1, 1}, {std::nextafter(1.0f, 2.0f), 2}};
    const auto close = find_floors(bands_of([&](std::size_t i) { return next[i % 2]; }), 32);
    ASSERT_EQ(close.count, 1u);
    EXPECT_EQ(close.at[0], next[1].min_z);
}

// Casts of a batch are searched storey by storey, whether their filters or their own heights say where.
TEST(Floors, tell_which_casts_stay_on_one_storey) {
    const detail::WorldMap map(
        simd::Grid{},
        find_floors(bands_of([](std::size_t i) { return standing_at(3.0f * static_cast<float>(i % 16)); }),
                    32));
    const Cast ray = Cast::ray(0, 0, 1, 0);
    const std::vector<Cast> casts{ray, ray.at_heights(standing_at(6)), ray.at_heights(standing_at(6), 0.5f),
                                  ray.at_heights(standing_at(6), 3), ray.at_heights(standing_at(6), -3)};
    const std::vector<std::uint32_t> labels{all_categories, no_agent, no_group};
    const Band third = standing_at(6);
    const simd::LabelFilters everyone,
        one_storey{.first = labels.data(), .bands = &third.min_z, .band_step = 0};
    std::vector<std::uint32_t> layers, filtered;
    for (std::size_t i = 0; i < casts.size(); ++i) {
        layers.push_back(layer_of_cast(map, detail::LyingCasts(casts), everyone, i));
        filtered.push_back(layer_of_cast(map, detail::LyingCasts(casts), one_storey, i));
    }
    EXPECT_EQ(layers, (std::vector<std::uint32_t>{0, 3, 3, 0, 0}));
    EXPECT_EQ(filtered, (std::vector<std::uint32_t>{3, 3, 3, 3, 3}));
}

// Lists that are all full go straight to their places; those of a storey with few agents are not full. All
// but a few agents go down.
TEST(Floors, leave_short_lists_of_the_nearest_to_a_storey_with_few_agents) {
    constexpr std::size_t below = 1200;
    Random random(7);
    std::vector<Box> boxes;
    std::vector<Band> bands;
    for (std::size_t i = 0; i < 2 * below; ++i) {
        boxes.push_back(Box::around(random.uniform(0, 40), random.uniform(0, 40), 0.5f, 0.5f));
        bands.push_back(i < below ? Band{0, 2} : Band{3, 5});
    }
    Engine engine;
    ASSERT_EQ(engine.update(boxes, {.heights = bands}), Status{});
    for (std::size_t above = below; above != 0; --above) {
        if (above == below || above < 12) {
            NeighbourLists lists;
            ASSERT_EQ(engine.frame().neighbours(Nearest{.count = 8, .distances = true}, lists), Status{});
            ASSERT_TRUE(state_behind(engine.frame()).map.has_storeys());
            const std::size_t others = std::min<std::size_t>(8, above - 1);
            EXPECT_EQ(lists.ids().size(), 8 * (2 * below - above) + above * others) << above;
            EXPECT_EQ(lists[static_cast<AgentId>(below)].size(), others);
        }
        const auto last = static_cast<AgentId>(below + above - 1);
        ASSERT_EQ(engine.move(last, boxes[last], Band{0, 2}), Status{});
        if (above % 64 == 0 || above <= 12) {
            ASSERT_EQ(engine.commit(), Status{});
        }
    }
}

double far_apart(const Box& a, const Box& b) {
    const auto gap = [](double min, double max, double other_min, double other_max) {
        return std::max({0.0, other_min - max, min - other_max});
    };
    return std::hypot(gap(a.min_x, a.max_x, b.min_x, b.max_x), gap(a.min_y, a.max_y, b.min_y, b.max_y));
}
std::uint64_t pairs_by_brute_force(const std::vector<Box>& boxes, const std::vector<Band>& bands,
                                   float within) {
    std::uint64_t pairs = 0;
    for (std::size_t a = 0; a < boxes.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            pairs += bands[a].overlaps(bands[b]) && far_apart(boxes[a], boxes[b]) <= within;
    return pairs;
}

// Rows that share a height, and further rows that do not; and agents between storeys, which the plan still
// has when all share a height again.
TEST(Floors, tell_pairs_apart_far_away_and_after_heights_have_changed) {
    constexpr std::size_t count = 3000;
    Random random(11);
    std::vector<Box> boxes;
    std::vector<Band> halves, storeys, shared;
    for (std::size_t i = 0; i < count; ++i) {
        boxes.push_back(Box::around(random.uniform(0, 50), random.uniform(0, 50), 0.5f, 0.5f));
        halves.push_back(boxes[i].min_y < 25 ? Band{0, 1} : Band{5, 6});
        storeys.push_back(i % 2 == 0 ? Band{0, 2} : Band{3, 5});
        shared.push_back(i % 10 == 0 ? Band{1, 4} : Band{0, 2});
    }
    const std::vector<std::vector<Band>> on_a_plain{halves}, with_a_kept_plan{storeys, shared};
    for (const auto& frames : {on_a_plain, with_a_kept_plan}) {
        Engine engine;
        for (const std::vector<Band>& bands : frames) {
            ASSERT_EQ(engine.update(boxes, {.heights = bands}), Status{});
            for (const float within : {0.0f, 1.0f, 12.0f})
                EXPECT_EQ(engine.frame().count_pairs({.within = within}).total,
                          pairs_by_brute_force(boxes, bands, within))
                    << within;
        }
        EXPECT_TRUE(state_behind(engine.frame()).map.has_storeys() == (frames.size() == 2));
    }
}

}  // namespace
}  // namespace throng::test
