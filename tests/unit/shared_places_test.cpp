// What oversized agents at one place of their tree cost a frame: the tree cannot divide them, so whatever meets one is
// compared with all.
#include "engine/src/places/shared_places.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/islands/planning.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr std::uint32_t count = 5000;
constexpr simd::Grid grid{.inverse_width = 1,
                          .inverse_height = 1,
                          .last_column = 99,
                          .last_row = 1,
                          .common_width = 1,
                          .common_height = 1,
                          .columns = 100,
                          .rows = 2};

// A frame with some oversized agents, a third of them in its first row.
struct FrameOfGiants {
    FrameOfGiants(std::size_t agents, float from, float to) {
        Random random(7);
        const std::uint32_t first = count / 3;
        for (std::uint32_t r = 0, n = first; r < 2; ++r, n = count - first) {
            const std::uint32_t stride = n + 2 * simd::gap;
            data[r].resize(std::size_t{5} * stride);
            rows[r] = {data[r].data(), nullptr, stride, 0, n};
            for (std::uint32_t i = 0; i < n; ++i) put(r, i, random.uniform(from, to), random.uniform(0, 2));
        }
        frame.map = detail::WorldMap(grid);
        frame.rows = {rows, 2};
        frame.agents = agents;
        frame.kernels = simd::kernels(Isa::automatic);
        frame.view.oversized.count = count;
    }
    void put(std::uint32_t r, std::uint32_t i, float x, float y) {
        float* at = data[r].data() + detail::oversized_begin(rows[r]) + i;
        for (const float edge : {x, y, x + 2, y + 2}) {
            *at = edge;
            at += rows[r].stride;
        }
    }

    std::vector<float> data[2];
    simd::Row rows[2];
    detail::FrameState frame;
};

double pairs_of(const FrameOfGiants& giants) {
    return static_cast<double>(detail::pairs_that_share_places(giants.frame));
}

// Columns and rows both end at the edge of the grid.
TEST(SharedPlaces, are_the_pairs_of_all_that_are_far_outside_the_grid) {
    constexpr double all = double{count} * count / 2;
    FrameOfGiants corner(count, 1e9f, 2e9f);
    for (std::uint32_t r = 0; r < 2; ++r)
        for (std::uint32_t i = 0; i < corner.rows[r].oversized; ++i) corner.put(r, i, 1e9f, 1e9f);
    EXPECT_GE(pairs_of(corner), 0.9 * all);
    EXPECT_LE(pairs_of(corner), all);
}

TEST(SharedPlaces, are_none_where_giants_are_spread_over_the_grid) {
    EXPECT_LE(pairs_of(FrameOfGiants(count, 0, 100)), count);
}

TEST(SharedPlaces, are_not_looked_for_where_few_agents_are_oversized) {
    FrameOfGiants giants(16 * count, 1e9f, 1e9f);
    EXPECT_EQ(detail::pairs_that_share_places(giants.frame), 0u);
    giants.frame.agents = 16 * count - 1;
    for (std::uint32_t i = 0; i < giants.rows[1].oversized; ++i) giants.put(1, i, 1e9f, 1e9f);
    EXPECT_GT(detail::pairs_that_share_places(giants.frame), 0u);
}

// A fixed number of steps for each made a frame on the plan of another world seem cheaper than one of its own.
TEST(SharedPlaces, count_when_frames_are_compared) {
    detail::FrameState left_behind, fitted;
    left_behind.agents = fitted.agents = 1000;
    left_behind.view.oversized.count = 920;
    fitted.sharing = 500'000;
    EXPECT_FALSE(is_better(fitted, left_behind));
    left_behind.sharing_places = 920 * 920 / 2;
    fitted.sharing = 400'000;
    EXPECT_TRUE(is_better(fitted, left_behind));
    EXPECT_FALSE(is_better(left_behind, fitted));
}

}  // namespace
}  // namespace throng::test
