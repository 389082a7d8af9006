// CarriedBoxes: boxes in four arrays, each with an index, that a walk through a quadtree carries down: each
// child gets the boxes of its parent that reach into it, stacked on top of the present ones.
//
//     [ carried to the node | its own ][ carried to a child | its own ] ...
//
// One box is tested against eight at a time. The compiler vectorises that test, and the single lanes are
// seldom examined, since most boxes do not overlap.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "throng/memory.hpp"
#include "throng/structures/detail/headroom.hpp"
#include "throng/structures/detail/names.hpp"
#include "throng/structures/object/object_box.hpp"

namespace throng::structures::detail {

template <std::floating_point Float>
class CarriedBoxes {
public:
    using Box = ObjectBox<Float>;
    enum class Axis { x, y };
    // A range of the arrays.
    struct Range {
        std::size_t begin, end;
        std::size_t size() const noexcept { return end - begin; }
    };

    explicit CarriedBoxes(MemoryResource* memory = nullptr) noexcept
        : low_x_(memory), low_y_(memory), high_x_(memory), high_y_(memory), index_(memory), order_(memory) {}

    [[nodiscard]] bool reserve(std::size_t count) noexcept {
        // Tests read whole blocks, even past the last box, so all elements are initialised.
        count += block;
        most_ = std::max(most_, count);
        return count <= index_.size() ||
               (low_x_.resize(count, 0) && low_y_.resize(count, 0) && high_x_.resize(count, 0) &&
                high_y_.resize(count, 0) && index_.resize(count, 0));
    }
    // Called before and after a walk. Its peak need is known at the end: if it had to allocate, headroom for
    // the next walks is reserved then, if there is memory for it.
    void begin_walk() noexcept {
        room_ = index_.size();
        room_to_sort_ = order_.capacity();
        most_ = max_to_sort_ = 0;
    }
    void end_walk() noexcept {
        if (index_.size() != room_) (void)reserve(with_headroom(most_));
        if (order_.capacity() != room_to_sort_) keep_room(order_, with_headroom(max_to_sort_));
    }
    std::size_t bytes() const noexcept {
        return low_x_.bytes() + low_y_.bytes() + high_x_.bytes() + high_y_.bytes() + index_.bytes() +
               order_.bytes();
    }

    void put(std::size_t at, const Box& box, std::uint32_t index) noexcept {
        low_x_[at] = box.min_x;
        low_y_[at] = box.min_y;
        high_x_[at] = box.max_x;
        high_y_[at] = box.max_y;
        index_[at] = index;
    }
    Box box(std::size_t at) const noexcept { return {low_x_[at], low_y_[at], high_x_[at], high_y_[at]}; }
    std::uint32_t index(std::size_t at) const noexcept { return index_[at]; }

    // Copies those that overlap `box` to the places from `to` on (left-pack); returns the end of the copies.
    // There must be room for all.
    std::size_t copy_overlapping(Range from, const Box& box, std::size_t to) noexcept {
        for (std::size_t i = from.begin; i < from.end; ++i) {
            const Box some = this->box(i);
            put(to, some, index_[i]);
            to += static_cast<std::size_t>(overlap(some, box));
        }
        return to;
    }
    // Partitions: moves those for which `first` holds to the front; returns where the others begin.
    template <class First>
    std::size_t partition(Range range, First&& first) noexcept {
        std::size_t boundary = range.begin;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            if (!first(box(i))) continue;
            const Box some = box(boundary);
            const std::uint32_t index = index_[boundary];
            put(boundary++, box(i), index_[i]);
            put(i, some, index);
        }
        return boundary;
    }

    // Calls `hit(index, other index)` for each of `own` that overlaps one of `others` or an earlier one of
    // `own`. Stops and returns false once `hit` does. `others` ends where `own` begins.
    template <class Hit>
    bool compare_all(Range others, Range own, Hit&& hit) const {
        for (std::size_t i = own.begin; i < own.end; ++i)
            if (!compare(box(i), index_[i], {others.begin, i}, hit)) return false;
        return true;
    }
    // Makes room for a sweep over `count` boxes above `top`.
    [[nodiscard]] bool reserve_sweep(std::size_t top, std::size_t count) noexcept {
        max_to_sort_ = std::max(max_to_sort_, count);
        return reserve(top + count) && order_.resize(count);
    }
    // The same for many, by sort and sweep (Baraff 1992): both are sorted along the axis first, into the room
    // from `top` on.
    template <class Hit>
    bool sweep(Axis axis, Range others, Range own, std::size_t top, Hit&& hit) {
        const Range a = sorted(axis, own, top), b = sorted(axis, others, a.end);
        for (std::size_t i = a.begin; i < a.end; ++i)
            if (!follow(axis, i, {i + 1, a.end}, hit)) return false;
        std::size_t i = a.begin, j = b.begin;
        while (i < a.end && j < b.end) {
            if (low(axis)[i] <= low(axis)[j] ? !follow(axis, i++, {j, b.end}, hit)
                                             : !follow(axis, j++, {i, a.end}, hit))
                return false;
        }
        return true;
    }
    // The axis along which fewer boxes overlap, as estimated from their mean size.
    Axis longer_axis(Range range) const noexcept {
        Float from_x = low_x_[range.begin], to_x = from_x, from_y = low_y_[range.begin], to_y = from_y;
        Float sum_x = 0, sum_y = 0;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            from_x = std::min(from_x, low_x_[i]), to_x = std::max(to_x, low_x_[i]);
            from_y = std::min(from_y, low_y_[i]), to_y = std::max(to_y, low_y_[i]);
            sum_x += high_x_[i] - low_x_[i], sum_y += high_y_[i] - low_y_[i];
        }
        return (to_x - from_x) * sum_y >= (to_y - from_y) * sum_x ? Axis::x : Axis::y;
    }

private:
    static constexpr std::size_t block = 8;
    struct Key {
        Float low;
        std::uint32_t at;
    };

    static int overlap(const Box& a, const Box& b) noexcept {
        return static_cast<int>(a.min_x <= b.max_x) & static_cast<int>(b.min_x <= a.max_x) &
               static_cast<int>(a.min_y <= b.max_y) & static_cast<int>(b.min_y <= a.max_y);
    }
    const Float* low(Axis axis) const noexcept { return axis == Axis::x ? low_x_.data() : low_y_.data(); }

    bool any_of_block(const Box& b, std::size_t at) const noexcept {
        const Float *low_x = low_x_.data() + at, *low_y = low_y_.data() + at, *high_x = high_x_.data() + at,
                    *high_y = high_y_.data() + at;
        int any = 0;
        for (std::size_t k = 0; k < block; ++k)
            any |= static_cast<int>(low_x[k] <= b.max_x) & static_cast<int>(b.min_x <= high_x[k]) &
                   static_cast<int>(low_y[k] <= b.max_y) & static_cast<int>(b.min_y <= high_y[k]);
        return any != 0;
    }
    template <class Hit>
    bool compare_block(const Box& b, std::uint32_t index, Range some, Hit&& hit) const {
        for (std::size_t i = some.begin; i < some.end; ++i)
            if (overlap(b, box(i)) != 0 && !hit(index, index_[i])) return false;
        return true;
    }
    template <class Hit>
    bool compare(const Box& b, std::uint32_t index, Range others, Hit&& hit) const {
        for (std::size_t i = others.begin; i < others.end; i += block)
            if (any_of_block(b, i) && !compare_block(b, index, {i, std::min(i + block, others.end)}, hit))
                return false;
        return true;
    }
    // Tests box `at` against those of a sorted range that begin before it ends.
    template <class Hit>
    bool follow(Axis axis, std::size_t at, Range sorted, Hit&& hit) const {
        const Box b = box(at);
        const Float end = axis == Axis::x ? b.max_x : b.max_y;
        for (std::size_t i = sorted.begin; i < sorted.end && low(axis)[i] <= end; i += block)
            if (any_of_block(b, i) &&
                !compare_block(b, index_[at], {i, std::min(i + block, sorted.end)}, hit))
                return false;
        return true;
    }
    Range sorted(Axis axis, Range range, std::size_t to) noexcept {
        Key* const keys = order_.data();
        for (std::size_t i = range.begin; i < range.end; ++i)
            keys[i - range.begin] = {low(axis)[i], static_cast<std::uint32_t>(i)};
        std::sort(keys, keys + range.size(),
                  [](const Key& a, const Key& b) { return a.low != b.low ? a.low < b.low : a.at < b.at; });
        for (std::size_t k = 0; k < range.size(); ++k) put(to + k, box(keys[k].at), index_[keys[k].at]);
        return {to, to + range.size()};
    }

    Buffer<Float> low_x_, low_y_, high_x_, high_y_;
    Buffer<std::uint32_t> index_;
    Buffer<Key> order_;
    // The room before this walk, and the walk's peak need.
    std::size_t room_ = 0, room_to_sort_ = 0, most_ = 0, max_to_sort_ = 0;
};

}  // namespace throng::structures::detail
