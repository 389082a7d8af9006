// The host's plain types as the kernels read and write them: the same bytes. The kernels have types of their
// own. These have no default members, which would fill arrays that are overwritten, and no functions, since
// each instruction set would compile a copy under one name.
#pragma once

#include <cstddef>

#include "simd/box_tree.hpp"
#include "simd/cast_kernels.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/queries/casts.hpp"

namespace throng::detail {

static_assert(sizeof(Pair) == sizeof(simd::Pair) && alignof(Pair) == alignof(simd::Pair) &&
              offsetof(Pair, b) == offsetof(simd::Pair, b));
static_assert(sizeof(Box) == sizeof(simd::Query) && offsetof(Box, max_x) == offsetof(simd::Query, max_x));
static_assert(offsetof(Cast, dx) == offsetof(simd::CastQuery, dx) &&
              offsetof(Cast, radius) == offsetof(simd::CastQuery, radius));
static_assert(sizeof(Cast) == sizeof(simd::CastQuery) + sizeof(simd::CastHeights) &&
              offsetof(Cast, heights) == sizeof(simd::CastQuery) &&
              offsetof(Cast, dz) == sizeof(simd::CastQuery) + offsetof(simd::CastHeights, dz));
static_assert(sizeof(CastHit) == sizeof(simd::CastHit) &&
              offsetof(CastHit, fraction) == offsetof(simd::CastHit, fraction) &&
              offsetof(CastHit, is_static) == offsetof(simd::CastHit, is_static));

inline simd::Pair* as_kernel(Pair* pairs) noexcept { return reinterpret_cast<simd::Pair*>(pairs); }
inline const simd::Pair* as_kernel(const Pair* pairs) noexcept {
    return reinterpret_cast<const simd::Pair*>(pairs);
}
inline const simd::CastQuery* as_kernel(const Cast* casts) noexcept {
    return reinterpret_cast<const simd::CastQuery*>(casts);
}
inline const simd::CastHeights* heights_of(const Cast& cast) noexcept {
    const auto* const heights = reinterpret_cast<const simd::CastHeights*>(&cast.heights);
    return heights->are_all() ? nullptr : heights;
}
inline simd::CastHit* as_kernel(CastHit* hits) noexcept { return reinterpret_cast<simd::CastHit*>(hits); }
inline const simd::Query* as_kernel(const Box* boxes) noexcept {
    return reinterpret_cast<const simd::Query*>(boxes);
}
inline std::uint8_t* as_kernel(std::uint8_t* answers) noexcept { return answers; }

// A box as a query, and back.
inline simd::Query query_of(const Box& box) noexcept { return {box.min_x, box.min_y, box.max_x, box.max_y}; }
inline Box box_of(const simd::Query& q) noexcept { return {q.min_x, q.min_y, q.max_x, q.max_y}; }
template <class Enclosing>  // bounds with negated upper edges: a node, or those of an island
Box box_of(const Enclosing& e) noexcept {
    return {e.min_x, e.min_y, -e.negated_max_x, -e.negated_max_y};
}

}  // namespace throng::detail
