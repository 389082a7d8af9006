// Where the tree over oversized agents divides the axes of a world whose agents stand at many scales: at quantiles of
// a sample of these agents, so that a tight spot has as many places as there are agents in it, wherever it is and however
// small beside the world. Between two marks places are even. The largest part of a world, which is beyond the first and
// the last mark, goes by the octaves of its distance.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/base/cell_math.hpp"

namespace throng::detail {

// The marks of one axis. A place has 15 bits: seven say between which marks it is.
class AxisMarks {
public:
    static constexpr std::uint32_t count = 127;

    // Of a sorted sample that is not empty.
    void set(std::span<const float> sample) noexcept {
        for (std::uint32_t k = 0; k < count; ++k) at_[k] = sample[k * (sample.size() - 1) / (count - 1)];
        for (std::uint32_t k = 0; k + 1 < count; ++k) scale_[k] = places_in(at_[k + 1] - at_[k]);
    }
    // Keeps order.
    std::uint32_t place_of(float at) const noexcept {
        const auto part = static_cast<std::uint32_t>(std::upper_bound(at_, at_ + count, at) - at_);
        return part << bits | place_in(part, at);
    }

private:
    static constexpr unsigned bits = 8;
    static constexpr std::uint32_t last = (1u << bits) - 1;

    std::uint32_t place_in(std::uint32_t part, float at) const noexcept {
        if (part == 0) return last - octave(at_[0] - at);
        if (part == count) return octave(at - at_[count - 1]);
        return place(at, at_[part - 1], scale_[part - 1], float{last});
    }
    static std::uint32_t octave(float distance) noexcept {
        return std::bit_cast<std::uint32_t>(distance) >> 23;
    }
    // Places in a unit of length. What is no longer than a rounding error is one place.
    static float places_in(float length) noexcept {
        constexpr float shortest = 1e-33f;
        return length > shortest ? float{last + 1} / length : 0;
    }

    float at_[count], scale_[count - 1];
};

struct TreeMarks {
    AxisMarks x, y;
};

}  // namespace throng::detail
