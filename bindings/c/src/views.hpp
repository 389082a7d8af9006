// What a C host gives, as what the library takes. All of it is read during the call; nothing is copied.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bindings/c/src/statuses.hpp"
#include "throng.h"
#include "throng/boxes.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/queries/cast_views.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/queries/points.hpp"

namespace throng::c_api {

constexpr std::size_t as_size(std::uint64_t number) noexcept { return static_cast<std::size_t>(number); }

// A span of a null pointer is one of nothing, whatever its count.
inline Status check_array(const void* first, std::uint64_t count, Argument which) noexcept {
    return first == nullptr && count != 0 ? Status{Code::null_view, which} : Status{};
}
inline Status check_output(const void* output, std::uint64_t room) noexcept {
    return check_array(output, room, Argument::output);
}

Status view(const throng_boxes* given, Boxes& boxes) noexcept;
Status view(const throng_points* given, Points& points) noexcept;
// No labels if that is NULL.
Status view(const throng_labels* given, Labels& labels) noexcept;
Status view(const throng_cast* first, std::uint64_t count, Casts& casts) noexcept;
// All of them may be NULL.
Status read_filter(const throng_filter& given, Filter& filter) noexcept;
inline Status view(const throng_filter* given, Filter& filter) noexcept {
    return given == nullptr ? Status{} : read_filter(*given, filter);
}
Status view(const throng_filter* given, Filters& filters) noexcept;
Status view(const throng_pair_query* given, PairQuery& query) noexcept;

Status view(const throng_within* given, Within& within) noexcept;
Status view(const throng_nearest* given, Nearest& nearest) noexcept;

inline Box box_of(const throng_box& box) noexcept { return {box.min_x, box.min_y, box.max_x, box.max_y}; }
inline Cast cast_of(const throng_cast& cast) noexcept {
    return {{cast.min_x, cast.min_y, cast.max_x, cast.max_y}, cast.dx, cast.dy, cast.radius};
}
inline throng_cast_hit hit_of(const CastHit& hit) noexcept { return {hit.id, hit.fraction, hit.is_static}; }

// Answers are not copied either: these have the same members in the same places.
static_assert(sizeof(throng_pair) == sizeof(Pair) && offsetof(throng_pair, b) == offsetof(Pair, b));
static_assert(sizeof(throng_cast_hit) == sizeof(CastHit) &&
              offsetof(throng_cast_hit, fraction) == offsetof(CastHit, fraction) &&
              offsetof(throng_cast_hit, is_static) == offsetof(CastHit, is_static));

}  // namespace throng::c_api
