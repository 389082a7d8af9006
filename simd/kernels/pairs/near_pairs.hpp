// The pairs of agents that are near each other in the arrays, without a branch for each:
//
//     row r      . . i j j j j j j j j . . . .     in_row       i against the eight that follow
//     row r+1    . . . j j j j . . . . . . . .     edges_into   one that reaches over the row's edge, against
//                                                               the cells below it
//
// in_row takes eight agents i at a time. For each distance k it compares eight pairs (i, i + k) with loads
// that move on by one float, and so fills a word of 64 bits. Most words have a few bits set. The first few
// pairs are written branch-free, or eight of them at once if the instruction set can compress bytes.
#pragma once

#include <type_traits>

#include "simd/kernels/pair_of_bit.hpp"
#include "simd/kernels/pairs/pair_steps.hpp"
#include "simd/kernels/search/admission.hpp"

namespace throng::simd {

template <class V, Close close = Close::boxes>
struct NearPairs : PairSteps<V, close> {
    using Base = PairSteps<V, close>;
    using Base::window;
    using typename Base::Arrays;
    using typename Base::Closer;
    using typename Base::Wide;
    using typename Base::Window;
    using typename Base::World;
    using typename Base::Writer;
    static constexpr std::uint32_t at_once = 16;  // that are compared with an agent on the edge
    static constexpr bool compresses_pairs = requires { &V::write_near; };

    // Where some agents begin in each array.
    struct FirstSlots {
        const float *min_x, *min_y, *max_x, *max_y;
        FirstSlots(const Arrays& r, std::size_t i)
            : min_x(r.min_x + i), min_y(r.min_y + i), max_x(r.max_x + i), max_y(r.max_y + i) {}
    };

    // Pairs (lane, lane + k) of eight lanes and k from 1 to 8, as bit 8 * (k - 1) + lane.
    static std::uint64_t neighbours(const World& world, const FirstSlots& at) {
        constexpr std::size_t lanes = Window::size, parts = window / lanes;
        Window min_x[parts], min_y[parts], max_x[parts], max_y[parts];
        for (std::size_t part = 0; part < parts; ++part) {
            min_x[part] = Window::load_unaligned(at.min_x + part * lanes);
            min_y[part] = Window::load_unaligned(at.min_y + part * lanes);
            max_x[part] = Window::load_unaligned(at.max_x + part * lanes);
            max_y[part] = Window::load_unaligned(at.max_y + part * lanes);
            if constexpr (Closer::is_measured) {
                const Window further(world.further);
                min_x[part] = min_x[part] - further;
                min_y[part] = min_y[part] - further;
                max_x[part] = max_x[part] + further;
                max_y[part] = max_y[part] + further;
            }
        }
        return word_of([&](std::size_t part, std::size_t j) {
            return (V::at_least(max_x[part], Window::load_unaligned(at.min_x + j)) &
                    (min_x[part] <= Window::load_unaligned(at.max_x + j))) &
                   (V::at_least(max_y[part], Window::load_unaligned(at.min_y + j)) &
                    (min_y[part] <= Window::load_unaligned(at.max_y + j)));
        });
    }
    // Of a part of the eight lanes and as many agents from `j` on.
    template <class Touching>
    static std::uint64_t word_of(const Touching& touching) {
        constexpr std::size_t parts = window / Window::size, distances = 4 / parts;
        std::uint64_t found = 0;
        for (std::size_t k = 0; k < window; k += distances) {
            const auto at = [&](std::size_t n) {
                const std::size_t part = n % parts;
                return touching(part, part * Window::size + k + 1 + n / parts);
            };
            found |= std::uint64_t{V::bits(at(0), at(1), at(2), at(3))} << (window * k);
        }
        return found;
    }

    // Which of eight ids are ghosts, as bits. They need not be ids of agents. With ghosts all over the world
    // a branch on them would be as good as random, so a range has none.
    static std::uint32_t ghosts_among(const GhostIds& ghosts, const std::uint32_t* ids) {
        using Ids = xsimd::batch<std::uint32_t, typename Wide::arch_type>;
        constexpr std::uint32_t lanes = Ids::size, all = (1u << window) - 1;
        // The ids at or above it.
        const auto from = [&](std::uint32_t id) {
            std::uint32_t found = id == 0 ? all : 0;
            for (std::uint32_t k = 0; k < window && id != 0; k += lanes)
                found |= V::above(ids + k, id - 1) << k;
            return found & all;
        };
        std::uint32_t some = from(ghosts.lowest);
        if (ghosts.is_range()) return ghosts.bound == no_id ? some : some & ~from(ghosts.bound);
        if (some == 0) [[likely]]
            return 0;
        if (ghosts.pages == nullptr) {
            // Ids above all of them are looked up at an id without a ghost.
            alignas(64) std::uint32_t looked_up[window < lanes ? lanes : window];
            for (std::uint32_t k = 0; k < window; k += lanes)
                xsimd::min(Ids::load_unaligned(ids + k), Ids(ghosts.bound)).store_aligned(looked_up + k);
            return ~V::unmarked(ghosts.words, looked_up, window) & all;
        }
        std::uint32_t found = 0;
        for (; some != 0; some &= some - 1) {
            const std::uint32_t lane = V::first_bit(some);
            found |= std::uint32_t{ghosts.has(ids[lane])} << lane;
        }
        return found;
    }
    // Takes out of such a word the pairs of two ghosts: of eight agents and the eight that follow, which are
    // ghosts. Bit k + lane of both becomes bit 8 * (k - 1) + lane: copies of them that are seven bits apart.
    // Every third of these is made at a time, so that none overlap.
    static std::uint64_t without_ghosts(std::uint64_t found, std::uint32_t own, std::uint32_t next) {
        constexpr auto copies = [](std::uint32_t first) {
            std::uint64_t at = 0;
            for (std::uint32_t k = first; k < window; k += 3) at |= std::uint64_t{1} << (window - 1) * k;
            return at;
        };
        constexpr auto bytes = [](std::uint32_t first, std::uint32_t step) {
            std::uint64_t all = 0;
            for (std::uint32_t k = first; k < window; k += step) all |= std::uint64_t{0xFF} << window * k;
            return all;
        };
        const std::uint64_t both = (own | next << window) >> 1, firsts = own * (bytes(0, 1) / 0xFF),
                            seconds = (both * copies(0) & bytes(0, 3)) | (both * copies(1) & bytes(1, 3)) |
                                      (both * copies(2) & bytes(2, 3));
        return found & ~(firsts & seconds);
    }

    // Such a word for agents that share a height, whatever their boxes.
    static std::uint64_t sharing_heights(const float* from_min_z, const float* from_max_z) {
        constexpr std::size_t lanes = Window::size, parts = window / lanes;
        Window min_z[parts], max_z[parts];
        for (std::size_t part = 0; part < parts; ++part) {
            min_z[part] = Window::load_unaligned(from_min_z + part * lanes);
            max_z[part] = Window::load_unaligned(from_max_z + part * lanes);
        }
        return word_of([&](std::size_t part, std::size_t j) {
            return V::at_least(max_z[part], Window::load_unaligned(from_min_z + j)) &
                   (min_z[part] <= Window::load_unaligned(from_max_z + j));
        });
    }

    struct Nothing {};

    // The pairs of such a word.
    static void write(std::uint64_t found, const std::uint32_t* id, Writer& out) {
        if constexpr (compresses_pairs)
            out.at += V::write_near(out.at, id, found);
        else
            out.template put<4>(found, [&](std::uint32_t bit) {
                return Pair{id[pair_of_bit.first[bit]], id[pair_of_bit.second[bit]]};
            });
    }

    // Those of them that are close enough, of agents from i on.
    static void write_measured(std::uint64_t found, const World& world, const Arrays& a, std::size_t i,
                               Writer& out) {
        using One = MeasuredProbe<V, Window>;
        const Closeness are_close = world.wanted.close;
        const bool by_height = world.wanted.by_height;
        for (; found != 0; found &= found - 1) {
            const std::uint32_t bit = V::first_bit(found);
            const std::size_t one = i + pair_of_bit.first[bit], other = i + pair_of_bit.second[bit];
            *out.at = {a.id[one], a.id[other]};
            if (by_height && !(a.min_z[one] <= a.max_z[other] && a.min_z[other] <= a.max_z[one])) continue;
            out.at += are_close(One::box(a, one), One::box(a, other));
        }
    }

    // Some agents that follow each other in a row: their circles, made once, since each is compared with
    // sixteen others, and the words of those whose boxes overlap. Words wait until all are made: the
    // comparisons of one do not depend on another, so several run at a time.
    class RowCircles {
    public:
        static constexpr std::uint32_t agents = 256;

        // For the agents from i on, after the words before are written.
        void begin(const Arrays& a, std::size_t i, std::size_t count) {
            const std::size_t rest = count - i < agents ? count - i : agents;
            for (std::size_t k = 0; k < (rest + 2 * window - 1) / window * window; k += Window::size) {
                const std::size_t at = i + k;
                const AgentCircles<V, Window> some(
                    Window::load_unaligned(a.min_x + at), Window::load_unaligned(a.min_y + at),
                    Window::load_unaligned(a.max_x + at), Window::load_unaligned(a.max_y + at));
                some.x.store_aligned(x_ + k);
                some.y.store_aligned(y_ + k);
                some.radius.store_aligned(radius_ + k);
            }
            id_ = a.id + i;
            words_ = 0;
        }
        // Once all have words: writes their pairs, and begins again.
        THRONG_ALWAYS_INLINE void go_on(const Arrays& a, std::size_t i, std::size_t count, Writer& out) {
            if (words_ != agents / window) return;
            write(out);
            begin(a, i, count);
        }
        void add(std::uint64_t word) { word_[words_++] = word; }
        // Those pairs that touch.
        void write(Writer& out) const {
            for (std::uint32_t n = 0; n < words_; ++n) {
                const std::size_t k = n * window;
                out.make_room();
                if constexpr (requires { &V::write_near_circles; })
                    out.at += V::write_near_circles(out.at, id_ + k, word_[n], x_ + k, y_ + k, radius_ + k);
                else
                    NearPairs::write(word_[n] & touching(k), id_ + k, out);
            }
        }

    private:
        // All of a word.
        std::uint64_t touching(std::size_t k) const {
            return word_of([&](std::size_t part, std::size_t j) {
                return at(k + part * Window::size).touch(at(k + j));
            });
        }
        AgentCircles<V, Window> at(std::size_t k) const { return {x_ + k, y_ + k, radius_ + k}; }

        alignas(64) float x_[agents + 2 * window], y_[agents + 2 * window], radius_[agents + 2 * window];
        std::uint64_t word_[agents / window];
        std::uint32_t words_;
        const std::uint32_t* id_;
    };

    // Which of eight agents reach into a later row.
    struct Reaching {
        Window origin, scale, next_row;

        Reaching(const Grid& g, std::uint32_t r)
            : origin(g.origin_y), scale(g.inverse_height * scaled_up), next_row(static_cast<float>(r + 1)) {}
        std::uint32_t of(const World& world, const float* max_y) const {
            std::uint32_t found = 0;
            for (std::size_t half = 0; half < window; half += Window::size) {
                const Window t = (Closer::up(world, Window::load_unaligned(max_y + half)) - origin) * scale;
                found |= V::bits(next_row <= t) << half;
            }
            return found;
        }
    };

    // Lists the agents that reach into later rows, and returns their number. The next row is fetched
    // meanwhile: edges are looked up there soon, and it is swept next. On its own, like edges_into, since
    // together they have more values than there are registers.
    template <bool with_ghosts = false>
    THRONG_NOINLINE THRONG_KERNEL static std::uint32_t in_row(const World& view, const Row& row,
                                                              std::uint32_t r, const PairScratch& scratch,
                                                              PairSink& sink) {
        const Arrays a(row);
        const std::size_t count = row.count;
        const bool last = r + 1 == view.grid.rows;
        const Reaching reaching(view.grid, r);
        typename Base::template Ahead<0> ahead(view.rows[last ? r : r + 1].data);
        Writer out(sink);
        std::uint32_t *const edge = scratch.edge, *end = edge;
        GhostIds ghosts;
        [[maybe_unused]] std::uint32_t own_ghosts = 0;
        if constexpr (with_ghosts) ghosts = *scratch.ghosts, own_ghosts = ghosts_among(ghosts, a.id);
        [[maybe_unused]] std::conditional_t<close == Close::circles, RowCircles, Nothing> circles;
        if constexpr (close == Close::circles) circles.begin(a, 0, count);
        for (std::size_t i = 0; i < count; i += window) {
            out.make_room();
            ahead.template fetch<3>();  // as much as eight agents take
            const FirstSlots at(a, i);
            std::uint64_t word = neighbours(view, at);
            if constexpr (with_ghosts) {
                const std::uint32_t next = ghosts_among(ghosts, a.id + i + window);
                word = without_ghosts(word, own_ghosts, next);
                own_ghosts = next;
            }
            if constexpr (Closer::is_at_heights) word &= sharing_heights(a.min_z + i, a.max_z + i);
            if constexpr (close == Close::circles) {
                circles.go_on(a, i, count, out);
                circles.add(word);
            } else if constexpr (close == Close::measured) {
                write_measured(word, view, a, i, out);
            } else {
                write(word, a.id + i, out);
            }
            if (last) continue;
            const std::uint32_t found = reaching.of(view, at.max_y);
            V::slots(end, static_cast<std::uint32_t>(i), found);
            end += V::count_bits(found);
        }
        if constexpr (close == Close::circles) circles.write(out);
        return static_cast<std::uint32_t>(end - edge);
    }

    // Which of the cells from c to c + 7, as far as they exist, hold more within reach than a number: those
    // that in_row compares.
    static std::uint32_t full_cells(const Row& row, std::uint32_t c, std::uint32_t columns,
                                    std::uint32_t reach, std::uint32_t usual = window + 1) {
        using Numbers = xsimd::batch<std::int32_t, typename Window::arch_type>;
        std::uint32_t full = 0;
        if (reach < columns && c + window + reach <= columns) [[likely]] {
            const Window most(static_cast<float>(usual));
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
            full |= std::uint32_t{row.cells[last] > row.cells[c + k] + usual} << k;
        }
        return full;
    }

    // Some agents, copied together: and the columns of the row below in which their partners can be, several
    // agents at once.
    struct Edges {
        static constexpr std::uint32_t most = 64;
        alignas(64) float min_x[most], min_y[most], max_x[most], max_y[most];
        std::uint32_t id[most], first[most], last[most];
        // Heights stay where they are, in rows that have some.
        struct OfEdges {
            const float* all;
            const std::uint32_t* edge;
            float operator[](std::size_t e) const { return all[edge[e]]; }
        } min_z{}, max_z{};

        Edges(const World& view, const Arrays& a, const std::uint32_t* edge, std::uint32_t count) {
            for (std::uint32_t e = 0; e < count; ++e) {
                const std::size_t i = edge[e];
                min_x[e] = a.min_x[i];
                min_y[e] = a.min_y[i];
                max_x[e] = a.max_x[i];
                max_y[e] = a.max_y[i];
                id[e] = a.id[i];
            }
            if constexpr (requires { a.min_z; }) min_z = {a.min_z, edge}, max_z = {a.max_z, edge};
            for (std::uint32_t e = count; e % Window::size != 0; ++e) min_x[e] = max_x[e] = 0;
            const Grid& g = view.grid;
            const Window back(view.reach_x), origin(g.origin_x), end(g.last_column),
                down(g.inverse_width * scaled_down), up(g.inverse_width * scaled_up);
            for (std::uint32_t e = 0; e < count; e += Window::size) {
                const Window low = Window::load_aligned(min_x + e),
                             high = Closer::up(view, Window::load_aligned(max_x + e));
                store(first + e, Base::clamped((low - back - origin) * down, end));
                store(last + e, Base::clamped((high - origin) * up, end));
            }
        }
        static void store(std::uint32_t* to, const Window& columns) {
            xsimd::to_int(columns).store_aligned(reinterpret_cast<std::int32_t*>(to));
        }
    };

    // Agents against the cells of the only row that they reach, if these are not too many. There are nearly
    // always at most sixteen agents within reach, so one branch-free test suffices.
    THRONG_NOINLINE THRONG_KERNEL static void edges_into(const World& view, const Row& row, const Row& below,
                                                         const std::uint32_t* edge, std::uint32_t edges,
                                                         PairSink& sink) {
        if (below.count == 0) return;
        const Arrays a(row), other(below);
        const std::uint32_t* cells = below.cells;
        Writer out(sink);
        while (edges != 0) {
            const std::uint32_t some = edges < Edges::most ? edges : Edges::most;
            const Edges of(view, a, edge, some);
            for (std::size_t e = 0; e < some; ++e) {
                const std::size_t end = cells[std::size_t{of.last[e]} + 1];
                // Heights are looked at only where boxes overlap.
                using ByBox = std::conditional_t<Closer::is_at_heights, Closely<V, Close::boxes>, Closer>;
                const auto probe = ByBox::template probe<Window>(view, of, e);
                for (std::size_t j = cells[of.first[e]]; j < end; j += at_once) {
                    if (!out.make_room()) return;
                    std::uint32_t found = probe.template overlap_of<at_once>(other, j);
                    if constexpr (Closer::is_at_heights)
                        if (found != 0)
                            found &= Admission<V>::template sharing_a_height<Window, at_once>(
                                {of.min_z[e], of.max_z[e]}, other, j);
                    const auto pair = [&](std::uint32_t bit) {
                        return Pair{of.id[e], other.id[j + bit % at_once]};
                    };
                    if constexpr (Closer::is_measured)
                        for (; found != 0; found &= found - 1) {
                            const std::uint32_t bit = V::first_bit(found);
                            *out.at = pair(bit);
                            out.at += probe.is_close(other, j + bit);
                        }
                    else
                        out.template put<1>(found, pair);
                }
            }
            edge += some;
            edges -= some;
        }
    }
};

template <class V>
constexpr InRowKernels in_row_table() {
    using Boxes = NearPairs<V>;
    using Circles = NearPairs<V, Close::circles>;
    return {
        .boxes = Boxes::template in_row<>,
        .boxes_among_ghosts = Boxes::template in_row<true>,
        .boxes_at_heights = NearPairs<V, Close::at_heights>::template in_row<>,
        .circles = Circles::template in_row<>,
        .circles_among_ghosts = Circles::template in_row<true>,
    };
}

}  // namespace throng::simd
