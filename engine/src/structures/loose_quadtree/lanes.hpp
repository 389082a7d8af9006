// Up to sixteen boxes side by side, compared with one at once.
#pragma once

#include <cstdint>

#include "throng/geometry.hpp"

namespace throng::detail {

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
    // A bit for each of the first 8 or 16 that overlaps the box.
    std::uint32_t overlapping_of_8(const Box& box) const noexcept;
    std::uint32_t overlapping_of_16(const Box& box) const noexcept;
};

}  // namespace throng::detail
