// Reads the host's boxes for the kernels, which take one array for each coordinate. If the host has such
// arrays they are passed in place; otherwise boxes are gathered block by block into arrays on the stack.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "engine/src/base/box_check.hpp"
#include "simd/kernels.hpp"
#include "throng/boxes.hpp"

namespace throng::detail {

inline bool arrays_as_they_are(const Boxes& boxes) noexcept {
    return boxes.form() != Boxes::Form::points && boxes.has_stride(sizeof(float));
}

// Calls `use(columns, first, count)` for the boxes [begin, end), in order, in pieces of any size, until it
// returns false.
template <class Use>
void read_boxes(const Boxes& boxes, std::size_t begin, std::size_t end, Use&& use) noexcept {
    if (arrays_as_they_are(boxes)) {
        use(simd::Columns{boxes.coordinate(0) + begin, boxes.coordinate(1) + begin,
                          boxes.coordinate(2) + begin, boxes.coordinate(3) + begin,
                          boxes.form() == Boxes::Form::centre_half},
            begin, end - begin);
        return;
    }
    constexpr std::size_t some = 512;
    alignas(64) float a[some], b[some], c[some], d[some];
    for (std::size_t first = begin; first < end; first += some) {
        const std::size_t count = std::min(some, end - first);
        for (std::size_t i = 0; i < count; ++i) {
            const Box box = boxes[first + i];
            a[i] = box.min_x;
            b[i] = box.min_y;
            c[i] = box.max_x;
            d[i] = box.max_y;
        }
        if (!use(simd::Columns{a, b, c, d, false}, first, count)) return;
    }
}

inline Box box_at(const simd::Columns& c, std::size_t i) noexcept {
    return c.centre_half ? Box::around(c.a[i], c.b[i], c.c[i], c.d[i]) : Box{c.a[i], c.b[i], c.c[i], c.d[i]};
}
inline simd::Columns part_of(const simd::Columns& c, std::size_t at) noexcept {
    return {c.a + at, c.b + at, c.c + at, c.d + at, c.centre_half};
}

// Whether all of these boxes are legal. Branch-free, so the compiler vectorises it.
template <bool centre_half>
bool all_legal_of(const simd::Columns& boxes, std::size_t count) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    std::uint32_t bad = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const float a = boxes.a[i], b = boxes.b[i], c = boxes.c[i], d = boxes.d[i];
        const float min_x = centre_half ? a - c : a, max_x = centre_half ? a + c : c;
        const float min_y = centre_half ? b - d : b, max_y = centre_half ? b + d : d;
        const bool legal = (-largest <= min_x) & (min_x <= max_x) & (max_x <= largest) & (-largest <= min_y) &
                           (min_y <= max_y) & (max_y <= largest);
        bad |= legal ? 0u : 1u;
    }
    return bad == 0;
}
inline bool all_legal(const simd::Columns& boxes, std::size_t count) noexcept {
    return boxes.centre_half ? all_legal_of<true>(boxes, count) : all_legal_of<false>(boxes, count);
}

// The status of the first illegal box.
inline Status check_all(const Boxes& boxes) noexcept {
    Status status;
    read_boxes(boxes, 0, boxes.size(), [&](const simd::Columns& some, std::size_t first, std::size_t count) {
        if (!all_legal(some, count)) status = check(boxes, first);
        return status.ok();
    });
    return status;
}

}  // namespace throng::detail
