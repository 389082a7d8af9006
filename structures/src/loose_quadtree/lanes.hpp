// Up to sixteen boxes side by side, compared with one at once.
#pragma once

#include <cstdint>

#include "throng/geometry.hpp"

namespace throng::structures::detail {

struct BoxLanes {
    static constexpr std::uint32_t size = 16;
    float min_x[size], min_y[size], max_x[size], max_y[size];

    void set(std::uint32_t lane, const Box& box) noexcept {
        min_x[lane] = box.min_x;
        min_y[lane] = box.min_y;
        max_x[lane] = box.max_x;
        max_y[lane] = box.max_y;
    }
    Box operator[](std::uint32_t lane) const noexcept {
        return {min_x[lane], min_y[lane], max_x[lane], max_y[lane]};
    }
    // A bit for each of 8 from `first` on, or of all 16, that overlaps the box.
    std::uint32_t overlapping_of_8(const Box& box, std::uint32_t first = 0) const noexcept;
    std::uint32_t overlapping_of_16(const Box& box) const noexcept;
    // Bit 8 i + j for each two of these 8 that overlap, i before j.
    std::uint64_t pairs_of_8(std::uint32_t first) const noexcept;
};

}  // namespace throng::structures::detail
