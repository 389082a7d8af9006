// The headroom of buffers whose size varies from frame to frame: the elements of a row, the links of a cell,
// the elements across a line. Without headroom, a later frame would allocate in the middle of a settled
// simulation.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "throng/memory.hpp"
#include "throng/structures/detail/names.hpp"

namespace throng::structures::detail {

// How much a count fluctuates from frame to frame. In a random crowd the number of elements in a region has a
// standard deviation of its square root; six of these are hardly ever exceeded.
inline std::size_t fluctuation(std::size_t count) noexcept {
    return static_cast<std::size_t>(6 * std::sqrt(static_cast<double>(count)));
}

// Room for `count` and for the fluctuation of later frames.
inline std::size_t with_headroom(std::size_t count) noexcept {
    return count + std::max(count / 8, fluctuation(count)) + 16;
}

// How many groups of four leaves a tree may reach while its elements move, if a leaf with more than
// `leaf_limit` elements is split, and four leaves with half as many are merged. With a limit of sixteen, the
// worst average is fifteen elements to a leaf: nearly every leaf is split at some time, and there are 1.31
// groups for each sixteen elements. Other averages lead to fewer groups.
inline std::size_t groups_of_moving(std::size_t elements, std::size_t leaf_limit) noexcept {
    constexpr std::size_t fewest = 8;  // smaller leaves are as often empty as they are too full
    return 3 * elements / (2 * std::max(leaf_limit, fewest)) + fluctuation(elements) / 6 + 16;
}

// Makes room for `count` values, with headroom if the buffer has to grow, and keeps the present values.
// Returns false and changes nothing if there is no memory.
template <class T>
[[nodiscard]] bool reserve_with_headroom(Buffer<T>& buffer, std::size_t count) noexcept {
    if (count <= buffer.capacity()) return true;
    const std::size_t size = buffer.size();
    return buffer.resize_exactly(with_headroom(count)) && buffer.resize(size);
}

// Makes room for `count` values ahead of need. If there is no memory for it, the buffer stays as it is. Meant
// for the end of a pass in which the buffer grew step by step, when the real need is known.
template <class T>
void keep_room(Buffer<T>& buffer, std::size_t count) noexcept {
    const std::size_t size = buffer.size();
    if (buffer.capacity() < count && buffer.resize_exactly(count)) static_cast<void>(buffer.resize(size));
}

}  // namespace throng::structures::detail
