// An LSD radix sort of floats with a number each: byte by byte of the bits, the lowest byte first. It is
// stable, takes the same steps for any initial order, and skips bytes that are all equal.
#pragma once

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct RadixSort {
    // The two zeros get one key.
    static std::uint32_t key(float x) { return Vectors<V>::ordered_bits(x == 0 ? 0.0f : x); }
    static std::uint64_t entry(float x, std::uint32_t number) { return std::uint64_t{key(x)} << 32 | number; }
    static std::uint32_t number(std::uint64_t entry) { return static_cast<std::uint32_t>(entry); }

    // Sorts entries by their floats. Returns where they are now: in `entries`, or in `spare`.
    template <class Steps>
    static std::uint64_t* sort(std::uint64_t* entries, std::uint64_t* spare, std::uint32_t count,
                               Steps& steps) {
        std::uint32_t counts[4][256];
        for (auto& digit : counts)
            for (std::uint32_t& c : digit) c = 0;
        for (std::uint32_t i = 0; i < count; ++i)
            for (int digit = 0; digit < 4; ++digit) ++counts[digit][entries[i] >> (32 + 8 * digit) & 255];
        steps.add(count);
        for (int digit = 0; digit < 4; ++digit) {
            const int shift = 32 + 8 * digit;
            if (count == 0 || counts[digit][entries[0] >> shift & 255] == count) continue;
            std::uint32_t sum = 0;
            for (std::uint32_t& c : counts[digit]) {
                const std::uint32_t own = c;
                c = sum;
                sum += own;
            }
            for (std::uint32_t i = 0; i < count; ++i)
                spare[counts[digit][entries[i] >> shift & 255]++] = entries[i];
            steps.add(count);
            std::uint64_t* other = entries;
            entries = spare;
            spare = other;
        }
        return entries;
    }
};

}  // namespace throng::simd
