// One search for all queries: through the rows of a grid, then the islands, then the tree of the oversized
// agents. It has three parts, which do not know each other:
//
//     Shape     what is looked for             box_shape.hpp
//     Admit     which agents count at all      admission.hpp
//     Taker     what is done with them         takers.hpp
//
// A part of the frame that the shape covers is taken without a test of its boxes. If all agents are admitted,
// ids are then copied, or passed in place, and counting them is one subtraction.
#pragma once

#include <type_traits>

#include "simd/kernels/search/admission.hpp"
#include "simd/kernels/search/grid_rows.hpp"
#include "simd/kernels/search/islands.hpp"
#include "simd/kernels/search/runs.hpp"
#include "simd/kernels/search/takers.hpp"
#include "simd/kernels/storeys/storey_search.hpp"

namespace throng::simd {

// Where a walk through the tree of the oversized agents begins: at a slot in a grove. In a tree in one piece
// the grove does not matter.
struct FromAgent {
    std::uint32_t grove = 0, slot = 0;

    bool is_behind(std::uint32_t end) const { return end <= slot; }
    bool is_behind_groves(std::uint32_t end) const { return end <= grove; }
    std::uint32_t first_slot(std::uint32_t begin) const { return begin > slot ? begin : slot; }
    std::uint32_t first_grove(std::uint32_t begin) const { return begin > grove ? begin : grove; }
    FromAgent in(std::uint32_t g) const { return {g, g == grove ? slot : 0}; }
};

// The oversized agents that overlap a query's bounds, in the order of the tree: for boxes their ids, and for
// other shapes the number of the grove and the slot in that. Null if they are not known. If they are only
// counted, none is named.
struct NearAgents {
    static constexpr std::uint32_t shift = 9, most_in_grove = 1u << shift;
    static_assert(most_in_grove >= max_leaves_in_grove);
    const std::uint32_t* begin = nullptr;
    std::uint32_t count = 0;
};
// What a query of a batch may find: all of it, or else the innermost island with all common agents that it
// may find, if there is one, and the oversized agents.
struct Near {
    const Row* row = nullptr;
    const Island* home = nullptr;
    NearAgents oversized;
};

template <class V, class ShapeType, class AdmitType, class Taker>
struct Search : Runs<V, ShapeType, AdmitType, Taker> {
    using Base = Runs<V, ShapeType, AdmitType, Taker>;
    using Shape = ShapeType;
    using Admit = AdmitType;
    using Covered = typename Shape::Covered;
    using Outline = typename Shape::Outline;
    using Source = typename Shape::Source;
    using typename Base::AnyAdmission;
    using typename Base::Arrays;
    using typename Base::Filter;
    using typename Base::Locator;
    using typename Base::Reach;
    using Stretches = StretchRows<V>;
    using Rows = GridRows<V>;
    using Base::admit;
    using Base::agents;
    using Base::is_for_all_kinds;
    using Base::sees_island;
    using Base::sees_node;
    using Base::sees_tiles;
    using Base::shape;
    using Base::shape_is_a_box;
    using Base::take;
    using Base::take_apart;
    using Base::test_apart;
    using Base::test_within;

    Search(const Source& source, const Filter& filter, Taker& t) : Base(source, filter, t) {}

    // `reach` is that of the shape's bounds in this view.
    static void search(const View& view, const Reach& reach, const Source& source, const Filter& filter,
                       Taker& taker) {
        if (Admit::admits_none(filter)) return;
        if (!view.is_plain || is_large(reach, filter)) [[unlikely]]
            return view.is_all && !is_large(reach, filter) ? search_crowded(view, source, filter, taker)
                                                           : search_far(view, source, filter, taker);
        if (Admit::may_find(view, reach, filter))
            (void)Search(source, filter, taker).template search_small<false>(view, reach);
    }
    // Apart, so that other worlds do not ask how long each run is.
    THRONG_KERNEL THRONG_NOINLINE static void search_crowded(const View& view, const Source& source,
                                                             const Filter& filter, Taker& taker) {
        const Search s(source, filter, taker);
        const Reach reach = Locator(view).reach(s.shape.bounds());
        if (Admit::may_find(view, reach, filter)) (void)s.template search_small<true>(view, reach);
    }
    // Among the agents gathered for a query and its neighbours, or else in a frame that is more than a grid.
    static void search_near(const View& view, const Near& near, const Source& source, const Filter& filter,
                            Taker& taker) {
        if (Admit::admits_none(filter)) return;
        const Search s(source, filter, taker);
        if (near.row != nullptr) {
            (void)s.test_within(*near.row, 0, near.row->count);
            return;
        }
        if (near.home != nullptr) s.sees_island();
        if (s.search_inside(near.home != nullptr ? near.home->view : view) && view.node_count != 0)
            (void)(near.oversized.begin != nullptr ? s.take_near(view, near.oversized) : s.search_tree(view));
    }
    // Large searches, and those of more than a grid, are compiled once for all kinds of admission, and once
    // for the takers that count. Collecting the ids of all agents has a body of its own: the branches would
    // take 11 % more instructions there.
    static constexpr bool is_for_far =
        std::is_same_v<FarTaker<Taker>, Taker> &&
        (is_for_all_kinds || (Admit::is_unfiltered && std::is_same_v<Taker, typename Takers<V>::Collect>));
    static void search_far(const View& view, const Source& source, const Filter& filter, Taker& taker) {
        if constexpr (is_for_far) {
            search_world(view, source, filter, taker);
        } else {
            const typename AnyAdmission::Filter any = [&] {
                if constexpr (is_for_all_kinds)
                    return filter;
                else
                    return typename AnyAdmission::Filter();
            }();
            using Far = Search<V, Shape, AnyAdmission, FarTaker<Taker>>;
            if constexpr (std::is_same_v<FarTaker<Taker>, Taker>) {
                Far::search_world(view, source, any, taker);
            } else {
                FarTaker<Taker> far = taker.far();
                Far::search_world(view, source, any, far);
                taker.take(far);
            }
        }
    }
    // A reach as an argument would have to be in memory.
    THRONG_KERNEL THRONG_NOINLINE static void search_world(const View& view, const Source& source,
                                                           const Filter& filter, Taker& taker) {
        const Search s(source, filter, taker);
        const Island* only = IslandSearch<V>::only_island(view.islands, s.shape.bounds());
        if (only != nullptr) s.sees_island();
        if (s.search_region(only != nullptr ? only->view : view) && view.node_count != 0)
            (void)s.search_tree(view);
    }

    // --- Rows and islands. These and all that follow return false once the search has ended. ---

    static bool is_large(const Reach& reach, const Filter& filter) {
        if constexpr (Admit::may_have_stretches)
            if (Admit::has_stretches(filter)) return Stretches::is_large(reach);
        return Rows::is_large(reach);
    }
    template <bool is_crowded>
    bool search_small(const View& view, const Reach& reach) const {
        if constexpr (Admit::may_have_stretches)
            if (admit.has_stretches())
                return Stretches::template search_small<is_crowded>(view, reach, *this);
        return Rows::template search_small<is_crowded>(view, reach, *this);
    }
    template <bool is_crowded>
    bool search_grid(const View& view, const Reach& reach) const {
        if constexpr (Admit::may_have_stretches)
            if (admit.has_stretches())
                return Stretches::is_large(reach)
                           ? Stretches::search_large(view, reach, *this)
                           : Stretches::template search_small<is_crowded>(view, reach, *this);
        return Rows::is_large(reach) ? Rows::template search_large<is_crowded>(view, reach, *this)
                                     : Rows::template search_small<is_crowded>(view, reach, *this);
    }
    THRONG_KERNEL THRONG_NOINLINE bool search_crowded_grid(const View& view, const Reach& reach) const {
        return search_grid<true>(view, reach);
    }
    // The rows of the world without its islands, of an island without its own, or of one storey.
    THRONG_KERNEL THRONG_NOINLINE bool search_rows(const View& view) const {
        const Reach reach = Locator(view).reach(shape.bounds());
        return !admit.may_find(view, reach) ||
               (view.is_crowded ? search_crowded_grid(view, reach) : search_grid<false>(view, reach));
    }
    // The rows of a region, and then the islands in it.
    bool search_region(const View& view) const {
        return view.storeys == nullptr && view.islands == nullptr ? search_rows(view) : search_parts(view);
    }
    THRONG_KERNEL THRONG_NOINLINE bool search_parts(const View& view) const {
        if (view.storeys != nullptr ? !search_storeys(view)
                                    : !view.islands->open_is_empty && !search_rows(view))
            return false;
        return view.islands == nullptr || search_islands(*view.islands);
    }
    // The storeys at the admitted heights, and perhaps the space between them.
    THRONG_KERNEL THRONG_NOINLINE bool search_storeys(const View& view, bool between = true) const {
        return StoreySearch<V>::for_each(*view.storeys, admit.heights(), between,
                                         [&](const View& storey) { return search_rows(storey); });
    }
    bool search_islands(const Islands& islands) const {
        const Query& q = shape.bounds();
        const Outline outline(shape);
        return IslandSearch<V>::for_each(
            islands, q.min_x, q.min_y, q.max_x, q.max_y,
            [&](const Island& island) { return search_island(island, outline); },
            [&](std::uint64_t count) { sees_tiles(count); });
    }
    // An island that the shape covers is taken whole, if no stretches are skipped.
    bool search_island(const Island& island, const Outline& outline) const {
        const float* bounds = &island.bounds.min_x;
        sees_island();
        if (outline.misses(bounds)) return true;
        if (!admit.has_stretches() && outline.covers(bounds)) return take_island(island);
        return search_inside(island.view);
    }
    // With islands within islands, the search may need only one of those, though it is not the only one in
    // the world. That is rare, so it is apart: expanded in the search, it costs a large one 1 % more
    // instructions.
    THRONG_NOINLINE bool search_inside(const View& view) const {
        return search_region(IslandSearch<V>::home_of(view, shape.bounds()));
    }
    // All common agents of an island, and of its own islands. Some storeys may have none that are admitted.
    THRONG_KERNEL THRONG_NOINLINE bool take_island(const Island& island) const {
        if (island.view.storeys != nullptr) return search_region(island.view);
        for (std::uint32_t r = 0; r < island.view.grid.rows; ++r) {
            const Row& row = island.view.rows[r];
            if (row.count == 0) continue;
            const auto& run = agents(row);
            if (row.is_dense() ? !take(run, 0, row.count, Arrays(row).id)
                               : !this->template test<false>(run, 0, row.count))
                return false;
        }
        return island.view.islands == nullptr ||
               IslandSearch<V>::for_every(*island.view.islands,
                                          [&](const Island& inner) { return take_island(inner); });
    }

    // --- The tree of the oversized agents ---

    // With many oversized agents, the leaves of the tree above are groves. The bounds of up to 256 of them,
    // and then of all leaves of one, are compared at once. A search that skips by categories goes from node
    // to node, since nodes have these.
    THRONG_KERNEL THRONG_NOINLINE bool search_tree(const View& view, FromAgent from = {}) const {
        if (view.groves == nullptr) return search_nodes(view.oversized, view.nodes, view.node_count, from);
        const Outline outline(shape);
        return for_each_grove(view, outline, from, [&](std::uint32_t g, bool covered) {
            return search_grove(view.groves[g], covered, outline, from.in(g));
        });
    }
    template <class Visit>
    bool for_each_grove(const View& view, const Outline& outline, FromAgent from, const Visit& visit) const {
        for (std::uint32_t i = 0; i < view.node_count;) {
            const Node& node = view.nodes[i];
            sees_node();
            if (from.is_behind_groves(node.end) || !admit.may_have(node) || outline.misses(&node.min_x)) {
                i = node.next;
                continue;
            }
            const bool covered = !admit.has_stretches() && outline.covers(&node.min_x),
                       few = !admit.has_stretches() && node.end - node.begin <= groves_at_once;
            const std::uint32_t first = from.first_grove(node.begin);
            i = covered || few ? node.next : i + 1;
            if (few && !covered) {
                if (!for_each_near(view.grove_bounds, outline, first, node.end, visit)) return false;
                continue;
            }
            for (std::uint32_t g = first; i == node.next && g < node.end; ++g)
                if (!visit(g, covered)) return false;
        }
        return true;
    }
    THRONG_KERNEL THRONG_NOINLINE bool search_grove(const Grove& grove, bool covered, const Outline& outline,
                                                    FromAgent from) const {
        const Row& row = grove.oversized;
        if (covered) return take_from(row, 0, row.count, from);
        if (admit.has_stretches()) return search_nodes(row, grove.nodes, grove.node_count, from);
        const Arrays leaves(grove.leaves);
        const auto visit = [&](std::uint32_t leaf, bool within) {
            const std::uint32_t begin = leaves.id[leaf], end = leaves.id[leaf + 1];
            return within ? take_from(row, begin, end, from) : test_from(row, begin, end, from);
        };
        return for_each_near(grove.leaves, outline, 0, grove.leaves.count, visit);
    }
    bool take_near(const View& view, const NearAgents& near) const {
        if constexpr (shape_is_a_box) {
            // A row of ids alone, for filters without labels.
            const Row ids{.data = reinterpret_cast<const float*>(near.begin),
                          .cells = nullptr,
                          .stride = 0,
                          .count = near.count,
                          .oversized = 0};
            return take(agents(ids), 0, near.count, near.begin);
        } else {
            for (const std::uint32_t* at = near.begin; at != near.begin + near.count; ++at) {
                const std::uint32_t slot = *at % NearAgents::most_in_grove;
                if (!test_within(view.groves[*at >> NearAgents::shift].oversized, slot, slot + 1))
                    return false;
            }
            return true;
        }
    }
    bool take_from(const Row& row, std::uint32_t begin, std::uint32_t end, FromAgent from) const {
        const std::uint32_t first = from.first_slot(begin);
        return from.is_behind(end) || take_apart(agents(row), first, end, Arrays(row).id + first);
    }
    bool test_from(const Row& row, std::uint32_t begin, std::uint32_t end, FromAgent from) const {
        return from.is_behind(end) || test_apart(agents(row), from.first_slot(begin), end);
    }
    // Calls `visit(number, covered)` for the bounds that the shape does not miss, and whether it covers them.
    // They are compared sixteen at a time, which counts as a node, whatever the vectors.
    template <class Visit>
    bool for_each_near(const Row& bounds, const Outline& outline, std::uint32_t begin, std::uint32_t end,
                       const Visit& visit) const {
        constexpr std::uint32_t lanes = 16;
        const Query& q = shape.bounds();
        const typename Base::template Probe<typename V::Wide> probe(q);
        const typename Base::Arrays a(bounds);
        for (std::uint32_t j = begin; j < end; j += lanes) {
            sees_node();
            std::uint32_t near = probe.template overlap_of<lanes>(a, j);
            if (end - j < lanes) near &= (1u << (end - j)) - 1;
            for (; near != 0; near &= near - 1) {
                const std::uint32_t k = j + Base::lowest(near);
                // What is not inside the bounds is not covered.
                bool covered = q.min_x <= a.min_x[k] && a.max_x[k] <= q.max_x && q.min_y <= a.min_y[k] &&
                               a.max_y[k] <= q.max_y;
                if constexpr (!shape_is_a_box) {
                    const float edges[4] = {a.min_x[k], a.min_y[k], -a.max_x[k], -a.max_y[k]};
                    if (outline.misses(edges)) continue;
                    covered = covered && outline.covers(edges);
                }
                if (!visit(k, covered)) return false;
            }
        }
        return true;
    }
    // A tree in one piece: that of a view, or a grove. A leaf's run is followed by the next one's, so lanes
    // behind its end are cut off.
    THRONG_KERNEL THRONG_NOINLINE bool search_nodes(const Row& row, const Node* nodes, std::uint32_t count,
                                                    FromAgent from) const {
        const Outline outline(shape);
        for (std::uint32_t i = 0; i < count;) {
            const Node& node = nodes[i];
            sees_node();
            if (from.is_behind(node.end) || !admit.may_have(node) || outline.misses(&node.min_x)) {
                i = node.next;
            } else if (outline.covers(&node.min_x)) {
                if (!take_from(row, node.begin, node.end, from)) return false;
                i = node.next;
            } else {
                ++i;
                if (node.next == i && !test_from(row, node.begin, node.end, from)) return false;
            }
        }
        return true;
    }
};

}  // namespace throng::simd
