// Options of a call that must be the same on all ranks, since each rank finds something for others: as one
// number, which a sum compares.
#pragma once

#include <bit>
#include <cstdint>

#include "cluster/src/messages/summary.hpp"
#include "throng/agents_as.hpp"
#include "throng/labels.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/queries/pairs.hpp"

namespace throng::cluster::detail {

inline std::uint64_t two_as_one(std::uint32_t one, std::uint32_t other) noexcept {
    return std::uint64_t{one} << 32 | other;
}
inline std::uint32_t bits_of(float number) noexcept { return std::bit_cast<std::uint32_t>(number); }

inline std::uint64_t shared_pairs(const PairQuery& wanted) noexcept {
    const std::uint64_t how = std::uint64_t{bits_of(wanted.within)} << 8 |
                              static_cast<std::uint64_t>(wanted.agents_as) << 1 |
                              (wanted.filter.other_groups_only ? 1 : 0);
    return Census::mix(two_as_one(wanted.filter.a, wanted.filter.b)) ^ how;
}

// For the nearest of points: each point has a radius and a filter of its own, which are not compared.
inline std::uint64_t shared_options(std::uint32_t count, AgentsAs agents_as) noexcept {
    return std::uint64_t{count} * 4 + static_cast<std::uint64_t>(agents_as);
}

// For neighbours of all agents where these stay with their hosts.
inline std::uint64_t shared_neighbours(const throng::detail::Neighbourhood& wanted,
                                       const Filter& filter) noexcept {
    std::uint64_t all = Census::mix(two_as_one(filter.categories, filter.not_in_group));
    all = Census::mix(all ^ two_as_one(bits_of(filter.heights.min_z), bits_of(filter.heights.max_z)));
    all = Census::mix(all ^ two_as_one(bits_of(wanted.radius), wanted.with_self ? 1 : 0));
    return Census::mix(all ^ shared_options(wanted.max_count, wanted.agents_as));
}

}  // namespace throng::cluster::detail
