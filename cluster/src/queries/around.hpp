// Neighbours around places that ranks ask each other about. A place travels as a circle, whose radius is how
// far to look.
#pragma once

#include <cstdint>

#include "cluster/src/inquiries/batch.hpp"
#include "cluster/src/inquiries/query.hpp"
#include "throng/agents_as.hpp"
#include "throng/results.hpp"

namespace throng::cluster::detail {

// What this rank was asked, of its own frame, with squared distances.
void find_within(Batch& batch, AgentsAs agents_as, throng::NeighbourLists& lists) noexcept;
void find_nearest(Batch& batch, std::uint32_t count, AgentsAs agents_as,
                  throng::NeighbourLists& lists) noexcept;

// What every query of this kind takes, so that ranks without any know it too.
inline std::size_t circle_words() noexcept { return Query::words_for_numbers(3); }

}  // namespace throng::cluster::detail
