// The lists of a packet of queriers: all candidates of the packet within a radius, for each of them. Mostly a
// few vectors have all candidates. Then these stay in registers, and no loop has an end that cannot be
// predicted.
#pragma once

#include "simd/kernels/neighbours/list_taker.hpp"
#include "simd/kernels/neighbours/list_writer.hpp"
#include "simd/kernels/neighbours/packets/candidates.hpp"

namespace throng::simd {

template <class V>
class PacketLists : Vectors<V> {
public:
    using Wide = typename V::Wide;

    // The content of lists, and the place of their queriers.
    struct Wanted {
        std::uint32_t first, some;  // the queriers
        float radius;
        bool half;  // only ids above the querier's number
    };

    // Returns how many lists were made: fewer than wanted if a sink may have too little room.
    THRONG_KERNEL THRONG_NOINLINE static std::uint32_t write(const ListWriter<V>& lists,
                                                             const Candidates<V>& near,
                                                             const Queriers& queriers, const Wanted& wanted) {
        const bool with_distances = lists.wants_distances(wanted.first);
        if (wanted.half)
            return with_distances ? write<true, true>(lists, near, queriers, wanted)
                                  : write<true, false>(lists, near, queriers, wanted);
        return with_distances ? write<false, true>(lists, near, queriers, wanted)
                              : write<false, false>(lists, near, queriers, wanted);
    }

private:
    static constexpr std::size_t lanes = Wide::size;
    // A list may have all candidates, and a vector more is written.
    static constexpr std::ptrdiff_t room = Candidates<V>::room + gap;

    template <bool half, bool with_distances>
    static std::uint32_t write(const ListWriter<V>& lists, const Candidates<V>& near,
                               const Queriers& queriers, const Wanted& wanted) {
        switch ((near.count + lanes - 1) / lanes) {
        case 1: return write<half, with_distances, 1>(lists, near, queriers, wanted);
        case 2: return write<half, with_distances, 2>(lists, near, queriers, wanted);
        case 3: return write<half, with_distances, 3>(lists, near, queriers, wanted);
        case 4: return write<half, with_distances, 4>(lists, near, queriers, wanted);
        default: return write<half, with_distances, 0>(lists, near, queriers, wanted);
        }
    }
    // With `vectors` of candidates, or as many as there are.
    template <bool half, bool with_distances, std::size_t vectors>
    static std::uint32_t write(const ListWriter<V>& lists, const Candidates<V>& near,
                               const Queriers& queriers, const Wanted& wanted) {
        const Wide limit(wanted.radius * wanted.radius);
        Wide xs[vectors + 1], ys[vectors + 1];
        for (std::size_t v = 0; v < vectors; ++v) {
            xs[v] = Wide::load_aligned(near.x + v * lanes);
            ys[v] = Wide::load_aligned(near.y + v * lanes);
        }
        const std::size_t count = near.count, self = near.self;
        for (std::uint32_t k = 0; k < wanted.some; ++k) {
            const std::uint32_t i = wanted.first + k;
            const auto space = lists.space_for(i, room);
            if (space.ids == nullptr) return k;
            const Wide x(queriers.x[i]), y(queriers.y[i]);
            const std::uint32_t number = queriers.number[i];
            std::uint32_t* to = space.ids;
            float* distances = space.distances;
            const auto take = [&](std::size_t at, const Wide& dx, const Wide& dy) {
                const Wide d = dx * dx + dy * dy;
                std::uint32_t found = V::bits(d <= limit);
                if constexpr (half)
                    found &= V::above(near.ids + at, number);
                else
                    found &= ~bit_of(self + k - at);
                V::left_pack(to, near.ids + at, found);
                const std::uint32_t some = V::count_bits(found);
                to += some;
                if constexpr (with_distances) {
                    ListTaker<V>::pack(distances, d, found);
                    distances += some;
                }
            };
            if constexpr (vectors != 0)
                for (std::size_t v = 0; v < vectors; ++v) take(v * lanes, x - xs[v], y - ys[v]);
            else
                for (std::size_t at = 0; at < count; at += lanes)
                    take(at, x - Wide::load_aligned(near.x + at), y - Wide::load_aligned(near.y + at));
            lists.end(i, space, to);
        }
        return wanted.some;
    }
    // None if it is beyond the lanes, or before them.
    static std::uint32_t bit_of(std::size_t lane) {
        return static_cast<std::uint32_t>(std::uint64_t{1} << (lane < 32 ? lane : 32));
    }
};

}  // namespace throng::simd
