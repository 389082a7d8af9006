// The oversized agents that some neighbours in their tree may overlap, from the first of these on, gathered by one walk:
//
//     neighbours   i i i i i i i i         the agents of a leaf
//     tree         one walk                these, and all behind them that overlap the leaf's bounds
//     each i       compared with what follows it in that list
//
// What an agent finds there, and in which order, is what it would find by a walk of its own.
#pragma once

#include "simd/kernels/giants/later_giants.hpp"

namespace throng::simd {

template <class V>
class GiantsAround : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Wide;
    using Probe = typename Base::template Probe<Wide>;
    using From = typename LaterGiants<V>::From;

    // The most that a list holds: so many boxes and ids fit into the smallest cache.
    static constexpr std::uint32_t capacity = 512;

    // Gathers those from a place on that overlap the box. Returns false if they are too many.
    THRONG_KERNEL [[gnu::noinline]] bool gather(const View& view, const From& from, const Query& box) {
        count_ = 0;
        if (!LaterGiants<V>::for_each_leaf(view, from, box,
                                           [&](const Arrays& a, std::uint32_t begin, std::uint32_t end) {
                                               return add(Probe(box), a, begin, end);
                                           }))
            return false;
        // What follows the list overlaps nothing.
        for (std::uint32_t k = 0; k < 4; ++k)
            for (std::uint32_t i = 0; i < gap; ++i) lanes_[k * stride + count_ + i] = not_a_number;
        return true;
    }
    std::uint32_t count() const { return count_; }
    Arrays arrays() const {
        return Arrays(Row{reinterpret_cast<const float*>(lanes_), nullptr, stride, 0, 0});
    }

private:
    static constexpr std::uint32_t stride = capacity + 2 * gap, not_a_number = 0x7FC00000;

    bool add(const Probe& probe, const Arrays& a, std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t j = begin; j < end; j += Wide::size) {
            std::uint32_t found = probe.overlap(a, j);
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
    void pack(std::uint32_t array, const void* from, std::uint32_t found) {
        V::left_pack(lanes_ + array * stride + count_, static_cast<const std::uint32_t*>(from), found);
    }

    std::uint32_t count_ = 0;
    std::uint32_t lanes_[5 * stride];
};

}  // namespace throng::simd
