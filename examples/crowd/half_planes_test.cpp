#include "examples/crowd/half_planes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "examples/crowd/scenario.hpp"

namespace throng::crowd {
namespace {

constexpr Horizons horizons{.agents = 4, .walls = 1, .step = 0.25f};

// Whether two discs that move with a relative velocity come closer than `radii` within so many seconds.
bool meet(Vec apart, Vec velocity, float radii, float seconds) {
    const float square = dot(velocity, velocity);
    const float time = square > 0 ? std::clamp(dot(apart, velocity) / square, 0.0f, seconds) : 0;
    return length(velocity * time - apart) < radii;
}

struct Meeting {
    Disc self, other;
    Vec apart() const { return other.position - self.position; }
    Vec velocity() const { return self.velocity - other.velocity; }
};

Meeting meeting(std::uint32_t number) {
    const auto within = [&](std::uint32_t purpose, float size) {
        return (2 * scattered(number, purpose) - 1) * size;
    };
    return {{{within(1, 8), within(2, 8)}, {within(3, 2), within(4, 2)}, 1},
            {{within(5, 8), within(6, 8)}, {within(7, 2), within(8, 2)}, 1.5f}};
}

// How far, and along the normal of the half plane, the relative velocity is from the border of the obstacle.
float distance_of(const HalfPlane& plane, const Disc& self) {
    return 2 * (plane.offset - dot(plane.normal, self.velocity));
}

TEST(HalfPlanes, OfAgentsAreAtTheNearestBorderOfTheVelocitiesThatCollide) {
    constexpr float radii = 2.5f;
    int colliding = 0, apart = 0;
    for (std::uint32_t number = 0; number < 4000; ++number) {
        const Meeting m = meeting(number);
        if (length(m.apart()) < radii * 1.01f) continue;
        const HalfPlane plane = beside_agent(m.self, m.other, horizons, true);
        const float distance = distance_of(plane, m.self);
        const bool collides = meet(m.apart(), m.velocity(), radii, horizons.agents);
        ++(collides ? colliding : apart);
        const auto collides_at = [&](Vec change) {
            return meet(m.apart(), m.velocity() + change, radii, horizons.agents);
        };
        // Just this side of the border, just beyond it, and nowhere nearer.
        ASSERT_FALSE(collides_at(plane.normal * (distance + 0.005f))) << number;
        ASSERT_TRUE(collides_at(plane.normal * (distance - 0.005f))) << number;
        if (std::abs(distance) < 0.02f) continue;
        for (int spoke = 0; spoke < 32; ++spoke) {
            const auto angle = static_cast<float>(spoke) * std::numbers::pi_v<float> / 16;
            const Vec change = Vec{std::cos(angle), std::sin(angle)} * (std::abs(distance) - 0.01f);
            ASSERT_EQ(collides_at(change), collides) << number << ", spoke " << spoke;
        }
    }
    EXPECT_GT(colliding, 100);
    EXPECT_GT(apart, 100);
}

TEST(HalfPlanes, OfTwoAgentsShareTheChangeEqually) {
    for (std::uint32_t number = 0; number < 1000; ++number) {
        const Meeting m = meeting(number);
        const HalfPlane mine = beside_agent(m.self, m.other, horizons, true);
        const HalfPlane theirs = beside_agent(m.other, m.self, horizons, false);
        ASSERT_NEAR(mine.normal.x, -theirs.normal.x, 1e-4f) << number;
        ASSERT_NEAR(mine.normal.y, -theirs.normal.y, 1e-4f) << number;
        ASSERT_NEAR(distance_of(mine, m.self), distance_of(theirs, m.other), 1e-3f) << number;
    }
}

TEST(HalfPlanes, OfAgentsAtTheSamePlacePartThem) {
    const Disc disc{{3, 4}, {1, 0}, 1};
    const HalfPlane first = beside_agent(disc, disc, horizons, true);
    const HalfPlane second = beside_agent(disc, disc, horizons, false);
    EXPECT_EQ(first.normal, -second.normal);
    EXPECT_FALSE(first.permits(disc.velocity));
    EXPECT_FALSE(second.permits(disc.velocity));
}

TEST(HalfPlanes, ThatKeepClearPermitToStandStillAndToUseUpTheGap) {
    const Disc self{{0, 0}, {1, 0}, 1}, other{{4, 0}, {0, 0}, 1};
    const HalfPlane agent = clear_of_agent(self, other, 0.5f, true);
    EXPECT_TRUE(agent.permits({2, 0}, 1e-6f));  // half of the gap of 2 in half a second
    EXPECT_FALSE(agent.permits({2.01f, 0}));
    EXPECT_TRUE(agent.permits({-9, 5}));
    const HalfPlane wall = clear_of_wall(self, {3, -1, 4, 1}, 0.5f);
    EXPECT_TRUE(wall.permits({4, 0}, 1e-6f));
    EXPECT_FALSE(wall.permits({4.01f, 0}));
    // Where there is no gap left.
    for (const float x : {2.0f, 1.9f, 0.0f}) {
        EXPECT_TRUE(clear_of_agent(self, {{x, 0}, {}, 1}, 0.5f, true).permits({})) << x;
        EXPECT_TRUE(clear_of_wall({{x, 0}, {}, 1}, {0, -1, 1, 1}, 0.5f).permits({})) << x;
        EXPECT_FALSE(clear_of_agent(self, {{x, 0}, {}, 1}, 0.5f, false).permits({0.1f, 0})) << x;
    }
}

}  // namespace
}  // namespace throng::crowd
