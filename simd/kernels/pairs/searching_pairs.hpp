// Pairs of agents that search: of those that reach other islands, of oversized ones, of those between
// storeys, and of agents of another world. They are compiled once for all that may be wanted.
#pragma once

#include "simd/kernels/pairs/island_pairs.hpp"
#include "simd/kernels/pairs/pair_steps.hpp"
#include "simd/kernels/search/gathered.hpp"

namespace throng::simd {

template <class V>
struct SearchingPairs : PairSteps<V, Close::measured> {
    using Base = PairSteps<V, Close::measured>;
    using typename Base::Arrays;
    using typename Base::Locator;
    using typename Base::Writer;
    using AnyAdmission = typename Admission<V>::AnyAdmission;
    using Filter = typename AnyAdmission::Filter;
    using Partners = Search<V, BoxShape<V>, AnyAdmission, MeasuredTaker<V>>;

    // Calls body(search) with an agent's search for partners, unless it is in no pair.
    template <class Body>
    static void search(const MeasuredView& world, const Arrays& a, std::uint32_t i, Writer& out,
                       const Body& body) {
        Filter filter;
        if (world.wanted.has_filter()) filter = AnyAdmission::labelled(partners_of(world.wanted, a, i));
        search(world, a, i, filter, {out, a.id[i]}, body);
    }
    template <class Body>
    static void search(const MeasuredView& world, const Arrays& a, std::uint32_t i, const Filter& filter,
                       const PairTaker<V>& pairs, const Body& body) {
        if (filter.categories == 0) return;
        const MeasuredProbe<V, typename V::Wide> probe(world, a, i);
        MeasuredTaker<V> taker{pairs, world.measures ? &probe : nullptr};
        body(Partners(world.reach_of(a, i), filter, taker));
    }
    // All common agents that it may find, and the oversized ones from one on.
    static void search_all(const View& view, const Partners& all, FromAgent from = {}) {
        search_common(view, all);
        (void)all.search_tree(view, from);
    }
    static void search_common(const View& view, const Partners& all) {
        (void)all.search_region(IslandSearch<V>::home_of(view, all.shape.bounds()));
    }

    // An agent looks for partners on islands of its own region, and beside its own island.
    THRONG_KERNEL static void region_pairs(const View& view, std::uint32_t region, std::uint32_t r,
                                           const WantedPairs& wanted, PairSink& sink) {
        const Island* own = region == 0 ? nullptr : &view.islands->all[region - 1];
        const View& home = own == nullptr ? view : own->view;
        const Row& row = home.rows[r];
        if (row.count == 0) return;
        const MeasuredView world(view, wanted, FoundBy::boxes_and_heights);
        const Arrays a(row);
        Writer out(sink);
        IslandPairs<V>::for_each(
            home, own, row,
            [&](std::uint32_t i, const Island& island) {
                search(world, a, i, out, [&](const Partners& all) { (void)all.search_inside(island.view); });
                return !sink.stopped;
            },
            world.growth());
    }

    // The agents between storeys, in row r there, with agents on storeys.
    THRONG_KERNEL static void storey_pairs(const View& view, std::uint32_t r, const WantedPairs& wanted,
                                           PairSink& sink) {
        const Row& row = view.rows[r];
        if (row.count == 0) return;
        const MeasuredView world(view, wanted, FoundBy::boxes_and_heights);
        const Arrays a(row);
        Writer out(sink);
        for (std::uint32_t i = 0; i < row.count && !sink.stopped; ++i) {
            if (a.min_x[i] != a.min_x[i]) continue;  // no agent
            search(world, a, i, AnyAdmission::of(partners_of(wanted, a, i)), {out, a.id[i]},
                   [&](const Partners& all) { (void)all.search_storeys(view, false); });
        }
    }

    // --- Oversized agents ---

    // Calls `f(nodes, agents, grove, begin, end)` for the groves of the oversized agents [first, last), with
    // their slots, or once for a tree in one piece.
    template <class F>
    static void for_each_tree(const View& view, std::uint32_t first, std::uint32_t last, F&& f) {
        const bool in_groves = view.groves != nullptr;
        for (std::uint32_t g = in_groves ? grove_of(view, first) : 0; first < last; ++g) {
            const Row& agents = in_groves ? view.groves[g].oversized : view.oversized;
            const std::uint32_t before = in_groves ? view.groves[g].first : 0, end = before + agents.count,
                                to = end < last ? end : last;
            f(in_groves ? view.groves[g].nodes : view.nodes, agents, g, first - before, to - before);
            first = to;
        }
    }
    // The last one that begins at or before an agent.
    static std::uint32_t grove_of(const View& view, std::uint32_t agent) {
        std::uint32_t low = 0, high = view.nodes[0].end;
        while (high - low > 1) {
            const std::uint32_t middle = (low + high) / 2;
            (view.groves[middle].first <= agent ? low : high) = middle;
        }
        return low;
    }
    THRONG_KERNEL static void oversized_pairs(const View& view, std::uint32_t first, std::uint32_t last,
                                              const WantedPairs& wanted, PairSink& sink) {
        const MeasuredView world(view, wanted, FoundBy::boxes_and_heights);
        Writer out(sink);
        AroundLeaf<V> around(view);
        for_each_tree(view, first, last,
                      [&](const Node* nodes, const Row& agents, std::uint32_t grove, std::uint32_t begin,
                          std::uint32_t end) {
                          const Arrays a(agents);
                          if (!wanted.has_filter())
                              return tree_pairs(world, nodes, a, grove, begin, end, around, out);
                          for (; begin < end && !sink.stopped; ++begin)
                              search(world, a, begin, out, [&](const Partners& all) {
                                  search_all(world, all, {grove, begin + 1});
                              });
                      });
    }
    // Boxes that are not measured have steps of their own.
    static void leaf_against(const MeasuredView& world, const Arrays& a, std::uint32_t begin,
                             std::uint32_t first, std::uint32_t end, const Row& list, const Row& later,
                             Writer& out) {
        out.meanwhile([&](PairSink& sink) {
            if (world.measures)
                Base::leaf_against(world, a, begin, first, end, list, later, sink);
            else
                PairSteps<V>::leaf_against(world, a, begin, first, end, list, later, sink);
        });
    }
    // Up to `group_size` agents of some leaves share lists, if at most `group_list` agents behind them in the
    // tree are near.
    static constexpr std::uint32_t group_size = 32, group_list = 64;

    // The agents [first, last) of a tree in one piece, or of a grove. Those of a leaf, or of a few, share a
    // list of common agents, and one of the agents behind them in the tree. If that is too long, or would not
    // pay, each searches by itself.
    static void tree_pairs(const MeasuredView& world, const Node* nodes, const Arrays& a, std::uint32_t grove,
                           std::uint32_t first, std::uint32_t last, AroundLeaf<V>& around, Writer& out) {
        for (std::uint32_t n = 0; first < last && !out.sink.stopped;) {
            const Node& node = nodes[n];
            const bool is_before = node.end <= first, is_leaf = node.next == n + 1;
            if (is_before || (!is_leaf && node.end - node.begin > group_size)) {
                n = is_before ? node.next : n + 1;
                continue;
            }
            const std::uint32_t begin = first, end = node.end < last ? node.end : last;
            const Query box =
                world.growth().grown(Query{node.min_x, node.min_y, -node.negated_max_x, -node.negated_max_y});
            const bool later = around.gather_later(box, {grove, begin},
                                                   is_leaf ? AroundLeaf<V>::List::capacity : group_list);
            if (!later && !is_leaf) {
                ++n;
                continue;
            }
            const bool common = around.gather_common(box, a, begin, end, world.further);
            const auto against = [&](std::uint32_t to, const Row& list, const Row& later_ones) {
                leaf_against(world, a, begin, first, to, list, later_ones, out);
            };
            if (common && later) {
                against(end, around.common(), around.later());
                first = end;
            }
            for (const Row none{}; first < end && !out.sink.stopped; ++first) {
                if (common)
                    against(first + 1, around.common(), none);
                else
                    search(world, a, first, out, [&](const Partners& all) { search_common(world, all); });
                if (later)
                    against(first + 1, none, around.later());
                else
                    search(world, a, first, out, [&](const Partners& all) {
                        (void)all.search_tree(world, {grove, first + 1});
                    });
            }
            n = node.next;
        }
    }

    // --- Pairs of two worlds ---

    // The agents of another world are queries to this one. They run row by row and cell by cell, so
    // neighbours read the same few cells; a covered run needs no test (grid_rows.hpp).
    THRONG_KERNEL static void cross_pairs(const View& view, const WantedPairs& wanted, const Probing& probing,
                                          PairSink& sink) {
        if (!wanted.only_overlap() || wanted.has_filter()) return cross_pairs_by(view, wanted, probing, sink);
        const Locator locator(view);
        const typename Vectors<V>::Arrays a(probing.row);
        const std::uint32_t end = probing.end;
        const bool comes_first = probing.comes_first;
        Writer out(sink);
        for (std::uint32_t i = probing.begin; i < end && !sink.stopped; ++i) {
            const Query q{a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i]};
            PairTaker<V> taker{out, a.id[i], comes_first};
            Search<V, BoxShape<V>, typename Admission<V>::Everyone, PairTaker<V>>::search(
                view, locator.reach(q), q, {}, taker);
        }
    }
    // By a distance or a filter.
    THRONG_NOINLINE THRONG_KERNEL static void cross_pairs_by(const View& view, const WantedPairs& wanted,
                                                             const Probing& probing, PairSink& sink) {
        const MeasuredView world(view, wanted, FoundBy::boxes_and_heights);
        const Arrays a(probing.row);
        Writer out(sink);
        for (std::uint32_t i = probing.begin; i < probing.end && !sink.stopped; ++i)
            search(world, a, i, partners_in(world, probing, a, i), {out, a.id[i], probing.comes_first},
                   [&](const Partners& all) { search_all(view, all); });
    }
    static Filter partners_in(const MeasuredView& world, const Probing& probing, const Arrays& a,
                              std::uint32_t i) {
        const WantedPairs& wanted = world.wanted;
        if (!wanted.has_filter()) return {};
        const LabelFilter filter = probing.has_labels
                                       ? partners_of(wanted, a, i)
                                       : LabelFilter{wanted.partners_of(default_category), no_id, no_id};
        if (world.stretches != nullptr) return AnyAdmission::of(filter);
        Filter all;  // have the default label
        if (!is_wanted(default_category, filter.categories)) all.categories = 0;
        return all;
    }
};

}  // namespace throng::simd
