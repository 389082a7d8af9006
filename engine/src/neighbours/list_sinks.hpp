// The sinks of a search for lists of neighbours.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "engine/src/answers/lists/sinks.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/neighbours/first_circle.hpp"
#include "engine/src/store/spaces.hpp"
#include "simd/neighbour_kernels.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

// For list after list to one sink, without headers.
inline simd::NeighbourOutput lists_to(simd::ListSink& sink, std::uint64_t* ends) noexcept {
    return {.sinks = &sink, .ends = ends};
}

// The place for lists that belong to nobody (NeighbourOutput::nowhere), in reserved room.
inline constexpr std::size_t dropped_room = 2 * simd::list_slack + 4096;
inline bool reserve_dropped(AnswerSpace& space, bool distances) noexcept {
    return space.dropped.reserve(dropped_room) &&
           (!distances || space.dropped_distances.reserve(dropped_room));
}
inline void open_dropped(simd::ListSink& sink, AnswerSpace& space, bool distances) noexcept {
    std::uint32_t* const begin = space.dropped.data();
    sink = {.begin = begin,
            .at = begin,
            .limit = begin + dropped_room - simd::list_slack,
            .distances = distances ? space.dropped_distances.data() : nullptr,
            .full = [](simd::ListSink& full) { full.at = full.begin; }};
}

// Searches around sites, and calls use(i, at) for each neighbour of site i. Its id is number `at` in that
// stream of `space`, and so is its squared distance in the stream of distances, if wanted. Returns false if
// `use` does, or if there is no memory.
template <class Use>
bool each_neighbour(const FrameState& frame, const simd::Queriers& sites, const simd::NeighbourQuery& query,
                    std::size_t stream, AnswerSpace& space, std::atomic<bool>& out_of_memory, const Use& use,
                    const simd::LabelFilters& filters = {}) noexcept {
    KeepLists keep(&space.streams[stream], &out_of_memory,
                   query.distances ? &space.distances[stream] : nullptr);
    simd::ListSink sink{};
    if (!resize_amply(space.ends, sites.count) || !keep.open(sink, 0)) return false;
    simd::NeighbourOutput output = lists_to(sink, space.ends.data());
    search_sites(frame, filters, sites, query, output);
    if (!keep.close_amply(sink)) return false;
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < sites.count; ++i)
        for (const std::uint64_t behind = space.ends[i]; at < behind; ++at)
            if (!use(i, at)) return false;
    return true;
}

}  // namespace throng::detail
