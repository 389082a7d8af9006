// Writes lists to their sinks, each behind its header or with its end beside it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/kernels/neighbours/circles.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

// The ends of lists that are being written.
template <class V>
struct ListEnds {
    // Of a list with only ids above `number`, if `half`, and with their squared distances, if wanted.
    template <bool half, bool with_distances>
    struct End {
        static constexpr bool is_half = half, has_distances = with_distances;
        std::uint32_t number;
        std::uint32_t* ids;
        float* distances;

        // Adds the ids of a vector whose bits are set.
        void add(const std::uint32_t* from, std::uint32_t found, const typename V::Wide& d) {
            if constexpr (half) found &= V::above(from, number);
            V::left_pack(ids, from, found);
            const std::uint32_t some = V::count_bits(found);
            ids += some;
            if constexpr (with_distances) {
                Circles<V>::pack(distances, d, found);
                distances += some;
            }
        }
    };
    // use(end) for the kind of end that is wanted.
    template <class Use>
    static auto choose(bool half, bool with_distances, const Use& use) {
        if (half) return with_distances ? use(End<true, true>{}) : use(End<true, false>{});
        return with_distances ? use(End<false, true>{}) : use(End<false, false>{});
    }
};

// Of one instruction set, since an inline function must not be shared by objects for several ones.
template <class V>
class ListWriter {
public:
    ListWriter(const Queriers& queriers, const NeighbourQuery& query, const NeighbourOutput& output)
        : numbers_(queriers.number),
          sinks_(output.sinks),
          ends_(output.ends),
          shift_(output.shift),
          up_(output.headers ? 32 - output.shift : 0),
          most_(output.headers ? most_in_header(output.shift) : 0),
          headers_(output.headers),
          spots_(output.spots),
          distance_spots_(output.distance_spots),
          in_each_(query.max_count),
          nowhere_(output.nowhere) {}

    // The sink of the last list that was begun.
    ListSink* sink = nullptr;

    // Whether querier i has no list. Its sink begins anew.
    bool passes_over(std::uint32_t i) const {
        if (numbers_[i] != nowhere_) [[likely]]
            return false;
        if (sinks_ != nullptr) sink_of(i).at = sink_of(i).begin;
        return true;
    }
    // Begins the list of querier i. Returns false if its sink wants no more. Lists that are only counted have
    // no sinks.
    bool begin(std::uint32_t i) {
        if (sinks_ == nullptr) return true;
        sink = &sink_of(i);
        if (sink->at > sink->limit) [[unlikely]]
            sink->full(*sink);
        if (sink->stopped) return false;
        header_ = sink->at - sink->begin;
        if (headers_) ++sink->at;
        return true;
    }
    // The place of a list that needs at most so much room. The sink does not move meanwhile.
    struct Space {
        ListSink* sink;
        std::uint32_t *header, *ids;
        float* distances;  // null if they are not wanted
    };
    // Distances of all sinks, or of none.
    bool wants_distances(std::uint32_t i) const { return sink_of(i).distances != nullptr; }
    // Without ids if there may be no room for them, or the sink of querier i wants no more.
    Space space_for(std::uint32_t i, std::ptrdiff_t room) const {
        ListSink& to = sink_of(i);
        // Signed, since the spot may be past the limit.
        if (to.stopped || to.limit - to.at < room) return {nullptr, nullptr, nullptr, nullptr};
        std::uint32_t* const ids = to.at + (headers_ ? 1 : 0);
        return {&to, to.at, ids, to.distances == nullptr ? nullptr : to.distances + (ids - to.begin)};
    }
    // Whether lists have spots, and the spots of the list of querier i; null for its distances if not wanted.
    bool has_spots() const { return spots_ != nullptr; }
    std::uint32_t* spot_of(std::uint32_t i) const { return spots_ + std::size_t{numbers_[i]} * in_each_; }
    float* spot_of_distances(std::uint32_t i) const {
        return distance_spots_ == nullptr ? nullptr : distance_spots_ + std::size_t{numbers_[i]} * in_each_;
    }
    // Fetches the spots of `some` queriers, which lie anywhere. Inlined early, since GCC takes a function
    // that only fetches for one without an effect.
    THRONG_ALWAYS_INLINE void fetch_spots(std::uint32_t first, std::uint32_t some) const {
        if (spots_ == nullptr) return;
        for (std::uint32_t i = first; i < first + some; ++i) {
            const std::uint32_t* const to = spot_of(i);
            THRONG_PREFETCH(to, 1);
            if (in_each_ > 8) THRONG_PREFETCH(to + in_each_ - 1, 1);
            if (distance_spots_ == nullptr) continue;
            const float* const distances = spot_of_distances(i);
            THRONG_PREFETCH(distances, 1);
            if (in_each_ > 8) THRONG_PREFETCH(distances + in_each_ - 1, 1);
        }
    }
    // Ends the list of querier i, which goes up to `behind`.
    void end(std::uint32_t i, const Space& space, std::uint32_t* behind) const {
        if (headers_) {
            const auto count = static_cast<std::uint32_t>(behind - space.ids);
            if (count >= most_) [[unlikely]]
                return end_long(space.sink, space.header, numbers_[i] << up_ | most_, count);
            ++space.sink->headers;
            *space.header = numbers_[i] << up_ | count;
        } else if (spots_ != nullptr) {
            return put(space.sink, static_cast<std::uint32_t>(behind - space.ids), spot_of(i),
                       spot_of_distances(i));
        } else {
            ends_[i] = static_cast<std::uint64_t>(behind - space.sink->begin);
        }
        space.sink->at = behind;
    }
    // The same for the last list that was begun.
    void end(std::uint32_t i) {
        std::uint32_t *const header = sink->begin + header_, *const ids = header + (headers_ ? 1 : 0);
        end(i, Space{sink, header, ids, nullptr}, sink->at);
    }

    // Fetches the next lines of the sink. There are too many sinks for the hardware to foresee it.
    THRONG_ALWAYS_INLINE void fetch_ahead(const void* behind) const {
        Vectors<V>::template fetch_from<1>(behind, bytes_ahead);
    }
    // The same behind a list.
    void fetch_ahead(const Space& space, const std::uint32_t* behind) const {
        fetch_ahead(behind);
        if (space.distances != nullptr) fetch_ahead(space.distances + (behind - space.ids));
    }

private:
    static constexpr std::size_t bytes_ahead = 128;

    // Neither of these gets a writer or a space, which would then lie in memory instead of registers.

    // A list of `count` ids from its sink to its spot.
    THRONG_KERNEL THRONG_NOINLINE static void put(ListSink* from, std::uint32_t count, std::uint32_t* to,
                                                  float* distances) {
        for (std::uint32_t k = 0; k < count; ++k) to[k] = from->begin[k];
        for (std::uint32_t k = 0; distances != nullptr && k < count; ++k) distances[k] = from->distances[k];
        from->at = from->begin;
    }
    // A list whose header cannot tell its length moves up by a word, for which there is room.
    THRONG_KERNEL THRONG_NOINLINE static void end_long(ListSink* to, std::uint32_t* header,
                                                       std::uint32_t first_word, std::uint32_t count) {
        std::uint32_t* const ids = header + 1;
        for (std::uint32_t k = count; k != 0; --k) ids[k] = ids[k - 1];
        if (to->distances != nullptr) {
            float* const distances = to->distances + (ids - to->begin);
            for (std::uint32_t k = count; k != 0; --k) distances[k] = distances[k - 1];
        }
        header[0] = first_word;
        header[1] = count;
        to->headers += 2;
        to->at = ids + count + 1;
    }
    ListSink& sink_of(std::uint32_t i) const { return sinks_[std::uint64_t{numbers_[i]} >> shift_]; }

    const std::uint32_t* const numbers_;
    ListSink* const sinks_;
    std::uint64_t* const ends_;
    const std::uint32_t shift_, up_, most_;
    const bool headers_;
    std::uint32_t* const spots_;
    float* const distance_spots_;
    const std::uint32_t in_each_, nowhere_;
    std::ptrdiff_t header_ = 0;  // in the sink, which may move
};

}  // namespace throng::simd
