// The common workloads: every index is measured on the same agents, queries and checksums.
// Deterministic: the same scenario, count and seed give the same agents everywhere.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace workload {

// splitmix64
struct Random {
    std::uint64_t state;
    explicit Random(std::uint64_t seed) : state(seed) {}
    std::uint64_t next() {
        std::uint64_t z = (state += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    float uniform() { return float(next() >> 40) * (1.0f / 16777216.0f); }
    // Rounded once, as compilers do where the CPU can: without asking for it, a world would depend on compiler flags.
    float uniform(float a, float b) { return std::fma(b - a, uniform(), a); }
    float normal() {
        const float u = std::max(uniform(), 1e-7f), v = uniform();
        return std::sqrt(-2.0f * std::log(u)) * std::cos(6.2831853f * v);
    }
};

// Agents as arrays: centre, half extent, velocity. A box is closed: [x-hx, x+hx] x [y-hy, y+hy].
struct World {
    float side = 0;  // the world is [0,side] x [0,side]
    std::vector<float> x, y, hx, hy, vx, vy;
    std::size_t size() const { return x.size(); }
    float x0(std::size_t i) const { return x[i] - hx[i]; }
    float x1(std::size_t i) const { return x[i] + hx[i]; }
    float y0(std::size_t i) const { return y[i] - hy[i]; }
    float y1(std::size_t i) const { return y[i] + hy[i]; }
    // One frame of motion, bouncing off the walls.
    void step() {
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] += vx[i];
            y[i] += vy[i];
            if (x[i] < 0) {
                x[i] = -x[i];
                vx[i] = -vx[i];
            } else if (x[i] > side) {
                x[i] = 2 * side - x[i];
                vx[i] = -vx[i];
            }
            if (y[i] < 0) {
                y[i] = -y[i];
                vy[i] = -vy[i];
            } else if (y[i] > side) {
                y[i] = 2 * side - y[i];
                vy[i] = -vy[i];
            }
        }
    }
};

// crowd:     near-uniform sizes, about 18 % of the area covered, ids in random spatial order
// mixed:     as crowd, but one agent in a thousand is 4 to 100 times larger
// clustered: 64 gaussian clusters, and 500 agents at exactly one point
inline World make(const std::string& scenario, std::size_t n, std::uint64_t seed = 1) {
    Random r(seed);
    World w;
    w.side = std::sqrt(float(n) / 0.25f);
    for (auto* v : {&w.x, &w.y, &w.hx, &w.hy, &w.vx, &w.vy}) v->resize(n);
    std::vector<float> cx(64), cy(64);
    for (std::size_t c = 0; c < 64; ++c) {
        cx[c] = r.uniform(0.1f, 0.9f) * w.side;
        cy[c] = r.uniform(0.1f, 0.9f) * w.side;
    }
    for (std::size_t i = 0; i < n; ++i) {
        if (scenario == "clustered") {
            const std::size_t c = r.next() % 64;
            w.x[i] = std::clamp(std::fma(r.normal() * w.side, 0.04f, cx[c]), 0.0f, w.side);
            w.y[i] = std::clamp(std::fma(r.normal() * w.side, 0.04f, cy[c]), 0.0f, w.side);
        } else {
            w.x[i] = r.uniform() * w.side;
            w.y[i] = r.uniform() * w.side;
        }
        w.hx[i] = r.uniform(0.35f, 0.5f);
        w.hy[i] = r.uniform(0.35f, 0.5f);
        if (scenario == "mixed" && r.next() % 1000 == 0) {
            const float k = std::exp(r.uniform(std::log(4.0f), std::log(100.0f)));
            w.hx[i] *= k;
            w.hy[i] *= k;
        }
        w.vx[i] = r.uniform(-0.1f, 0.1f);
        w.vy[i] = r.uniform(-0.1f, 0.1f);
    }
    if (scenario == "clustered")
        for (std::size_t i = 0; i < std::min<std::size_t>(500, n); ++i) {
            w.x[i] = w.y[i] = w.side * 0.5f;
            w.vx[i] = w.vy[i] = 0;
        }
    return w;
}

struct Rect {
    float x0, y0, x1, y1;
};

// One query per agent: a box of half size 2 round its centre. In id order (random in space),
// or, if coherent, sorted by 4-unit cells, row by row.
inline std::vector<Rect> neighbourhoods(const World& w, bool coherent) {
    std::vector<std::uint32_t> order(w.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = std::uint32_t(i);
    if (coherent)
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            const int ya = int(w.y[a] / 4), yb = int(w.y[b] / 4);
            if (ya != yb) return ya < yb;
            const int xa = int(w.x[a] / 4), xb = int(w.x[b] / 4);
            if (xa != xb) return xa < xb;
            return a < b;
        });
    std::vector<Rect> q;
    q.reserve(w.size());
    for (std::uint32_t i : order) q.push_back({w.x[i] - 2, w.y[i] - 2, w.x[i] + 2, w.y[i] + 2});
    return q;
}

// Large searches: side 5 % to 30 % of the world's.
inline std::vector<Rect> large_queries(const World& w, std::size_t n = 1000) {
    Random r(77);
    std::vector<Rect> q;
    for (std::size_t i = 0; i < n; ++i) {
        const float s = r.uniform(0.05f, 0.30f) * w.side, x = r.uniform() * (w.side - s),
                    y = r.uniform() * (w.side - s);
        q.push_back({x, y, x + s, y + s});
    }
    return q;
}

// Line-of-sight segments of length 50, from (x,y) to (x+dx, y+dy).
struct Ray {
    float x, y, dx, dy;
};
inline std::vector<Ray> rays(const World& w, std::size_t n = 100000) {
    Random r(99);
    std::vector<Ray> q;
    for (std::size_t i = 0; i < n; ++i) {
        const float a = r.uniform() * 6.2831853f;
        q.push_back({r.uniform() * w.side, r.uniform() * w.side, 50 * std::cos(a), 50 * std::sin(a)});
    }
    return q;
}

// Checksums that do not depend on order.
inline std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}
struct Checksum {
    std::uint64_t count = 0, hash = 0;
    void pair(std::uint32_t a, std::uint32_t b) {
        if (a > b) std::swap(a, b);
        ++count;
        hash += mix((std::uint64_t(a) << 32) | b);
    }
    void hit(std::uint32_t id) {
        ++count;
        hash += mix(std::uint64_t(id) + 1);
    }
};

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
inline double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

// One JSON object a line.
inline void report(const char* index, const char* task, const std::string& scenario, std::size_t n,
                   int threads, double ms, const Checksum& s) {
    std::printf(
        "{\"index\":\"%s\",\"task\":\"%s\",\"scenario\":\"%s\",\"n\":%zu,\"threads\":%d,\"ms\":%.4f,"
        "\"count\":%llu,\"hash\":\"%016llx\"}\n",
        index, task, scenario.c_str(), n, threads, ms, static_cast<unsigned long long>(s.count),
        static_cast<unsigned long long>(s.hash));
    std::fflush(stdout);
}

}  // namespace workload
