// The kernels for casts: rays, and boxes and circles that move along a line. For what a hit is, see
// engine/include/throng/queries/casts.hpp, whose types these are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/box_tree.hpp"
#include "simd/query_kernels.hpp"
#include "simd/types.hpp"
#include "throng/compiler.hpp"

namespace throng::simd {

struct CastQuery {
    Query start;
    float dx, dy, radius;
};
// At time 0, and by how much they rise. In a Cast they come last.
struct CastHeights {
    float min_z, max_z, dz;

    THRONG_ALWAYS_INLINE constexpr bool are_all() const noexcept {
        return min_z == -infinite && max_z == infinite;
    }
};

struct CastHit {
    std::uint32_t id;
    float fraction;
    std::uint32_t is_static;
};

// A movement on an axis that is smaller than this counts as none: its inverse might not be finite.
inline constexpr float min_movement = 0x1p-126f;

// A part of a batch. Casts lie `stride` bytes apart. They have heights only if `have_heights`, which is never
// set for a frame without heights. The casts, filters and answers are those of the whole batch; `order` has
// the numbers of the casts of this part, or they are `first` and up if it is null. Answers are in the order
// of the search, from spot `first` on.
struct CastBatch {
    const CastQuery* casts;
    std::size_t stride;
    const std::uint32_t* order;
    std::size_t first, count;
    bool have_heights;
    // The frame is a static layer: the answers hold those of the agents, and only earlier hits replace them.
    // An element is never left out for having the id of an agent.
    bool is_static;

    THRONG_ALWAYS_INLINE const CastQuery& cast(std::size_t n) const noexcept {
        return *reinterpret_cast<const CastQuery*>(reinterpret_cast<const char*>(casts) + n * stride);
    }
    // Null if it has every height.
    THRONG_ALWAYS_INLINE const CastHeights* heights(std::size_t n) const noexcept {
        if (!have_heights) return nullptr;
        const auto* const heights = reinterpret_cast<const CastHeights*>(&cast(n) + 1);
        return heights->are_all() ? nullptr : heights;
    }
};

// The output of all hits of a cast, in no order. A kernel calls `full` if `at` is `limit`; `full` makes room,
// or sets `stopped`.
struct CastSink {
    CastHit* begin;
    CastHit* at;
    CastHit* limit;
    void (*full)(CastSink& sink);
    void* context;
    bool stopped;
    float* boxes;  // of the hits from `begin` on, four numbers each; null if not wanted
};

struct CastKernels {
    // The first hit of each cast goes to its spot.
    void (*first)(const View&, const LabelFilters&, const CastBatch&, CastHit* hits);
    // Likewise 1 if there is any, and 0 otherwise.
    void (*blocked)(const View&, const LabelFilters&, const CastBatch&, std::uint8_t* answers);
    // All hits of one cast, with heights unless these are null. The filter is that of number `n`.
    void (*all)(const View&, const LabelFilters&, const CastQuery&, const CastHeights*, std::size_t n,
                CastSink&);
};

}  // namespace throng::simd
