// Casts as they are read: which are legal, what one may touch, its images in a world that wraps around, and
// its form as a query that is put to parts (ask/one_query.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>

#include "base/kernels.hpp"
#include "base/legal.hpp"
#include "engine/src/ask/scope.hpp"
#include "engine/src/query/query_batch.hpp"
#include "engine/src/torus/moves.hpp"
#include "simd/cast_kernels.hpp"
#include "throng/labels.hpp"
#include "throng/queries/casts.hpp"

namespace throng::detail {

// --- Which are legal: finite, no minimum above its maximum, no negative radius ---

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

// The number of the one storey at which a cast looks on its way, or 0 if it looks at several.
inline std::uint32_t layer_of_cast(const WorldMap& map, const LyingCasts& casts,
                                   const simd::LabelFilters& filters, std::size_t i) noexcept {
    if (!casts.may_have_heights) return layer_of_query(map, filters, i);
    simd::LabelFilter filter = filters.are_unfiltered() ? simd::LabelFilter{} : filters[i];
    const simd::CastHeights& at = casts.heights(i);
    filter.share_heights(std::min(at.min_z, at.min_z + at.dz), std::max(at.max_z, at.max_z + at.dz));
    return map.layer_of({filter.min_z, filter.max_z});
}

// --- One cast ----------------------------------------------------------------------------------------------

// Until that time.
inline Extent extent_of(const Cast& cast, const Torus& torus, double time = 1) noexcept {
    const double dx = time * double{cast.dx}, dy = time * double{cast.dy}, r{cast.radius};
    return {cast.start.min_x + std::min(dx, 0.0) - r,
            cast.start.min_y + std::min(dy, 0.0) - r,
            cast.start.max_x + std::max(dx, 0.0) + r,
            cast.start.max_y + std::max(dy, 0.0) + r,
            torus.reach_x(),
            torus.reach_y(),
            false};
}
inline Cast folded(Cast cast, const Period& period) noexcept {
    cast.start = folded(cast.start, period);
    return cast;
}
inline Cast moved(Cast cast, int k, int l, const Period& period) noexcept {
    cast.start = moved(cast.start, k, l, period);
    return cast;
}

// The earlier of two hits, an agent before an element; or whether there is any.
inline void join(CastHit& to, const CastHit& more) noexcept {
    const auto order = [](const CastHit& hit) { return std::tuple(hit.fraction, hit.is_static, hit.id); };
    if (more.found() && order(more) < order(to)) to = more;
}
inline void join(std::uint8_t& to, std::uint8_t more) noexcept { to |= more; }

// The given cast must live as long.
class OneCast {
public:
    THRONG_ALWAYS_INLINE explicit OneCast(const Cast& cast) noexcept : cast_(cast) {}
    THRONG_ALWAYS_INLINE Code fault() const noexcept { return check(cast_); }

    // For a static layer, unless the hit before comes first.
    THRONG_ALWAYS_INLINE void find_first(const FrameState& frame, const Filter& filter, bool is_static,
                                         CastHit& hit) const noexcept {
        frame.kernels->casts->first(frame.view, kernel_filters(frame, filter), batch(frame, is_static),
                                    as_kernel(&hit));
    }
    THRONG_ALWAYS_INLINE bool any(const FrameState& frame, const Filter& filter) const noexcept {
        std::uint8_t found;
        frame.kernels->casts->blocked(frame.view, kernel_filters(frame, filter), batch(frame, false), &found);
        return found != 0;
    }

private:
    // With its heights if agents have some.
    simd::CastBatch batch(const FrameState& frame, bool is_static) const noexcept {
        return {as_kernel(&cast_), sizeof(Cast), nullptr, 0, 1, frame.has_heights(), is_static};
    }

    const Cast& cast_;
};

// The first hit: that of agents is handed to the layer, which looks no further.
class KeptFirst {
public:
    static constexpr bool of_both_kinds = true, counts_each = false, has_boxes = false;

    THRONG_ALWAYS_INLINE void begin_part(bool is_layer) noexcept {
        of_agents_ = hit_;
        is_layer_ = is_layer;
        is_image_ = false;
    }
    THRONG_ALWAYS_INLINE bool add(const FrameState& frame, const OneCast& cast,
                                  const Filter& filter) noexcept {
        if (!is_image_) {
            is_image_ = true;
            cast.find_first(frame, filter, is_layer_, hit_);
            return true;
        }
        CastHit more = of_agents_;
        cast.find_first(frame, filter, is_layer_, more);
        join(hit_, more);
        return true;
    }
    FirstHit answer(const Status& status) const noexcept { return {.status = status, .hit = hit_}; }

private:
    CastHit hit_, of_agents_;
    bool is_layer_ = false, is_image_ = false;
};

}  // namespace throng::detail
