// What a few agents tell of a frame, beside what all of them do.
#include <map>

#include "engine/src/islands/planning.hpp"
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
        std::map<detail::CellNumber, double> cells;
        std::map<std::uint32_t, double> in_region, pairs_in_region, out_of_tile;
        double sharing = 0;
        for (const Box& box : boxes)
            if (map.is_common(box)) {
                const std::uint32_t region = map.region_at(box.min_x, box.min_y);
                double& others = cells[map.number_of(map.cell_of(box))];
                ++in_region[region];
                pairs_in_region[region] += others;
                sharing += others++;
                for (std::uint32_t r = region; r != 0;) {
                    const std::uint32_t cut = map.tables().places[r].cut;
                    const simd::Tiles& tiles = map.tables().tiles[cut];
                    r = map.tables().cuts[cut].region;
                    out_of_tile[r] += detail::WorldMap::tile_at(tiles, box.min_x, box.min_y) !=
                                      detail::WorldMap::tile_at(tiles, box.max_x, box.max_y);
                }
            }
        for (const auto& [region, agents] : out_of_tile)
            if (in_region[region] > 0) sharing += pairs_in_region[region] * agents / in_region[region];
        const auto foreseen =
            static_cast<double>(planning.foresee(plan, boxes.size(), box_at, detail::closely).sharing);
        EXPECT_LE(foreseen, 1.25 * sharing);
        EXPECT_GE(foreseen, 0.6 * sharing);
    }
    store->drop_reference();
}

}  // namespace
}  // namespace throng::test
