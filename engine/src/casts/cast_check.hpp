// Which casts are legal: finite, with no minimum above its maximum, and no negative radius. Heights may be
// infinite.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "base/kernels.hpp"
#include "base/legal.hpp"
#include "engine/src/ask/scope.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "simd/cast_kernels.hpp"
#include "throng/labels.hpp"
#include "throng/queries/casts.hpp"

namespace throng::detail {

// A difference of a number with itself is zero if it is finite, and NaN otherwise.
inline bool is_legal(const simd::CastQuery& cast, float dz = 0) noexcept {
    const simd::Query& s = cast.start;
    const bool ordered = (s.min_x <= s.max_x) & (s.min_y <= s.max_y) & (cast.radius >= 0);
    const float sum =
        ((s.min_x + s.max_x) + (s.min_y + s.max_y)) + ((cast.dx + cast.dy) + (cast.radius + dz));
    if (sum - sum == 0) [[likely]]
        return ordered;
    // Numbers may be so large that their sum is not finite.
    const float zero =
        ((s.min_x - s.min_x) + (s.max_x - s.max_x)) + ((s.min_y - s.min_y) + (s.max_y - s.max_y)) +
        ((cast.dx - cast.dx) + (cast.dy - cast.dy)) + ((cast.radius - cast.radius) + (dz - dz));
    return (zero == 0) & ordered;
}
// With its heights at the start, `edges[0]` to `edges[1]`: mostly all of them, which is one comparison.
inline bool is_legal(const simd::CastQuery& cast, const float* edges, float dz) noexcept {
    constexpr float all[] = {-simd::infinite, simd::infinite};
    std::uint64_t given, every;
    std::memcpy(&given, edges, sizeof given);
    std::memcpy(&every, all, sizeof every);
    return is_legal(cast, dz) && (given == every || edges[0] <= edges[1]);
}
inline bool is_legal(const Cast& cast) noexcept {
    return is_legal(*as_kernel(&cast), &cast.heights.min_z, cast.dz);
}

// Casts that lie one after the other, as the kernels read them.
struct LyingCasts {
    const simd::CastQuery* first;
    std::size_t stride;
    bool may_have_heights;

    explicit LyingCasts(const Casts& casts) noexcept
        : first(reinterpret_cast<const simd::CastQuery*>(casts.data())),
          stride(casts.stride()),
          may_have_heights(casts.may_have_heights()) {}

    const simd::CastQuery& operator[](std::size_t i) const noexcept {
        return *reinterpret_cast<const simd::CastQuery*>(reinterpret_cast<const char*>(first) + i * stride);
    }
    const simd::CastHeights& heights(std::size_t i) const noexcept {
        return *reinterpret_cast<const simd::CastHeights*>(&(*this)[i] + 1);
    }
    bool legal(std::size_t i) const noexcept {
        return may_have_heights ? is_legal((*this)[i], &heights(i).min_z, heights(i).dz)
                                : is_legal((*this)[i]);
    }
    // Whether any of the first ones has less than every height.
    bool any_has_heights(std::size_t count) const noexcept {
        for (std::size_t i = 0; may_have_heights && i < count; ++i)
            if (!heights(i).are_all()) return true;
        return false;
    }
};

inline Code check(const Cast& cast) noexcept {
    if (is_legal(cast)) [[likely]]
        return Code::ok;
    constexpr float largest = std::numeric_limits<float>::max();
    const auto finite = [](float v) { return -largest <= v && v <= largest; };
    const Code code = check(cast.start);
    const Band& z = cast.heights;
    if (code == Code::not_finite || !finite(cast.dx) || !finite(cast.dy) || !finite(cast.radius) ||
        !finite(cast.dz) || z.min_z != z.min_z || z.max_z != z.max_z)
        return Code::not_finite;
    return cast.radius < 0 || z.min_z > z.max_z ? Code::inverted : code;
}

// The faults of a call besides its casts, in the order of all calls.
inline Status check_call(const Casts& casts, const Status& output, const Filters& filters,
                         const Status& failure) noexcept {
    if (const Status bad = casts.fault(); !bad.ok()) return bad;
    if (!output.ok()) return output;
    const Status bad = check_filters(filters, casts.size());
    return bad.ok() ? failure : bad;
}

// The status of the first cast that is illegal, or goes around the world too often, checked by all workers.
Status check_all(const Scope& scope, const Casts& casts) noexcept;

}  // namespace throng::detail
