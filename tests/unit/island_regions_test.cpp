// Which region of a map a corner leads to, in kernels as in the map.
#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <limits>
#include <vector>

#include "simd/kernels.hpp"
#include "simd/row_kernels.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Octaves around some places.
std::vector<Box> octaves(std::size_t places, std::size_t number) {
    Random random(9);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < number; ++i) {
        const float away = std::exp2(random.uniform(0, 40)), angle = random.uniform(0, 6.28f);
        const auto place = static_cast<float>(i % places);
        boxes.push_back(Box::around(1e14f * place + away * std::cos(angle),
                                    1e13f * place * place + away * std::sin(angle), 1e-3f * away,
                                    1e-3f * away));
    }
    return boxes;
}

TEST(Regions, that_kernels_find_are_those_of_the_map) {
    constexpr std::uint16_t behind = 0xABCD;
    for (const std::size_t places : {1u, 2u, 7u}) {
        const std::vector<Box> boxes = octaves(places, 20'011);
        const Engine engine = engine_with(boxes, {.executor = serial_executor()});
        const detail::WorldMap& map = state_behind(engine.frame()).map;
        ASSERT_TRUE(map.has_islands());
        const detail::WorldMap::Tables& tables = map.tables();
        std::vector<float> x, y;
        for (const Box& box : boxes) {
            x.push_back(box.min_x);
            y.push_back(box.min_y);
        }
        for (const Isa isa : instruction_sets())
            for (const std::size_t number : {x.size(), std::size_t{256}, std::size_t{3}, std::size_t{0}}) {
                std::vector<std::uint16_t> regions(x.size() + 1, behind);
                simd::kernels(isa)->rows->find_regions(tables.tiles, tables.regions, x.data(), y.data(),
                                                       number, regions.data());
                std::size_t others = 0;
                for (std::size_t i = 0; i < number; ++i) others += regions[i] != map.region_at(x[i], y[i]);
                EXPECT_EQ(others, 0u) << to_string(isa) << ", " << places << ", " << number;
                EXPECT_EQ(regions[number], behind) << to_string(isa) << ", " << number;
            }
    }
}

// A box that is refused later is led to some region all the same.
TEST(Regions, of_corners_that_are_no_numbers_are_there) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(),
                    inf = std::numeric_limits<float>::infinity();
    const std::vector<Box> boxes = octaves(2, 20'000);
    const Engine engine = engine_with(boxes, {.executor = serial_executor()});
    const detail::WorldMap& map = state_behind(engine.frame()).map;
    ASSERT_TRUE(map.has_islands());
    const std::array<float, 4> x{nan, inf, -inf, 0}, y{0, nan, inf, -inf};
    for (const Isa isa : instruction_sets()) {
        std::array<std::uint16_t, 4> regions{};
        simd::kernels(isa)->rows->find_regions(map.tables().tiles, map.tables().regions, x.data(), y.data(),
                                               x.size(), regions.data());
        for (const std::uint16_t region : regions) EXPECT_LT(region, map.regions()) << to_string(isa);
    }
}

bool is_within(const detail::WorldMap& map, std::uint32_t region, std::uint32_t around) {
    while (region != around && region != 0)
        region = map.tables().cuts[map.tables().places[region].cut].region;
    return region == around;
}

TEST(Regions, have_corners_within_their_bounds_under_any_rounding_mode) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    Random random(3);
    for (const std::size_t places : {1u, 2u, 7u}) {
        const std::vector<Box> boxes = octaves(places, 20'011);
        const Engine engine = engine_with(boxes, {.executor = serial_executor()});
        const detail::WorldMap& map = state_behind(engine.frame()).map;
        ASSERT_GT(map.cuts(), 1u);
        std::size_t astray = 0, inside = 0, islanders = 0;
        const auto look_at = [&](std::uint32_t region, float x, float y) {
            for (const int rounding : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
                std::fesetround(rounding);
                const std::uint32_t found = map.region_at(x, y);
                std::fesetround(FE_TONEAREST);
                astray += !is_within(map, found, region);
            }
        };
        for (std::uint32_t region = 0; region < map.regions(); ++region) {
            const simd::RegionBounds& b = map.tables().bounds[region];
            if (!(b.min_x < b.behind_x && b.min_y < b.behind_y)) continue;
            const float left = std::max(b.min_x, -1e30f), low = std::max(b.min_y, -1e30f),
                        right = std::nextafter(std::min(b.behind_x, 1e30f), -infinity),
                        high = std::nextafter(std::min(b.behind_y, 1e30f), -infinity);
            look_at(region, left, low);
            look_at(region, right, high);
            for (int i = 0; i < 8; ++i)
                look_at(region, std::clamp(random.uniform(left, right), left, right),
                        std::clamp(random.uniform(low, high), low, high));
        }
        EXPECT_EQ(astray, 0u) << places;
        for (const Box& box : boxes) {
            const std::uint32_t region = map.region_at(box.min_x, box.min_y);
            const simd::RegionBounds& b = map.tables().bounds[region];
            islanders += region != 0;
            inside += b.min_x <= box.min_x && b.min_y <= box.min_y && box.min_x < b.behind_x &&
                      box.min_y < b.behind_y;
        }
        EXPECT_GT(islanders, boxes.size() / 2) << places;
        // Around the other places tiles are hardly wider than floats are apart.
        EXPECT_GT(inside * places, islanders - islanders / 100) << places;
    }
}

// The corners of boxes, each coordinate by itself.
struct Corners {
    std::array<std::vector<float>, 4> all;

    explicit Corners(const std::vector<Box>& boxes) {
        for (const Box& box : boxes) {
            const std::array<float, 4> corners{box.min_x, box.min_y, box.max_x, box.max_y};
            for (std::size_t k = 0; k < 4; ++k) all[k].push_back(corners[k]);
        }
    }
    simd::Columns columns() const {
        return {all[0].data(), all[1].data(), all[2].data(), all[3].data(), false};
    }
    Boxes boxes() const { return Boxes::min_max(all[0], all[1], all[2], all[3]); }
};

// Where agents were tells where to look first, and nothing else.
TEST(Regions, of_agents_do_not_depend_on_where_those_were) {
    Random random(5);
    for (const std::size_t places : {1u, 2u, 7u}) {
        const std::vector<Box> boxes = octaves(places, 20'011);
        const std::size_t number = boxes.size();
        const Engine engine = engine_with(boxes, {.executor = serial_executor()});
        const detail::WorldMap& map = state_behind(engine.frame()).map;
        ASSERT_GT(map.cuts(), 1u);
        const detail::WorldMap::Tables& tables = map.tables();
        const simd::RegionMap region_map{tables.tiles, tables.regions, tables.bounds};
        const Corners corners(boxes);
        std::vector<std::uint16_t> expected;
        std::vector<std::uint32_t> expected_counts(map.rows());
        for (const Box& box : boxes) {
            expected.push_back(static_cast<std::uint16_t>(map.row_of(box)));
            ++expected_counts[expected.back()];
        }
        const std::vector<std::uint16_t> of_rows(tables.region_of_row, tables.region_of_row + map.rows());
        const std::vector<std::uint16_t> unknown(map.rows()), first(number), same = expected;
        std::vector<std::uint16_t> anywhere(number);
        for (std::uint16_t& row : anywhere) row = static_cast<std::uint16_t>(random.below(map.rows()));
        struct Case {
            const char* name;
            const std::vector<std::uint16_t>& rows;
            const std::vector<std::uint16_t>& guesses;
            std::size_t least, most;  // found at once
        };
        // Around the other places tiles are hardly wider than floats are apart.
        for (const Case& one : {Case{"where they are", same, of_rows, number * 9 / 10 / places, number},
                                Case{"on another map", same, unknown, number / 2 / places, number},
                                Case{"all in one row", first, of_rows, 0, number},
                                Case{"anywhere", anywhere, of_rows, 0, number / 2}})
            for (const Isa isa : instruction_sets())
                for (const bool has_rows : {true, false}) {
                    std::vector<std::uint16_t> rows = one.rows, guesses = one.guesses;
                    std::vector<std::uint32_t> counts(map.rows());
                    const std::size_t found = simd::kernels(isa)->rows->count_region_rows(
                        region_map, corners.columns(), number, rows.data(),
                        has_rows ? guesses.data() : nullptr, counts.data());
                    EXPECT_TRUE(rows == expected) << one.name << ", " << to_string(isa) << ", " << places;
                    EXPECT_TRUE(counts == expected_counts) << one.name << ", " << to_string(isa);
                    EXPECT_GE(found, has_rows ? one.least : 0) << one.name << ", " << to_string(isa);
                    EXPECT_LE(found, has_rows ? one.most : 0) << one.name << ", " << to_string(isa);
                }
    }
}

// Without them answers would be the same, and the way to the innermost islands long.
TEST(Regions, have_the_same_chains_after_a_move) {
    std::vector<Box> boxes = octaves(1, 20'011);
    Engine engine = engine_with(boxes, {.executor = serial_executor()});
    const Frame before = engine.frame();
    for (Box& box : boxes) box = {box.min_x + 5000, box.min_y - 3000, box.max_x + 5000, box.max_y - 3000};
    ASSERT_TRUE(engine.update(boxes).ok());
    ASSERT_EQ(engine.tuning().times_moved, 1u);
    const Frame after = engine.frame();
    const detail::WorldMap &made = state_behind(before).map, &moved = state_behind(after).map;
    ASSERT_EQ(moved.cuts(), made.cuts());
    std::size_t chains = 0;
    for (std::uint32_t c = 0; c < made.cuts(); ++c) {
        const simd::Tiles &one = made.tables().tiles[c], &other = moved.tables().tiles[c];
        ASSERT_EQ(other.nested_count, one.nested_count) << c;
        for (std::uint32_t k = 0; k < one.nested_count; ++k)
            EXPECT_EQ(other.nested[k].region, one.nested[k].region) << c << ", " << k;
        chains += one.nested_count != 0;
    }
    EXPECT_GT(chains, 0u);
}

// In pieces and in one, on one thread and on some.
TEST(Regions, are_found_again_when_all_agents_trade_places) {
    Random random(8);
    for (const bool in_columns : {false, true}) {
        std::vector<Box> boxes = octaves(2, 40'011);
        CountingExecutor threads;
        Engine engine = engine_with(boxes, {.executor = in_columns ? threads.executor() : serial_executor()});
        ASSERT_GT(state_behind(engine.frame()).map.cuts(), 1u);
        for (int turn = 0; turn < 4; ++turn) {
            for (std::size_t i = boxes.size() - 1; turn < 3 && i > 0; --i)
                std::swap(boxes[i], boxes[random.below(i + 1)]);
            if (turn == 1) boxes.resize(boxes.size() - 2 * 256 + 1);
            if (turn == 2) boxes = octaves(2, 40'011);
            const Corners corners(boxes);
            ASSERT_TRUE(engine.update(in_columns ? corners.boxes() : Boxes::of(boxes)).ok());
            EXPECT_TRUE(engine.frame().validate().sound());
            const Engine fresh = engine_with(boxes, {.executor = serial_executor()});
            EXPECT_EQ(engine.frame().count_pairs().total, fresh.frame().count_pairs().total) << turn;
        }
    }
}

}  // namespace
}  // namespace throng::test
