// How much more room than it needs a structure gets for what varies from frame to frame: the elements of a
// row, the links of a cell, what lies across a line. If it got just what a frame takes, a later frame would
// ask for memory in the middle of a simulation that has long been steady.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "throng/containers/buffer.hpp"

namespace throng::detail {

// Room for so many and for those who may come in later frames. In a crowd at random the number in any part of
// the world varies by its square root; six of these are hardly ever exceeded.
inline std::size_t ample(std::size_t count) noexcept {
    const auto varying = static_cast<std::size_t>(6 * std::sqrt(static_cast<double>(count)));
    return count + std::max(count / 8, varying) + 16;
}

// How many groups of four leaves a tree may come to have while its elements move about, if a leaf is divided
// with more than `leaf_limit` elements, and four are put together with half as many. A leaf with fifteen on
// average is divided in the end where the limit is sixteen, and there are 1.31 groups then for each sixteen
// elements; with more or fewer there are less.
inline std::size_t groups_of_moving(std::size_t elements, std::size_t leaf_limit) noexcept {
    constexpr std::size_t fewest = 8;  // smaller leaves are as often empty as they are too full
    const auto varying = static_cast<std::size_t>(std::sqrt(static_cast<double>(elements)));
    return 3 * elements / (2 * std::max(leaf_limit, fewest)) + varying + 16;
}

// Room for `count` values, and ample if more has to be made; what is there is kept. False, and nothing has
// changed, if there is no memory.
template <class T>
[[nodiscard]] bool reserve_with_headroom(Buffer<T>& buffer, std::size_t count) noexcept {
    if (count <= buffer.capacity()) return true;
    const std::size_t size = buffer.size();
    return buffer.resize_exactly(ample(count)) && buffer.resize(size);
}

// Room for `count` values, for later: if there is no memory for that, the buffer stays as it is. This is for
// the end of what made it grow step by step, when it is known how much was needed.
template <class T>
void keep_room(Buffer<T>& buffer, std::size_t count) noexcept {
    const std::size_t size = buffer.size();
    if (buffer.capacity() < count && buffer.resize_exactly(count)) static_cast<void>(buffer.resize(size));
}

}  // namespace throng::detail
