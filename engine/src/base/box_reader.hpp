// Reads the host's boxes for the kernels, which take one array for each coordinate. If the host has such
// arrays they are passed in place; otherwise boxes are gathered block by block into arrays on the stack.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/src/base/box_check.hpp"
#include "simd/types.hpp"
#include "throng/boxes.hpp"
#include "throng/compiler.hpp"

namespace throng::detail {

// Whether they lie one after the other, as Boxes::of has them.
inline bool are_array_of_boxes(const Boxes& boxes) noexcept {
    const float* first = boxes.coordinate(0);
    return first != nullptr && boxes.form() == Boxes::Form::min_max && boxes.has_stride(sizeof(Box)) &&
           boxes.coordinate(1) == first + 1 && boxes.coordinate(2) == first + 2 &&
           boxes.coordinate(3) == first + 3;
}

// The box of one element, as the view has it; in fewer steps where boxes lie one after the other.
class BoxAt {
public:
    explicit BoxAt(const Boxes& boxes) noexcept
        : boxes_(boxes), first_(are_array_of_boxes(boxes) ? boxes.coordinate(0) : nullptr) {}
    // Expanded where it is called, or what else a file has decides whether surveys call for each box: 1 % of a first frame.
    THRONG_ALWAYS_INLINE Box operator()(std::size_t i) const noexcept {
        if (first_ == nullptr) return boxes_[i];
        const float* from = first_ + 4 * i;
        return {from[0], from[1], from[2], from[3]};
    }

private:
    const Boxes& boxes_;
    const float* first_;
};

enum class Coordinates { all, min_y };

// Calls `use(columns, first, count)` for the boxes [begin, end), in order, in pieces of any size, until it
// returns false. If only min_y is wanted, the other columns may have anything in them.
template <Coordinates wanted = Coordinates::all, class Use>
void read_boxes(const Boxes& boxes, std::size_t begin, std::size_t end, Use&& use) noexcept {
    if (boxes.form() != Boxes::Form::points && boxes.has_stride(sizeof(float))) {
        use(simd::Columns{boxes.coordinate(0) + begin, boxes.coordinate(1) + begin,
                          boxes.coordinate(2) + begin, boxes.coordinate(3) + begin,
                          boxes.form() == Boxes::Form::centre_half},
            begin, end - begin);
        return;
    }
    constexpr std::size_t boxes_at_once = 512;
    alignas(64) float a[boxes_at_once], b[boxes_at_once], c[boxes_at_once], d[boxes_at_once];
    const auto copy = [&](std::size_t count, auto&& box_of) {
        for (std::size_t i = 0; i < count; ++i) {
            const Box box = box_of(i);
            b[i] = box.min_y;
            if constexpr (wanted == Coordinates::min_y) continue;
            a[i] = box.min_x;
            c[i] = box.max_x;
            d[i] = box.max_y;
        }
    };
    // The usual case by itself, since compilers turn it into vectors.
    const float* array = are_array_of_boxes(boxes) ? boxes.coordinate(0) : nullptr;
    for (std::size_t first = begin; first < end; first += boxes_at_once) {
        const std::size_t count = std::min(boxes_at_once, end - first);
        if (array != nullptr)
            copy(count, [from = array + 4 * first](std::size_t i) {
                return Box{from[4 * i], from[4 * i + 1], from[4 * i + 2], from[4 * i + 3]};
            });
        else
            copy(count, [&](std::size_t i) { return boxes[first + i]; });
        if (!use(simd::Columns{a, b, c, d, false}, first, count)) return;
    }
}

template <bool centre_half>
Box box_of_form(const simd::Columns& boxes, std::size_t i) noexcept {
    const float a = boxes.a[i], b = boxes.b[i], c = boxes.c[i], d = boxes.d[i];
    return centre_half ? Box::around(a, b, c, d) : Box{a, b, c, d};
}
inline Box box_at(const simd::Columns& boxes, std::size_t i) noexcept {
    return boxes.centre_half ? box_of_form<true>(boxes, i) : box_of_form<false>(boxes, i);
}
inline simd::Columns part_of(const simd::Columns& c, std::size_t at) noexcept {
    return {c.a + at, c.b + at, c.c + at, c.d + at, c.centre_half};
}

// Whether all of these boxes are legal. Branch-free, so the compiler vectorises it.
template <bool centre_half>
bool all_legal_of(const simd::Columns& boxes, std::size_t count) noexcept {
    std::uint32_t bad = 0;
    for (std::size_t i = 0; i < count; ++i) bad |= is_legal(box_of_form<centre_half>(boxes, i)) ? 0u : 1u;
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
