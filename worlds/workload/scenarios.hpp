// The ways in which the agents of a workload can lie: a list by name, and `make`, which makes a world of any
// of them. All walk at the same pace unless the scenario says otherwise.
//
// Products are added by fused() throughout, rounded once, so that no compiler flag moves an agent.
#pragma once
#include <stdexcept>
#include <string>

#include "worlds/workload/world.hpp"

namespace workload {

namespace detail {

inline constexpr float crowd_density = 0.25f;  // agents an area unit

inline float crowd_side(std::size_t n) { return std::sqrt(float(n) / crowd_density); }

inline void crowd_size(World& w, std::size_t i, Random& r) {
    w.hx[i] = r.uniform(0.35f, 0.5f);
    w.hy[i] = r.uniform(0.35f, 0.5f);
}

// Anywhere in the square whose lower left corner and side are given.
inline void put(World& w, std::size_t i, Random& r, float left, float low, float side) {
    w.x[i] = fused(r.uniform(), side, left);
    w.y[i] = fused(r.uniform(), side, low);
}

// Puts every agent somewhere, gives it a size and then a velocity.
template <class Place, class Size>
World populate(float side, std::size_t n, Random& r, Place&& place, Size&& size) {
    World w;
    w.side = side;
    for (auto* v : {&w.x, &w.y, &w.hx, &w.hy, &w.vx, &w.vy}) v->resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        place(w, i, r);
        size(w, i, r);
        w.vx[i] = r.uniform(-0.1f, 0.1f);
        w.vy[i] = r.uniform(-0.1f, 0.1f);
    }
    return w;
}

inline void put_anywhere(World& w, std::size_t i, Random& r) { put(w, i, r, 0, 0, w.side); }

// The first agents, in the centre of the world, in every frame.
inline void pin_to_centre(World& w, std::size_t count) {
    for (std::size_t i = 0; i < std::min(count, w.size()); ++i) {
        w.x[i] = w.y[i] = w.side * 0.5f;
        w.vx[i] = w.vy[i] = 0;
    }
}

// The oldest scenarios draw these numbers whether they need them or not. So their worlds stay the same.
struct Clusters {
    std::vector<float> x = std::vector<float>(64), y = std::vector<float>(64);
    Clusters(float side, Random& r) {
        for (std::size_t c = 0; c < 64; ++c) {
            x[c] = r.uniform(0.1f, 0.9f) * side;
            y[c] = r.uniform(0.1f, 0.9f) * side;
        }
    }
};

inline World crowd(std::size_t n, Random& r) {
    const Clusters unused(crowd_side(n), r);
    return populate(crowd_side(n), n, r, put_anywhere, crowd_size);
}

inline World mixed(std::size_t n, Random& r) {
    const Clusters unused(crowd_side(n), r);
    return populate(crowd_side(n), n, r, put_anywhere, [](World& w, std::size_t i, Random& random) {
        crowd_size(w, i, random);
        if (random.next() % 1000 != 0) return;
        const float k = std::exp(random.uniform(std::log(4.0f), std::log(100.0f)));
        w.hx[i] *= k;
        w.hy[i] *= k;
    });
}

inline World clustered(std::size_t n, Random& r) {
    const Clusters clusters(crowd_side(n), r);
    const auto place = [&clusters](World& w, std::size_t i, Random& random) {
        const std::size_t c = random.next() % 64;
        w.x[i] = std::clamp(fused(random.normal() * w.side, 0.04f, clusters.x[c]), 0.0f, w.side);
        w.y[i] = std::clamp(fused(random.normal() * w.side, 0.04f, clusters.y[c]), 0.0f, w.side);
    };
    World w = populate(crowd_side(n), n, r, place, crowd_size);
    pin_to_centre(w, 500);
    return w;
}

inline World sizes(std::size_t n, Random& r) {
    // The extent e, with log e evenly distributed, has the mean square (b^2 - a^2) / (2 log(b / a)). Each
    // side has a factor of its own from 0.85 to 1, 0.925 in the mean. So the mean area is known, and the side
    // is chosen so that agents cover the same share of the world as in `crowd`.
    const double a = 0.25, b = 32;
    const double mean_area = 4 * 0.925 * 0.925 * (b * b - a * a) / (2 * std::log(b / a));
    const double crowd_share = 4 * 0.425 * 0.425 * double(crowd_density);
    const float side = float(std::sqrt(double(n) * mean_area / crowd_share));
    return populate(side, n, r, put_anywhere, [](World& w, std::size_t i, Random& random) {
        const float extent = std::exp(random.uniform(std::log(0.25f), std::log(32.0f)));
        w.hx[i] = extent * random.uniform(0.85f, 1.0f);
        w.hy[i] = extent * random.uniform(0.85f, 1.0f);
    });
}

inline World crushed(std::size_t n, Random& r) {
    const auto place = [](World& w, std::size_t i, Random& random) {
        if (random.next() % 10 == 0)
            put_anywhere(w, i, random);
        else
            put(w, i, random, 0.3f * w.side, 0.6f * w.side, 0.1f * w.side);
    };
    return populate(crowd_side(n), n, r, place, crowd_size);
}

inline World villages(std::size_t n, Random& r) {
    const float side = 1e6f, village = crowd_side(1000);
    std::vector<float> left((n + 999) / 1000), low(left.size());
    for (std::size_t v = 0; v < left.size(); ++v) {
        left[v] = r.uniform() * (side - village);
        low[v] = r.uniform() * (side - village);
    }
    const auto place = [&](World& w, std::size_t i, Random& random) {
        const std::size_t v = random.next() % left.size();
        put(w, i, random, left[v], low[v], village);
    };
    return populate(side, n, r, place, crowd_size);
}

inline World point(std::size_t n, Random& r) {
    World w = populate(crowd_side(n), n, r, put_anywhere, crowd_size);
    pin_to_centre(w, std::min<std::size_t>(2000, n / 4));
    return w;
}

inline World line(std::size_t n, Random& r) {
    const auto place = [](World& w, std::size_t i, Random& random) {
        w.x[i] = random.uniform() * w.side;
        w.y[i] = w.side * 0.5f + random.uniform(-0.5f, 0.5f);
    };
    World w = populate(float(n), n, r, place, crowd_size);
    std::fill(w.vy.begin(), w.vy.end(), 0.0f);
    return w;
}

// Moving-object joins: points in a square of side 22,500 for 50,000 of them, which move by up to 200 in a
// tick.
inline float join_side(std::size_t n) { return 22500 * std::sqrt(float(n) / 50000); }

template <class Place, class Velocity>
World join_world(std::size_t n, Random& r, Place&& place, Velocity&& velocity) {
    World w = populate(join_side(n), n, r, place, [](World&, std::size_t, Random&) {});
    for (std::size_t i = 0; i < n; ++i) velocity(w, i, r);
    return w;
}

inline void walk_anyhow(World& w, std::size_t i, Random& r) {
    w.vx[i] = r.uniform(-140, 140);
    w.vy[i] = r.uniform(-140, 140);
}

inline World join_uniform(std::size_t n, Random& r) { return join_world(n, r, put_anywhere, walk_anyhow); }

// A hot spot for about every 500 points.
inline World join_gaussian(std::size_t n, Random& r) {
    const float side = join_side(n);
    std::vector<float> x((n + 499) / 500), y(x.size());
    for (std::size_t c = 0; c < x.size(); ++c) {
        x[c] = r.uniform() * side;
        y[c] = r.uniform() * side;
    }
    const auto place = [&](World& w, std::size_t i, Random& random) {
        const std::size_t c = random.next() % x.size();
        w.x[i] = std::clamp(fused(random.normal(), 500, x[c]), 0.0f, w.side);
        w.y[i] = std::clamp(fused(random.normal(), 500, y[c]), 0.0f, w.side);
    };
    return join_world(n, r, place, walk_anyhow);
}

// Schools of 200 that swim together, as in a simulation of behaviour.
inline World join_schools(std::size_t n, Random& r) {
    const float side = join_side(n);
    std::vector<float> x((n + 199) / 200), y(x.size()), vx(x.size()), vy(x.size());
    for (std::size_t c = 0; c < x.size(); ++c) {
        x[c] = r.uniform() * side;
        y[c] = r.uniform() * side;
        vx[c] = r.uniform(-130, 130);
        vy[c] = r.uniform(-130, 130);
    }
    const auto place = [&](World& w, std::size_t i, Random& random) {
        w.x[i] = std::clamp(x[i / 200] + random.uniform(-400, 400), 0.0f, w.side);
        w.y[i] = std::clamp(y[i / 200] + random.uniform(-400, 400), 0.0f, w.side);
    };
    return join_world(n, r, place, [&](World& w, std::size_t i, Random& random) {
        w.vx[i] = vx[i / 200] + random.uniform(-10, 10);
        w.vy[i] = vy[i / 200] + random.uniform(-10, 10);
    });
}

// Sizes that differ far more than in `sizes`. All together cover three times the ground, so mostly a few
// overlap.
inline World decades(std::size_t n, Random& r) {
    const double a = 0.05, b = 50, mean_area = 4 * (b * b - a * a) / (2 * std::log(b / a));
    const float side = float(std::sqrt(double(n) * mean_area / 3));
    return populate(side, n, r, put_anywhere, [](World& w, std::size_t i, Random& random) {
        w.hx[i] = w.hy[i] = std::exp(random.uniform(std::log(0.05f), std::log(50.0f)));
    });
}

// The nearer to the gate, in the middle of one side, the denser they stand.
inline World gate(std::size_t n, Random& r) {
    const auto place = [](World& w, std::size_t i, Random& random) {
        const float away = random.uniform() * w.side, angle = random.uniform(0, 3.1415927f);
        w.x[i] = std::clamp(fused(away, 0.5f * std::cos(angle), 0.5f * w.side), 0.0f, w.side);
        w.y[i] = away * std::sin(angle);
    };
    return populate(crowd_side(n), n, r, place, crowd_size);
}

inline World walls(std::size_t n, Random& r) {
    return populate(crowd_side(n), n, r, put_anywhere, [](World& w, std::size_t i, Random& random) {
        crowd_size(w, i, random);
        if (i % 200 != 0) return;
        w.hx[i] = i % 400 == 0 ? 20.0f : 0.05f;
        w.hy[i] = i % 400 == 0 ? 0.05f : 20.0f;
    });
}

// The boxes of streets on a map: roads of 20 segments that follow each other, nine tenths of them in towns,
// where they run along the axes and are short. Nothing moves.
inline World roads(std::size_t n, Random& r) {
    const float side = crowd_side(n) * 4;
    const Clusters towns(side, r);
    World w = populate(side, n, r, put_anywhere, [](World&, std::size_t, Random&) {});
    float x = 0, y = 0, angle = 0, length = 1;
    for (std::size_t i = 0; i < n; ++i) {
        if (i % 20 == 0) {
            const bool town = r.next() % 10 != 0;
            const std::size_t t = r.next() % 64;
            x = town ? fused(r.normal() * side, 0.02f, towns.x[t]) : r.uniform() * side;
            y = town ? fused(r.normal() * side, 0.02f, towns.y[t]) : r.uniform() * side;
            angle = town ? float(r.next() % 4) * 1.5707964f : r.uniform(0, 6.2831853f);
            length = std::exp(r.uniform(std::log(town ? 0.5f : 2.0f), std::log(town ? 4.0f : 16.0f)));
        }
        angle += r.normal() * 0.1f;
        const float dx = length * std::cos(angle), dy = length * std::sin(angle);
        w.x[i] = std::clamp(x + 0.5f * dx, 0.0f, side);
        w.y[i] = std::clamp(y + 0.5f * dy, 0.0f, side);
        w.hx[i] = 0.5f * std::abs(dx);
        w.hy[i] = 0.5f * std::abs(dy);
        w.vx[i] = w.vy[i] = 0;
        x += dx;
        y += dy;
    }
    return w;
}

}  // namespace detail

struct Scenario {
    const char* name;
    const char* what;
    World (*make)(std::size_t n, Random& random);
};

inline constexpr Scenario scenarios[] = {
    {"crowd", "near-uniform sizes, about 18 % of the area covered, ids in random spatial order",
     detail::crowd},
    {"mixed", "as crowd, but one agent in a thousand is 4 to 100 times larger", detail::mixed},
    {"clustered", "64 gaussian clusters, and 500 agents at exactly one point", detail::clustered},
    {"sizes", "half extents from 0.25 to 32, as many of each order of size, as much covered as in crowd",
     detail::sizes},
    {"crushed", "nine tenths of a crowd in one hundredth of its world", detail::crushed},
    {"villages", "squares of crowd for about 1,000 agents each, far apart in a world of side 1,000,000",
     detail::villages},
    {"point", "a crowd of whose agents 2,000, or a quarter, stand at exactly one point", detail::point},
    {"line", "a queue: all agents along one line across the world, one to a unit of length", detail::line},
    {"join.uniform", "points of a moving-object join, anywhere", detail::join_uniform},
    {"join.gaussian", "points of a moving-object join, around hot spots", detail::join_gaussian},
    {"join.schools", "points of a moving-object join, in schools that swim together", detail::join_schools},
    {"decades", "half extents over three decades, from 0.05 to 50, which cover the ground three times",
     detail::decades},
    {"gate", "a crowd at a gate: twice as far from it are half as many on the same ground", detail::gate},
    {"walls", "as crowd, but one agent in 200 is a thin wall, 40 long", detail::walls},
    {"roads", "the boxes of streets, short ones in towns and long ones between them", detail::roads},
};

// Throws std::invalid_argument for a name that is not in the list.
inline World make(const std::string& scenario, std::size_t n, std::uint64_t seed = 1) {
    Random r(seed);
    for (const Scenario& known : scenarios)
        if (scenario == known.name) return known.make(n, r);
    throw std::invalid_argument("there is no scenario '" + scenario + "'");
}

}  // namespace workload
