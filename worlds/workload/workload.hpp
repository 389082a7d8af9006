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

#include "throng/compiler.hpp"
#include "worlds/workload/scenarios.hpp"
#include "worlds/workload/world.hpp"

namespace workload {

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

// Boxes that cover half of the world's area each.
inline std::vector<Rect> half_world_queries(const World& w, std::size_t n = 32) {
    Random r(55);
    const float s = 0.70710678f * w.side, slack = w.side - s;
    std::vector<Rect> q;
    for (std::size_t i = 0; i < n; ++i) {
        const float x = r.uniform() * slack, y = r.uniform() * slack;
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

// Boxes of half size 0.5 that move by a vector of length 4.
constexpr float moving_half = 0.5f;
inline std::vector<Ray> moves(const World& w, std::size_t n = 100000) {
    Random r(123);
    std::vector<Ray> q;
    for (std::size_t i = 0; i < n; ++i) {
        const float x = r.uniform() * w.side, y = r.uniform() * w.side, a = r.uniform() * 6.2831853f;
        q.push_back({x, y, 4 * std::cos(a), 4 * std::sin(a)});
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
    // An id in the list of another.
    void directed(std::uint32_t a, std::uint32_t b) {
        ++count;
        hash += mix((std::uint64_t(a) << 32) | b);
    }
    // What was found at place k, and how far away.
    void found(std::uint64_t k, std::uint32_t id, float t) {
        ++count;
        hash += mix((k << 32 | id) * 0x9E3779B97F4A7C15ull + throng::detail::bits_as<std::uint32_t>(t));
    }
    // How many were found.
    void counted(std::uint32_t a, std::uint32_t many) {
        count += many;
        hash += mix((std::uint64_t(a) << 32) | many);
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
        "{\"index\":\"%s\",\"task\":\"%s\",\"scenario\":\"%s\",\"n\":%zu,\"threads\":%d,\"ms\":%.7g,"
        "\"count\":%llu,\"hash\":\"%016llx\"}\n",
        index, task, scenario.c_str(), n, threads, ms, static_cast<unsigned long long>(s.count),
        static_cast<unsigned long long>(s.hash));
    std::fflush(stdout);
}

}  // namespace workload
