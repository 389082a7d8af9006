// The kernels for casts: rays, and boxes and circles that move along a line. For what a hit is, see
// engine/include/throng/queries/casts.hpp, whose types these are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/box_tree.hpp"
#include "simd/query_kernels.hpp"
#include "simd/types.hpp"

namespace throng::simd {

struct CastQuery {
    Query start;
    float dx, dy, radius;
};

struct CastHit {
    std::uint32_t id;
    float fraction;
    std::uint32_t is_static;
};

// A movement on an axis that is smaller than this counts as none: its inverse might not be finite.
inline constexpr float min_movement = 0x1p-126f;

// A part of a batch. The casts, filters and answers are those of the whole batch; `order` has the numbers of
// the casts of this part, or they are `first` and up if it is null. Answers are in the order of the search,
// from spot `first` on.
struct CastBatch {
    const CastQuery* casts;
    const std::uint32_t* order;
    std::size_t first, count;
    // The frame is a static layer: the answers hold those of the agents, and only what comes earlier replaces
    // them. An element is never left out for having the id of an agent.
    bool is_static;
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
    // All hits of one cast. The filter is that of number `n`.
    void (*all)(const View&, const LabelFilters&, const CastQuery&, std::size_t n, CastSink&);
};

}  // namespace throng::simd
