// Which agents of a row are no longer near where they were, and whether any of these is near another one that was far off. They
// are few, and far from each other, or very many.
#pragma once

#include "simd/kernels/neighbours/packets/querier_cells.hpp"
#include "simd/kernels/neighbours/patch_home.hpp"
#include "simd/kernels/neighbours/radius_guess.hpp"
#include "simd/kernels/vectors.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

template <class V>
class Strays : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Wide;

    // See NeighbourKernels::strays.
    THRONG_KERNEL static std::uint32_t find(const Row& row, std::uint32_t first, std::uint32_t count,
                                            const float* was, const Margin& margin, const Strayed& to) {
        std::uint32_t found = 0;
        for (std::uint32_t begin = 0; begin < count; begin += at_once) {
            const std::uint32_t left = count - begin, some = left < at_once ? left : at_once;
            Were were;
            were.find(typename Base::Arrays(row).id + first + begin, some, left, was);
            found = margin.scale == 0 ? compare<true>(row, first + begin, some, were, margin, to, found)
                                      : compare<false>(row, first + begin, some, were, margin, to, found);
        }
        return found;
    }

    // See NeighbourKernels::meet_others.
    THRONG_KERNEL static std::uint32_t meet_others(const View& view, const Queriers& strays, float radius,
                                                   const PlacesThen& then, bool& met) {
        std::uint32_t done = 0;
        Groups cells;
        while (done < strays.count && !met) {
            const std::uint32_t left = strays.count - done, some = left < group ? left : group;
            const View* const home = PatchHome<V>::of(view, strays, done, some, radius);
            if (home == nullptr) break;
            cells.find(home->locate, strays, done, some, radius);
            for (std::uint32_t i = 0; i < some; ++i) {
                const typename Base::Reach reach = cells.of(i);
                if (reach.last_row - reach.first_row >= most_rows) return done + i;
                met |= meets_others(*home, reach, strays, done + i, radius, then);
            }
            done += some;
        }
        return done;
    }

private:
    static constexpr std::uint32_t at_once = 256, group = 64, most_rows = 8;
    using Groups = QuerierCells<V, group>;
    // Ids in the order of rows lead to places all over the memory, so these are fetched early.
    static constexpr std::uint32_t ahead = 48;

    // Where some agents were.
    struct Were {
        alignas(64) float x[at_once + gap];
        alignas(64) float y[at_once + gap];

        // `left` ids may be read.
        void find(const std::uint32_t* ids, std::uint32_t some, std::uint32_t left, const float* was) {
            const std::uint32_t fetching = left > ahead ? (left - ahead < some ? left - ahead : some) : 0;
            std::uint32_t i = 0;
            for (; i < fetching; ++i) {
                __builtin_prefetch(was + std::size_t{2} * ids[i + ahead]);
                get(i, was + std::size_t{2} * ids[i]);
            }
            for (; i < some; ++i) get(i, was + std::size_t{2} * ids[i]);
            Wide(0.0f).store_unaligned(x + some);
            Wide(0.0f).store_unaligned(y + some);
        }
        void get(std::uint32_t i, const float* place) {
            x[i] = place[0];
            y[i] = place[1];
        }
    };

    // With `any`, each agent that moved at all is a stray. It is tested by a sum of distances, since the square of a small one
    // could underflow to zero.
    template <bool any>
    static std::uint32_t compare(const Row& row, std::uint32_t first, std::uint32_t some, const Were& were,
                                 const Margin& margin, const Strayed& to, std::uint32_t found) {
        const typename Base::Arrays a(row);
        const Wide half(0.5f), scale(any ? 1.0f : margin.scale), most(any ? 0.0f : margin.limit);
        for (std::uint32_t i = 0; i < some; i += Wide::size) {
            const std::uint32_t j = first + i;
            const Wide x = half * Wide::load_unaligned(a.min_x + j) +
                           half * Wide::load_unaligned(a.max_x + j),
                       y = half * Wide::load_unaligned(a.min_y + j) +
                           half * Wide::load_unaligned(a.max_y + j),
                       dx = (x - Wide::load_aligned(were.x + i)) * scale,
                       dy = (y - Wide::load_aligned(were.y + i)) * scale;
            const std::uint32_t near =
                V::bits((any ? xsimd::abs(dx) + xsimd::abs(dy) : dx * dx + dy * dy) <= most);
            std::uint32_t far = ~near & first_bits(some - i);
            if (far == 0) continue;
            alignas(64) float xs[Wide::size], ys[Wide::size];
            x.store_aligned(xs);
            y.store_aligned(ys);
            for (; far != 0; far &= far - 1, ++found) {
                const std::uint32_t lane = Base::lowest(far);
                to.x[found] = xs[lane];
                to.y[found] = ys[lane];
                to.id[found] = a.id[j + lane];
            }
        }
        return found;
    }
    static double squared_distance(const float* from, const float* to) {
        const double dx = double{from[0]} - double{to[0]}, dy = double{from[1]} - double{to[1]};
        return dx * dx + dy * dy;
    }
    // What is as near to a stray now was near it then, if it has not moved by more than `far`; below zero if that is not known. An
    // agent that has moved further looks around itself.
    static float known(const Queriers& strays, std::uint32_t i, const PlacesThen& then) {
        constexpr double rounded_up = 1 + 0x1p-20, rounded_down = 1 - 0x1p-18, largest = Base::largest;
        const float now[2] = {strays.x[i], strays.y[i]};
        const double far = 1.25 * then.allowed,
                     squared = squared_distance(now, then.was + std::size_t{2} * strays.number[i]);
        if (!(squared <= largest)) return -1;
        const double moved = RadiusGuess<V>::root(static_cast<float>(squared)) * rounded_up,
                     reach = then.apart - moved - far, inner = reach * reach * rounded_down;
        if (!(moved <= far) || reach <= 0) return -1;
        return static_cast<float>(inner < largest ? inner : largest);
    }
    static bool meets_others(const View& view, const typename Base::Reach& reach, const Queriers& strays,
                             std::uint32_t i, float radius, const PlacesThen& then) {
        const Wide px(strays.x[i]), py(strays.y[i]), limit(radius * radius), inner(known(strays, i, then)),
            half(0.5f);
        const float* const was = then.was + std::size_t{2} * strays.number[i];
        const double squared = then.apart * then.apart;
        bool met = false;
        for (std::uint32_t r = reach.first_row; r <= reach.last_row; ++r) {
            const Row& row = view.rows[r];
            if (row.count == 0) continue;
            const typename Base::Arrays a(row);
            const std::uint32_t behind = row.cells[reach.last_column + 1];
            for (std::uint32_t j = row.cells[reach.first_column]; j < behind; j += Wide::size) {
                const Wide x = half * Wide::load_unaligned(a.min_x + j) +
                               half * Wide::load_unaligned(a.max_x + j),
                           y = half * Wide::load_unaligned(a.min_y + j) +
                               half * Wide::load_unaligned(a.max_y + j),
                           dx = px - x, dy = py - y, d = dx * dx + dy * dy;
                // What is behind the run is not near, or is an agent all the same.
                std::uint32_t near = V::bits(d <= limit) & ~V::bits(d <= inner);
                for (; near != 0; near &= near - 1) {
                    const float* const other = then.was + std::size_t{2} * a.id[j + Base::lowest(near)];
                    met |= !(squared_distance(was, other) <= squared);
                }
            }
        }
        return met;
    }
    static std::uint32_t first_bits(std::uint32_t some) {
        return some < Wide::size ? (1u << some) - 1 : (1u << (Wide::size - 1) << 1) - 1;
    }
};

}  // namespace throng::simd
