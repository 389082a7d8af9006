// Searches around owned agents where ghosts are between them. Neighbours in a row share most of a search, so
// a few ghosts are searched around as well, rather than to tear the others apart; their lists go nowhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "engine/src/neighbours/list_batch.hpp"
#include "engine/src/neighbours/list_sinks.hpp"
#include "engine/src/neighbours/sites.hpp"

namespace throng::detail {

// Whether a half list of an owned agent has another agent, which is near. Of two owned ones the lower has the
// other, and ghosts have no lists.
inline bool is_in_half(AgentId own, AgentId other, const simd::GhostIds& ghosts) noexcept {
    return other > own || ghosts.has(other);
}
// Leaves half lists of whole ones; `own(i)` is the agent of list i.
template <class Own>
void halve(ListResult& result, const simd::GhostIds& ghosts, const Own& own) noexcept {
    std::size_t kept = 0, from = 0;
    for (std::size_t i = 0; i + 1 < result.offsets.size(); ++i) {
        for (const auto end = static_cast<std::size_t>(result.offsets[i + 1]); from < end; ++from) {
            result.ids[kept] = result.ids[from];
            if (result.distances != nullptr) (*result.distances)[kept] = (*result.distances)[from];
            kept += is_in_half(own(i), result.ids[kept], ghosts);
        }
        result.offsets[i + 1] = kept;
    }
    result.found = kept;
}

// Calls look(queriers) for those of a range, until it returns false. Returns false if it cannot be done so.
// With `ends` in the output it writes the agents.
template <class Look>
bool search_among_ghosts(const AgentSites& sites, Pool<AnswerSpace>& spaces, bool leaves_out,
                         const parallel::Range& range, simd::NeighbourOutput& output, AgentId* agents,
                         const Look& look) noexcept {
    const bool counts = output.counts != nullptr, has_spots = output.spots != nullptr;
    const std::uint32_t nowhere = counts ? simd::no_id : output.nowhere;
    if (!counts && !has_spots && (nowhere == simd::no_id || sites.id_bound() > nowhere)) return false;
    const Lease<AnswerSpace> space(spaces);
    if (!space || !resize_amply(space->ends, sites_at_once)) return false;
    std::uint64_t *ends = output.ends, *const own_ends = space->ends.data();
    const std::uint32_t shift = ends == nullptr ? output.shift : ListBatch::shift_to_ghosts;
    if (!counts && !has_spots &&
        !open_dropped(output.sinks[nowhere >> shift], *space, output.sinks->distances != nullptr))
        return false;
    output.shift = shift;
    output.ends = ends == nullptr ? nullptr : own_ends;
    (void)sites.each_with_few_ghosts(range, leaves_out, nowhere, [&](const simd::Queriers& some) {
        if (!look(some)) return false;
        for (std::uint32_t i = 0; ends != nullptr && i < some.count; ++i) {
            const AgentId id = some.number[i];
            *ends = own_ends[i];
            *agents = id;
            ends += id != nowhere;
            agents += id != nowhere;
        }
        return true;
    });
    return true;
}

// Ghosts have none, though some were counted around.
inline void clear_counts_of_ghosts(const AgentSites& sites, const simd::GhostIds& ghosts,
                                   std::span<std::uint32_t> counts) noexcept {
    if (ghosts.is_range())
        return (void)std::fill(counts.begin() + ghosts.lowest, counts.begin() + ghosts.bound, 0u);
    sites.with_ghosts().each_piece({0, sites.size()},
                                   [&](const simd::Row& row, std::uint32_t i, std::uint32_t end) {
                                       for (const AgentId* ids = RowArrays(row).id; i < end; ++i)
                                           if (ghosts.has(ids[i])) counts[ids[i]] = 0;
                                   });
}

}  // namespace throng::detail
