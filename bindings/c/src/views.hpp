// What a C host gives, as the library takes it. All of it is read during the call; nothing is copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "bindings/c/src/statuses.hpp"
#include "throng.h"
#include "throng/boxes.hpp"
#include "throng/engine.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/queries/shapes.hpp"

namespace throng::c_api {

constexpr std::size_t as_size(std::uint64_t number) noexcept { return static_cast<std::size_t>(number); }

// A span of a null pointer is empty, with any count.
inline Status check_array(const void* first, std::uint64_t count, Argument which) noexcept {
    return first == nullptr && count != 0 ? Status{Code::null_view, which} : Status{};
}
inline Status check_output(const void* output, std::uint64_t room) noexcept {
    return check_array(output, room, Argument::output);
}

// Only updates take ghosts; only updates, edits and static layers take heights.
Status view(const throng_boxes* given, Boxes& boxes) noexcept;
Status view(const throng_boxes* given, Boxes& boxes, UpdateOptions& options) noexcept;
Status view_without_ghosts(const throng_boxes* given, Boxes& boxes, UpdateOptions& options) noexcept;
Status view(const throng_boxes* given, BoxesOrShapes& queries) noexcept;
Status view(const throng_points* given, Points& points) noexcept;
// NULL means no labels.
Status view(const throng_labels* given, Labels& labels) noexcept;
// What a call for one query, or for many, finds.
template <class FilterOrFilters>
struct Wanted {
    FilterOrFilters filter;
    bool with_static = false;
    std::span<const throng_cast_heights> cast_heights = {};  // none, or one for each cast
};
// All of them may be NULL.
Status read_filter(const throng_filter& given, Wanted<Filter>& wanted) noexcept;
inline Status view(const throng_filter* given, Wanted<Filter>& wanted) noexcept {
    return given == nullptr ? Status{} : read_filter(*given, wanted);
}
Status view(const throng_filter* given, Wanted<Filters>& wanted) noexcept;
// With the heights that a filter has for each.
Status view(const throng_cast* first, std::uint64_t count, const Wanted<Filters>& wanted,
            Casts& casts) noexcept;
// For a call that cannot say which answers are elements.
Status view(const throng_filter* given, Filter& filter) noexcept;
Status view(const throng_filter* given, Filters& filters) noexcept;
// Asks the frame, or its agents and the elements of its static layer.
template <class FilterOrFilters, class Ask>
auto ask(const Frame& frame, const Wanted<FilterOrFilters>& wanted, const Ask& ask) {
    return wanted.with_static ? ask(frame.with_static(), wanted.filter) : ask(frame, wanted.filter);
}
Status view(const throng_pair_query* given, PairQuery& query) noexcept;

Status view(const throng_within* given, Within& within) noexcept;
Status view(const throng_nearest* given, Nearest& nearest) noexcept;
// An array of no radii is right for no places. The library would take it as no radii, and so as one radius
// for all.
Status check_radii(Within& within, std::uint64_t places) noexcept;
Status check_radii(Nearest& nearest, std::uint64_t places) noexcept;
// How many places there are to search around: agents, or points.
inline std::uint64_t places_of(const throng_frame* frame) noexcept { return throng_frame_id_bound(frame); }
inline std::uint64_t places_of(const throng_frame*, const Points& points) noexcept { return points.size(); }

// A number that the library does not know becomes one that it refuses.
inline AgentsAs agents_as(std::uint32_t given) noexcept {
    return static_cast<AgentsAs>(given > 255 ? 255 : given);
}
Shape shape_of(const throng_shape& shape) noexcept;
inline Box box_of(const throng_box& box) noexcept { return {box.min_x, box.min_y, box.max_x, box.max_y}; }
// Without heights, every height.
inline Cast cast_of(const throng_cast& cast, const Wanted<Filter>& wanted) noexcept {
    Cast copy;
    std::memcpy(static_cast<void*>(&copy), &cast, sizeof cast);
    if (wanted.cast_heights.empty()) return copy;
    const throng_cast_heights& heights = wanted.cast_heights[0];
    return copy.at_heights({heights.min_z, heights.max_z}, heights.dz);
}
inline throng_cast_hit hit_of(const CastHit& hit) noexcept { return {hit.id, hit.fraction, hit.is_static}; }

inline throng_box box_of(const Box& box) noexcept { return {box.min_x, box.min_y, box.max_x, box.max_y}; }
inline throng_band band_of(const Band& band) noexcept { return {band.min_z, band.max_z}; }
inline Label label_of(const throng_label& label) noexcept { return {label.categories, label.group}; }

// Queries and answers are not copied either: these have the same members in the same places.
static_assert(sizeof(throng_pair) == sizeof(Pair) && offsetof(throng_pair, b) == offsetof(Pair, b));
static_assert(sizeof(throng_neighbour) == sizeof(Neighbour) &&
              offsetof(throng_neighbour, squared_distance) == offsetof(Neighbour, squared_distance));
static_assert(sizeof(throng_query_filter) == 3 * sizeof(std::uint32_t) &&
              offsetof(throng_query_filter, self) == offsetof(Filter, self) &&
              offsetof(throng_query_filter, not_in_group) == offsetof(Filter, not_in_group));
static_assert(sizeof(throng_band) == sizeof(Band) && offsetof(throng_band, max_z) == offsetof(Band, max_z) &&
              offsetof(throng_filter, max_z) - offsetof(throng_filter, min_z) == offsetof(Band, max_z) &&
              offsetof(throng_filter, self) - offsetof(throng_filter, categories) == offsetof(Filter, self));
static_assert(sizeof(throng_circle) == sizeof(Circle) &&
              offsetof(throng_circle, radius) == offsetof(Circle, radius) &&
              offsetof(throng_circle, agents_as) == offsetof(Circle, agents_as) && sizeof(AgentsAs) == 1);
static_assert(sizeof(throng_cast) == offsetof(Cast, heights) &&
              offsetof(throng_cast, dx) == offsetof(Cast, dx) &&
              offsetof(throng_cast, radius) == offsetof(Cast, radius));
static_assert(sizeof(throng_point) == sizeof(Point) && offsetof(throng_point, y) == offsetof(Point, y));
static_assert(sizeof(throng_cast_hit) == sizeof(CastHit) &&
              offsetof(throng_cast_hit, fraction) == offsetof(CastHit, fraction) &&
              offsetof(throng_cast_hit, is_static) == offsetof(CastHit, is_static));

}  // namespace throng::c_api
