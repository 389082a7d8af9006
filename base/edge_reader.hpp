// Reads boxes with an origin: each edge is computed in double, and rounded once to a float. It does for many
// elements what Boxes::operator[] does for one, with the compiler's vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

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

}  // namespace throng::detail
