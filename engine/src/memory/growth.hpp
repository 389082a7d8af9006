// How buffers grow and shrink if their need varies from frame to frame.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "throng/memory.hpp"

namespace throng::detail {

// Adds headroom to a need that varies a little from frame to frame: a share for large counts, a constant for
// small ones. Answers may be more than a size of 32 bits can say: then it is the largest size.
inline std::size_t amply(std::uint64_t count) noexcept {
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(count + count / 4 + 256, std::numeric_limits<std::size_t>::max()));
}

// The same for numbers of answers, which vary by several times their square root.
inline std::size_t more_than_amply(std::size_t count) noexcept {
    return amply(count) + static_cast<std::size_t>(16 * std::sqrt(static_cast<double>(count)));
}

// The room for one part of a result in a space. From frame to frame parts need more or less, and blocks get
// other spaces. So every part follows the longest one. It grows only when the longest part no longer fits.
struct PartRoom {
    std::size_t count = 0;

    void follow(std::size_t longest) noexcept {
        if (longest > count) count = more_than_amply(longest);
    }
};

// Makes room for `count` values, with headroom if the buffer has to grow.
template <class T>
[[nodiscard]] bool reserve_amply(Buffer<T>& buffer, std::uint64_t count) noexcept {
    return count <= buffer.capacity() || buffer.reserve(amply(count));
}

// Sets the size of a buffer whose need varies from frame to frame, with headroom if it has to allocate.
template <class T, class... Value>
[[nodiscard]] bool resize_amply(Buffer<T>& buffer, std::uint64_t count, Value... value) noexcept {
    return reserve_amply(buffer, count) && buffer.resize(static_cast<std::size_t>(count), value...);
}

// The same for a table with an entry for each row, or some multiple of that. The number of rows changes a
// little whenever islands are replanned; without islands it changes only with the grid.
template <class T, class... Value>
[[nodiscard]] bool resize_by_rows(bool rows_vary, Buffer<T>& buffer, std::size_t count,
                                  Value... value) noexcept {
    return (!rows_vary || reserve_amply(buffer, count)) && buffer.resize(count, value...);
}

// Frees a buffer whose content is no longer needed, if it was made for many times as many agents as there are
// now. A normal need stays far below the bound, even with few agents. So a settled simulation never frees,
// and a slowly shrinking one does so rarely.
template <class T>
void release_excess(Buffer<T>& buffer, std::size_t agents) noexcept {
    if (buffer.capacity() > std::max(16 * 1024 / sizeof(T), amply(32)) + 4 * agents) buffer.release();
}

// Called when a result is complete: if it nearly fills its buffer, the buffer grows now, while the world is
// still settling. Lack of memory here is no failure.
template <class T>
void keep_ample(Buffer<T>& buffer, std::size_t used) noexcept {
    if (used + used / 8 + 64 > buffer.capacity()) (void)buffer.reserve(more_than_amply(used));
}

}  // namespace throng::detail
