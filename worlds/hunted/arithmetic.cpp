#include "worlds/hunted/arithmetic.hpp"

#include <cmath>

namespace throng::worlds {

std::uint64_t Random::next() noexcept {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double Random::uniform(double low, double high) noexcept { return low + (high - low) * uniform(); }

std::uint64_t mix(std::uint64_t value) noexcept { return Random(value).next(); }

double exp2(double x) noexcept {
    const double whole = std::floor(x), t = (x - whole) * 0.69314718055994531;
    double term = 1, sum = 1;
    for (int k = 1; k < 18; ++k) {
        term *= t / k;
        sum += term;
    }
    return std::ldexp(sum, static_cast<int>(whole));
}

double log2(double x) noexcept {
    int exponent = 0;
    const double mantissa = std::frexp(x, &exponent), t = (mantissa - 1) / (mantissa + 1);
    // The logarithm is twice the area tangent of t, whose square is at most a ninth.
    double power = t, sum = 0;
    for (int k = 1; k < 36; k += 2) {
        sum += power / k;
        power *= t * t;
    }
    return exponent + 2 * sum / 0.69314718055994531;
}

Point on_circle(double turns) noexcept {
    turns -= std::floor(turns);
    const int quarters = static_cast<int>(4 * turns + 0.5);
    const double angle = (turns - 0.25 * quarters) * 6.2831853071795865;
    double cosine = 0, sine = 0, term = 1;
    for (int k = 0; k < 20; k += 2) {
        cosine += term;
        term *= angle / (k + 1);
        sine += term;
        term *= -angle / (k + 2);
    }
    switch (quarters & 3) {
    case 0: return {cosine, sine};
    case 1: return {-sine, cosine};
    case 2: return {-cosine, -sine};
    default: return {sine, -cosine};
    }
}

}  // namespace throng::worlds
