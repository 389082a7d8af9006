// Access to the parts of a row (simd/types.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/src/frame/world_map.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

using simd::arrays_of_a_row;
using simd::cells_in;
using simd::RowLayout;

// The most bytes that all rows of a map can need, however the agents are spread: so the same block serves
// frame after frame.
inline std::size_t max_bytes_of_rows(const WorldMap& map, std::size_t agents, simd::Extras extras) noexcept {
    std::size_t bytes = agents * arrays_of_a_row(extras) * sizeof(float);
    for (std::uint32_t r = 0; r < map.regions(); ++r)
        bytes += RowLayout::most_bytes(0, map.rows_of(r), map.grid_of_region(r).columns, extras);
    return bytes;
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

// Makes bounds include others.
inline void add(simd::Bounds& all, const simd::Bounds& more) noexcept {
    all = {std::min(all.min_x, more.min_x), std::min(all.min_y, more.min_y),
           std::min(all.negated_max_x, more.negated_max_x), std::min(all.negated_max_y, more.negated_max_y)};
}
// Where the oversized agents of a row begin.
inline std::uint32_t oversized_begin(const simd::Row& row) noexcept { return row.count + simd::gap; }
// Where they end: with the last of them, or, in a row that is not dense (row_agents.hpp), with the last slot.
inline std::uint32_t oversized_end(const simd::Row& row) noexcept {
    return row.is_dense() ? oversized_begin(row) + row.oversized : row.stride;
}
// Where an id is in a cell, which is in the order of ids, or the agent in front of which it belongs.
// Oversized agents are in the column `columns`.
inline std::uint32_t slot_in_cell(const simd::Row& row, std::uint32_t columns, std::uint32_t column,
                                  AgentId id) noexcept {
    const bool is_oversized = column == columns;
    const AgentId* ids = RowArrays(row).id;
    return static_cast<std::uint32_t>(
        std::lower_bound(ids + (is_oversized ? oversized_begin(row) : row.cells[column]),
                         ids + (is_oversized ? oversized_end(row) : row.cells[column + 1]), id) -
        ids);
}
// The first of some numbers, begin..end, of which all that are `before` come first; found without a branch
// that depends on them.
template <class Before>
std::uint32_t first_not(std::uint32_t begin, std::uint32_t end, Before&& before) noexcept {
    for (std::uint32_t left = end - begin; left != 0; left -= (left + 1) / 2)
        begin += before(begin + (left - 1) / 2) ? (left + 1) / 2 : 0;
    return begin;
}
// Where an oversized one is.
inline std::uint32_t slot_in_tail(const simd::Row& row, AgentId id) noexcept {
    const AgentId* ids = RowArrays(row).id;
    return first_not(oversized_begin(row), oversized_end(row), [&](std::uint32_t i) { return ids[i] < id; });
}
// How many agents a row has in cells, and in all.
inline std::uint32_t common_agents_in(const simd::Row& row) noexcept { return row.common(); }
inline std::size_t agents_in(const simd::Row& row) noexcept {
    return std::size_t{common_agents_in(row)} + row.oversized;
}

}  // namespace throng::detail
