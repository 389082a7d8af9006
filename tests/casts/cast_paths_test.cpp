// The paths of many casts, found a vector at a time, are those of each cast alone: the same rows, the same columns in each,
// and the same end. The kernels' code is compiled here for the lowest instruction set.
#include "simd/isa/lowest.hpp"

#include "simd/kernels/casts/cast_path.hpp"
#include "simd/kernels/casts/cast_paths.hpp"
#include "simd/kernels/casts/cast_probe.hpp"
#include "support/test.hpp"

namespace throng::simd {
namespace {

using Vocabulary = Lowest;
using Path = CastPath<Vocabulary>;
constexpr std::uint32_t size = 16;
using Paths = CastPaths<Vocabulary, size>;

// A grid of 40 columns and 30 rows around the origin, and how far agents reach in it.
constexpr Place place{-50, -40, 0.4f, 0.375f, 39, 29};
constexpr float reach_x = 1.5f, reach_y = 2.25f;

// From anywhere to anywhere, beyond the grid too; some along an axis, some very short, very long, or without a movement.
std::vector<CastQuery> casts_of(std::uint32_t seed) {
    test::Random random(seed);
    const float movements[] = {0, -0.0f, 1e-30f, -1e-30f, 1e-42f, 3, -3, 40, -40, 1e6f, -1e6f, 3e38f, -3e38f};
    std::vector<CastQuery> casts(size);
    for (CastQuery& cast : casts) {
        const float x = random.uniform(-80, 80), y = random.uniform(-70, 70), half = random.uniform(0, 1);
        const auto movement = [&] {
            return random.below(3) == 0 ? movements[random.below(std::size(movements))]
                                        : random.uniform(-30, 30);
        };
        cast = {{x - half, y - half, x + half, y + half}, movement(), movement(), 0};
    }
    return casts;
}

// What a probe of a cast alone would find of its movement and its corners.
void expect_same_axes(const CastLane& lane, const CastQuery& cast) {
    const CastAxis x(cast.dx), y(cast.dy);
    const auto same = [](const CastAxis& a, const CastAxis& b) {
        return a.movement == b.movement && a.inverse == b.inverse && a.backwards == b.backwards &&
               a.still == b.still;
    };
    EXPECT_TRUE(same(lane.x, x)) << cast.dx;
    EXPECT_TRUE(same(lane.y, y)) << cast.dy;
    const Query& start = cast.start;
    EXPECT_EQ(lane.entry_x, x.backwards != 0 ? start.min_x : start.max_x);
    EXPECT_EQ(lane.exit_x, x.backwards != 0 ? start.max_x : start.min_x);
    EXPECT_EQ(lane.entry_y, y.backwards != 0 ? start.min_y : start.max_y);
    EXPECT_EQ(lane.exit_y, y.backwards != 0 ? start.max_y : start.min_y);
}

// Follows all casts at once, each as far as `limit`, which says when it ends, and returns how many rows they went through.
std::size_t expect_same_paths(const std::vector<CastQuery>& casts, const std::vector<float>& limits) {
    Paths paths(place, reach_x, reach_y);
    std::vector<Path> alone;
    std::vector<std::int32_t> rows(size);
    std::vector<bool> over(size, false);
    for (std::uint32_t k = 0; k < size; ++k) {
        const CastProbe<Vocabulary> probe(casts[k]);
        paths.begin(k, casts[k]);
        alone.emplace_back(place, reach_x, reach_y, probe);
    }
    paths.find_first_rows(size);
    for (std::uint32_t k = 0; k < size; ++k) {
        expect_same_axes(paths.lane(k, casts[k]), casts[k]);
        EXPECT_EQ(paths.first_row(k), alone[k].row) << k;
        EXPECT_EQ(paths.last_row(k), alone[k].last_row) << k;
        rows[k] = alone[k].row;
        paths.go_on(k, rows[k], limits[k]);
    }
    std::size_t seen = 0;
    while (std::find(over.begin(), over.end(), false) != over.end()) {
        paths.find_bands(size);
        for (std::uint32_t k = 0; k < size; ++k) {
            if (over[k]) continue;
            const Path::Band band = alone[k].band(rows[k], limits[k]);
            EXPECT_EQ(paths.first_column(k), band.first) << k << " in row " << rows[k];
            EXPECT_EQ(paths.last_column(k), band.last) << k << " in row " << rows[k];
            ++seen;
            over[k] = rows[k] == alone[k].last_row;
            if (over[k]) continue;
            rows[k] += alone[k].step;
            over[k] = alone[k].band(rows[k], limits[k]).begin > double{limits[k]};
            EXPECT_EQ(paths.comes_too_late(k, limits[k]), over[k]) << k << " in row " << rows[k];
            paths.go_on(k, rows[k], limits[k]);
        }
    }
    return seen;
}

TEST(PathsOfManyCasts, are_those_of_each_alone) {
    std::size_t rows = 0;
    for (std::uint32_t seed = 1; seed <= 200; ++seed)
        rows += expect_same_paths(casts_of(seed), std::vector<float>(size, 1.0f));
    EXPECT_GT(rows, 200u * size * 3) << "hardly any cast goes through several rows";
}

TEST(PathsOfManyCasts, end_where_nothing_earlier_can_come) {
    test::Random random(7);
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        std::vector<float> limits(size);
        for (float& limit : limits) limit = random.uniform(0, 1);
        (void)expect_same_paths(casts_of(seed), limits);
    }
}

// Casts take lanes when others end, so what was in a lane before must not matter.
TEST(PathsOfManyCasts, do_not_depend_on_the_cast_before_in_their_lane) {
    Paths paths(place, reach_x, reach_y);
    for (std::uint32_t seed = 1; seed <= 50; ++seed) {
        const std::vector<CastQuery> casts = casts_of(seed);
        for (std::uint32_t k = seed % 3; k < size; k += 3) {
            const CastProbe<Vocabulary> probe(casts[k]);
            const Path alone(place, reach_x, reach_y, probe);
            paths.begin(k, casts[k]);
            paths.find_first_rows(size);
            expect_same_axes(paths.lane(k, casts[k]), casts[k]);
            ASSERT_EQ(paths.first_row(k), alone.row);
            paths.go_on(k, alone.row, 1.0f);
            paths.find_bands(size);
            EXPECT_EQ(paths.first_column(k), alone.band(alone.row, 1.0f).first);
            EXPECT_EQ(paths.last_column(k), alone.band(alone.row, 1.0f).last);
        }
    }
}

}  // namespace
}  // namespace throng::simd
