// Reads the host's boxes for the kernels, which take one array for each coordinate. If the host has such
// arrays they are passed in place; otherwise boxes are gathered block by block into arrays on the stack.
#pragma once

#include <algorithm>
#include <cstddef>

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

}  // namespace throng::detail
