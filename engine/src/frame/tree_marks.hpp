// Where the tree over oversized agents divides the axes of a world whose agents stand at many scales: at quantiles of
// a sample of the frame's own oversized agents, so that a tight spot has as many places as there are agents in it, wherever
// it is and however small beside the world. Half of all places are between marks, and even between two of these. A quarter
// is on each side of them, by the highest bits of the distance: for what is far out, and for agents that commits of edits
// bring elsewhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>

#include "simd/types.hpp"

namespace throng::detail {

// From a sorted sample that is not empty.
inline void set_marks(simd::AxisMarks& axis, std::span<const float> sample) noexcept {
    constexpr std::uint32_t count = simd::AxisMarks::count;
    // What is no longer than a rounding error is one place.
    constexpr float shortest = 1e-33f;
    std::fill(axis.at + count, std::end(axis.at), std::numeric_limits<float>::quiet_NaN());
    for (std::uint32_t k = 0; k < count; ++k) axis.at[k] = sample[k * (sample.size() - 1) / (count - 1)];
    for (std::uint32_t k = 0; k + 1 < count; ++k) {
        const float length = axis.at[k + 1] - axis.at[k];
        axis.scale[k] = length > shortest ? float{1u << simd::AxisMarks::bits} / length : 0;
    }
    axis.scale[count - 1] = 0;
}

struct TreeMarks {
    simd::AxisMarks x, y;
};

}  // namespace throng::detail
