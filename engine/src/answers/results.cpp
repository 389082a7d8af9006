// The spans of results. They are not in the headers, since making a span takes a host's compiler long.

#include "throng/results.hpp"

#include "throng/queries/casts.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/queries/pairs.hpp"
#include "throng/queries/shapes.hpp"

namespace throng {

std::span<const AgentId> OverlapLists::ids() const noexcept { return {answers_.data(), answers_.size()}; }

std::span<const std::uint32_t> OverlapsAsFound::queries() const noexcept {
    return {queries_.data(), queries_.size()};
}
std::span<const std::uint64_t> OverlapsAsFound::offsets() const noexcept { return lists_.offsets(); }

std::span<const Pair> PairList::pairs() const noexcept { return {pairs_.data(), pairs_.size()}; }

std::span<const Pair> PairChanges::began() const noexcept { return began_.pairs(); }
std::span<const Pair> PairChanges::ended() const noexcept { return ended_.pairs(); }
std::span<const Pair> PairChanges::pairs() const noexcept { return pairs_.pairs(); }

std::span<const AgentId> NeighbourLists::ids() const noexcept { return {answers_.data(), answers_.size()}; }
std::span<const float> NeighbourLists::squared_distances() const noexcept {
    return {distances_.data(), distances_.size()};
}
std::span<const AgentId> NeighbourLists::agents() const noexcept { return {agents_.data(), agents_.size()}; }

std::span<const CastHit> CastHits::hits() const noexcept { return {answers_.data(), answers_.size()}; }

std::span<const Point> ConvexPolygon::corners() const noexcept { return corners_; }

}  // namespace throng
