// One axis of a grid. A coordinate becomes a cell by a subtraction, a multiplication and a clamp. All grids
// and trees do it here. The proof that it keeps order, for all floats and rounding modes:
//
// If a <= b, then a - o <= b - o before rounding, and rounding keeps that. So does a product with a scale of
// 0 or more, each half of the clamp, and dropping the fraction. A NaN becomes 0; it is zero times infinity,
// if the scale is zero and everything is in one cell. So if a <= b then bin(a) <= bin(b): what lies between
// two coordinates is found between their cells, and what lies outside the grid is in its outermost cells.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace throng::detail {

// The cell of a coordinate, from 0 to `last`. The conversion to a signed integer is one instruction.
template <std::floating_point Float>
std::uint32_t bin(Float coordinate, const std::type_identity_t<Float>& origin,
                  const std::type_identity_t<Float>& scale,
                  const std::type_identity_t<Float>& last) noexcept {
    Float t = (coordinate - origin) * scale;
    t = t > 0 ? t : 0;
    t = t < last ? t : last;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(t));
}

// Morton order, or Z order (Morton 1966): the curve that visits a square quadrant by quadrant. A cell's place
// on it interleaves the bits of its row and its column.
//
//     0 1 | 4 5        the cell in column 3 and row 1:    x   1 1
//     2 3 | 6 7                                           y  0 1
//     ----+----                                              0111 = 7
//     8 9 | ..
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
