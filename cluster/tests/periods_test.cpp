// Worlds that wrap around, over some frames: pairs, neighbours and forces are those of one engine.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "cluster/tests/wrapped_worlds.hpp"

namespace throng::test {

using cluster::ClusterEngine;

namespace {

void expect_all_agents_as_one(WrappedTwins& worlds, float reach) {
    worlds.expect_pairs();
    worlds.expect_pairs({.within = reach});
    worlds.expect_pairs({.within = reach / 2, .agents_as = AgentsAs::circles});
    for (const AgentsAs as : {AgentsAs::centres, AgentsAs::boxes, AgentsAs::circles}) {
        worlds.expect_neighbours(Within{.radius = reach, .agents_as = as});
        worlds.expect_neighbours(Nearest{.count = 4, .agents_as = as});
    }
    worlds.expect_neighbours(Nearest{.count = 2, .max_radius = 3 * reach, .with_self = true});
}

// Hosts fold their boxes, or never do.
void move(std::vector<Box>& boxes, const EngineConfig& config, bool folds, std::size_t frame) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        Box& box = boxes[i];
        box = box.moved(i % 3 == 0 ? 1.5f : -0.25f, i % 2 == 0 ? 0.5f : -1.0f);
        if (frame == 2 && i % 50 == 0) box = box.moved(37, 23);  // jumps
        if (!folds) continue;
        const Point at = box.centre();
        const auto back = [](float place, float period) {
            return period == 0 ? 0 : -period * std::floor(place / period);
        };
        box = box.moved(back(at.x, config.period_x), back(at.y, config.period_y));
    }
}

void expect_to_live_as_one(Wrapped how, int axes, float reach, bool folds) {
    SCOPED_TRACE(wrapped_trace(how, axes) + ", reach " + std::to_string(reach) + (folds ? ", folded" : ""));
    const EngineConfig config = wrapped_config(axes);
    WrappedTwins worlds({.reach = reach, .radius = reach}, config);
    std::vector<Box> boxes = wrapped_boxes(how, 7);
    if (!folds) boxes = unfolded(boxes, config, 3);
    for (std::size_t frame = 0; frame < 5; ++frame) {
        if (frame == 3) boxes.resize(boxes.size() - boxes.size() / 10);
        const HandedOut out = frame == 4 ? HandedOut::at_random : HandedOut::in_turns;
        const auto labels = frame == 1 ? labels_by_id(boxes.size()) : std::vector<Label>();
        const auto heights = frame == 2 ? bands_by_id(boxes.size()) : std::vector<Band>();
        worlds.update(boxes, hand_out(boxes, labels, out, 1, heights));
        if (frame == 1) worlds.expect_pairs({.filter = {.a = 2}, .within = reach});
        expect_all_agents_as_one(worlds, reach);
        // Agents below look for some above: those that have both heights.
        if (frame == 2) worlds.expect_neighbours(Nearest{.count = 2}, {.heights = {6, 7}});
        if (testing::Test::HasFailure()) return;
        move(boxes, config, folds, frame);
    }
}

// What `a` gets from `b`, by the nearest image: numbers with all bits in use.
std::array<double, 2> push_around(const Box& a, const Box& b, const EngineConfig& config) {
    const Point from = b.centre(), to = a.centre();
    const auto way = [](double d, double period) {
        return period == 0 ? d : d - period * std::round(d / period);
    };
    const double x = way(double{to.x} - double{from.x}, config.period_x),
                 y = way(double{to.y} - double{from.y}, config.period_y),
                 strength = 1 / (x * x + y * y + 0.0625);
    return {strength * x, strength * y};
}

std::vector<std::array<double, 2>> forces_of_one(const WrappedTwins& worlds, const std::vector<Box>& boxes,
                                                 const EngineConfig& config, float within) {
    PairList list;
    EXPECT_TRUE(worlds.one.frame().pairs(list, {.within = within}).ok() && list.sort().ok());
    std::vector<std::array<double, 2>> forces(boxes.size());
    for (const Pair& pair : list) {
        const auto push = push_around(boxes[pair.a], boxes[pair.b], config);
        for (const std::size_t k : {0u, 1u}) {
            forces[pair.a][k] += push[k];
            forces[pair.b][k] -= push[k];
        }
    }
    return forces;
}

std::vector<std::array<double, 2>> forces_on_ranks(WrappedTwins& worlds, const EngineConfig& config,
                                                   float within) {
    ClusterEngine& engine = worlds.engine;
    std::vector<Box> boxes(engine.places());
    std::copy(engine.owned().boxes.begin(), engine.owned().boxes.end(), boxes.begin());
    EXPECT_TRUE(engine.forward(boxes).ok());
    cluster::PairList pairs;
    EXPECT_TRUE(engine.pairs(pairs, {.within = within}).ok());
    std::vector<std::array<double, 2>> pushes, forces(engine.owned().size());
    for (const cluster::ClusterPair& pair : pairs)
        pushes.push_back(push_around(boxes[pair.a_place], boxes[pair.b_place], config));
    EXPECT_TRUE(engine.sum_pairs(pairs, pushes, forces).ok());
    return forces;
}

}  // namespace

TEST(ClusterPeriods, worlds_of_every_kind_are_as_in_one_engine) {
    for (const auto& [how, axes] : wrapped_cases(0))
        for (const bool folds : {true, false}) expect_to_live_as_one(how, axes, 2, folds);
}

TEST(ClusterPeriods, a_reach_of_more_than_half_the_period) {
    for (const float reach : {29.5f, 55.0f, 170.0f}) expect_to_live_as_one(Wrapped::few, 0, reach, true);
    expect_to_live_as_one(Wrapped::large, 1, 31, true);
}

// Hosts add up what they find, by the nearest image.
TEST(ClusterPeriodsValues, forces_have_the_bits_of_one_engine) {
    constexpr float within = 3;
    for (const auto& [how, axes] : wrapped_cases(1)) {
        SCOPED_TRACE(wrapped_trace(how, axes));
        const EngineConfig config = wrapped_config(axes);
        WrappedTwins worlds({.reach = within}, config);
        std::vector<Box> boxes = wrapped_boxes(how, 11);
        for (std::size_t frame = 0; frame < 3; ++frame) {
            worlds.update(boxes, hand_out(boxes, {}, HandedOut::at_random, frame + 1));
            const auto expected = forces_of_one(worlds, boxes, config, within);
            const auto mine = forces_on_ranks(worlds, config, within);
            std::size_t differing = 0;
            for (std::size_t i = 0; i < mine.size(); ++i) {
                const auto& one = expected[place_of(worlds.engine.owned().ids[i])];
                differing += std::memcmp(&mine[i], &one, sizeof one) != 0;
            }
            EXPECT_EQ(differing, 0u);
            move(boxes, config, frame == 0, frame);
        }
    }
}

TEST(ClusterPeriods, agents_that_stay_with_their_hosts_get_their_lists) {
    for (const auto& [how, axes] : wrapped_cases(2)) {
        SCOPED_TRACE(wrapped_trace(how, axes));
        const EngineConfig config = wrapped_config(axes);
        WrappedTwins worlds({.reach = 2, .radius = 2, .agents_stay = true}, config);
        std::vector<Box> boxes = unfolded(wrapped_boxes(how, 4), config, 4);
        for (std::size_t frame = 0; frame < 3; ++frame) {
            const Held held = hand_out(boxes, {}, HandedOut::in_turns);
            worlds.held_ids = held.ids;
            worlds.update(boxes, held);
            worlds.expect_pairs({.within = 2});
            worlds.expect_neighbours(Within{.radius = 2});
            worlds.expect_neighbours(Nearest{.count = 3});
            move(boxes, config, false, frame);
        }
    }
}

// Doubles are folded before they are rounded.
TEST(ClusterPeriods, doubles_far_from_the_world_are_as_in_one_engine) {
    for (const Wrapped how : {Wrapped::at_the_seams, Wrapped::some_cover_all, Wrapped::lattice}) {
        const EngineConfig config = wrapped_config(0);
        WrappedTwins worlds({.reach = 1, .radius = 1}, config);
        std::vector<std::array<double, 4>> all, mine;
        std::vector<cluster::GlobalId> ids;
        const std::vector<Box> boxes = wrapped_boxes(how, 2);
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const double x = 100.0 * double(i % 5) * 1e6, y = -60.0 * double(i % 3) * 1e6, third = 1 / 3.0;
            all.push_back({boxes[i].min_x + x + third, boxes[i].min_y + y, boxes[i].max_x + x + third,
                           boxes[i].max_y + y});
            if (i % std::size_t(rank_count()) != std::size_t(my_rank())) continue;
            mine.push_back(all.back());
            ids.push_back(global_of(i));
        }
        const auto view = [](const std::vector<std::array<double, 4>>& some) {
            const double* const first = some.empty() ? nullptr : some[0].data();
            return Boxes::strided(Boxes::Form::min_max, {first, first + 1, first + 2, first + 3},
                                  {32, 32, 32, 32}, some.size(), Origin{});
        };
        for (int frame = 0; frame < 3; ++frame) {
            ASSERT_TRUE(worlds.engine.update({ids, view(mine)}).ok());
            ASSERT_TRUE(worlds.one.update(view(all)).ok());
            worlds.expect_pairs({.within = 1});
            worlds.expect_neighbours(Within{.radius = 1});
            worlds.expect_neighbours(Nearest{.count = 3, .agents_as = AgentsAs::circles});
        }
        cluster::Lists lists;
        ASSERT_TRUE(worlds.engine.overlaps(view(mine), lists).ok());
        OverlapLists found;
        ASSERT_TRUE(worlds.one.frame().overlaps(view(mine), found).ok());
        for (std::size_t q = 0; q < mine.size(); ++q) {
            std::vector<std::size_t> here, there(found[q].begin(), found[q].end());
            for (const cluster::GlobalId id : lists[q]) here.push_back(place_of(id));
            std::sort(here.begin(), here.end());
            std::sort(there.begin(), there.end());
            EXPECT_EQ(here, there);
        }
    }
}

// Boxes are put back as the last frame has them.
TEST(ClusterPeriods, an_update_that_fails_leaves_the_last_frame) {
    const EngineConfig config = wrapped_config(0);
    WrappedTwins worlds({.reach = 2, .radius = 2}, config);
    std::vector<Box> boxes = wrapped_boxes(Wrapped::at_the_seams, 6);
    for (std::size_t frame = 0; frame < 4; ++frame) {
        worlds.update(boxes, hand_out(boxes, {}, HandedOut::in_turns));
        move(boxes, config, true, frame);
    }
    const std::span<Box> written = worlds.engine.in_place().boxes;
    const std::vector<Box> before(written.begin(), written.end());
    for (Box& box : written) box = box.moved(3, 3);
    cluster::Agents agents{worlds.engine.owned().ids, Boxes::of(written)};
    if (my_rank() == rank_count() - 1) agents.failed.trouble = cluster::Trouble::host_failed;
    EXPECT_EQ(worlds.engine.update(agents).trouble, cluster::Trouble::host_failed);
    const std::span<const Box> after = worlds.engine.owned().boxes;
    std::size_t differing = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        differing += !(after[i] == worlds.engine.frame().box(static_cast<AgentId>(i)));
    EXPECT_EQ(differing, 0u);
    worlds.expect_pairs({.within = 2});
    worlds.expect_neighbours(Within{.radius = 2});
}

}  // namespace throng::test
