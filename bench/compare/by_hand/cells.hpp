// A world cut into square cells, numbered row by row. What lies outside is in the cell next to it, so
// coordinates and cells always have the same order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "bench/compare/by_hand/lanes.hpp"

namespace throng::bench::by_hand {

struct Cells {
    float size = 1, inverse = 1;
    std::int32_t columns = 1, rows = 1;

    // As many as make `agents_in_a_cell` agents a cell, if these are spread evenly over a world from 0 to
    // that side.
    static Cells over(float side, std::size_t agents, float agents_in_a_cell) {
        const float wanted =
            std::sqrt(static_cast<float>(std::max<std::size_t>(agents, 1)) / agents_in_a_cell);
        const auto along = static_cast<std::int32_t>(std::clamp(wanted, 1.0f, 8192.0f));
        const float size = std::max(side, 1e-30f) / static_cast<float>(along);
        return {size, 1 / size, along, along};
    }

    std::size_t count() const { return static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows); }
    std::int32_t column(float x) const { return limited(x, columns); }
    std::int32_t row(float y) const { return limited(y, rows); }
    std::uint32_t first_of_row(std::int32_t row) const { return static_cast<std::uint32_t>(row * columns); }
    std::uint32_t at(float x, float y) const {
        return static_cast<std::uint32_t>(row(y) * columns + column(x));
    }

private:
    std::int32_t limited(float coordinate, std::int32_t count) const {
        const float cell = coordinate * inverse, last = static_cast<float>(count - 1);
        return static_cast<std::int32_t>(cell < 0 ? 0 : cell > last ? last : cell);
    }
};

}  // namespace throng::bench::by_hand
