// The host's plain types as the kernels read and write them: the same bytes. The kernels have types of their
// own. These have no default members, which would fill arrays that are overwritten, and no functions, since
// each instruction set would compile a copy under one name.
//
// And the choice of kernels: those of the instruction set that the host requests, or that THRONG_ISA names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#include "simd/box_tree.hpp"
#include "simd/cast_kernels.hpp"
#include "simd/kernels.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"
#include "throng/isa.hpp"
#include "throng/labels.hpp"
#include "throng/queries/casts.hpp"
#include "throng/status.hpp"

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

// `kernels` is not null if the status is ok.
inline Status find_kernels(Isa isa, const simd::Kernels*& kernels) noexcept {
    if (isa == Isa::automatic) {
        if (const char* wanted = std::getenv("THRONG_ISA"); wanted != nullptr && *wanted != '\0')
            if (!parse_isa(wanted, isa)) return {Code::unknown_isa};
    }
    kernels = simd::kernels(isa);
    return kernels == nullptr ? Status{Code::unsupported_isa} : Status{};
}

// Room for values that are about to be written. An array of a type with initial values writes these first:
// for a buffer of a thousand answers that takes longer than a search.
template <class T, std::size_t count>
class Unwritten {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    Unwritten() noexcept {}  // does not clear the room

    static constexpr std::size_t size() noexcept { return count; }
    T* data() noexcept { return reinterpret_cast<T*>(room_); }
    const T* data() const noexcept { return reinterpret_cast<const T*>(room_); }
    T& operator[](std::size_t i) noexcept { return data()[i]; }
    const T& operator[](std::size_t i) const noexcept { return data()[i]; }

private:
    alignas(T) std::byte room_[count * sizeof(T)];
};

}  // namespace throng::detail
