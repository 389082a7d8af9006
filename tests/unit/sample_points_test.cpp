// What the planner of islands asks about the lower left corners of its sample, with every instruction set.
#include "base/kernels.hpp"
#include "engine/src/frame/world_map.hpp"
#include "simd/kernels.hpp"
#include "simd/row_kernels.hpp"
#include "simd/types.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr std::size_t most = 200;

// Corners up to `far` away. Upper corners are all NaN: neither function may look at them.
std::vector<Box> corners(std::size_t count, float far) {
    Random random(count);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i)
        boxes.push_back({random.uniform(-far, far), random.uniform(-far, far), nan, nan});
    return boxes;
}

TEST(SamplePoints, are_bounded_by_the_corners_farthest_out) {
    for (const Isa isa : instruction_sets())
        for (std::size_t count = 1; count < most; ++count) {
            const std::vector<Box> boxes = corners(count, 1e6f);
            Box all{boxes[0].min_x, boxes[0].min_y, boxes[0].min_x, boxes[0].min_y};
            for (const Box& box : boxes)
                all = {std::min(all.min_x, box.min_x), std::min(all.min_y, box.min_y),
                       std::max(all.max_x, box.min_x), std::max(all.max_y, box.min_y)};
            const simd::Kernels& kernels = *simd::kernels(isa);
            ASSERT_EQ(detail::box_of(kernels.rows->bound_corners(detail::as_kernel(boxes.data()), count)),
                      all)
                << count;
        }
}

TEST(SamplePoints, are_in_the_tiles_that_single_corners_are_in) {
    simd::Tiles tiles{};
    tiles.origin_x = -300, tiles.origin_y = -20;
    tiles.columns = 7000, tiles.rows = 3;
    tiles.last_column = 6999, tiles.last_row = 2;
    for (const float inverse : {0.0f, 1e-3f, 10.0f, 1e30f}) {
        tiles.inverse_width = inverse, tiles.inverse_height = inverse / 100;
        for (const Isa isa : instruction_sets())
            for (const float far : {500.0f, 1e38f})
                for (std::size_t count = 0; count < most; ++count) {
                    const std::vector<Box> boxes = corners(count, far);
                    std::vector<std::uint32_t> found(count + 1, 77);
                    simd::kernels(isa)->rows->find_tiles(tiles, detail::as_kernel(boxes.data()), count,
                                                         found.data());
                    for (std::size_t i = 0; i < count; ++i)
                        ASSERT_EQ(found[i], detail::WorldMap::tile_at(tiles, boxes[i].min_x, boxes[i].min_y))
                            << i << " of " << count;
                    EXPECT_EQ(found[count], 77u) << "written behind the last";
                }
    }
}

}  // namespace
}  // namespace throng::test
