// The memory layout of a row (drawn in simd/types.hpp), and access to its parts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/src/plan/world_map.hpp"
#include "simd/kernels.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// How many arrays a row has: five, and in a frame with labels two more.
inline constexpr std::uint32_t arrays_of_a_row(bool labelled) noexcept { return labelled ? 7 : 5; }

struct RowLayout {
    std::uint32_t stride;  // places in each of the arrays
    std::size_t bytes;     // of the whole row, cells included

    // For `agents` agents, common and oversized together. Sorting may write three places past the last.
    RowLayout(std::size_t agents, std::uint32_t columns, bool labelled) noexcept
        : stride(static_cast<std::uint32_t>((agents + simd::gap + 3 + 15) / 16 * 16)),
          bytes((std::size_t{arrays_of_a_row(labelled)} * stride * sizeof(float) +
                 (columns + std::size_t{1}) * sizeof(std::uint32_t) + 63) /
                64 * 64) {}
};

// The most bytes that all rows of a map can need, however the agents are spread: so the same block serves
// frame after frame.
inline std::size_t max_bytes_of_rows(const WorldMap& map, std::size_t agents, bool labelled) noexcept {
    std::size_t bytes = agents * arrays_of_a_row(labelled) * sizeof(float);
    for (std::uint32_t r = 0; r < map.regions(); ++r) {
        const simd::Grid& grid = map.grid_of_region(r);
        bytes += grid.rows * RowLayout(15, grid.columns, labelled).bytes;
    }
    return bytes;
}

inline std::uint32_t* cells_in(float* data, std::uint32_t stride, bool labelled) noexcept {
    return reinterpret_cast<std::uint32_t*>(data + std::size_t{arrays_of_a_row(labelled)} * stride);
}

// The five arrays of a row, for reading.
struct RowArrays {
    const float *min_x, *min_y, *max_x, *max_y;
    const AgentId* id;

    explicit RowArrays(const simd::Row& row) noexcept
        : min_x(row.data),
          min_y(row.data + row.stride),
          max_x(row.data + std::size_t{2} * row.stride),
          max_y(row.data + std::size_t{3} * row.stride),
          id(reinterpret_cast<const AgentId*>(row.data + std::size_t{4} * row.stride)) {}
    Box box(std::size_t i) const noexcept { return {min_x[i], min_y[i], max_x[i], max_y[i]}; }
};

// Where the oversized agents of a row begin.
inline std::uint32_t oversized_begin(const simd::Row& row) noexcept { return row.count + simd::gap; }
// Where they end: with the last of them, or, in a row with holes (row_holes.hpp), with the last place.
inline std::uint32_t oversized_end(const simd::Row& row) noexcept {
    return row.holes == 0 ? oversized_begin(row) + row.oversized : row.stride;
}
// How many agents a row has in cells, and in all.
inline std::uint32_t common_agents_in(const simd::Row& row) noexcept { return row.count - row.holes; }
inline std::size_t agents_in(const simd::Row& row) noexcept {
    return std::size_t{common_agents_in(row)} + row.oversized;
}

}  // namespace throng::detail
