// Shared by the steps of the search for pairs: how far an agent can reach, and one agent against a run of
// others.
#pragma once

#include "simd/kernels/pairs/close.hpp"
#include "simd/kernels/pairs/pair_writer.hpp"

namespace throng::simd {

template <class V, Close close = Close::boxes>
struct PairSteps : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Locator;
    using typename Base::Wide;
    using typename Base::Window;
    using Writer = PairWriter<V>;
    using Closer = Closely<V, close>;
    using Arrays = typename Closer::Arrays;
    using World = typename Closer::World;

    static constexpr std::uint32_t window = 8;
    // More agents than that within reach of a cell may be too many to compare.
    static constexpr std::uint32_t crowded = 192;
    // The same for the agents that reach into later rows; several of them look together.
    static constexpr std::uint32_t crowded_below = 1024, edges_at_once = 64;
    // How many misses each of them may cost before they are sorted.
    static constexpr std::uint64_t patience = 16;

    // Agent i of `one` against the agents [begin, end) of `other`, and a few more, which it cannot overlap.
    // Stops and returns false if the sink has stopped; this is checked only when the sink is full.
    static bool against(const World& world, const Arrays& one, std::uint32_t i, const Arrays& other,
                        std::uint32_t begin, std::uint32_t end, Writer& out) {
        return against(Closer::template probe<Wide>(world, one, i), one.id[i], other, begin, end, out);
    }
    template <class ProbeOfOne, class A>
    static bool against(const ProbeOfOne& probe, std::uint32_t id, const A& other, std::uint32_t begin,
                        std::uint32_t end, Writer& out) {
        for (std::size_t j = begin; j < end; j += Wide::size) {
            if (!out.make_room()) return false;
            out.put_with(id, other.id + j, out.close_among(probe, probe.overlap(other, j), other, j));
        }
        return true;
    }

    // The same with a list in whole vectors from its beginning, if few are expected to overlap: a vector
    // without any is left at once.
    static bool against_few(const World& world, const Arrays& one, std::uint32_t i, const Row& list,
                            std::uint32_t begin, Writer& out) {
        if (list.count == 0) return true;
        const auto probe = Closer::template probe<Wide>(world, one, i);
        const Arrays other(list);
        const std::uint32_t id = one.id[i], before = begin % Wide::size;
        std::uint32_t some = ~0u << before;
        for (std::size_t j = begin - before; j < list.count; j += Wide::size) {
            const std::uint32_t found = probe.overlap(other, j) & some;
            some = ~0u;
            if (found == 0) continue;
            if (!out.make_room()) return false;
            out.put_with(id, other.id + j, out.close_among(probe, found, other, j));
        }
        return true;
    }
    // Agents [first, end) of a leaf against a list, and against the agents behind each of them in another
    // one, which begins with the leaf's agent `begin`.
    THRONG_NOINLINE THRONG_KERNEL static void leaf_against(const World& world, const Arrays& leaf,
                                                           std::uint32_t begin, std::uint32_t first,
                                                           std::uint32_t end, const Row& list,
                                                           const Row& later, PairSink& sink) {
        Writer out(sink);
        for (std::uint32_t k = first; k < end; ++k)
            if (!against_few(world, leaf, k, list, 0, out) ||
                !against_few(world, leaf, k, later, k - begin + 1, out))
                return;
    }

    // By how many columns an agent's right edge may be ahead of its left one. The allowance covers what two
    // rounding modes can do to two column numbers of up to 65,520. In a world as wide as the floats, the
    // distance to the origin may overflow, and then a small step crosses any number of columns.
    static std::uint32_t span(const View& view) {
        if (Base::largest - view.grid.origin_x > Base::largest) return view.grid.columns;
        const float columns = view.reach_x * view.grid.inverse_width * 1.001f + 0.12f;
        return 1 + static_cast<std::uint32_t>(
                       static_cast<std::int32_t>(Base::clamped(columns, view.grid.last_column)));
    }
    // By how many rows an agent's upper edge may be ahead of its lower one, as `span` is for columns.
    static std::uint32_t row_span(const View& view) {
        if (Base::largest - view.grid.origin_y > Base::largest) return view.grid.rows;
        const float rows = view.reach_y * view.grid.inverse_height * 1.001f + 0.12f;
        return 1 +
               static_cast<std::uint32_t>(static_cast<std::int32_t>(Base::clamped(rows, view.grid.last_row)));
    }
    // The last row that agents of row r can reach into.
    static std::uint32_t last_below(const View& view, std::uint32_t r) {
        const std::uint32_t behind = view.grid.rows - 1 - r, rows = row_span(view);
        return r + (behind < rows ? behind : rows);
    }
    // Made only from the grid and the reach, once a row: a RowGrid's view has these, but no Locate.
    static Locator locator_of(const View& view) {
        return Locator(locate(view.grid, view.reach_x, view.reach_y));
    }
    // The last column, or row, that an agent may reach.
    static std::uint32_t last_column(const World& view, const Arrays& a, std::uint32_t i) {
        return Base::highest_column(view.grid, Closer::up(view, a.max_x[i]));
    }
    static std::uint32_t last_row(const World& view, const Arrays& a, std::uint32_t i) {
        return Base::highest_row(view.grid, Closer::up(view, a.max_y[i]));
    }
    // Where it begins, and how far it reaches.
    static typename V::Four corners(const World& view, const Arrays& a, std::uint32_t i) {
        return Locator::four(a.min_x[i], a.min_y[i], Closer::up(view, a.max_x[i]),
                             Closer::up(view, a.max_y[i]));
    }
    // There are nearly always at most sixteen agents within reach in the next row, so one branch-free test
    // suffices. Adds the number of comparisons. Returns false if the sink has stopped.
    static bool edge_below(const World& view, const Locator& locator, const Arrays& a, std::uint32_t r,
                           std::uint32_t i, Writer& out, std::uint64_t& compared) {
        const auto reach = locator.reach(corners(view, a, i));
        for (std::uint32_t below = r + 1; below <= reach.last_row; ++below) {
            const Row& other = view.rows[below];
            if (other.count == 0) continue;
            const std::uint32_t begin = other.cells[reach.first_column],
                                end = other.cells[reach.last_column + 1];
            if (!against(view, a, i, Arrays(other), begin, end, out)) return false;
            compared += end - begin;
        }
        return true;
    }
};

}  // namespace throng::simd
