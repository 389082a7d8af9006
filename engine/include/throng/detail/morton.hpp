// Morton order, or Z order (Morton 1966): the curve that visits a square quadrant by quadrant. A cell's place
// on it interleaves the bits of its row and its column.
//
//     0 1 | 4 5        the cell in column 3 and row 1:    x   1 1
//     2 3 | 6 7                                           y  0 1
//     ----+----                                              0111 = 7
//     8 9 | ..
#pragma once

#include <cstdint>

namespace throng::detail {

// Interleaves two numbers below 2^16: bit i of x becomes bit 2 i, and bit i of y the one above.
constexpr std::uint32_t interleaved(std::uint32_t x, std::uint32_t y) noexcept {
    // Both at once, one in each half of the word.
    std::uint64_t bits = x | std::uint64_t{y} << 32;
    bits = (bits | bits << 8) & 0x00FF00FF00FF00FFu;
    bits = (bits | bits << 4) & 0x0F0F0F0F0F0F0F0Fu;
    bits = (bits | bits << 2) & 0x3333333333333333u;
    bits = (bits | bits << 1) & 0x5555555555555555u;
    return static_cast<std::uint32_t>(bits | bits >> 31);
}

}  // namespace throng::detail
