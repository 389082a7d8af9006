// Takes what a search in a patch finds, vector by vector, and writes it behind each other.
#pragma once

#include "simd/kernels/neighbours/above.hpp"

namespace throng::simd {

template <class V>
struct ListTaker {
    using Wide = typename V::Wide;

    // search(take) calls take(ids, found, squared distances) for each vector, with a bit for those to take. Both return the
    // end of the list.
    template <class Search>
    static std::uint32_t* take_ids(std::uint32_t* to, const Search& search) {
        search([&](const std::uint32_t* ids, std::uint32_t found, const Wide&) {
            V::left_pack(to, ids, found);
            to += V::count_bits(found);
        });
        return to;
    }
    // Only ids above `number` if `half`; their distances too, unless these are null.
    template <class Search>
    static std::uint32_t* take_all(std::uint32_t number, bool half, std::uint32_t* to, float* distances,
                                   const Search& search) {
        const Above<V> above(number);
        search([&](const std::uint32_t* ids, std::uint32_t found, const Wide& d) {
            if (half) found &= above.among(ids);
            V::left_pack(to, ids, found);
            const std::uint32_t some = V::count_bits(found);
            to += some;
            if (distances != nullptr) {
                pack(distances, d, found);
                distances += some;
            }
        });
        return to;
    }
    static void pack(float* to, const Wide& d, std::uint32_t found) {
        alignas(64) float lanes[Wide::size];
        d.store_aligned(lanes);
        V::left_pack(reinterpret_cast<std::uint32_t*>(to), reinterpret_cast<const std::uint32_t*>(lanes),
                     found);
    }
};

}  // namespace throng::simd
