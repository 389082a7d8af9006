// The largest common agents of a row with holes, and its bounds: from what is noted of its places, not from all of them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/src/frame/row_holes.hpp"
#include "simd/kernels.hpp"

namespace throng::detail {

struct RowExtremes {
    simd::RowReach reach;
    simd::Bounds bounds;
};

inline RowExtremes extremes_of_chunks(const simd::Row& row, std::uint32_t columns) noexcept {
    const RowChunk* chunks = chunks_of(row, columns);
    RowExtremes all{chunks[0].reach, chunks[0].bounds};
    for (std::uint32_t k = 1; k < chunk_count(row); ++k) {
        const simd::Bounds& b = chunks[k].bounds;
        all.reach = {std::max(all.reach.width, chunks[k].reach.width),
                     std::max(all.reach.height, chunks[k].reach.height)};
        all.bounds = {std::min(all.bounds.min_x, b.min_x), std::min(all.bounds.min_y, b.min_y),
                      std::min(all.bounds.negated_max_x, b.negated_max_x),
                      std::min(all.bounds.negated_max_y, b.negated_max_y)};
    }
    return all;
}

}  // namespace throng::detail
