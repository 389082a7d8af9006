// The agents of a workload as arrays, their motion, and the random numbers that they are made from. The same
// seed gives the same numbers everywhere.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace workload {

// a * b + c, rounded once. MinGW's std::fma rounds the product, too, where the CPU has no instruction for it.
#if defined(__MINGW32__)
inline float fused(float a, float b, float c) {
    // The product of two floats is exact. An inexact sum is rounded to odd, so the last rounding knows what
    // was lost.
    const double product = double(a) * double(b), sum = product + double(c), part = sum - product;
    const double lost = (product - (sum - part)) + (double(c) - part);
    const auto bits = std::bit_cast<std::uint64_t>(sum);
    if (lost == 0 || !std::isfinite(sum) || (bits & 1) != 0) return float(sum);
    return float(std::bit_cast<double>((lost > 0) == (sum > 0) ? bits + 1 : bits - 1));
}
#else
inline float fused(float a, float b, float c) { return std::fma(a, b, c); }
#endif

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
    // Rounded once, as compilers do where the CPU can. Without asking for it, a world would depend on
    // compiler flags.
    float uniform(float a, float b) { return fused(b - a, uniform(), a); }
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

}  // namespace workload
