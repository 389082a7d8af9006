// What a few agents tell of a frame, beside what all of them do.
#include <map>

#include "engine/src/islands/planning.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Islands within islands around one spot, and some agents that walked off them into one place.
std::vector<Box> octaves_and_strays() {
    Random random(7);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < 100'000; ++i) {
        const float away = i % 200 == 0 ? 0x1p39f : std::exp2(random.uniform(0, 40));
        const float angle = i % 200 == 0 ? random.uniform(1, 1.001f) : random.uniform(0, 6.28f);
        boxes.push_back(
            Box::around(away * std::cos(angle), away * std::sin(angle), 1e-3f * away, 1e-3f * away));
    }
    return boxes;
}

// How many agents on the islands of each cut a search looks into more than one tile for.
std::vector<double> agents_that_leave(const detail::WorldMap& map, const std::vector<Box>& boxes) {
    std::vector<simd::RowReach> reach(map.cuts(), {0, 0});
    std::vector<double> leaving(map.cuts());
    const auto visit = [&](auto&& visit_one) {
        for (const Box& box : boxes)
            if (map.is_common(box)) visit_one(map.region_at(box.min_x, box.min_y), box);
    };
    visit([&](std::uint32_t region, const Box& box) {
        const auto reach_from = [&](std::uint32_t cut) {
            reach[cut] = {std::max(reach[cut].width, box.max_x - box.min_x),
                          std::max(reach[cut].height, box.max_y - box.min_y)};
        };
        for (std::uint32_t c = 0; c < map.cuts(); ++c)
            if (map.tables().cuts[c].region == region) reach_from(c);
        map.visit_cuts_around(region, reach_from);
    });
    visit([&](std::uint32_t region, const Box& box) {
        map.visit_cuts_around(region, [&](std::uint32_t cut) {
            leaving[cut] += detail::WorldMap::leaves_tile(map.tables().tiles[cut], box, reach[cut]);
        });
    });
    return leaving;
}

// What all agents compare on a map, in pairs: those that share a cell, what all on islands look at outside of them, and what only those
// do that look into more than one tile.
struct Compared {
    double sharing = 0, by_all = 0, by_those_that_leave = 0;
};
Compared compared_on(const detail::WorldMap& map, const std::vector<Box>& boxes) {
    std::map<detail::CellNumber, double> cells;
    std::vector<double> in_region(map.regions()), pairs(map.regions());
    Compared found;
    for (const Box& box : boxes)
        if (map.is_common(box)) {
            const std::uint32_t region = map.region_at(box.min_x, box.min_y);
            double& others = cells[map.number_of(map.cell_of(box))];
            ++in_region[region];
            pairs[region] += others;
            found.sharing += others++;
        }
    std::vector<double> islanders(map.cuts());
    for (std::uint32_t region = 1; region < map.regions(); ++region)
        map.visit_cuts_around(region, [&](std::uint32_t cut) { islanders[cut] += in_region[region]; });
    const std::vector<double> leaving = agents_that_leave(map, boxes);
    for (std::uint32_t c = 0; c < map.cuts(); ++c)
        if (const std::uint32_t region = map.tables().cuts[c].region; in_region[region] > 0) {
            found.by_all += pairs[region] / in_region[region] * islanders[c];
            found.by_those_that_leave += pairs[region] / in_region[region] * leaving[c];
        }
    return found;
}

TEST(Foreseen, pairs_are_about_those_of_all_agents_inside_and_outside_of_islands) {
    detail::Store* const store = detail::Store::create(nullptr);
    {
        const std::vector<Box> boxes = octaves_and_strays();
        const auto box_at = [&](std::size_t i) { return boxes[i]; };
        const detail::Tuner tuner(0, 0, 0);
        detail::Plan plan{tuner, detail::HeldMap(store->blocks, detail::WorldMap(tuner.grid()))};
        detail::Planning planning{*simd::kernels(Isa::automatic), nullptr};
        planning.start(boxes.size(), true);
        bool made = false;
        ASSERT_EQ(planning.start_again(*store, boxes.size(), box_at, 4096, plan, made), Status{});
        const detail::WorldMap& map = *plan.map;
        ASSERT_NE(map.tables().tiles[0].nested_count, 0u) << "there is no chain";
        const Compared all = compared_on(map, boxes);
        const double sharing = all.sharing + all.by_those_that_leave;
        const auto foreseen =
            static_cast<double>(planning.foresee(plan, boxes.size(), box_at, detail::closely).sharing);
        EXPECT_LE(foreseen, 1.25 * sharing);
        EXPECT_GE(foreseen, 0.6 * sharing);
    }
    store->drop_reference();
}

// A column that spreads leaves some agents outside of its islands, in cells at which few others look, or hardly anyone if agents
// are points.
TEST(SharingOpens, counts_agents_that_look_outside_of_islands) {
    constexpr std::size_t count = 50'000;
    for (const float half : {0.0f, 2e-5f}) {
        Random random(558);
        std::vector<Box> boxes(count, Box::around(4.55e11f, 0, 0, half));
        Engine engine({.executor = serial_executor()});
        Compared most;
        double foreseen_at_most = 0;
        for (int frame = 0; frame < 10; ++frame) {
            ASSERT_EQ(engine.update(boxes), Status{});
            const Frame published = engine.frame();
            const detail::FrameState& state = state_behind(published);
            const Compared outside = compared_on(state.map, boxes);
            const bool is_little = outside.by_all <= count;
            const double expected = is_little ? outside.by_all : outside.by_those_that_leave;
            EXPECT_NEAR(static_cast<double>(state.sharing_opens), expected, 1 + 0.2 * expected) << frame;
            const auto foreseen =
                static_cast<double>(detail::foresee(
                                        *state.kernels, state.map, count,
                                        [&](std::size_t i) { return boxes[i]; }, detail::closely)
                                        .opens);
            EXPECT_LE(foreseen, 1.25 * expected) << "it is the least that is likely; " << frame;
            if (outside.by_all > most.by_all) most = outside, foreseen_at_most = foreseen;
            for (Box& box : boxes) {
                const float by = 0.1f * std::sin(random.uniform(0, 6.28f));
                box.min_y += by;
                box.max_y += by;
            }
        }
        EXPECT_GT(most.by_all, 16.0 * count) << "there was nothing to tell apart";
        EXPECT_EQ(most.by_those_that_leave > count, half > 0);
        EXPECT_GE(foreseen_at_most, 0.6 * most.by_those_that_leave);
    }
}

}  // namespace
}  // namespace throng::test
