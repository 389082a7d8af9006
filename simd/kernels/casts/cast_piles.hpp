// A cast and a pile (simd/types.hpp): all agents of a pile are touched at the same time, or none is. So their
// boxes are tested only up to the first that is admitted. Later hits, or hits at the same time with a larger
// id, are known.
#pragma once

#include "simd/kernels/casts/cast_probe.hpp"
#include "simd/kernels/casts/round_touch.hpp"

namespace throng::simd {

// Some agents of a row, taken from their end if all bits of `from_end` are set.
struct CastRun {
    std::uint32_t begin, end, from_end;

    std::uint32_t size() const { return end - begin; }
};

template <class V>
struct CastPiles : Vectors<V> {
    using Base = Vectors<V>;
    using Arrays = typename Base::Arrays;
    using Wide = typename V::Wide;

    // Cuts off a run its next part, as far as it is in one pile; nothing if it is in none.
    static CastRun cut_off(const View& view, const Row& row, CastRun& run) {
        CastRun part{run.begin, run.begin, 0};
        if (view.piles == nullptr || view.piles->next == nullptr) return part;
        const std::uint32_t *const ids = Arrays(row).id, *const slot = ids + (run.from_end != 0 ? run.end - 1
                                                                                                : run.begin);
        const Pile* const pile = view.piles->next(*view.piles, slot);
        if (pile == nullptr || Base::is_behind(pile->begin, slot)) return part;
        const auto first = static_cast<std::uint32_t>(pile->begin - ids),
                   last = static_cast<std::uint32_t>(pile->end - ids);
        part.begin = first > run.begin ? first : run.begin;
        part.end = last < run.end ? last : run.end;
        (run.from_end != 0 ? run.end : run.begin) = run.from_end != 0 ? part.begin : part.end;
        return part;
    }
    // Whether an agent from `j` to the end of a pile may change the result of a cast; `count` of them are
    // looked at. Later ones have larger ids. Empty slots have no box.
    template <class Taker>
    static bool may_change(const CastProbe<V>& probe, const Taker& taker, const Row& row, std::uint32_t j,
                           std::uint32_t count) {
        const Arrays a(row);
        std::uint32_t i = j;
        while (i < j + count && !(a.min_x[i] == a.min_x[i])) ++i;
        if (i == j + count) return true;
        float t;
        if (probe.is_round()) {
            t = RoundTouch<V>(probe.cast()).time(a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i]);
        } else {
            Wide times;
            (void)probe.touched({probe.faces(a), i}, taker.limit(), times);
            float lanes[Wide::size];
            times.store_unaligned(lanes);
            t = lanes[0];
        }
        if constexpr (Taker::wants_first)
            if (t == taker.limit() && taker.id < a.id[j]) return false;
        return t <= taker.limit();
    }
};

}  // namespace throng::simd
