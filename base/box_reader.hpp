// Reads the host's boxes for the kernels, which take one array for each coordinate. If the host has such
// arrays they are passed in place; otherwise boxes are gathered block by block into arrays on the stack.
// Boxes with an origin are read in double: each edge is rounded once to a float. It is what Boxes::operator[]
// does, with the compiler's vectors.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "base/legal.hpp"
#include "simd/types.hpp"
#include "throng/boxes.hpp"
#include "throng/compiler.hpp"

namespace throng::detail {

enum class Coordinates { all, min_y };

// One array for each coordinate of a view, as the host has them; points have two.
struct GatheredArrays {
    float *a, *b, *c, *d;
};

// The form in which a view is read. With an origin that is edges. Points without an extent need only two
// arrays.
inline Boxes::Form form_as_read(const Boxes& boxes) noexcept {
    if (!boxes.converts()) return boxes.form();
    return boxes.form() == Boxes::Form::points && boxes.radius() == 0 ? Boxes::Form::points
                                                                      : Boxes::Form::min_max;
}

// Asks for what lies so far ahead, perhaps behind the last element: for structures the processor itself asks
// for too little.
inline void fetch_ahead(const char* at) noexcept {
    THRONG_PREFETCH(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + 4096));
}

// How many elements are read at once: meanwhile their coordinates are doubles on the stack.
inline constexpr std::size_t edges_at_once = 256;
// Up to this stride, elements are hardly more than their coordinates. The processor reads ahead, and reading
// them twice is faster than writing them down.
inline constexpr std::size_t close_together = 4 * sizeof(double);

template <class Real>
void widen(const char* from, std::size_t stride, std::size_t count, double* to) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        if (stride > close_together) fetch_ahead(from + i * stride);
        Real value;
        std::memcpy(&value, from + i * stride, sizeof value);
        to[i] = value;
    }
}

// One coordinate of some elements as doubles: in place, each or every other one, or in a copy.
struct Doubles {
    const double* first;
    bool every_other;
};
inline Doubles doubles_of(const Boxes& boxes, std::size_t which, std::size_t first, std::size_t count,
                          double* memory) noexcept {
    const char* const from = boxes.place(which, first);
    const std::size_t stride = boxes.stride(which);
    const bool in_place = reinterpret_cast<std::uintptr_t>(from) % alignof(double) == 0;
    if (!boxes.are_doubles(which))
        widen<float>(from, stride, count, memory);
    else if (in_place && (stride == sizeof(double) || stride == 2 * sizeof(double)))
        return {reinterpret_cast<const double*>(from), stride != sizeof(double)};
    else
        widen<double>(from, stride, count, memory);
    return {memory, false};
}

// Edges at places, from an origin, by `shift(place, i)`. Compilers make vectors of both loops.
template <class Shift>
void write_edges(const Doubles& places, double origin, std::size_t count, const Shift& shift,
                 float* to) noexcept {
    const double* const at = places.first;
    if (places.every_other)
        for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(shift(at[2 * i] - origin, i));
    else
        for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(shift(at[i] - origin, i));
}

// Whether they have an origin, and lie in arrays of hardly anything else.
inline bool are_close_reals(const Boxes& boxes) noexcept {
    if (!boxes.converts() || boxes.are_in_pages()) return false;
    for (std::size_t k = 0; k < (boxes.form() == Boxes::Form::points ? 2u : 4u); ++k)
        if (boxes.stride(k) > close_together) return false;
    return true;
}

// The lower and the upper edges of one axis, 0 for x and 1 for y. Without a place for the upper ones they are
// left out.
inline void read_edges(const Boxes& boxes, std::size_t axis, std::size_t first, std::size_t count,
                       float* lower, float* upper) noexcept {
    double memory[edges_at_once], more[edges_at_once];
    const double origin = axis == 0 ? boxes.origin().x : boxes.origin().y;
    const Doubles places = doubles_of(boxes, axis, first, count, memory);
    if (boxes.form() == Boxes::Form::points) {
        const double radius{boxes.radius()};
        const auto below = [=](double place, std::size_t) { return place - radius; };
        const auto above = [=](double place, std::size_t) { return place + radius; };
        write_edges(places, origin, count, below, lower);
        if (upper != nullptr) write_edges(places, origin, count, above, upper);
    } else if (boxes.form() == Boxes::Form::centre_half) {
        double halves[edges_at_once];
        const Doubles given = doubles_of(boxes, axis + 2, first, count, more);
        const double* half = given.first;
        if (given.every_other) {
            for (std::size_t i = 0; i < count; ++i) halves[i] = half[2 * i];
            half = halves;
        }
        const auto below = [=](double place, std::size_t i) { return place - half[i]; };
        const auto above = [=](double place, std::size_t i) { return place + half[i]; };
        write_edges(places, origin, count, below, lower);
        if (upper != nullptr) write_edges(places, origin, count, above, upper);
    } else {
        const auto there = [](double place, std::size_t) { return place; };
        write_edges(places, origin, count, there, lower);
        if (upper == nullptr) return;
        write_edges(doubles_of(boxes, axis + 2, first, count, more), origin, count, there, upper);
    }
}

// Elements one stride apart, from number `first` on, in the form in which they are read.
template <Coordinates wanted>
void gather_edges(const Boxes& boxes, std::size_t first, std::size_t count,
                  const GatheredArrays& to) noexcept {
    const bool only_lower = wanted == Coordinates::min_y || form_as_read(boxes) == Boxes::Form::points;
    for (std::size_t i = 0; i < count; i += edges_at_once) {
        const std::size_t some = std::min(edges_at_once, count - i);
        read_edges(boxes, 1, first + i, some, to.b + i, only_lower ? nullptr : to.d + i);
        if (wanted != Coordinates::min_y)
            read_edges(boxes, 0, first + i, some, to.a + i, only_lower ? nullptr : to.c + i);
    }
}

// Whether they lie one after the other, as Boxes::of has them.
inline bool are_array_of_boxes(const Boxes& boxes) noexcept {
    const float* first = boxes.coordinate(0);
    return first != nullptr && boxes.form() == Boxes::Form::min_max && boxes.has_stride(sizeof(Box)) &&
           boxes.coordinate(1) == first + 1 && boxes.coordinate(2) == first + 2 &&
           boxes.coordinate(3) == first + 3;
}

// The box of one element, as the view has it; in fewer steps if boxes lie one after the other.
class BoxAt {
public:
    explicit BoxAt(const Boxes& boxes) noexcept
        : boxes_(boxes), first_(are_array_of_boxes(boxes) ? boxes.coordinate(0) : nullptr) {}
    // Inlined, since otherwise the rest of a file decides whether surveys call it for each box: 1 % of a
    // first frame.
    THRONG_ALWAYS_INLINE Box operator()(std::size_t i) const noexcept {
        if (first_ == nullptr) return boxes_[i];
        const float* from = first_ + 4 * i;
        return {from[0], from[1], from[2], from[3]};
    }

private:
    const Boxes& boxes_;
    const float* first_;
};

// One coordinate of some elements.
inline void gather_one(const char* from, std::size_t stride, std::size_t count, float* to) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        fetch_ahead(from + i * stride);
        std::memcpy(to + i, from + i * stride, sizeof(float));
    }
}
// All four, with one stride: each cache line of the elements is read once.
inline void gather_four(const std::array<const char*, 4>& from, std::size_t stride, std::size_t count,
                        const GatheredArrays& to) noexcept {
    const auto [a, b, c, d] = from;
    for (std::size_t i = 0, at = 0; i < count; ++i, at += stride) {
        fetch_ahead(a + at);
        std::memcpy(to.a + i, a + at, sizeof(float));
        std::memcpy(to.b + i, b + at, sizeof(float));
        std::memcpy(to.c + i, c + at, sizeof(float));
        std::memcpy(to.d + i, d + at, sizeof(float));
    }
}

// Elements that lie one stride apart, from number `first` on.
template <Coordinates wanted>
void gather_run(const Boxes& boxes, std::size_t first, std::size_t count, const GatheredArrays& to) noexcept {
    if (boxes.converts()) return gather_edges<wanted>(boxes, first, count, to);
    const auto one = [&](std::size_t k, float* array) {
        gather_one(boxes.place(k, first), boxes.stride(k), count, array);
    };
    if (boxes.form() == Boxes::Form::points || wanted == Coordinates::min_y) {
        one(1, to.b);
        if (wanted != Coordinates::min_y) one(0, to.a);
        if (boxes.form() == Boxes::Form::centre_half) one(3, to.d);
    } else if (are_array_of_boxes(boxes)) {
        // The usual case by itself, since compilers turn it into vectors.
        const float* const box = boxes.coordinate(0) + 4 * first;
        for (std::size_t i = 0; i < count; ++i) {
            to.a[i] = box[4 * i];
            to.b[i] = box[4 * i + 1];
            to.c[i] = box[4 * i + 2];
            to.d[i] = box[4 * i + 3];
        }
    } else if (boxes.are_in_pages() || boxes.has_stride(boxes.stride(0))) {
        gather_four(
            {boxes.place(0, first), boxes.place(1, first), boxes.place(2, first), boxes.place(3, first)},
            boxes.stride(0), count, to);
    } else {
        one(0, to.a);
        one(1, to.b);
        one(2, to.c);
        one(3, to.d);
    }
}

// The elements [first, first + count). If only min_y is wanted, arrays that it does not need may get
// anything.
template <Coordinates wanted>
void gather(const Boxes& boxes, std::size_t first, std::size_t count, const GatheredArrays& to) noexcept {
    constexpr std::size_t ahead = 16;  // for elements that lie anywhere
    for (std::size_t i = 0; i < count;) {
        const std::size_t here = std::min(boxes.run(first + i), count - i);
        if (here == 1 && i + ahead < count) THRONG_PREFETCH(boxes.place(0, first + i + ahead));
        gather_run<wanted>(boxes, first + i, here, {to.a + i, to.b + i, to.c + i, to.d + i});
        i += here;
    }
}

// Calls `use(columns, first, count)` for the boxes [begin, end), in order, in pieces of any size, until it
// returns false. If only min_y is wanted, the other columns may have anything in them.
template <Coordinates wanted = Coordinates::all, class Use>
void read_boxes(const Boxes& boxes, std::size_t begin, std::size_t end, Use&& use) noexcept {
    const Boxes::Form form = form_as_read(boxes);
    const bool are_points = form == Boxes::Form::points, in_place = boxes.has_stride(sizeof(float));
    const bool centre_half = form != Boxes::Form::min_max;
    if (in_place && !are_points) {
        use(simd::Columns{boxes.coordinate(0) + begin, boxes.coordinate(1) + begin,
                          boxes.coordinate(2) + begin, boxes.coordinate(3) + begin, centre_half},
            begin, end - begin);
        return;
    }
    constexpr std::size_t gathered_at_once = 1024;
    alignas(64) float memory[4 * gathered_at_once];
    float *const a = memory, *const b = a + gathered_at_once, *const d = b + gathered_at_once;
    float* const c = in_place ? memory : d + gathered_at_once;
    const std::size_t boxes_at_once = in_place ? std::size(memory) : gathered_at_once;
    // Points are centres that all have the same half extents.
    if (are_points) std::fill_n(c, std::min(boxes_at_once, end - begin), boxes.radius());
    for (std::size_t first = begin; first < end; first += boxes_at_once) {
        const std::size_t count = std::min(boxes_at_once, end - first);
        if (!in_place) gather<wanted>(boxes, first, count, {a, b, c, d});
        const float* const x = in_place ? boxes.coordinate(0) + first : a;
        const float* const y = in_place ? boxes.coordinate(1) + first : b;
        if (!use(simd::Columns{x, y, c, are_points ? c : d, centre_half}, first, count)) return;
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
