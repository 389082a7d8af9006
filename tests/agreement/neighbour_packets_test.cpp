// Packets of queriers have other kernels for up to eight nearest than for more. A packet begins where the one
// before it ended.
#include "harness/agreement.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// In a lattice many are equally far away.
TEST(PacketsOfQueriers, find_the_nearest_however_many_are_wanted) {
    for (const char* name : {"lattice", "uniform", "clustered"}) {
        const Scene scene = make_scene(name, scaled(1000, 400), 5);
        oracle::BruteForce twin = twin_with(scene.boxes());
        for (const std::uint32_t max_count : {8u, 9u, 16u, 17u, 33u, 63u, 64u})
            for (const float radius : {std::numeric_limits<float>::infinity(), 3.0f}) {
                const auto asked = std::make_shared<Asked>();
                asked->ids = scene.agents().size();
                asked->of_agents = OwnNeighbourhood(
                    {.radius = radius, .max_count = max_count, .distances = max_count % 2 == 0});
                const Expectation expected(twin.frame(), asked, {"neighbours"});
                for (const Isa isa : instruction_sets())
                    ASSERT_TRUE(expected.met_by(engine_with(scene.boxes(), {.isa = isa}).frame()))
                        << name << ", " << max_count << " within " << radius << ", " << to_string(isa);
            }
    }
}

// The first packet has more candidates than fit. The next packet finds them where its own would be.
TEST(PacketsOfQueriers, leave_nothing_to_those_with_fewer_neighbours_than_are_wanted) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < 150; ++i) {
        const float x = 0.5f * static_cast<float>(i);
        boxes.push_back({x, 0, x, 0});
    }
    const auto asked = std::make_shared<Asked>();
    for (std::size_t i = 0; i < 32; ++i) {
        const auto k = static_cast<float>(i % 16);
        asked->points.push_back({i < 16 ? 4.25f * k : 64.1f + 0.01f * k, 0});
    }
    asked->of_points = OwnNeighbourhood({.radius = 0.75f, .max_count = 8});
    const Expectation expected(twin_with(boxes).frame(), asked, {"neighbours of points"});
    for (const Isa isa : instruction_sets())
        EXPECT_TRUE(expected.met_by(
            engine_with(boxes,
                        {.executor = serial_executor(), .cell_width = 1000, .row_height = 1000, .isa = isa})
                .frame()));
}

}  // namespace
}  // namespace throng::test
