// The cells of packets of queriers are those of each of them together, whatever the rounding mode: where a packet had fewer,
// a querier would look for rows that nothing was copied from. The kernels' code is compiled here for the lowest instruction
// set.
#include "simd/isa/lowest.hpp"

#include <cfenv>

#include "simd/kernels/neighbours/packets/packet_bounds.hpp"
#include "simd/kernels/neighbours/patch.hpp"
#include "support/test.hpp"

namespace throng::simd {
namespace {

using Vocabulary = Lowest;
using Bounds = PacketBounds<Vocabulary>;
using Reach = Bounds::Reach;

constexpr int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
constexpr std::uint32_t max_queriers = Patch<Vocabulary>::queriers;

// Where a grid is and how large its cells are: in the middle, small and far away, where a float is a good part of a cell, and
// as small as floats are.
struct Spot {
    float origin, cell;
};
constexpr Spot spots[] = {{0, 1}, {4000, 0.01f}, {0, 1e-38f}};

// Some places of a crowd, a few of them equal, and some far outside of the grid.
struct Places {
    std::vector<float> x, y;

    Places(const Spot& spot, std::uint32_t count, std::uint32_t seed) : x(count + gap), y(count + gap) {
        test::Random random(seed);
        const float width = 60 * spot.cell;
        for (std::uint32_t i = 0; i < count + gap; ++i) {
            const float far_off = random.one_in(16) ? 1e6f : 1.0f;
            x[i] = spot.origin + random.uniform(-width, width) * far_off;
            y[i] = i != 0 && random.one_in(8) ? y[i - 1] : spot.origin + random.uniform(-width, width);
        }
    }
    Queriers queriers() const { return {x.data(), y.data(), nullptr, nullptr, max_queriers}; }
};

Reach together(const Reach& a, const Reach& b) {
    return {std::min(a.first_column, b.first_column), std::min(a.first_row, b.first_row),
            std::max(a.last_column, b.last_column), std::max(a.last_row, b.last_row)};
}
void expect_equal(const Reach& found, const Reach& expected) {
    EXPECT_EQ(found.first_column, expected.first_column);
    EXPECT_EQ(found.first_row, expected.first_row);
    EXPECT_EQ(found.last_column, expected.last_column);
    EXPECT_EQ(found.last_row, expected.last_row);
}

void expect_cells_of_each(const Spot& spot, std::uint32_t count, std::uint32_t packet, std::uint32_t seed) {
    const Places places(spot, count, seed);
    test::Random random(seed);
    const auto scale = [&] { return random.uniform(0.5f, 2.0f) / spot.cell; };
    Grid grid{};
    grid.origin_x = grid.origin_y = spot.origin - 40 * spot.cell;
    grid.inverse_width = scale();
    grid.inverse_height = scale();
    grid.last_column = 90;
    grid.last_row = 110;
    const Locate locator = locate(grid, random.uniform() * spot.cell, random.uniform() * spot.cell);
    const float radius = random.uniform(0, 10) * spot.cell;
    Patch<Vocabulary> patch;
    patch.cells.find(locator, places.queriers(), 0, count, radius);
    Bounds bounds;
    const Reach all = bounds.find(locator, places.queriers(), 0, count, packet, radius);
    Reach expected_of_all = patch.cells.of(0);
    for (std::uint32_t at = 0; at < count; at += packet) {
        const std::uint32_t some = std::min(packet, count - at);
        Reach expected = patch.cells.of(at);
        for (std::uint32_t i = at; i < at + some; ++i) expected = together(expected, patch.cells.of(i));
        expect_equal(bounds.of(places.queriers(), at, at, some, radius).cells, expected);
        // One that does not begin where a packet does.
        if (at + 1 < count)
            expect_equal(bounds.of(places.queriers(), at + 1, at + 1, 1, radius).cells,
                         patch.cells.of(at + 1));
        expected_of_all = together(expected_of_all, expected);
    }
    expect_equal(all, expected_of_all);
}

TEST(PacketBounds, have_the_cells_of_each_querier_in_every_rounding_mode) {
    const int before = std::fegetround();
    for (const int mode : modes) {
        std::fesetround(mode);
        for (const Spot& spot : spots)
            for (std::uint32_t seed = 1; seed <= 150; ++seed)
                expect_cells_of_each(spot, 1 + seed * 7 % max_queriers, 4u << seed % 3, seed);
    }
    std::fesetround(before);
}

}  // namespace
}  // namespace throng::simd
