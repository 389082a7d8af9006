// Where the tree over oversized agents divides the axes of a world whose agents stand at many scales: at quantiles of
// a sample of the frame's own oversized agents, so that a tight spot has as many places as there are agents in it, wherever
// it is and however small beside the world. Half of all places are between marks, and even between two of these. A quarter
// is on each side of them, by the highest bits of the distance: for what is far out, and for agents that commits of edits
// bring elsewhere.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>

#include "engine/src/base/cell_math.hpp"

namespace throng::detail {

// The marks of one axis. A place has 15 bits.
class AxisMarks {
public:
    static constexpr std::uint32_t count = 65;

    // Of a sorted sample that is not empty.
    void set(std::span<const float> sample) noexcept {
        std::fill(at_ + count, std::end(at_), std::numeric_limits<float>::quiet_NaN());
        for (std::uint32_t k = 0; k < count; ++k) at_[k] = sample[k * (sample.size() - 1) / (count - 1)];
        for (std::uint32_t k = 0; k < group; ++k) last_of_group_[k] = at_[group * k + group - 1];
        for (std::uint32_t k = 0; k + 1 < count; ++k) scale_[k] = places_in(at_[k + 1] - at_[k]);
    }
    // Keeps order.
    std::uint32_t place_of(float at) const noexcept {
        const std::uint32_t part = marks_up_to(at);
        if (part == 0) return quarter - 1 - distance(at_[0] - at);
        if (part == count) return 3 * quarter + distance(at - at_[count - 1]);
        return quarter + ((part - 1) << bits | place(at, at_[part - 1], scale_[part - 1], float{last}));
    }

private:
    static constexpr unsigned bits = 8;
    static constexpr std::uint32_t last = (1u << bits) - 1, quarter = 1u << 13;
    static_assert(2 * quarter == (count - 1) << bits);
    static constexpr std::uint32_t group = 8;
    static_assert(count == group * group + 1);

    // How many marks are not above a coordinate: first whole groups, then in one of these. Without a branch that depends on it,
    // and as few comparisons as vectors need.
    std::uint32_t marks_up_to(float at) const noexcept {
        std::uint32_t groups = 0, more = 0;
        for (std::uint32_t k = 0; k < group; ++k) groups += last_of_group_[k] <= at ? 1 : 0;
        const float* const in = at_ + group * groups;
        for (std::uint32_t k = 0; k < group; ++k) more += in[k] <= at ? 1 : 0;
        return group * groups + more;
    }
    // Its exponent, and five bits more. The difference of equals may be a negative zero, by the rounding mode.
    static std::uint32_t distance(float of) noexcept {
        return (std::bit_cast<std::uint32_t>(of) & 0x7FFFFFFFu) >> (31 - 13);
    }
    // Places in a unit of length. What is no longer than a rounding error is one place.
    static float places_in(float length) noexcept {
        constexpr float shortest = 1e-33f;
        return length > shortest ? float{last + 1} / length : 0;
    }

    float last_of_group_[group], at_[group * (group + 1)], scale_[count - 1];
};

struct TreeMarks {
    AxisMarks x, y;
};

}  // namespace throng::detail
