// The least of some candidates by squared distance, and of equal ones by id.
#pragma once

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct Least : Vectors<V> {
    static bool comes_before(float d, std::uint32_t id, float other_d, std::uint32_t other_id) {
        return d < other_d || (d == other_d && id < other_id);
    }
    // Sorts the least `most` of `count` candidates to the front. Returns how many those are.
    static std::uint32_t sort(float* distances, std::uint32_t* ids, std::uint32_t count, std::uint32_t most) {
        std::uint32_t kept = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const float d = distances[i];
            const std::uint32_t id = ids[i];
            if (kept == most && !comes_before(d, id, distances[most - 1], ids[most - 1])) continue;
            std::uint32_t at = kept < most ? kept++ : most - 1;
            for (; at > 0 && comes_before(d, id, distances[at - 1], ids[at - 1]); --at) {
                distances[at] = distances[at - 1];
                ids[at] = ids[at - 1];
            }
            distances[at] = d;
            ids[at] = id;
        }
        return kept;
    }
};

}  // namespace throng::simd
