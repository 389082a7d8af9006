// The table of the kernels in simd/cast_kernels.hpp, for one instruction set.
#pragma once

#include "simd/cast_kernels.hpp"
#include "simd/kernels/casts/casts.hpp"

namespace throng::simd {

template <class V>
constexpr CastKernels casts_table() {
    return {.first = Queries<V>::template choose<Casts<V>::template First>,
            .blocked = Queries<V>::template choose<Casts<V>::template Blocked>,
            .all = Queries<V>::template choose<Casts<V>::template All>};
}

}  // namespace throng::simd
