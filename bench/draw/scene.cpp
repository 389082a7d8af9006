#include "bench/draw/scene.hpp"

namespace throng::draw {

namespace {

constexpr float side = 64;

struct Spot {
    float x, y, half;
};

Spot in_town(workload::Random& r) {
    const float x = std::clamp(18 + 6 * r.normal(), 1.0f, side - 1),
                y = std::clamp(42 + 6 * r.normal(), 1.0f, side - 1);
    return {x, y, r.uniform(0.3f, 0.5f)};
}
Spot on_the_road(workload::Random& r) {
    const float along = r.uniform();
    return {24 + along * 36, 36 - along * 26 + r.uniform(-0.8f, 0.8f), r.uniform(0.3f, 0.5f)};
}
Spot alone(workload::Random& r) {
    return {r.uniform(1, side - 1), r.uniform(1, side - 1), r.uniform(0.3f, 0.5f)};
}

}  // namespace

workload::World town(std::size_t agents) {
    constexpr Spot giants[] = {{45, 48, 4.5f}, {30, 12, 3}, {56, 26, 2.2f}};
    workload::Random r(7);
    workload::World w;
    w.side = side;
    const auto put = [&w](const Spot& spot) {
        w.x.push_back(spot.x);
        w.y.push_back(spot.y);
        w.hx.push_back(spot.half);
        w.hy.push_back(spot.half);
    };
    for (std::size_t i = 0; i < agents; ++i)
        put(i % 10 < 6 ? in_town(r) : i % 10 < 9 ? on_the_road(r) : alone(r));
    for (const Spot& giant : giants) put(giant);
    w.vx.resize(w.x.size());
    w.vy.resize(w.x.size());
    return w;
}

}  // namespace throng::draw
