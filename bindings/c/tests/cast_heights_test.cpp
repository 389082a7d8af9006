// Casts with heights: heights given with filters are those of a cast of the library, and the same are
// refused.

#include <cstddef>
#include <limits>

#include "bindings/c/tests/both_worlds.hpp"
#include "support/casts.hpp"

namespace throng::test {
namespace {

TEST(CCastHeights, are_those_of_the_library) {
    Both both("clustered", 2000);
    both.build_walls();
    const std::vector<Cast> casts = at_some_heights(casts_for(both.scene, 400));
    std::vector<throng_cast> given;
    std::vector<throng_cast_heights> heights;
    for (const Cast& cast : casts) {
        const auto& [start, dx, dy, radius, band, dz] = cast;
        given.push_back({start.min_x, start.min_y, start.max_x, start.max_y, dx, dy, radius});
        heights.push_back({band.min_z, band.max_z, dz});
    }
    auto filter = made(throng_init_filter), one = filter;
    filter.with_static = one.with_static = 1;
    filter.cast_heights = heights.data(), filter.cast_heights_count = heights.size();
    std::vector<CastHit> hits(casts.size());
    std::vector<throng_cast_hit> in_c(casts.size());
    CastHits all;
    const WithStatic frame = both.frame.with_static();
    ASSERT_TRUE(frame.first_hits(casts, hits));
    ASSERT_TRUE(frame.all_hits(casts, all));
    ASSERT_EQ(throng_frame_first_hits_of(both.c.frame, given.data(), given.size(), &filter, in_c.data(),
                                         in_c.size(), nullptr),
              THRONG_OK);
    expect_same_bytes(std::span<const CastHit>(hits), std::span<const throng_cast_hit>(in_c));
    ASSERT_EQ(throng_frame_all_hits_of(both.c.frame, given.data(), given.size(), &filter, both.c.cast_hits,
                                       nullptr),
              THRONG_OK);
    expect_same_bytes(all.hits(), got(both.c.cast_hits, throng_cast_hits_get));
    for (std::size_t i = 0; i < casts.size(); ++i) {
        one.cast_heights = &heights[i], one.cast_heights_count = 1;
        throng_cast_hit hit{};
        std::int32_t blocked = 0;
        ASSERT_EQ(throng_frame_first_hit(both.c.frame, &given[i], &one, &hit, nullptr), THRONG_OK);
        ASSERT_EQ(throng_frame_blocked(both.c.frame, &given[i], &one, &blocked, nullptr), THRONG_OK);
        ASSERT_EQ(hits[i], (CastHit{hit.id, hit.fraction, hit.is_static}));
        ASSERT_EQ(hits[i].found(), blocked != 0);
    }
}

TEST(CCastHeights, are_refused_by_name_and_element) {
    CWorld c;
    c.update(std::vector<Box>{{0, 0, 1, 1}});
    const std::vector<throng_cast> casts(2);
    std::vector<throng_cast_heights> heights{{0, 1, 2}, {3, 2, 0}};
    auto filter = made(throng_init_filter);
    filter.cast_heights = heights.data(), filter.cast_heights_count = 2;
    std::vector<std::uint8_t> blocked(2);
    std::int32_t one = 0;
    auto details = made(throng_init_status_details);
    const auto of_many = [&] {
        return throng_frame_blocked_of(c.frame, casts.data(), 2, &filter, blocked.data(), 2, &details);
    };
    EXPECT_EQ(of_many(), THRONG_INVERTED);
    EXPECT_EQ(details.index, 1u);
    heights[1] = {0, 1, std::numeric_limits<float>::infinity()};
    EXPECT_EQ(of_many(), THRONG_NOT_FINITE);
    EXPECT_EQ(throng_frame_blocked(c.frame, casts.data(), &filter, &one, nullptr), THRONG_OK);
    filter.cast_heights = &heights[1];
    EXPECT_EQ(throng_frame_blocked(c.frame, casts.data(), &filter, &one, nullptr), THRONG_NOT_FINITE);
    filter.cast_heights_count = 3;
    EXPECT_EQ(of_many(), THRONG_SIZE_MISMATCH);
    EXPECT_EQ(details.argument, THRONG_ARGUMENT_HEIGHTS);
    filter.cast_heights = nullptr;
    EXPECT_EQ(of_many(), THRONG_NULL_VIEW);
    EXPECT_EQ(details.argument, THRONG_ARGUMENT_HEIGHTS);
    EXPECT_EQ(throng_frame_blocked(c.frame, casts.data(), &filter, &one, nullptr), THRONG_NULL_VIEW);
    filter.cast_heights_count = 0;
    EXPECT_EQ(of_many(), THRONG_OK);
}

}  // namespace
}  // namespace throng::test
