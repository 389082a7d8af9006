// The two agents of a bit in a word of near pairs: bit 8 * (k - 1) + lane is the pair of the agents `lane`
// and `lane` + k of sixteen (simd/kernels/pairs/near_pairs.hpp).
#pragma once

#include <cstdint>

namespace throng::simd {
namespace {

// For each of 64 bits, and for the bit behind the last one.
struct PairOfBit {
    static constexpr std::uint32_t lanes = 8, bits = lanes * lanes;
    alignas(64) std::uint8_t first[bits + lanes], second[bits + lanes];
    constexpr PairOfBit() : first{}, second{} {
        for (std::uint32_t bit = 0; bit < bits; ++bit) {
            first[bit] = static_cast<std::uint8_t>(bit % lanes);
            second[bit] = static_cast<std::uint8_t>(bit % lanes + 1 + bit / lanes);
        }
    }
};
constexpr PairOfBit pair_of_bit;

}  // namespace
}  // namespace throng::simd
