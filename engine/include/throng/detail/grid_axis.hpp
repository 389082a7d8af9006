// One axis of a grid. A coordinate becomes a cell by a subtraction, a multiplication and a clamp. All grids
// and trees do it here. The proof that it keeps order, for all floats and rounding modes:
//
// If a <= b, then a - o <= b - o before rounding, and rounding keeps that. So does a product with a scale of
// 0 or more, each half of the clamp, and dropping the fraction. A NaN becomes 0; it is zero times infinity,
// if the scale is zero and everything is in one cell. So if a <= b then bin(a) <= bin(b): what lies between
// two coordinates is found between their cells, and what lies outside the grid is in its outermost cells.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
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

// In doubles, where the distance between any two floats is finite.
class GridAxis {
public:
    // Few enough for the conversion to a signed integer.
    static constexpr std::uint32_t max_cells = std::uint32_t{1} << 30;

    GridAxis() = default;
    // Equal cells from `min` to `max`, at least one.
    GridAxis(float min, float max, std::uint32_t cells) noexcept
        : origin_(min), scale_(scale_of(extent(min, max), cells)), last_(cells - 1.0) {}
    // Cells of a given side from `min` on, at least one.
    static GridAxis of_side(float min, double side, std::uint32_t cells) noexcept {
        GridAxis axis;
        axis.origin_ = min;
        axis.scale_ = 1 / side;
        axis.last_ = cells - 1.0;
        return axis;
    }

    static double extent(float min, float max) noexcept { return double{max} - double{min}; }

    double origin() const noexcept { return origin_; }
    double side() const noexcept { return 1 / scale_; }
    std::uint32_t cells() const noexcept { return static_cast<std::uint32_t>(last_) + 1; }
    // The cell of any value but NaN.
    std::uint32_t cell(double value) const noexcept { return bin(value, origin_, scale_, last_); }
    // Where a cell begins, up to rounding: for drawing. The widest grids end beyond all floats.
    float begin(std::uint32_t cell) const noexcept {
        constexpr double largest = std::numeric_limits<float>::max();
        return static_cast<float>(std::min(origin_ + cell / scale_, largest));
    }

private:
    // Never zero, so an infinity stays infinite.
    static double scale_of(double extent, std::uint32_t cells) noexcept {
        return extent > 0 ? cells / extent : 1e-200;
    }

    double origin_ = 0;
    double scale_ = 1;
    double last_ = 0;
};

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
