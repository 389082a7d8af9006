// Worlds that wrap around, over some frames: pairs, neighbours and forces are those of one engine.
#include <vector>

#include "cluster/tests/wrapped_worlds.hpp"
#include "support/counting_resource.hpp"

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
        worlds.update(boxes,
                      hand_out(boxes, frame == 1 ? labels_by_id(boxes.size()) : std::vector<Label>(), out));
        if (frame == 1) worlds.expect_pairs({.filter = {.a = 2}, .within = reach});
        expect_all_agents_as_one(worlds, reach);
        if (testing::Test::HasFailure()) return;
        move(boxes, config, folds, frame);
    }
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

}  // namespace throng::test
