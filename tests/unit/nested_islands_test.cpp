// The rectangles of islands within islands are exactly what the steps from tile to tile lead into: at their edges, and at
// the floats beside them.
#include "engine/src/islands/nested_islands.hpp"
#include "engine/src/base/cell_math.hpp"
#include "engine/src/plan/grid_fit.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr std::uint32_t levels = 12, columns = 19, rows = 17;
constexpr float infinity = std::numeric_limits<float>::infinity();

// Islands around a spot, each in a tile of the one before.
struct NestedIslands : ::testing::TestWithParam<float> {
    NestedIslands() {
        double side = 3e6;
        for (std::uint32_t level = 0; level < levels; ++level, side /= 17.3) {
            const float x = GetParam() - static_cast<float>(side * 7.7), y = -static_cast<float>(side * 3.1);
            tiles.push_back({.origin_x = x,
                             .origin_y = y,
                             .inverse_width = detail::scale_of(side, columns),
                             .inverse_height = detail::scale_of(side, rows),
                             .last_column = columns - 1,
                             .last_row = rows - 1,
                             .columns = columns,
                             .rows = rows,
                             .region_of = nullptr,
                             .occupied = nullptr,
                             .words = 1,
                             .inner_cuts = levels - 1});
            cuts.push_back({tiles.back(), {level, level + 1, level + 2}});
        }
        regions.resize(levels + 1);
        for (std::uint32_t region = 1; region <= levels; ++region) {
            const detail::WorldMap::Place place{region - 1,
                                                detail::WorldMap::tile_at(tiles[region - 1], GetParam(), 0)};
            regions[region] = {{}, place, region < levels ? region : 0, 100};
        }
        detail::nest_islands(regions, cuts, tiles.data(), nested.data());
    }
    // How many islands the steps lead through.
    std::uint32_t steps_inwards(float x, float y) const {
        std::uint32_t level = 0;
        while (level < levels - 1 &&
               detail::WorldMap::tile_at(tiles[level], x, y) == regions[level + 1].place.tile)
            ++level;
        return level;
    }
    std::uint32_t rectangles_around(float x, float y) const {
        std::uint32_t level = 0;
        const auto holds = [&](const simd::NestedIsland& n) {
            return n.min_x <= x && n.min_y <= y && x < n.behind_x && y < n.behind_y;
        };
        while (level < tiles[0].nested_count && holds(tiles[0].nested[level])) ++level;
        return level;
    }
    void expect_same(float x, float y) const {
        EXPECT_EQ(rectangles_around(x, y), steps_inwards(x, y)) << x << ", " << y;
    }
    std::vector<simd::Tiles> tiles;
    std::vector<detail::PlannedCut> cuts;
    std::vector<detail::PlannedRegion> regions;
    std::vector<simd::NestedIsland> nested{levels};
};

TEST_P(NestedIslands, are_rectangles_that_hold_what_steps_lead_into) {
    ASSERT_EQ(tiles[0].nested_count, levels - 1);
    const float x = GetParam(), y = 0;
    ASSERT_EQ(steps_inwards(x, y), levels - 1);
    expect_same(x, y);
    for (std::uint32_t level = 0; level < levels - 1; ++level) {
        const simd::NestedIsland& n = nested[level];
        EXPECT_EQ(n.region, level + 1);
        for (const float edge : {n.min_x, n.behind_x})
            for (const float at : {std::nextafter(edge, -infinity), edge, std::nextafter(edge, infinity)})
                if (std::isfinite(at)) expect_same(at, y);
        for (const float edge : {n.min_y, n.behind_y})
            for (const float at : {std::nextafter(edge, -infinity), edge, std::nextafter(edge, infinity)})
                if (std::isfinite(at)) expect_same(x, at);
    }
}

TEST_P(NestedIslands, have_rectangles_from_each_level_on) {
    for (std::uint32_t level = 0; level + 4 < levels; ++level) {
        EXPECT_EQ(tiles[level].nested_count, levels - 1 - level);
        EXPECT_EQ(tiles[level].nested, nested.data() + level);
    }
}

INSTANTIATE_TEST_SUITE_P(around, NestedIslands, ::testing::Values(0.0f, 1e-3f, -77.7f, 12345.6f));

}  // namespace
}  // namespace throng::test
