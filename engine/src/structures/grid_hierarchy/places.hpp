// Shared by the sources of GridHierarchy: the 64 places of a region or sub-region.
#pragma once

#include <cstdint>

namespace throng::detail {

constexpr std::uint64_t bit(std::uint32_t i) noexcept { return std::uint64_t{1} << i; }
// The place of a cell in its sub-region, and, of `x / 8` and `y / 8`, that of a sub-region in its region.
constexpr std::uint32_t place_of(std::uint32_t x, std::uint32_t y) noexcept { return (y & 7) * 8 + (x & 7); }

}  // namespace throng::detail
