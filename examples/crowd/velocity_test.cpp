#include "examples/crowd/velocity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "examples/crowd/scenario.hpp"

namespace throng::crowd {
namespace {

constexpr float fastest = 2;

// Half planes; the firm ones permit zero.
std::vector<HalfPlane> some_planes(std::uint32_t number, std::size_t firm, std::size_t others) {
    std::vector<HalfPlane> planes;
    for (std::uint32_t i = 0; i < firm + others; ++i) {
        const float angle = 6.2831853f * scattered(number, 2 * i);
        const float offset = 2.2f * scattered(number, 2 * i + 1) - 1.6f;
        planes.push_back({{std::cos(angle), std::sin(angle)}, i < firm ? std::min(offset, 0.0f) : offset});
    }
    return planes;
}

Vec preferred_of(std::uint32_t number) {
    return {4 * scattered(number, 100) - 2, 4 * scattered(number, 101) - 2};
}

bool all_permit(const std::vector<HalfPlane>& planes, Vec velocity, float tolerance) {
    return std::all_of(planes.begin(), planes.end(),
                       [&](const HalfPlane& plane) { return plane.permits(velocity, tolerance); });
}

// Wherever the nearest permitted velocity can lie: the wanted one itself, its nearest point on a border, and
// where two borders cross. The disc of all speeds is a border too.
std::vector<Vec> candidates(const std::vector<HalfPlane>& planes, Vec preferred) {
    std::vector<Vec> all{shortened(preferred, fastest)};
    for (const HalfPlane& a : planes) {
        const Vec origin = a.normal * a.offset, along = turned_left(a.normal);
        all.push_back(origin + along * dot(along, preferred - origin));
        const float room = fastest * fastest - a.offset * a.offset;
        if (room >= 0) {
            all.push_back(origin + along * std::sqrt(room));
            all.push_back(origin - along * std::sqrt(room));
        }
        for (const HalfPlane& b : planes) {
            const float sine = cross(a.normal, b.normal);
            if (std::abs(sine) < 1e-3f) continue;
            all.push_back((turned_left(a.normal) * b.offset - turned_left(b.normal) * a.offset) * (1 / sine));
        }
    }
    return all;
}

float worst_violation(const std::vector<HalfPlane>& planes, std::size_t firm, Vec velocity) {
    float worst = 0;
    for (std::size_t i = firm; i < planes.size(); ++i)
        worst = std::max(worst, planes[i].offset - dot(planes[i].normal, velocity));
    return worst;
}

TEST(Velocity, IsTheNearestOfAllThatArePermitted) {
    int permitted = 0;
    for (std::uint32_t number = 0; number < 20'000; ++number) {
        const std::vector<HalfPlane> planes = some_planes(number, number % 3, number % 7);
        const Vec preferred = preferred_of(number);
        float nearest = std::numeric_limits<float>::infinity();
        for (const Vec candidate : candidates(planes, preferred))
            if (length(candidate) <= fastest + 1e-5f && all_permit(planes, candidate, 1e-5f))
                nearest = std::min(nearest, length(candidate - preferred));
        if (!(nearest < std::numeric_limits<float>::infinity())) continue;
        ++permitted;
        const Vec best = best_velocity(preferred, fastest, planes, number % 3);
        ASSERT_LE(length(best), fastest + 1e-4f) << number;
        ASSERT_TRUE(all_permit(planes, best, 1e-4f)) << number;
        ASSERT_NEAR(length(best - preferred), nearest, 2e-3f) << number;
    }
    EXPECT_GT(permitted, 5000);
}

TEST(Velocity, ViolatesNeighboursTheLeastWhereNoneIsPermitted) {
    int impossible = 0;
    for (std::uint32_t number = 0; number < 3000; ++number) {
        const std::size_t firm = number % 3;
        const std::vector<HalfPlane> planes = some_planes(number, firm, 4 + number % 12);
        const std::vector<HalfPlane> walls(planes.begin(),
                                           planes.begin() + static_cast<std::ptrdiff_t>(firm));
        const Vec best = best_velocity(preferred_of(number), fastest, planes, firm);
        const float worst = worst_violation(planes, firm, best);
        ASSERT_LE(length(best), fastest + 1e-4f) << number;
        ASSERT_TRUE(all_permit(walls, best, 1e-4f)) << number;
        if (worst < 1e-3f) continue;
        ++impossible;
        constexpr int steps = 64;
        for (int i = 0; i <= steps * steps; ++i) {
            const Vec other{(static_cast<float>(i % steps) / (steps / 2) - 1) * fastest,
                            (static_cast<float>(i / steps) / (steps / 2) - 1) * fastest};
            if (length(other) > fastest || !all_permit(walls, other, 0)) continue;
            ASSERT_LE(worst, worst_violation(planes, firm, other) + 1e-3f) << number;
        }
    }
    EXPECT_GT(impossible, 500);
}

TEST(Velocity, IsZeroBetweenFirmHalfPlanesThatPermitNothingElse) {
    const std::vector<HalfPlane> planes{
        {{1, 0}, 0}, {{-1, 0}, 0}, {{0, 1}, 0}, {{0, -1}, 0}, {{0.6f, 0.8f}, 1}};
    const Vec best = best_velocity({1, 1}, fastest, planes, 4);
    EXPECT_NEAR(best.x, 0, 1e-5f);
    EXPECT_NEAR(best.y, 0, 1e-5f);
}

}  // namespace
}  // namespace throng::crowd
