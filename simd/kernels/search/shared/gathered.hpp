// Boxes and ids that were copied out of a frame, as a row without cells. They are what several queries or
// agents near each other may find, and are compared with each of these vector by vector.
#pragma once

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V, std::uint32_t capacity_>
class Gathered : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Wide;

    static constexpr std::uint32_t capacity = capacity_, lanes = Wide::size;

    std::uint32_t count() const { return count_; }
    Arrays arrays() const {
        return Arrays(Row{reinterpret_cast<const float*>(lanes_), nullptr, stride, count_, 0});
    }
    // Forgets all but the first `count`.
    void cut(std::uint32_t count) { count_ = count; }
    // Adds those of [begin, end) that `find(j)` has a bit for, of the agents from j on. Returns false once
    // there are more than `limit`.
    template <class Find>
    bool add(const Arrays& a, std::uint32_t begin, std::uint32_t end, std::uint32_t limit, const Find& find) {
        std::uint32_t count = count_;  // in a register, while lanes are written
        for (std::uint32_t j = begin; j < end && count <= limit; j += Wide::size) {
            std::uint32_t found = find(j);
            if (end - j < Wide::size) found &= (1u << (end - j)) - 1;
            if (found == 0) continue;
            std::uint32_t* const to = lanes_ + count;
            pack(to, a.min_x + j, found);
            pack(to + stride, a.min_y + j, found);
            pack(to + 2 * stride, a.max_x + j, found);
            pack(to + 3 * stride, a.max_y + j, found);
            pack(to + 4 * stride, a.id + j, found);
            count += V::count_bits(found);
        }
        count_ = count;
        return count <= limit;
    }
    // All from a slot on as a row, behind which vectors find nothing. Later additions go behind it.
    Row close(std::uint32_t first) {
        for (std::uint32_t k = 0; k < 4; ++k) {
            std::uint32_t* const behind = lanes_ + k * stride + count_;
            for (std::uint32_t i = 0; i < gap; ++i) behind[i] = not_a_number;
        }
        const Row row{reinterpret_cast<const float*>(lanes_) + first, nullptr, stride, count_ - first, 0};
        count_ += gap;
        return row;
    }

private:
    static constexpr std::uint32_t stride = capacity + 2 * gap, not_a_number = 0x7FC00000;

    static void pack(std::uint32_t* to, const void* from, std::uint32_t found) {
        V::left_pack(to, static_cast<const std::uint32_t*>(from), found);
    }

    std::uint32_t count_ = 0;
    alignas(64) std::uint32_t lanes_[5 * stride];
};

// The taker of a search that gathers, until the list has more than a limit.
template <class List>
struct GatherInto {
    List& list;
    std::uint32_t limit = List::capacity;

    template <bool, class P, class A>
    bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
        return list.add(a, begin, end, limit, [&](std::uint32_t j) { return probe.overlap(a, j); });
    }
    template <class A>
    bool take(const A& a, std::uint32_t begin, std::uint32_t end, const std::uint32_t*) {
        return list.add(a, begin, end, limit, [](std::uint32_t) { return ~0u >> (32 - List::lanes); });
    }
};

}  // namespace throng::simd
