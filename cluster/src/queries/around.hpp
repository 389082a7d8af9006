// Neighbours around places that ranks ask each other about. A place travels as a circle, with the distance to
// look as its radius.
#pragma once

#include <cstdint>

#include "cluster/src/inquiries/batch.hpp"
#include "cluster/src/inquiries/query.hpp"
#include "throng/agents_as.hpp"
#include "throng/results.hpp"

namespace throng::cluster::detail {

// Answers what this rank was asked, from its own frame, with squared distances.
void find_within(Batch& batch, AgentsAs agents_as, throng::NeighbourLists& lists) noexcept;
void find_nearest(Batch& batch, std::uint32_t count, AgentsAs agents_as,
                  throng::NeighbourLists& lists) noexcept;

// The words of every query of this kind, so that ranks without any query know it too.
inline std::size_t circle_words() noexcept { return Query::words_for_numbers(3); }

}  // namespace throng::cluster::detail
