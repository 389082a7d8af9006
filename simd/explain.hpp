// What a query looks at. The search of the kernels counts it, compiled once and for the lowest instruction
// set, since all look at the same parts of a frame.
#pragma once

#include <cstdint>

#include "simd/box_tree.hpp"
#include "simd/query_kernels.hpp"
#include "simd/shape_kernels.hpp"
#include "simd/types.hpp"

namespace throng::simd {

struct QueryCost {
    std::uint64_t rows = 0, cells = 0;  // rows, and the cells of those within reach
    std::uint64_t tested = 0;           // agents that were compared
    std::uint64_t covered = 0;          // agents taken without a comparison, since the query covers them
    std::uint64_t islands = 0, nodes = 0;
    std::uint64_t oversized = 0;  // those of `tested` that are oversized
};

// Adds the cost of a legal query, with the first of the filters.
void add_cost(const View&, const Query&, const LabelFilters&, QueryCost& sum) noexcept;
void add_cost(const View&, const ShapeQuery&, const LabelFilters&, QueryCost& sum) noexcept;

}  // namespace throng::simd
