// Puts the agents of each cell of a row in the order of their ids. Sorting a row keeps the order in which the
// agents came, so this is for lists of agents whose ids do not ascend.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/row_kernels.hpp"
#include "simd/types.hpp"

namespace throng::detail {

// A sorted, dense row without labels yet. `scratch` has simd::sort_scratch(agents) bytes.
void order_by_id(const simd::Row& row, std::uint32_t columns, std::byte* scratch) noexcept;

}  // namespace throng::detail
