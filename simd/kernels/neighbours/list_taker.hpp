// Takes the answers of a search in a patch, vector by vector, and writes them one behind the other.
#pragma once

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct ListTaker {
    using Wide = typename V::Wide;

    // The content of a list: only ids above `number` if `half`, and their distances too unless these are
    // null.
    struct Wanted {
        std::uint32_t number;
        bool half;
        float* distances;
    };
    // search(take) calls take(ids, found, squared distances) for each vector, with a bit for those to take.
    // Returns the end of the list.
    template <class Search>
    static std::uint32_t* take(const Wanted& wanted, std::uint32_t* to, const Search& search) {
        if (wanted.half)
            return wanted.distances == nullptr ? take<true, false>(wanted, to, search)
                                               : take<true, true>(wanted, to, search);
        return wanted.distances == nullptr ? take<false, false>(wanted, to, search)
                                           : take<false, true>(wanted, to, search);
    }
    static void pack(float* to, const Wide& d, std::uint32_t found) {
        alignas(64) float lanes[Wide::size];
        d.store_aligned(lanes);
        V::left_pack(reinterpret_cast<std::uint32_t*>(to), reinterpret_cast<const std::uint32_t*>(lanes),
                     found);
    }

private:
    template <bool half, bool with_distances, class Search>
    static std::uint32_t* take(const Wanted& wanted, std::uint32_t* to, const Search& search) {
        const std::uint32_t number = wanted.number;
        float* distances = wanted.distances;
        search([&](const std::uint32_t* ids, std::uint32_t found, const Wide& d) {
            if constexpr (half) found &= V::above(ids, number);
            V::left_pack(to, ids, found);
            const std::uint32_t some = V::count_bits(found);
            to += some;
            if constexpr (with_distances) {
                pack(distances, d, found);
                distances += some;
            }
        });
        return to;
    }
};

}  // namespace throng::simd
