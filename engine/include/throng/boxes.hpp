// Boxes: a view of the host's boxes where they lie. Nothing is copied and nothing is owned; the arrays need
// to live only as long as the call that reads them.
//
//     Boxes::centre_half(x, y, half_x, half_y, n)               four arrays, one a coordinate
//     Boxes::centre_half(&a[0].x, &a[0].y, &a[0].hx, &a[0].hy, n, sizeof(Agent))      an array of structures
//     Boxes::min_max(min_x, min_y, max_x, max_y, n)             the same for boxes kept by their corners
//     Boxes::points(x, y, radius, n)                            points that all reach equally far
//     Boxes::of(std::span<const Box>)                           an array of Box
//
// The stride is in bytes, from one element to the next, and the same for all coordinates. Arrays with the
// natural stride are read fastest, straight into vector registers; any other stride is gathered block by
// block.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#include "throng/geometry.hpp"

namespace throng {

class Boxes {
public:
    enum class Form : unsigned char { min_max, centre_half, points };

    Boxes() = default;

    static Boxes min_max(const float* min_x, const float* min_y, const float* max_x, const float* max_y,
                         std::size_t count, std::size_t stride = sizeof(float)) noexcept {
        return {Form::min_max, min_x, min_y, max_x, max_y, 0, count, stride};
    }
    static Boxes centre_half(const float* x, const float* y, const float* half_x, const float* half_y,
                             std::size_t count, std::size_t stride = sizeof(float)) noexcept {
        return {Form::centre_half, x, y, half_x, half_y, 0, count, stride};
    }
    static Boxes points(const float* x, const float* y, float radius, std::size_t count,
                        std::size_t stride = sizeof(float)) noexcept {
        return {Form::points, x, y, nullptr, nullptr, radius, count, stride};
    }
    static Boxes of(std::span<const Box> boxes) noexcept {
        const Box* first = boxes.data();
        if (first == nullptr)
            return {Form::min_max, nullptr, nullptr, nullptr, nullptr, 0, boxes.size(), sizeof(Box)};
        return {Form::min_max, &first->min_x, &first->min_y, &first->max_x, &first->max_y, 0,
                boxes.size(),  sizeof(Box)};
    }

    std::size_t size() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }

    // The box of one element, with the same arithmetic as the kernels.
    Box operator[](std::size_t i) const noexcept {
        switch (form_) {
        case Form::min_max: return {read(0, i), read(1, i), read(2, i), read(3, i)};
        case Form::centre_half: return Box::around(read(0, i), read(1, i), read(2, i), read(3, i));
        case Form::points: break;
        }
        return Box::around(read(0, i), read(1, i), radius_, radius_);
    }

    // The elements [first, first + count) as a view of their own.
    Boxes part(std::size_t first, std::size_t count) const noexcept {
        Boxes some = *this;
        for (const float*& pointer : some.pointers_)
            if (pointer != nullptr)
                pointer =
                    reinterpret_cast<const float*>(reinterpret_cast<const char*>(pointer) + first * stride_);
        some.count_ = count;
        return some;
    }

    Form form() const noexcept { return form_; }
    // min_x or x, min_y or y, max_x or half_x, max_y or half_y; the last two are null for points.
    const float* coordinate(int which) const noexcept { return pointers_[which]; }
    float radius() const noexcept { return radius_; }
    std::size_t stride() const noexcept { return stride_; }
    // A coordinate array is missing although there are elements.
    bool null() const noexcept {
        if (count_ == 0) return false;
        const int needed = form_ == Form::points ? 2 : 4;
        for (int k = 0; k < needed; ++k)
            if (pointers_[k] == nullptr) return true;
        return false;
    }

private:
    Boxes(Form form, const float* a, const float* b, const float* c, const float* d, float radius,
          std::size_t count, std::size_t stride) noexcept
        : pointers_{a, b, c, d}, count_(count), stride_(stride), radius_(radius), form_(form) {}

    float read(int which, std::size_t i) const noexcept {
        float value;
        std::memcpy(&value, reinterpret_cast<const char*>(pointers_[which]) + i * stride_, sizeof value);
        return value;
    }

    const float* pointers_[4] = {nullptr, nullptr, nullptr, nullptr};
    std::size_t count_ = 0;
    std::size_t stride_ = sizeof(float);
    float radius_ = 0;
    Form form_ = Form::min_max;
};

}  // namespace throng
