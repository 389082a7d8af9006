#include "support/casts.hpp"

#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {

namespace {

constexpr float largest = std::numeric_limits<float>::max();

float legal(float v) { return std::isfinite(v) ? v : v < 0 ? -largest : largest; }

class CastMaker {
public:
    CastMaker(const Scene& scene, std::uint64_t seed) : scene_(scene), random_(seed) {
        for (const Box& box : scene.agents())
            bounds_ = {std::min(bounds_.min_x, box.min_x), std::min(bounds_.min_y, box.min_y),
                       std::max(bounds_.max_x, box.max_x), std::max(bounds_.max_y, box.max_y)};
        if (scene.agents().empty()) bounds_ = {0, 0, 100, 100};
    }

    Cast make() {
        Cast cast = moving();
        if (random_.one_in(4)) cast.radius = a_radius();
        cast.dx = legal(cast.dx);
        cast.dy = legal(cast.dy);
        return cast;
    }

private:
    Box agent() {
        return scene_.agents().empty() ? Box{1, 1, 2, 2}
                                       : scene_.agents()[random_.below(scene_.agents().size())];
    }
    // A corner, the centre, a point of an edge, or any point of the world.
    Point point() {
        const Box box = agent();
        const float mid_x = 0.5f * box.min_x + 0.5f * box.max_x, mid_y = 0.5f * box.min_y + 0.5f * box.max_y;
        const float x[] = {box.min_x, box.max_x, mid_x}, y[] = {box.min_y, box.max_y, mid_y};
        if (random_.one_in(3)) return anywhere();
        return {x[random_.below(3)], y[random_.below(3)]};
    }
    Point anywhere() {
        return {random_.uniform(bounds_.min_x, bounds_.max_x), random_.uniform(bounds_.min_y, bounds_.max_y)};
    }
    float a_radius() {
        const Box box = agent();
        const float extent = legal(std::max(box.max_x - box.min_x, box.max_y - box.min_y));
        const float choices[] = {extent,
                                 0.5f * extent,
                                 legal(3 * extent),
                                 1e-30f,
                                 0.25f,
                                 largest,
                                 random_.uniform() * 0.1f * legal(bounds_.max_x - bounds_.min_x)};
        return legal(choices[random_.below(std::size(choices))]);
    }
    Cast start() {
        const Box box = agent();
        if (random_.one_in(3)) return Cast::box(box, 0, 0);
        if (random_.one_in(6)) {
            const Point a = point(), b = point();
            return Cast::box({std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)},
                             0, 0);
        }
        const Point p = point();
        return Cast::ray(p.x, p.y, 0, 0);
    }
    Cast moving() {
        Cast cast = start();
        const Point to = point();
        switch (random_.below(10)) {
        case 0: break;  // not at all
        case 1: cast.dx = legal(to.x - cast.start.min_x); break;
        case 2: cast.dy = legal(to.y - cast.start.min_y); break;
        case 3: {
            const float factor = random_.decades(-12, 12);
            cast.dx = factor * legal(to.x - cast.start.min_x);
            cast.dy = factor * legal(to.y - cast.start.min_y);
            break;
        }
        case 4:
            cast.dx = random_.one_in(2) ? random_.subnormal() : random_.any_finite();
            cast.dy = random_.one_in(2) ? random_.subnormal() : random_.any_finite();
            break;
        case 5: {  // from far away, through the world
            const float far_x = legal(to.x - random_.bell() * 1e6f),
                        far_y = legal(to.y - random_.bell() * 1e6f);
            cast = Cast::ray(far_x, far_y, 2 * (to.x - far_x), 2 * (to.y - far_y));
            break;
        }
        default: {
            const float part = random_.one_in(2) ? 1.0f : random_.uniform();
            cast.dx = part * legal(to.x - cast.start.min_x);
            cast.dy = part * legal(to.y - cast.start.min_y);
        }
        }
        return cast;
    }

    const Scene& scene_;
    Random random_;
    Box bounds_{largest, largest, -largest, -largest};
};

}  // namespace

std::vector<Cast> casts_for(const Scene& scene, std::size_t count, std::uint64_t seed) {
    CastMaker maker(scene, seed);
    std::vector<Cast> casts;
    while (casts.size() < count) casts.push_back(maker.make());
    return casts;
}

std::vector<Cast> at_some_heights(std::vector<Cast> casts, std::uint64_t seed) {
    Random random(seed + 77);
    for (Cast& cast : casts) {
        if (random.one_in(4)) continue;
        const Band from = random_band(random), to = random_band(random);
        const auto rise = [&] {
            switch (random.below(8)) {
            case 0: return 0.0f;
            case 1: return random.subnormal();
            case 2: return random.any_finite();
            case 3: return random.uniform(-1, 1);
            case 4: return random.uniform(-100, 100);
            default: return legal(to.min_z) - legal(from.min_z);
            }
        };
        cast = random.one_in(2) && std::isfinite(from.min_z) ? cast.sloped(from.min_z, from.min_z + rise())
                                                             : cast.at_heights(from, rise());
        cast.dz = legal(cast.dz);
    }
    return casts;
}

}  // namespace throng::test
