#include "examples/demo/motion.hpp"

#include <cmath>

namespace throng::demo {

namespace {

using workload::World;

struct Vector {
    float x, y;
};

// The curl of a sum of waves: streams that neither thin out nor jam.
Vector stream(float x, float y, float side) {
    struct Wave {
        float across, along, phase, strength;
    };
    constexpr Wave waves[] = {{1, 1, 0.3f, 0.5f},
                              {2, -1, 1.7f, 0.35f},
                              {-1, 3, 4.1f, 0.28f},
                              {3, 2, 2.2f, 0.2f},
                              {4, -3, 5.3f, 0.14f}};
    constexpr float turn = 6.2831853f;
    Vector v{0, 0};
    for (const Wave& wave : waves) {
        const float slope =
            std::cos(turn * (wave.across * x + wave.along * y) / side + wave.phase) * wave.strength;
        v.x += wave.along * slope;
        v.y -= wave.across * slope;
    }
    return v;
}

// What two agents do along the axis on which they overlap least; `mass` is by area.
struct Side {
    float &place, &speed;
    float mass;
};

// Agents give way softly: a frame undoes this much of an overlap, so that a touch lasts for some frames.
constexpr float softness = 0.2f;

// `direction` is 1 if the second agent lies further along the axis, else -1.
void part(Side a, Side b, float overlap, float direction) {
    const float share_a = b.mass / (a.mass + b.mass), share_b = 1 - share_a;
    a.place -= direction * overlap * softness * share_a;
    b.place += direction * overlap * softness * share_b;
    const float closing = (a.speed - b.speed) * direction;
    if (closing <= 0) return;
    a.speed -= 2 * share_a * closing * direction;
    b.speed += 2 * share_b * closing * direction;
}

void bounce_pair(World& w, std::uint32_t a, std::uint32_t b) {
    const float dx = w.x[b] - w.x[a], dy = w.y[b] - w.y[a];
    const float overlap_x = w.hx[a] + w.hx[b] - std::fabs(dx), overlap_y = w.hy[a] + w.hy[b] - std::fabs(dy);
    // An earlier pair may have moved them apart already.
    if (overlap_x < 0 || overlap_y < 0) return;
    const float mass_a = w.hx[a] * w.hy[a], mass_b = w.hx[b] * w.hy[b];
    // Agents at the same place part by their ids.
    const auto direction = [&](float d) { return d > 0 || (d == 0 && a < b) ? 1.0f : -1.0f; };
    if (overlap_x < overlap_y)
        part({w.x[a], w.vx[a], mass_a}, {w.x[b], w.vx[b], mass_b}, overlap_x, direction(dx));
    else
        part({w.y[a], w.vy[a], mass_a}, {w.y[b], w.vy[b], mass_b}, overlap_y, direction(dy));
}

// Agents of a pair lie anywhere in the arrays: asking for them early hides most of the wait.
void fetch(const World& w, std::uint32_t i) {
    for (const std::vector<float>* values : {&w.x, &w.y, &w.hx, &w.hy, &w.vx, &w.vy})
        __builtin_prefetch(&(*values)[i]);
}

// Turns towards a wish, which itself turns round at the walls.
float steer(float speed, float& wish, float place, float side) {
    constexpr float eagerness = 0.15f;
    if (place < 1) wish = std::fabs(wish);
    if (place > side - 1) wish = -std::fabs(wish);
    return speed + eagerness * (wish - speed);
}

}  // namespace

Crowd::Crowd(const std::string& scenario, std::size_t agents) : world_(workload::make(scenario, agents)) {
    World& w = world_;
    for (std::size_t i = 0; i < w.size(); ++i) {
        const Vector with = stream(w.x[i], w.y[i], w.side);
        w.vx[i] += 0.08f * with.x;
        w.vy[i] += 0.08f * with.y;
    }
    wish_x_ = w.vx;
    wish_y_ = w.vy;
}

void Crowd::walk() {
    World& w = world_;
    for (std::size_t i = 0; i < w.size(); ++i) {
        w.vx[i] = steer(w.vx[i], wish_x_[i], w.x[i], w.side);
        w.vy[i] = steer(w.vy[i], wish_y_[i], w.y[i], w.side);
    }
    w.step();
}

void Crowd::bounce(std::span<const Pair> touching) {
    constexpr std::size_t ahead = 16;
    for (std::size_t k = 0; k < touching.size(); ++k) {
        if (k + ahead < touching.size()) {
            fetch(world_, touching[k + ahead].a);
            fetch(world_, touching[k + ahead].b);
        }
        bounce_pair(world_, touching[k].a, touching[k].b);
    }
}

}  // namespace throng::demo
