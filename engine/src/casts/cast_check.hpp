// Which casts are legal: finite, with no minimum above its maximum, and no negative radius.
#pragma once

#include <limits>

#include "base/as_kernel.hpp"
#include "base/box_check.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "simd/cast_kernels.hpp"
#include "throng/executor.hpp"
#include "throng/labels.hpp"
#include "throng/queries/cast_views.hpp"
#include "throng/queries/casts.hpp"

namespace throng::detail {

// A difference of a number with itself is zero if it is finite, and NaN otherwise.
inline bool is_legal(const Cast& cast) noexcept {
    const Box& s = cast.start;
    const bool ordered = (s.min_x <= s.max_x) & (s.min_y <= s.max_y) & (cast.radius >= 0);
    const float sum = ((s.min_x + s.max_x) + (s.min_y + s.max_y)) + ((cast.dx + cast.dy) + cast.radius);
    if (sum - sum == 0) [[likely]]
        return ordered;
    // Numbers may be so large that their sum is not finite.
    const float zero = ((s.min_x - s.min_x) + (s.max_x - s.max_x)) +
                       ((s.min_y - s.min_y) + (s.max_y - s.max_y)) +
                       ((cast.dx - cast.dx) + (cast.dy - cast.dy)) + (cast.radius - cast.radius);
    return (zero == 0) & ordered;
}

inline Code check(const Cast& cast) noexcept {
    if (is_legal(cast)) [[likely]]
        return Code::ok;
    constexpr float largest = std::numeric_limits<float>::max();
    const auto finite = [](float v) { return -largest <= v && v <= largest; };
    const Code code = check(cast.start);
    if (code == Code::not_finite || !finite(cast.dx) || !finite(cast.dy) || !finite(cast.radius))
        return Code::not_finite;
    return cast.radius < 0 ? Code::inverted : code;
}

// What is wrong with a call besides its casts.
inline Status check(const Casts& casts, const Filters& filters) noexcept {
    if (const Status bad = casts.fault(); !bad.ok()) return bad;
    return check_filters(filters, casts.size());
}

// The status of the first illegal cast, checked by all workers.
Status check_all(const Executor& executor, const Casts& casts) noexcept;

}  // namespace throng::detail
