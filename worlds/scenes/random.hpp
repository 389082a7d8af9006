// Random numbers that are the same on every machine: integers from splitmix64, floats from their
// top bits. Only additions, multiplications and conversions, since the mathematical functions
// differ between C libraries.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "throng/compiler.hpp"

namespace throng::test {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 0x1234567u) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    // In [0, bound).
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
    // In [low, high].
    int between(int low, int high) {
        return low + static_cast<int>(below(static_cast<std::size_t>(high - low) + 1));
    }
    bool one_in(std::size_t count) { return below(count) == 0; }
    // In [0, 1).
    float uniform() { return static_cast<float>(next() >> 40) * (1.0f / 16777216.0f); }
    float uniform(float low, float high) {
        const float t = uniform();
        return low * (1 - t) + high * t;
    }
    // About a bell curve: mean 0, standard deviation 1, never beyond 6.
    float bell() {
        float sum = -6;
        for (int i = 0; i < 12; ++i) sum += uniform();
        return sum;
    }
    // A length with a random decimal exponent, in [10^low, 10^(high + 1)).
    float decades(int low, int high) {
        float value = uniform(1, 10);
        const int exponent = between(low, high);
        for (int i = 0; i < exponent; ++i) value *= 10;
        for (int i = 0; i > exponent; --i) value *= 0.1f;
        return value;
    }
    // Any finite float at all, by its bits.
    float any_finite() {
        for (;;) {
            const float value = detail::bits_as<float>(static_cast<std::uint32_t>(next()));
            if (std::isfinite(value)) return value;
        }
    }
    // A subnormal number or a zero, of either sign.
    float subnormal() {
        const auto bits = static_cast<std::uint32_t>(next());
        return detail::bits_as<float>(one_in(8) ? bits & 0x80000000u : bits & 0x807FFFFFu);
    }

private:
    std::uint64_t state_;
};

template <class T>
void shuffle(std::vector<T>& elements, Random& random) {
    for (std::size_t i = elements.size(); i > 1; --i) std::swap(elements[i - 1], elements[random.below(i)]);
}

}  // namespace throng::test
