// The options of a search as the kernels take them, and what is refused.
#pragma once

#include <cstddef>

#include "base/legal.hpp"
#include "engine/src/memory/traits.hpp"
#include "simd/neighbour_kernels.hpp"
#include "throng/compiler.hpp"
#include "throng/labels.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/status.hpp"

namespace throng::detail {

static_assert(Nearest::count_limit == simd::count_limit);

// Where the searches start.
enum class From { agents, other_agents, points };

inline Argument symmetric_option(const Neighbourhood& wanted) noexcept {
    return wanted.half ? Argument::half : Argument::either_reaches;
}

// The checks that need neither sites nor radii. `sites` is how many numbers the sites have.
THRONG_ALWAYS_INLINE inline Status check(const Neighbourhood& wanted, From from, std::size_t sites) noexcept {
    const bool symmetric = wanted.half || wanted.either_reaches;
    if (wanted.is_nearest && (wanted.max_count == 0 || wanted.max_count > Nearest::count_limit))
        return {Code::bad_config, Argument::count};
    if (wanted.agents_as > AgentsAs::circles) return {Code::bad_config, Argument::agents_as};
    if (wanted.in_row_order && from == From::points) return {Code::bad_config, Argument::in_row_order};
    if (wanted.half && wanted.with_self) return {Code::bad_config, Argument::half};
    if (symmetric && (from != From::agents || wanted.agents_as != AgentsAs::centres ||
                      (wanted.in_row_order && !wanted.radii.empty())))
        return {Code::bad_config, symmetric_option(wanted)};
    if (wanted.radii.empty()) return {check_radius(wanted.radius, wanted.is_nearest), Argument::options};
    if (wanted.radii.size() < sites || (from == From::points && wanted.radii.size() != sites))
        return {Code::size_mismatch, Argument::radii};
    return {wanted.radii.data() == nullptr ? Code::null_view : Code::ok, Argument::radii};
}
inline Status check(const Filters& filters, From from, std::size_t sites) noexcept {
    if (filters.one_for_all()) return check_bands(filters);
    if (filters.size() != 0 && filters.first() == nullptr) return {Code::null_view, Argument::filters};
    if (filters.size() < sites || (from == From::points && filters.size() != sites))
        return {Code::size_mismatch, Argument::filters};
    return check_bands(filters);
}

// With distances for the nearest: without them one cannot choose among agents and elements.
inline Neighbourhood with_distances(const Neighbourhood& wanted) noexcept {
    Neighbourhood with = wanted;
    with.distances |= wanted.is_nearest;
    return with;
}

inline simd::NeighbourQuery kernel_query(const Neighbourhood& wanted,
                                         const float* far_enough = nullptr) noexcept {
    return {.radius = wanted.radius,
            .radii = wanted.radii.empty() ? nullptr : wanted.radii.data(),
            .max_count = wanted.max_count,
            .agents_as = wanted.agents_as,
            .half = wanted.half,
            .distances = wanted.distances,
            .far_enough = far_enough};
}

}  // namespace throng::detail
