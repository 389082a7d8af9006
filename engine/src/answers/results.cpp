// The spans of results, which are not in the headers, since making a span takes a host's compiler long; and
// lists of ids in ascending order.

#include "throng/results.hpp"

#include <algorithm>
#include <span>

#include "base/blocks.hpp"
#include "parallel/blocks.hpp"
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

// --- In ascending order, in place: the threads that sort ask for no memory ---------------------------------

namespace {

// A shell sort, since the standard library sorts no two arrays together.
void sort_with_distances(AgentId* ids, float* distances, std::size_t count) noexcept {
    std::size_t gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap != 0; gap /= 3)
        for (std::size_t i = gap; i < count; ++i) {
            const AgentId id = ids[i];
            const float distance = distances[i];
            std::size_t to = i;
            for (; to >= gap && ids[to - gap] > id; to -= gap) {
                ids[to] = ids[to - gap];
                distances[to] = distances[to - gap];
            }
            ids[to] = id;
            distances[to] = distance;
        }
}

// `distances` may be null.
Status sort_each_list(const Executor& executor, std::span<const std::uint64_t> offsets, AgentId* ids,
                      float* distances) noexcept {
    constexpr std::size_t lists_in_a_block = 64;
    if (!parallel::has_what_it_names(executor)) return {Code::bad_config, Argument::executor};
    if (offsets.empty()) return {};
    return detail::outcome(parallel::for_ranges(
        executor, offsets.size() - 1, lists_in_a_block, [&](const parallel::Range& part) {
            for (std::size_t i = part.begin; i < part.end; ++i) {
                const auto begin = static_cast<std::size_t>(offsets[i]),
                           end = static_cast<std::size_t>(offsets[i + 1]);
                if (distances == nullptr)
                    std::sort(ids + begin, ids + end);
                else
                    sort_with_distances(ids + begin, distances + begin, end - begin);
            }
        }));
}

}  // namespace

Status OverlapLists::sort(const Executor& executor) noexcept {
    const Status status = sort_each_list(executor, offsets(), answers_.data(), nullptr);
    if (!status.ok() && status.code != Code::bad_config) clear();
    return status;
}

Status NeighbourLists::sort(const Executor& executor) noexcept {
    const Status status = sort_each_list(executor, offsets(), answers_.data(),
                                         distances_.size() == 0 ? nullptr : distances_.data());
    if (!status.ok() && status.code != Code::bad_config) clear();
    return status;
}

}  // namespace throng
