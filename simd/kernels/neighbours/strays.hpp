// Which agents are far from their earlier places, and which agents are near these now but were not then. Such
// agents are few and scattered, or nearly all.
#pragma once

#include "simd/kernels/neighbours/patch.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

template <class V>
class Strays : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Wide;
    using typename Base::Window;

    // See NeighbourKernels::centres_of_boxes.
    THRONG_KERNEL static void centres_of_boxes(const Columns& boxes, std::size_t count, float* to) {
        boxes.centre_half ? write_centres<true>(boxes, count, to) : write_centres<false>(boxes, count, to);
    }
    // See NeighbourKernels::strays.
    THRONG_KERNEL static std::uint32_t find(const float* now, const float* was, std::uint32_t first,
                                            std::uint32_t count, const Margin& margin, std::uint32_t* to) {
        now += std::size_t{2} * first;
        was += std::size_t{2} * first;
        return margin.scale == 0 ? compare<true>(now, was, first, count, margin, to)
                                 : compare<false>(now, was, first, count, margin, to);
    }
    // See NeighbourKernels::meet_others.
    THRONG_KERNEL static std::uint32_t meet_others(const View& view, const Queriers& strays, float radius,
                                                   const SitesThen& then, ListSink& missed) {
        std::uint32_t done = 0;
        QuerierCells<V> cells;
        while (done < strays.count && !missed.stopped) {
            const std::uint32_t left = strays.count - done, some = left < group ? left : group;
            const View* const home = PatchHome<V>::of(view, strays, done, some, radius);
            if (home == nullptr) break;
            cells.find(home->locate, strays, done, some, radius);
            for (std::uint32_t i = 0; i < some && i < ahead; ++i)
                fetch_cells(*home, cells.of(i), strays, done + i, then);
            Doubts doubts;
            for (std::uint32_t i = 0; i < some && i < ahead / 2; ++i) fetch_agents(*home, cells.of(i));
            for (std::uint32_t i = 0; i < some; ++i) {
                if (i + ahead < some) fetch_cells(*home, cells.of(i + ahead), strays, done + i + ahead, then);
                if (i + ahead / 2 < some) fetch_agents(*home, cells.of(i + ahead / 2));
                const typename Base::Reach reach = cells.of(i);
                if (reach.last_row - reach.first_row >= most_rows) {
                    doubts.settle(then, missed);
                    return done + i;
                }
                meet_others(*home, reach, strays, done + i, radius, then, doubts, missed);
            }
            doubts.settle(then, missed);
            done += some;
        }
        return done;
    }

private:
    static constexpr std::uint32_t group = QuerierCells<V>::most, most_rows = 8;
    // Strays are far from each other, so their surroundings are in no near cache, and are fetched `ahead`
    // strays early.
    static constexpr std::uint32_t ahead = 16;

    // Agents that are near a stray and may not have been so then. Their ids and earlier places are in no near
    // cache either, so these are fetched first, and compared later, some at a time.
    class Doubts {
    public:
        // There is room for one for each lane of a vector.
        void add(std::uint32_t stray, const std::uint32_t* other) {
            THRONG_PREFETCH(other);
            strays_[count_] = stray;
            others_[count_++] = other;
        }
        bool are_many() const { return count_ >= many; }
        // Writes those that were not near.
        void settle(const SitesThen& then, ListSink& missed) {
            for (std::uint32_t k = 0; k < count_; ++k) {
                ids_[k] = *others_[k];
                THRONG_PREFETCH(then.was + std::size_t{2} * ids_[k]);
            }
            const double squared = then.apart * then.apart;
            for (std::uint32_t k = 0; k < count_; ++k) {
                if (squared_distance(then.was + std::size_t{2} * strays_[k],
                                     then.was + std::size_t{2} * ids_[k]) <= squared)
                    continue;
                missed.at[0] = strays_[k];
                missed.at[1] = ids_[k];
                missed.at += 2;
                if (missed.at >= missed.limit) missed.full(missed);
            }
            count_ = 0;
        }

    private:
        static constexpr std::uint32_t many = 64;
        std::uint32_t count_ = 0;
        std::uint32_t strays_[many + gap], ids_[many + gap];
        const std::uint32_t* others_[many + gap];
    };

    template <bool centre_half>
    static void write_centres(const Columns& boxes, std::size_t count, float* to) {
        constexpr std::size_t lanes = Window::size;
        const auto centre = [](auto low, auto high) {
            if constexpr (centre_half) {
                const auto middle = low, extent = high;
                low = middle - extent;
                high = middle + extent;
            }
            return low * decltype(low)(0.5f) + high * decltype(low)(0.5f);
        };
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            const Window x = centre(Window::load_unaligned(boxes.a + i), Window::load_unaligned(boxes.c + i)),
                         y = centre(Window::load_unaligned(boxes.b + i), Window::load_unaligned(boxes.d + i)),
                         low = V::zip_low(x, y), high = V::zip_high(x, y);
            for (std::size_t k = 0; k < lanes / 4; ++k) {
                V::quarter(low, k).store_unaligned(to + 2 * i + 8 * k);
                V::quarter(high, k).store_unaligned(to + 2 * i + 8 * k + 4);
            }
        }
        for (; i < count; ++i) {
            to[2 * i] = centre(boxes.a[i], boxes.c[i]);
            to[2 * i + 1] = centre(boxes.b[i], boxes.d[i]);
        }
    }

    // With `any`, each agent that moved at all is a stray. It is tested by a sum of distances, since the
    // square of a small one could underflow to zero.
    template <bool any>
    static std::uint32_t compare(const float* now, const float* was, std::uint32_t first, std::uint32_t count,
                                 const Margin& margin, std::uint32_t* to) {
        constexpr std::uint32_t agents = Wide::size / 2, every_second = 0x5555, bytes_ahead = 2048;
        const Wide scale(any ? 1.0f : margin.scale), most(any ? 0.0f : margin.limit);
        // The distances along x in every second lane, and those along y in the lane behind it.
        const auto part = [&](std::size_t at) {
            const Wide d = (Wide::load_unaligned(now + at) - Wide::load_unaligned(was + at)) * scale;
            return any ? Wide(xsimd::abs(d)) : Wide(d * d);
        };
        std::uint32_t found = 0;
        for (std::uint32_t i = 0; i < count; i += agents) {
            const std::size_t at = std::size_t{2} * i;
            Base::template fetch_from<0>(now + at, bytes_ahead);
            Base::template fetch_from<0>(was + at, bytes_ahead);
            std::uint32_t far = ~V::bits(part(at) + part(at + 1) <= most) & every_second &
                                first_bits(2 * (count - i < agents ? count - i : agents));
            for (; far != 0; far &= far - 1) to[found++] = first + i + Base::lowest(far) / 2;
        }
        return found;
    }
    static double squared_distance(const float* from, const float* to) {
        const double dx = double{from[0]} - double{to[0]}, dy = double{from[1]} - double{to[1]};
        return dx * dx + dy * dy;
    }
    // An agent as near to a stray now was near it then, if it has not moved by more than `far`; below zero if
    // that is not known. An agent that has moved further looks around itself.
    static float known(const Queriers& strays, std::uint32_t i, const SitesThen& then) {
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
    static void fetch_cells(const View& view, const typename Base::Reach& reach, const Queriers& strays,
                            std::uint32_t i, const SitesThen& then) {
        THRONG_PREFETCH(then.was + std::size_t{2} * strays.number[i]);
        for (std::uint32_t r = reach.first_row; r <= reach.last_row && r < reach.first_row + 2; ++r)
            if (view.rows[r].count != 0) THRONG_PREFETCH(view.rows[r].cells + reach.first_column);
    }
    static void fetch_agents(const View& view, const typename Base::Reach& reach) {
        for (std::uint32_t r = reach.first_row; r <= reach.last_row && r < reach.first_row + 2; ++r) {
            const Row& row = view.rows[r];
            if (row.count == 0) continue;
            const typename Base::Arrays a(row);
            const std::uint32_t begin = row.cells[reach.first_column], last = begin + Wide::size - 1;
            for (const float* array : {a.min_x, a.min_y, a.max_x, a.max_y}) {
                THRONG_PREFETCH(array + begin);
                THRONG_PREFETCH(array + last);
            }
        }
    }
    static void meet_others(const View& view, const typename Base::Reach& reach, const Queriers& strays,
                            std::uint32_t i, float radius, const SitesThen& then, Doubts& doubts,
                            ListSink& missed) {
        const Wide px(strays.x[i]), py(strays.y[i]), limit(radius * radius), inner(known(strays, i, then));
        for (std::uint32_t r = reach.first_row; r <= reach.last_row; ++r) {
            const Row& row = view.rows[r];
            if (row.count == 0) continue;
            const typename Base::Arrays a(row);
            const std::uint32_t behind = row.cells[reach.last_column + 1];
            for (std::uint32_t j = row.cells[reach.first_column]; j < behind; j += Wide::size) {
                const Wide dx = px - Circles<V>::middle(a.min_x + j, a.max_x + j),
                           dy = py - Circles<V>::middle(a.min_y + j, a.max_y + j), d = dx * dx + dy * dy;
                // Slots behind the run are not near, or have an agent all the same.
                std::uint32_t near = V::bits(d <= limit) & ~V::bits(d <= inner);
                for (; near != 0; near &= near - 1)
                    doubts.add(strays.number[i], a.id + j + Base::lowest(near));
                if (doubts.are_many()) doubts.settle(then, missed);
            }
        }
    }
    static std::uint32_t first_bits(std::uint32_t some) {
        return some < Wide::size ? (1u << some) - 1 : (1u << (Wide::size - 1) << 1) - 1;
    }
};

}  // namespace throng::simd
