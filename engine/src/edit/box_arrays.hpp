// Boxes as four arrays, which the kernels read as they are.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "base/box_reader.hpp"
#include "engine/src/memory/growth.hpp"
#include "throng/boxes.hpp"
#include "throng/compiler.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// For reading many boxes: the addresses in registers.
struct BoxPointers {
    const float *min_x, *min_y, *max_x, *max_y;
    Box operator[](std::size_t i) const noexcept { return {min_x[i], min_y[i], max_x[i], max_y[i]}; }
};

class BoxArrays final : ScratchList::Member {
public:
    explicit BoxArrays(ScratchList& scratch, std::size_t for_an_agent = 1) noexcept
        : Member(scratch, for_an_agent), min_x_(scratch), min_y_(scratch), max_x_(scratch), max_y_(scratch) {}

    // All arrays are equally long: they grow in order, so the last one tells of a failure.
    std::size_t size() const noexcept { return max_y_.size(); }
    std::size_t bytes() const noexcept {
        return min_x_.bytes() + min_y_.bytes() + max_x_.bytes() + max_y_.bytes();
    }
    Box operator[](std::size_t i) const noexcept { return pointers()[i]; }
    void set(std::size_t i, const Box& box) noexcept {
        min_x_[i] = box.min_x;
        min_y_[i] = box.min_y;
        max_x_[i] = box.max_x;
        max_y_[i] = box.max_y;
    }
    // Sets elements from the first one on, array by array, which compilers turn into vectors.
    template <bool centre_half>
    void copy(const simd::Columns& from, std::size_t first, std::size_t count) noexcept {
        const auto fill = [=](float* to, auto&& side) {
            for (std::size_t i = 0; i < count; ++i) to[i] = side(box_of_form<centre_half>(from, i));
        };
        fill(min_x_.data() + first, [](const Box& box) { return box.min_x; });
        fill(min_y_.data() + first, [](const Box& box) { return box.min_y; });
        fill(max_x_.data() + first, [](const Box& box) { return box.max_x; });
        fill(max_y_.data() + first, [](const Box& box) { return box.max_y; });
    }
    // Element i is about to be set.
    void ask_for(std::size_t i) noexcept {
        for (Buffer<float>* array : arrays()) THRONG_PREFETCH(array->data() + i, 1);
    }
    BoxPointers pointers() const noexcept {
        return {min_x_.data(), min_y_.data(), max_x_.data(), max_y_.data()};
    }
    Boxes view() const noexcept {
        const auto all = [](const Buffer<float>& array) {
            return std::span<const float>(array.data(), array.size());
        };
        return Boxes::min_max(all(min_x_), all(min_y_), all(max_x_), all(max_y_));
    }

    void clear() noexcept {
        for (Buffer<float>* array : arrays()) array->clear();
    }
    // New elements have this value for all four coordinates, or any. Returns false if there is no memory;
    // then there are no more than before.
    template <class... Value>
    [[nodiscard]] bool resize(std::size_t count, Value... value) noexcept {
        return min_x_.resize(count, value...) && min_y_.resize(count, value...) &&
               max_x_.resize(count, value...) && max_y_.resize(count, value...);
    }

private:
    void release_beyond(std::size_t usual) noexcept override {
        release_excess(max_y_, usual);
        for (Buffer<float>* array : arrays())
            if (max_y_.capacity() == 0) array->release();
    }
    std::array<Buffer<float>*, 4> arrays() noexcept { return {&min_x_, &min_y_, &max_x_, &max_y_}; }

    Buffer<float> min_x_, min_y_, max_x_, max_y_;
};

}  // namespace throng::detail
