// The largest agents of a row and its bounds after edits. They follow from those before and from the edits, unless an edit
// takes away what was largest and no other agent of the row is as large: then all are looked at.
#pragma once

#include <cstdint>
#include <span>

#include "engine/src/base/cell_math.hpp"
#include "engine/src/frame/row_holes.hpp"
#include "engine/src/write/rows/row_editor.hpp"
#include "simd/kernels.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

struct RowExtremes {
    simd::RowReach reach;
    simd::Bounds bounds;
};

// Few edits of a row with many agents; for others the kernels are faster. The edits are sorted, and `box_of(edit)` is the
// new box of a staged one.
inline bool are_few(std::span<const RowEdit> edits, const simd::Row& row) noexcept {
    return edits.size() * 64 < row.count;
}
template <class BoxOf>
RowExtremes extremes_after(const simd::Kernels& kernels, const simd::Row& old, const RowExtremes& before,
                           const simd::Row& row, std::uint32_t columns, std::span<const RowEdit> edits,
                           bool with_bounds, BoxOf&& box_of) noexcept;

}  // namespace throng::detail

#include "engine/src/write/rows/row_extremes.inl"
