// The pairs of agents that are near each other in the arrays, without a branch for each:
//
//     row r      . . i j j j j j j j j . . . .     in_row       i against the eight that follow
//     row r+1    . . . j j j j . . . . . . . .     edges_into   one that reaches over the row's edge, against
//                                                               the cells below it
//
// in_row takes eight agents i at a time. For each distance k it compares eight pairs (i, i + k) with loads
// that only move on by one float, and so fills a word of 64 bits with all it found. Most words have a few
// bits set; the first few pairs are written branch-free.
#pragma once

#include "simd/kernels/pairs/pair_steps.hpp"

namespace throng::simd {

template <class V>
struct NearPairs : PairSteps<V> {
    using Base = PairSteps<V>;
    using Base::window;
    using typename Base::Arrays;
    using typename Base::Window;
    using typename Base::Writer;

    // Pairs (i + lane, i + lane + k) for eight lanes and k from 1 to 8, as bit 8 * (k - 1) + lane.
    static std::uint64_t neighbours(const Arrays& r, std::uint32_t i) {
        constexpr std::uint32_t lanes = Window::size, parts = window / lanes, at_once = 4 / parts;
        Window min_x[parts], min_y[parts], max_x[parts], max_y[parts];
        for (std::uint32_t part = 0; part < parts; ++part) {
            min_x[part] = Window::load_unaligned(r.min_x + i + part * lanes);
            min_y[part] = Window::load_unaligned(r.min_y + i + part * lanes);
            max_x[part] = Window::load_unaligned(r.max_x + i + part * lanes);
            max_y[part] = Window::load_unaligned(r.max_y + i + part * lanes);
        }
        std::uint64_t found = 0;
        for (std::uint32_t k = 0; k < window; k += at_once) {
            const auto touching = [&](std::uint32_t n) {
                const std::uint32_t part = n % parts, j = i + part * lanes + k + 1 + n / parts;
                return ((max_x[part] >= Window::load_unaligned(r.min_x + j)) &
                        (min_x[part] <= Window::load_unaligned(r.max_x + j))) &
                       ((max_y[part] >= Window::load_unaligned(r.min_y + j)) &
                        (min_y[part] <= Window::load_unaligned(r.max_y + j)));
            };
            found |= std::uint64_t{V::bits(touching(0), touching(1), touching(2), touching(3))}
                     << (window * k);
        }
        return found;
    }

    // Which of eight agents reach into a later row.
    struct Reaching {
        Window origin, scale, next_row;

        Reaching(const Grid& g, std::uint32_t r)
            : origin(g.origin_y), scale(g.inverse_height * scaled_up), next_row(static_cast<float>(r + 1)) {}
        std::uint32_t of(const Arrays& a, std::uint32_t i) const {
            std::uint32_t found = 0;
            for (std::uint32_t half = 0; half < window; half += Window::size) {
                const Window t = (Window::load_unaligned(a.max_y + i + half) - origin) * scale;
                found |= V::bits(next_row <= t) << half;
            }
            return found;
        }
    };

    // Asks for a row, line by line: as much of it at a time as eight agents take.
    class Ahead {
    public:
        explicit Ahead(const Row& row) : next_(reinterpret_cast<const char*>(row.data)) {}
        void step() {
            for (std::uint32_t line = 0; line < lines; ++line) __builtin_prefetch(next_ + line * 64, 0, 2);
            next_ += lines * 64;
        }

    private:
        static constexpr std::uint32_t lines = 3;
        const char* next_;
    };

    // Lists the agents that reach into later rows, and returns their number. The next row is asked for
    // meanwhile: edges are looked up there soon, and it is swept next.
    static std::uint32_t in_row(const View& view, const Row& row, std::uint32_t r, std::uint32_t* edge,
                                Writer& out) {
        const Arrays a(row);
        const std::uint32_t count = row.count;
        const bool last = r + 1 == view.grid.rows;
        const Reaching reaching(view.grid, r);
        Ahead ahead(view.rows[last ? r : r + 1]);
        std::uint32_t* end = edge;
        for (std::uint32_t i = 0; i < count; i += window) {
            out.make_room();
            ahead.step();
            const std::uint32_t* id = a.id + i;
            out.template put<4>(neighbours(a, i), [&](std::uint32_t bit) {
                const std::size_t first = bit % window;
                return Pair{id[first], id[first + 1 + bit / window]};
            });
            if (last) continue;
            const std::uint32_t found = reaching.of(a, i);
            V::places(end, i, found);
            end += V::count_bits(found);
        }
        return static_cast<std::uint32_t>(end - edge);
    }

    // Which of the cells from c to c + 7, if there are so many, hold more within reach than in_row compares.
    static std::uint32_t full_cells(const Row& row, std::uint32_t c, std::uint32_t columns,
                                    std::uint32_t reach) {
        using Numbers = xsimd::batch<std::int32_t, typename Window::arch_type>;
        std::uint32_t full = 0;
        if (reach < columns && c + window + reach <= columns) [[likely]] {
            const Window most(static_cast<float>(window + 1));
            for (std::uint32_t part = 0; part < window; part += Window::size) {
                const std::int32_t* first = reinterpret_cast<const std::int32_t*>(row.cells + c + part);
                const Numbers here =
                    Numbers::load_unaligned(first + 1 + reach) - Numbers::load_unaligned(first);
                full |= V::bits(most < xsimd::to_float(here)) << part;
            }
            return full;
        }
        for (std::uint32_t k = 0; k < window && c + k < columns; ++k) {
            const std::uint32_t last = c + k + 1 + reach < columns ? c + k + 1 + reach : columns;
            full |= std::uint32_t{row.cells[last] > row.cells[c + k] + window + 1} << k;
        }
        return full;
    }

    // The columns of the row below in which partners of some agents can be, several agents at once.
    struct Below {
        static constexpr std::uint32_t most = 64;
        alignas(64) std::uint32_t first[most], last[most];

        Below(const View& view, const Arrays& a, const std::uint32_t* edge, std::uint32_t count) {
            alignas(64) float min_x[most] = {}, max_x[most] = {};
            for (std::uint32_t e = 0; e < count; ++e) {
                min_x[e] = a.min_x[edge[e]];
                max_x[e] = a.max_x[edge[e]];
            }
            const Grid& g = view.grid;
            const Window back(view.reach_x), origin(g.origin_x), end(g.last_column),
                down(g.inverse_width * scaled_down), up(g.inverse_width * scaled_up);
            for (std::uint32_t e = 0; e < count; e += Window::size) {
                const Window low = Window::load_aligned(min_x + e), high = Window::load_aligned(max_x + e);
                store(first + e, Base::clamped((low - back - origin) * down, end));
                store(last + e, Base::clamped((high - origin) * up, end));
            }
        }
        static void store(std::uint32_t* to, const Window& columns) {
            xsimd::to_int(columns).store_aligned(reinterpret_cast<std::int32_t*>(to));
        }
    };

    // Agents against the cells of the only row that they reach, where not too many are. There are nearly always
    // at most sixteen agents within reach, so one branch-free test suffices. Returns false if the sink has stopped.
    static bool edges_into(const View& view, const Arrays& a, const Row& below, const std::uint32_t* edge,
                           std::uint32_t edges, Writer& out) {
        if (below.count == 0) return true;
        const Arrays other(below);
        while (edges != 0) {
            const std::uint32_t some = edges < Below::most ? edges : Below::most;
            const Below columns(view, a, edge, some);
            for (std::uint32_t e = 0; e < some; ++e) {
                const std::uint32_t begin = below.cells[columns.first[e]],
                                    end = below.cells[columns.last[e] + 1];
                if (!Base::template against<16, Window>(a, edge[e], other, begin, end, out)) return false;
            }
            edge += some;
            edges -= some;
        }
        return true;
    }
};

}  // namespace throng::simd
