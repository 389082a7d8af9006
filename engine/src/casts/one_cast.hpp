// One cast: what it may touch, its images in a world that wraps around, and its form as a query that is put
// to parts (ask/one_query.hpp).
#pragma once

#include <algorithm>
#include <tuple>

#include "base/kernels.hpp"
#include "engine/src/ask/scope.hpp"
#include "engine/src/casts/cast_check.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/torus/moves.hpp"
#include "throng/queries/casts.hpp"

namespace throng::detail {

inline Extent extent_of(const Cast& cast, const Torus& torus) noexcept {
    const double dx{cast.dx}, dy{cast.dy}, r{cast.radius};
    return {cast.start.min_x + std::min(dx, 0.0) - r,
            cast.start.min_y + std::min(dy, 0.0) - r,
            cast.start.max_x + std::max(dx, 0.0) + r,
            cast.start.max_y + std::max(dy, 0.0) + r,
            torus.reach_x(),
            torus.reach_y(),
            false};
}
inline bool goes_around_too_often(const Cast& cast, const Torus& torus) noexcept {
    const Extent extent = extent_of(cast, torus);
    return goes_around_too_often(extent.width(), torus.period.x) ||
           goes_around_too_often(extent.height(), torus.period.y);
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
