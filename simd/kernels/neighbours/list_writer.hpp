// Writes lists to their sinks, each behind its header or with its end beside it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

// Of one instruction set, since an inline function must not be shared by objects for several ones.
template <class V>
class ListWriter {
public:
    ListWriter(const Queriers& queriers, const NeighbourOutput& output)
        : numbers_(queriers.number),
          sinks_(output.sinks),
          ends_(output.ends),
          shift_(output.shift),
          headers_(output.headers) {}

    // The sink of the list that was begun last.
    ListSink* sink = nullptr;

    // Begins the list of querier i. Returns false if its sink wants no more. Where lists are only counted, there
    // are no sinks.
    bool begin(std::uint32_t i) {
        if (sinks_ == nullptr) return true;
        sink = &sink_of(i);
        if (sink->at > sink->limit) [[unlikely]]
            sink->full(*sink);
        if (sink->stopped) return false;
        header_ = sink->at - sink->begin;
        if (headers_) sink->at += stream_header;
        return true;
    }
    // Where a list goes that needs at most so much room. The sink does not move meanwhile.
    struct Space {
        ListSink* sink;
        std::uint32_t *header, *ids;
        float* distances;  // null if they are not wanted
    };
    // Those of all sinks, or of none.
    bool wants_distances(std::uint32_t i) const { return sink_of(i).distances != nullptr; }
    // Without ids if there may be no room for so many, or the sink of querier i wants no more.
    Space space_for(std::uint32_t i, std::ptrdiff_t room) const {
        ListSink& to = sink_of(i);
        // Signed, since the place may be past the limit.
        if (to.stopped || to.limit - to.at < room) return {nullptr, nullptr, nullptr, nullptr};
        std::uint32_t* const ids = to.at + (headers_ ? stream_header : 0);
        return {&to, to.at, ids, to.distances == nullptr ? nullptr : to.distances + (ids - to.begin)};
    }
    // Ends the list of querier i, which goes up to `behind`.
    void end(std::uint32_t i, const Space& space, std::uint32_t* behind) const {
        space.sink->at = behind;
        if (headers_) {
            ++space.sink->lists;
            space.header[0] = numbers_[i];
            space.header[1] = static_cast<std::uint32_t>(behind - space.ids);
        } else {
            ends_[i] = static_cast<std::uint64_t>(behind - space.sink->begin);
        }
    }
    // Where the distances of the next ids go; null if they are not wanted.
    float* distances() const {
        return sink->distances == nullptr ? nullptr : sink->distances + (sink->at - sink->begin);
    }
    void end(std::uint32_t i) { end(i, sink->at); }
    // The same where the list goes up to `behind`.
    void end(std::uint32_t i, std::uint32_t* behind) {
        std::uint32_t* const header = sink->begin + header_;
        end(i, Space{sink, header, header + stream_header, nullptr}, behind);
    }

    // Fetches where the sink goes on. There are too many sinks for the hardware to foresee it; for short lists without
    // distances that does not pay.
    void fetch_ahead() const {
        __builtin_prefetch(sink->at + ahead, 1);
        if (sink->distances != nullptr) __builtin_prefetch(distances() + ahead, 1);
    }
    // The same behind a list.
    void fetch_ahead(const Space& space, const std::uint32_t* behind) const {
        __builtin_prefetch(behind + ahead, 1);
        if (space.distances != nullptr) __builtin_prefetch(space.distances + (behind - space.ids) + ahead, 1);
    }

private:
    static constexpr int ahead = 32;

    ListSink& sink_of(std::uint32_t i) const { return sinks_[std::uint64_t{numbers_[i]} >> shift_]; }

    const std::uint32_t* const numbers_;
    ListSink* const sinks_;
    std::uint64_t* const ends_;
    const std::uint32_t shift_;
    const bool headers_;
    std::ptrdiff_t header_ = 0;  // in the sink, which may move
};

}  // namespace throng::simd
