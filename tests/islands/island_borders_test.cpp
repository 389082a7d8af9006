// Agents that meet across the borders of islands: a village right on the corner of four tiles, whose agents
// end where a tile begins, or one float before. The engine decides where tiles are; so the village is moved
// until it is on a corner.
//
//               |  NE
//          NW   |
//        -------+-------      the pairs of the island on the left with the three on the right, and of
//          SW   |  SE         the lower one with the one above
//               |
#include <map>

#include "support/planted_world.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr float world = 800;

struct Corner {
    float x, y;
    friend bool operator==(const Corner&, const Corner&) = default;
};

// The smallest float whose tile is the given one.
template <class TileOf>
float first_of_tile(std::uint32_t tile, float about, const TileOf& tile_of) {
    while (tile_of(about) >= tile) about = std::nextafter(about, -world);
    while (tile_of(about) < tile) about = std::nextafter(about, world);
    return about;
}

Corner corner_near(const simd::Tiles& t, const Corner& wanted) {
    const auto column = [&](float x) { return detail::bin(x, t.origin_x, t.inverse_width, t.last_column); };
    const auto row = [&](float y) { return detail::bin(y, t.origin_y, t.inverse_height, t.last_row); };
    const std::uint32_t c = column(wanted.x), r = row(wanted.y);
    return {first_of_tile(c, t.origin_x + static_cast<float>(c) / t.inverse_width, column),
            first_of_tile(r, t.origin_y + static_cast<float>(r) / t.inverse_height, row)};
}

// Begins on an edge, ends on it, or is next to it by the smallest step there is; others are about two wide.
std::pair<float, float> along(Random& random, float edge) {
    const float far = random.uniform(0.5f, 2.0f);
    switch (random.below(6)) {
    case 0: return {edge, edge + far};
    case 1: return {edge - far, edge};
    case 2: return {edge - far, std::nextafter(edge, -world)};
    case 3: return {std::nextafter(edge, -world), edge + far};
    default: {
        const float from = edge + random.uniform(-9, 8);
        return {from, from + random.uniform(0.5f, 2.0f)};
    }
    }
}

std::vector<Box> village_on(const Corner& corner) {
    Random random(8);
    std::vector<Box> agents;
    for (int i = 0; i < 500; ++i) {
        const auto x = along(random, corner.x), y = along(random, corner.y);
        agents.push_back({x.first, y.first, x.second, y.second});
    }
    for (std::size_t i = 0; i < 2500; ++i) {
        Random place(i / 100 + 99);
        const Corner at{place.uniform(0, world), place.uniform(0, world)};
        const Corner by{random.uniform(-10, 10), random.uniform(-10, 10)};
        agents.push_back(Box::around(at.x + by.x, at.y + by.y, 0.5f, 0.5f));
    }
    return agents;
}

// How many pairs there are between an island and the one in that direction.
using Meetings = std::map<std::pair<int, int>, int>;

Meetings meetings(const Frame& frame, const std::vector<Box>& agents, const std::vector<Pair>& pairs) {
    const detail::FrameState& state = state_behind(frame);
    Meetings found;
    for (const Pair& pair : pairs) {
        const auto island = [&](AgentId id) {
            return state.map.region_at(agents[id].min_x, agents[id].min_y);
        };
        const std::uint32_t a = island(pair.a), b = island(pair.b);
        if (a == 0 || b == 0 || a == b) continue;
        // Inner islands count for the island of the world that they are on.
        const auto outermost = [&](std::uint32_t region) -> const simd::Island& {
            const simd::Island* at = &state.islands[region - 1];
            while (at->parent != nullptr) at = at->parent;
            return *at;
        };
        const simd::Island &one = outermost(a), &other = outermost(b);
        if (&one == &other) continue;
        int x = static_cast<int>(other.tile_column) - static_cast<int>(one.tile_column),
            y = static_cast<int>(other.tile_row) - static_cast<int>(one.tile_row);
        if (x < 0 || (x == 0 && y < 0)) x = -x, y = -y;
        ++found[{x, y}];
    }
    return found;
}

// The village on a corner, and where that corner came to be.
std::vector<Box> find_corner() {
    Engine engine;
    Corner corner{330, 450};
    for (int tries = 0; tries < 20; ++tries) {
        engine = Engine();
        const std::vector<Box> agents = village_on(corner);
        EXPECT_EQ(engine.update(Boxes::of(agents)), Status{});
        const Frame frame = engine.frame();
        if (!state_behind(frame).map.has_islands()) break;
        // One float to the right, so that a corner that is found stays the nearest.
        const Corner found = corner_near(state_behind(frame).map.tables().tiles[0],
                                         {std::nextafter(corner.x, world), std::nextafter(corner.y, world)});
        if (found == corner) return agents;
        corner = found;
    }
    ADD_FAILURE() << "the corner would not stay where it was";
    return {};
}

TEST(IslandBorder, does_not_separate_agents_that_meet_across_it) {
    const std::vector<Box> agents = find_corner();
    ASSERT_FALSE(agents.empty());
    const ExpectedAnswers expected = expect(twin_with(agents).frame(), agents);
    ThreadPool pool(2);
    for (const Isa isa : instruction_sets())
        for (const Executor& executor : {serial_executor(), pool.executor()}) {
            Engine engine = engine_with(agents, {.executor = executor, .isa = isa});
            EXPECT_TRUE(answers_as(engine.frame(), expected)) << to_string(isa);
            EXPECT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
        }
    const Meetings found = meetings(engine_with(agents).frame(), agents, expected.pairs);
    for (const std::pair<int, int>& direction : {std::pair{1, 0}, {0, 1}, {1, 1}, {1, -1}})
        EXPECT_GT(found.count(direction) == 0 ? 0 : found.at(direction), 20)
            << direction.first << " to the right, " << direction.second << " up";
}

}  // namespace
}  // namespace throng::test
