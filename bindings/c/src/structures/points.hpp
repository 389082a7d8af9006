// Trees and places of points in C, and the options of their calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bindings/c/src/host.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/structs.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/executor.hpp"
#include "throng/structures/point_tree.hpp"
#include "throng_structures.h"

struct throng_point_tree {
    explicit throng_point_tree(throng::c_api::Host* its_host) noexcept : host(its_host), tree(its_host) {}
    throng::c_api::Host* host;
    throng::structures::PointTree tree;
};
struct throng_point_lists {
    explicit throng_point_lists(throng::c_api::Host* its_host) noexcept : host(its_host), lists(its_host) {}
    throng::c_api::Host* host;
    throng::structures::PointLists lists;
};
struct throng_point_pairs {
    explicit throng_point_pairs(throng::c_api::Host* its_host) noexcept : host(its_host), pairs(its_host) {}
    throng::c_api::Host* host;
    throng::structures::PointPairs pairs;
};

namespace throng::c_api {

template <>
inline constexpr std::uint32_t first_size<throng_point_options> = offsetof(throng_point_options, around_x);

static_assert(sizeof(throng_double_point) == sizeof(structures::DoublePoint) &&
              offsetof(throng_double_point, y) == offsetof(structures::DoublePoint, y));
static_assert(sizeof(throng_point_entry) == sizeof(structures::PointEntry) &&
              offsetof(throng_point_entry, distance) == offsetof(structures::PointEntry, distance));
static_assert(sizeof(throng_point_pair) == sizeof(structures::PointPair) &&
              offsetof(throng_point_pair, second) == offsetof(structures::PointPair, second));

// What a call is to do, as the library takes it.
struct PointOptions {
    throng_point_options given{};
    structures::Metric metric = structures::Metric::euclidean;
    Executor executor;

    structures::NearestPoints nearest() const noexcept {
        return {as_size(given.count), given.radius, metric};
    }
    structures::PointsWithin within() const noexcept {
        return {given.radius, {given.radii, as_size(given.radius_count)}, metric, given.sorted != 0};
    }
};

Status read_options(const throng_point_options* given, PointOptions& options) noexcept;
// Whether they fit so many queries. An array of no radii is right for no queries; the library would take it
// as one radius for all.
Status check_queries(const PointOptions& options, const throng_double_point* queries,
                     std::uint64_t query_count) noexcept;

inline std::span<const structures::DoublePoint> span_of(const throng_double_point* first,
                                                        std::uint64_t count) noexcept {
    return {reinterpret_cast<const structures::DoublePoint*>(first), as_size(count)};
}
template <class Number>
std::span<Number> span_of(Number* first, std::uint64_t count) noexcept {
    return {first, as_size(count)};
}

}  // namespace throng::c_api
