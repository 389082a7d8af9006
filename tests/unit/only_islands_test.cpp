// How a search finds the innermost island that has all its agents: by halving the bounds of a chain of islands, which
// has to lead where the steps from level to level lead, and has to take nearly all of them.
#include "simd/isa/lowest.hpp"

#include <cfenv>

#include "bench/common/worlds/frames.hpp"
#include "bench/common/worlds/text.hpp"
#include "simd/kernels/search/islands.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::simd {
namespace {

using Vocabulary = Lowest;
using Search = IslandSearch<Vocabulary>;
using Four = Vectors<Vocabulary>::Four;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

struct Way {
    const Island* to = nullptr;
    int steps = 0;
};
Way step_by_step(const Islands* islands, const Query& q) {
    Way way;
    while (islands != nullptr) {
        ++way.steps;
        const auto range = Search::tiles_around(islands->locate_all, Four::load_unaligned(&q.min_x));
        if (range.first_column != range.last_column || range.first_row != range.last_row) break;
        const std::uint32_t region =
            islands->tiles
                .region_of[std::size_t{range.first_row} * islands->tiles.columns + range.first_column];
        if (region == 0) break;
        way.to = &islands->all[region - 1];
        islands = way.to->view.islands;
    }
    return way;
}
// The steps that are left where the bounds of a chain end.
int steps_left(const Islands* islands, const Query& q) {
    while (islands != nullptr) {
        const std::uint32_t levels = Search::levels_that_have_all(*islands, Four::load_unaligned(&q.min_x));
        if (levels == 0) return step_by_step(islands, q).steps;
        islands = islands->all[islands->only[levels - 1].region - 1].view.islands;
    }
    return 0;
}

// Agents in each octave of the distance from a centre, with sizes by that distance.
class Octaves : public ::testing::TestWithParam<float> {
protected:
    Octaves() : agents_(test::scaled(20000, 4000)) {
        for (std::size_t i = 0; i < agents_.size(); ++i) agents_[i] = anywhere();
        EXPECT_EQ(engine_.update(Boxes::of(agents_)), Status{});
    }
    Box anywhere() {
        const float distance = std::exp2(random_.uniform(-20, 40)), angle = random_.uniform(0, 6.28f);
        return Box::around(distance * std::cos(angle), distance * std::sin(angle), distance * GetParam(),
                           distance * GetParam());
    }
    // Own boxes, and some that begin or end at the bounds of each level, or beside them.
    std::vector<Query> queries(const View& view) {
        std::vector<Query> all;
        for (const Box& box : agents_) all.push_back({box.min_x, box.min_y, box.max_x, box.max_y});
        const Islands& islands = *view.islands;
        for (std::uint32_t level = 0; level < islands.tiles.nested_count; ++level) {
            const NestedIsland& n = islands.only[level];
            for (const float x : beside(n.min_x))
                for (const float behind : beside(n.behind_x))
                    if (x <= behind && n.min_y <= n.behind_y) all.push_back({x, n.min_y, behind, n.min_y});
            for (const float y : beside(n.min_y))
                for (const float behind : beside(n.behind_y))
                    if (y <= behind && n.min_x <= n.behind_x) all.push_back({n.min_x, y, n.min_x, behind});
        }
        return all;
    }
    static std::vector<float> beside(float edge) {
        return {std::nextafter(edge, -infinity), edge, std::nextafter(edge, infinity)};
    }
    void expect_that_halving_leads_where_steps_lead() {
        const Frame frame = engine_.frame();
        const View& view = test::state_behind(frame).view;
        ASSERT_NE(view.islands, nullptr);
        for (const Query& q : queries(view))
            ASSERT_EQ(Search::only_island(view.islands, q), step_by_step(view.islands, q).to)
                << q.min_x << ", " << q.min_y << " to " << q.max_x << ", " << q.max_y;
    }

    test::Random random_{5};
    std::vector<Box> agents_;
    Engine engine_;
};

TEST_P(Octaves, are_led_through_as_steps_would_lead) {
    for (const int mode : modes) {
        std::fesetround(mode);
        ASSERT_EQ(engine_.update(Boxes::of(agents_)), Status{});
        expect_that_halving_leads_where_steps_lead();
        std::fesetround(FE_TONEAREST);
    }
}

// Bounds that were not followed up after an edit would lead too far: agents that grow make searches reach further.
TEST_P(Octaves, are_led_through_so_after_edits) {
    for (int commit = 0; commit < 100; ++commit) {
        for (int k = 0; k < 3; ++k) {
            const auto id = static_cast<AgentId>(random_.below(agents_.size()));
            Box box = k == 0 ? anywhere() : agents_[random_.below(agents_.size())];
            const float more = k == 2 ? (box.max_x - box.min_x) * random_.uniform(0, 0.5f) : 0;
            box.max_x += more;
            box.max_y += more;
            agents_[id] = box;
            ASSERT_EQ(engine_.move(id, box), Status{});
        }
        ASSERT_EQ(engine_.commit(), Status{});
        expect_that_halving_leads_where_steps_lead();
    }
}

TEST_P(Octaves, leave_hardly_a_step_to_queries) {
    const Frame frame = engine_.frame();
    const View& view = test::state_behind(frame).view;
    ASSERT_NE(view.islands, nullptr);
    ASSERT_GE(view.islands->tiles.nested_count, 4u);
    std::int64_t all = 0, left = 0;
    for (const Box& box : agents_) {
        const Query q{box.min_x, box.min_y, box.max_x, box.max_y};
        all += step_by_step(view.islands, q).steps;
        left += steps_left(view.islands, q);
    }
    const auto agents = static_cast<std::int64_t>(agents_.size());
    EXPECT_GE(all, 5 * agents) << "levels that are gone through one by one";
    EXPECT_LE(left, agents + agents / 2);
}

// A crowd so near the edge of the outermost tile that agents as large as the world's may reach across: no box there has only one island
// in the world, and each has only one on the levels further inside.
TEST(OnlyIslands, are_found_on_inner_levels_by_boxes_at_the_edge_of_the_outermost) {
    worlds::Frames frames(
        *worlds::parse(
             "h1;n=100000;seed=83;place=square;place=square;share=0.844;place=square;share=0.00394;place="
             "hinterland(octaves=98.5);size=distance;at=at(scale=2770000);place=square;size=sliver(long="
             "4.98e-05,thin=0.0753);share=5.25;place=line(step=2.44);size=wall;at=at(scale=26.8);share="
             "0.7;ids=steps;then=grow")
             .world);
    Engine engine;
    for (int k = 0; k < 2; ++k, frames.next()) ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    const Frame frame = engine.frame();
    const View& view = test::state_behind(frame).view;
    ASSERT_NE(view.islands, nullptr);
    ASSERT_GE(view.islands->tiles.nested_count, 20u);
    const Islands* inner = view.islands->all[view.islands->only[0].region - 1].view.islands;
    std::int64_t all = 0, left = 0, agents = 0;
    for (AgentId id = 0; id < engine.size(); id += 16, ++agents) {
        const Box box = frame.box(id);
        const Query q{box.min_x, box.min_y, box.max_x, box.max_y};
        ASSERT_EQ(Search::only_island(inner, q), step_by_step(inner, q).to);
        all += step_by_step(inner, q).steps;
        left += steps_left(inner, q);
    }
    EXPECT_GE(all, 20 * agents) << "levels that were gone through one by one";
    EXPECT_LE(left, 4 * agents);
}

INSTANTIATE_TEST_SUITE_P(of_sizes, Octaves, ::testing::Values(0.0f, 1e-4f, 0.02f));

}  // namespace
}  // namespace throng::simd
