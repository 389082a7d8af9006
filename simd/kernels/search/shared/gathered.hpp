// Boxes and ids that were copied out of a frame, as a row without cells: what several queries or agents near each
// other may find, to be compared with each of these vector by vector.
#pragma once

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V, std::uint32_t capacity_>
class Gathered : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Wide;

    static constexpr std::uint32_t capacity = capacity_;

    std::uint32_t count() const { return count_; }
    Arrays arrays() const {
        return Arrays(Row{reinterpret_cast<const float*>(lanes_), nullptr, stride, count_, 0});
    }
    // Forgets all but the first `count`.
    void cut(std::uint32_t count) { count_ = count; }
    // Adds those of [begin, end) that overlap. Returns false if they do not fit.
    template <class P>
    bool add(const P& probe, const Arrays& a, std::uint32_t begin, std::uint32_t end) {
        return add_found(a, begin, end, [&](std::uint32_t j) { return probe.overlap(a, j); });
    }
    bool add_all(const Arrays& a, std::uint32_t begin, std::uint32_t end) {
        return add_found(a, begin, end, [](std::uint32_t) { return (1u << Wide::size) - 1; });
    }
    // Adds those of [begin, end) for which find(j) has bits.
    template <class Find>
    bool add_found(const Arrays& a, std::uint32_t begin, std::uint32_t end, const Find& find) {
        for (std::uint32_t j = begin; j < end; j += Wide::size) {
            std::uint32_t found = find(j);
            if (end - j < Wide::size) found &= (1u << (end - j)) - 1;
            pack(0, a.min_x + j, found);
            pack(1, a.min_y + j, found);
            pack(2, a.max_x + j, found);
            pack(3, a.max_y + j, found);
            pack(4, a.id + j, found);
            count_ += V::count_bits(found);
            if (count_ > capacity) return false;
        }
        return true;
    }
    // All from a place on as a row, behind which vectors find nothing. What is added later goes behind it.
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

    void pack(std::uint32_t array, const void* from, std::uint32_t found) {
        V::left_pack(lanes_ + array * stride + count_, static_cast<const std::uint32_t*>(from), found);
    }

    std::uint32_t count_ = 0;
    std::uint32_t lanes_[5 * stride];
};

// The taker of a search that gathers.
template <class List>
struct GatherInto {
    List& list;
    template <bool, class P, class A>
    bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
        return list.add(probe, a, begin, end);
    }
    template <class A>
    bool take(const A& a, std::uint32_t begin, std::uint32_t end, const std::uint32_t*) {
        return list.add_all(a, begin, end);
    }
};

}  // namespace throng::simd
