// Which region of a map a corner leads to, in kernels as in the map.
#include <algorithm>
#include <array>
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
        const float away = std::exp2(random.uniform(0, 14)), angle = random.uniform(0, 6.28f);
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

// A box that is refused later is led to some region before.
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

TEST(Regions, of_agents_have_the_rows_that_the_map_gives_them) {
    for (const std::size_t places : {1u, 2u, 7u}) {
        const std::vector<Box> boxes = octaves(places, 20'011);
        const Engine engine = engine_with(boxes, {.executor = serial_executor()});
        const detail::WorldMap& map = state_behind(engine.frame()).map;
        ASSERT_GT(map.cuts(), 1u);
        const simd::RegionMap region_map{map.tables().tiles, map.tables().regions};
        const Corners corners(boxes);
        std::vector<std::uint16_t> expected;
        std::vector<std::uint32_t> expected_counts(map.rows());
        for (const Box& box : boxes) {
            expected.push_back(static_cast<std::uint16_t>(map.row_of(box)));
            ++expected_counts[expected.back()];
        }
        for (const Isa isa : instruction_sets()) {
            std::vector<std::uint16_t> rows(boxes.size() + simd::gap);
            std::vector<std::uint32_t> counts(map.rows());
            simd::kernels(isa)->rows->count_region_rows(region_map, corners.columns(), boxes.size(),
                                                        rows.data(), counts.data());
            rows.resize(boxes.size());
            EXPECT_TRUE(rows == expected) << to_string(isa) << ", " << places;
            EXPECT_TRUE(counts == expected_counts) << to_string(isa) << ", " << places;
        }
    }
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
