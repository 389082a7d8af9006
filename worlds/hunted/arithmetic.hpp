// The arithmetic that worlds are made from. The mathematical functions of C libraries differ in their last
// bit; these use only what IEEE 754 rounds in one way, so a world is the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace throng::worlds {

struct Point {
    double x = 0, y = 0;
};

// splitmix64
class Random {
public:
    explicit Random(std::uint64_t seed) noexcept : state_(seed) {}
    std::uint64_t next() noexcept;
    // In [0, bound); `bound` is at least 1.
    std::size_t below(std::size_t bound) noexcept { return static_cast<std::size_t>(next() % bound); }
    bool one_in(std::size_t count) noexcept { return below(count) == 0; }
    // In [0, 1), or in [low, high).
    double uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }
    double uniform(double low, double high) noexcept;

private:
    std::uint64_t state_;
};

// A hash: the first number of the generator with that seed.
std::uint64_t mix(std::uint64_t value) noexcept;

double exp2(double x) noexcept;
// Of a positive number.
double log2(double x) noexcept;
// The point on the unit circle at that angle, one turn being the whole circle.
Point on_circle(double turns) noexcept;

}  // namespace throng::worlds
