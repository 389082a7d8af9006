// A sink that keeps the ids of lists in one growing buffer, and their distances in another, each at the spot
// of its id. Blocks share a flag: once one of them runs out of memory, all stop.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/neighbours/first_circle.hpp"
#include "engine/src/store/spaces.hpp"
#include "simd/neighbour_kernels.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// What a search writes: list after list to one sink, without headers.
inline simd::NeighbourOutput lists_to(simd::ListSink& sink, std::uint64_t* ends) noexcept {
    return {.sinks = &sink, .ends = ends};
}

// Where lists go that belong to nobody (NeighbourOutput::nowhere), in room that was reserved.
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

struct KeepLists {
    Buffer<AgentId>* ids = nullptr;
    Buffer<float>* distances = nullptr;  // null if not wanted
    std::atomic<bool>* out_of_memory = nullptr;
    ListRoom* room = nullptr;  // null if there is no bound
    std::size_t noted = 0;     // in the room

    // Keeps the first `begin` ids and appends to them. The sink points to this object, which must not move.
    bool open(simd::ListSink& sink, std::size_t begin) noexcept {
        if (!make_room(begin, begin + 2 * simd::list_slack)) return false;
        sink = {.full = full, .context = this};
        point(sink, begin, begin);
        noted = begin;
        return true;
    }
    // Adopts what was written. Returns false if there was not enough memory for it.
    bool close(const simd::ListSink& sink) noexcept {
        const auto have = static_cast<std::size_t>(sink.at - ids->data());
        return !sink.stopped && ids->resize(have) && (distances == nullptr || distances->resize(have));
    }
    // The same, with room for the next time.
    bool close_amply(const simd::ListSink& sink) noexcept {
        if (!close(sink)) return false;
        keep_ample(*ids, ids->size() + 2 * simd::list_slack);
        if (distances != nullptr) keep_ample(*distances, distances->size() + 2 * simd::list_slack);
        return true;
    }

private:
    bool fits(std::size_t have) noexcept {
        if (room == nullptr) return true;
        room->kept.fetch_add(have - noted, std::memory_order_relaxed);
        noted = have;
        return !room->exceeded();
    }
    bool make_room(std::size_t have, std::size_t count) noexcept {
        (void)ids->resize(have);
        if (!ids->reserve(count)) return false;
        if (distances == nullptr) return true;
        (void)distances->resize(have);
        return distances->reserve(ids->capacity());
    }
    void point(simd::ListSink& sink, std::size_t begin, std::size_t have) noexcept {
        sink.begin = ids->data() + begin;
        sink.at = ids->data() + have;
        sink.limit = ids->data() + ids->capacity() - simd::list_slack;
        sink.distances = distances == nullptr ? nullptr : distances->data() + begin;
    }
    static void full(simd::ListSink& sink) {
        KeepLists& keep = *static_cast<KeepLists*>(sink.context);
        const auto begin = static_cast<std::size_t>(sink.begin - keep.ids->data());
        const auto have = static_cast<std::size_t>(sink.at - keep.ids->data());
        if (keep.out_of_memory->load(std::memory_order_relaxed) || !keep.fits(have) ||
            !keep.make_room(have, have + have / 2 + 2 * simd::list_slack)) {
            keep.out_of_memory->store(true, std::memory_order_relaxed);
            sink.stopped = true;
            sink.at = sink.begin;
            return;
        }
        keep.point(sink, begin, have);
    }
};

// Searches around sites, and calls use(i, at) for each neighbour of site i. Its id is number `at` in that
// stream of `space`, and so is its squared distance in the stream of distances, if they are wanted. Returns
// false if `use` does, or if there is no memory.
template <class Use>
bool each_neighbour(const FrameState& frame, const simd::Queriers& sites, const simd::NeighbourQuery& query,
                    std::size_t stream, AnswerSpace& space, std::atomic<bool>& out_of_memory, const Use& use,
                    const simd::LabelFilters& filters = {}) noexcept {
    KeepLists keep{&space.streams[stream], query.distances ? &space.distances[stream] : nullptr,
                   &out_of_memory};
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
