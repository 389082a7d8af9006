// Which ids are above one, a bit for each lane. The vocabulary compares floats, which hold half of an id exactly.
#pragma once

#include "simd/kernels/search/admission.hpp"

namespace throng::simd {

template <class V>
class Above {
public:
    using Wide = typename V::Wide;
    using Ints = typename Admission<V>::Ints;

    explicit Above(std::uint32_t id)
        : high_(static_cast<float>(id >> half)), low_(static_cast<float>(id & 0xFFFFu)) {}
    std::uint32_t among(const std::uint32_t* from) const {
        const Ints ids = Admission<V>::load(from);
        const Wide low = xsimd::to_float(ids & Ints(0xFFFF)),
                   high = xsimd::to_float((ids >> half) & Ints(0xFFFF));
        return V::bits((high_ < high) | ((high_ == high) & (low_ < low)));
    }

private:
    static constexpr int half = 16;
    Wide high_, low_;
};

}  // namespace throng::simd
