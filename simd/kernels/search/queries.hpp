// The kernels that answer queries: one at a time, batches in the caller's order, and packets, each with all
// takers. A batch picks the code for its filters once.
#pragma once

#include "simd/kernels/search/near_queries.hpp"
#include "simd/kernels/search/packets.hpp"
#include "simd/kernels/search/search.hpp"
#include "simd/kernels/search/shared_walk.hpp"
#include "simd/kernels/search/takers.hpp"
#include "simd/kernels/search/tree_search.hpp"
#include "simd/kernels/shapes/box_shape.hpp"
#include "simd/kernels/unordered/unordered.hpp"

namespace throng::simd {

// Queries with filters, in the caller's order, in a frame with labels. The table of stretches alone answers
// most of them; in an incoherent order the others wait for memory. So queries are prefiltered in groups:
// first, branch-free, which of them may find an agent; then their data are prefetched together; then they
// run.
template <class V>
class Screen : Admission<V> {
public:
    using Base = Admission<V>;
    using typename Base::LabelArrays;
    using typename Base::Locator;
    using typename Base::Reach;

    // Calls search(i, reach) for the queries that may find an agent, in order, until it returns false, and
    // before each none(begin, i) for the skipped ones before it.
    template <class None, class Search>
    static void each(const View& view, const Query* queries, const LabelFilters& filters, std::size_t count,
                     const None& none, const Search& search) {
        const Locator locator(view);
        Screen screen;
        for (std::size_t first = 0; first < count; first += group_size) {
            const std::size_t end = count - first < group_size ? count : first + group_size;
            const LabelFilters here = filters.from(first);
            screen.prefilter(view, locator, queries + first, here, end - first);
            screen.fetch(view, here);
            std::size_t done = first;
            for (std::size_t k = 0; k < screen.count_; ++k) {
                const std::size_t i = first + screen.candidates_[k];
                none(done, i);
                if (!search(i, screen.reach_[k])) return;
                done = i + 1;
            }
            none(done, end);
        }
    }

private:
    static constexpr std::size_t group_size = 1024;

    Screen() {}

    void prefilter(const View& view, const Locator& locator, const Query* queries,
                   const LabelFilters& filters, std::size_t count) {
        count_ = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Reach here = locator.reach(queries[i]);
            reach_[count_] = here;
            candidates_[count_] = static_cast<std::uint32_t>(i);
            const bool may = !view.is_all || Base::may_be_near(view, here, filters.categories(i));
            count_ += std::size_t{may};
        }
    }
    // Calls use(row, column) for the first cell that each candidate reads: a cheap guess at a cell with an
    // admitted agent.
    template <class Use>
    void each_cell(const View& view, const LabelFilters& filters, const Use& use) const {
        for (std::size_t k = 0; k < count_; ++k) {
            const Reach& r = reach_[k];
            const bool above =
                (Base::stretches_of(view, r.first_row, r) & filters.categories(candidates_[k])) != 0;
            const Row& row = view.rows[above ? r.first_row : r.last_row];
            if (row.count != 0) use(row, r.first_column);
        }
    }
    void fetch(const View& view, const LabelFilters& filters) const {
        each_cell(view, filters, [](const Row& row, std::uint32_t c) { THRONG_PREFETCH(row.cells + c); });
        each_cell(view, filters, [](const Row& row, std::uint32_t c) {
            const std::uint32_t* categories = LabelArrays(row).categories + row.cells[c];
            THRONG_PREFETCH(categories);
            THRONG_PREFETCH(categories + gap / 2);
        });
    }

    // The queries of a group that may find an agent, with their reach.
    Reach reach_[group_size + 1];
    std::uint32_t candidates_[group_size + 1];
    std::size_t count_ = 0;
};

template <class V>
struct Queries : NearQueries<V> {
    using Base = NearQueries<V>;
    using Any = typename Takers<V>::Any;
    using Collect = typename Takers<V>::Collect;
    using Count = typename Takers<V>::Count;
    using Tally = typename Takers<V>::Tally;
    using Base::write_near;
    using typename Base::AnyAdmission;
    using typename Base::Everyone;
    using typename Base::Locator;
    using typename Base::NearFound;
    using typename Base::OnIsland;
    using typename Base::QueriesAt;
    using typename Base::Reach;
    using typename Base::RowAhead;
    using typename Base::World;

    template <class Admit, class Taker>
    static void search(const View& view, const Reach& reach, const Query& q,
                       const typename Admit::Filter& filter, Taker& taker) {
        Search<V, BoxShape<V>, Admit, Taker>::search(view, reach, q, filter, taker);
    }

    // --- One query, without a filter ---

    THRONG_KERNEL static void find(const View& view, const Query& q, IdSink& sink) {
        Collect taker(sink);
        search<Everyone>(view, Locator(view).reach(q), q, {}, taker);
    }
    THRONG_KERNEL static std::uint64_t count(const View& view, const Query& q) {
        Count taker;
        search<Everyone>(view, Locator(view).reach(q), q, {}, taker);
        return taker.found;
    }
    THRONG_KERNEL static bool any(const View& view, const Query& q) {
        Any taker;
        search<Everyone>(view, Locator(view).reach(q), q, {}, taker);
        return taker.found;
    }

    // --- Batches ---

    // Calls Kernel<Everyone>::run for a batch without filters, and Kernel<AnyAdmission>::run for one with
    // filters.
    template <template <class> class Kernel, class... Rest>
    static void choose(const View& view, const LabelFilters& filters, Rest... rest) {
        if (filters.are_unfiltered())
            Kernel<Everyone>::run(view, filters, rest...);
        else
            Kernel<AnyAdmission>::run(view, filters, rest...);
    }
    // Whether one walk for all queries of a batch may pay. It does not if stretches are skipped.
    static bool may_share(const View& view, const LabelFilters& filters, std::size_t count) {
        return (filters.are_unfiltered() || view.stretches == nullptr) && SharedWalk<V>::may_pay(view, count);
    }

    // A batch in the caller's order, or a packet of one, whose records have the numbers of their queries as
    // ids.
    template <class Item>
    struct Batch {
        static constexpr bool is_packet = std::is_same_v<Item, Record>;
        const Item* items;
        std::size_t count;

        QueriesAt spots() const { return QueriesAt(items); }
        const Query& operator()(std::size_t i) const {
            return *reinterpret_cast<const Query*>(&items[i].min_x);
        }
        std::size_t number(std::size_t i) const {
            if constexpr (is_packet)
                return items[i].id;
            else
                return i;
        }
    };

    // Calls search(i, reach) for each query in order, until it returns false, but none(begin, end) for
    // queries that find nothing by the table of stretches.
    template <class Admit, class Item, class None, class Search>
    static void each(const View& view, const LabelFilters& filters, const Batch<Item>& batch,
                     const None& none, const Search& search) {
        if constexpr (Admit::may_have_stretches && !Batch<Item>::is_packet)
            if (view.stretches != nullptr)
                return Screen<V>::each(view, batch.items, filters, batch.count, none, search);
        const Locator locator(view);
        for (std::size_t i = 0; i < batch.count; ++i)
            if (!search(i, locator.reach(batch(i)))) return;
    }

    // A query that reaches too much for NearRows, among others that do not.
    template <class Tree>
    THRONG_KERNEL THRONG_NOINLINE static void find_far(const View& view, const Query& q, const Tree& tree,
                                                       std::size_t i, IdSink& sink) {
        const NearAgents oversized = tree.oversized(i % Tree::queries);
        if (oversized.begin == nullptr) return find(view, q, sink);
        Collect taker(sink);
        const Near near{nullptr, IslandSearch<V>::only_island(view.islands, q), oversized};
        Search<V, BoxShape<V>, Everyone, Collect>::search_near(view, near, q, {}, taker);
    }
    // A batch of either kind, for searches that are compiled once for both.
    struct AnyBatch {
        QueriesAt query;
        const Record* records;  // null if the batch is in the caller's order
        std::size_t count;

        explicit AnyBatch(const Batch<Query>& batch)
            : query(batch.items), records(nullptr), count(batch.count) {}
        explicit AnyBatch(const Batch<Record>& batch)
            : query(batch.items), records(batch.items), count(batch.count) {}
        QueriesAt spots() const { return query; }
        const Query& operator()(std::size_t i) const { return query(i); }
        std::size_t number(std::size_t i) const { return records != nullptr ? records[i].id : i; }
    };
    // The queries [first, last) of a batch; returns false once the sink has stopped.
    template <class Tree, class Home, class Batched, class To>
    static bool find_near_from(const View& view, const Home& home, const RowAhead& ahead,
                               const Batched& batch, const To& to, std::size_t first, std::size_t last) {
        return find_near_from<Tree>(
            view, home, ahead, batch, to, first, last,
            [](std::size_t, const View*, const Reach&, NearFound&) {},
            [&](const Query& q, const Tree& tree, std::size_t i, IdSink& sink) {
                find_far(view, q, tree, i, sink);
            });
    }
    template <class Tree, class Home, class Batched, class To, class LeaveOut, class Far>
    static bool find_near_from(const View& view, const Home& home, const RowAhead& ahead,
                               const Batched& batch, const To& to, std::size_t first, std::size_t last,
                               const LeaveOut& leave_out, const Far& find_far) {
        return Base::template each_near<Tree>(
            view, home, ahead, first, last, batch.spots(), leave_out,
            [&](std::size_t i, const Query& q, const auto& tree, const NearFound& found) {
                const std::size_t number = batch.number(i);
                IdSink& sink = to.sink_of(number);
                std::ptrdiff_t begin = sink.at - sink.begin;
                std::uint32_t* end;
                if (write_near(found, q, tree, to.header(), sink, end)) [[likely]] {
                    sink.at = end;
                    to.fetch_behind(end);
                } else {
                    begin = to.begin(sink);
                    find_far(q, tree, i, sink);
                    if (sink.stopped) return false;
                }
                to.end(sink, begin, i, number);
                return true;
            });
    }
    // Functions of their own: the lists of one would be on the stack beside those of later searches, and with
    // the other searches these have more values than there are registers.
    template <class Home>
    THRONG_KERNEL THRONG_NOINLINE static void find_near_and_oversized(const View& view, Home home,
                                                                      RowAhead ahead, AnyBatch batch,
                                                                      Answers<V> to) {
        (void)find_near_from<SharedTree<V>>(view, home, ahead, batch, to, 0, batch.count);
    }
    THRONG_KERNEL THRONG_NOINLINE static bool find_on_island(const View& view, AnyBatch batch,
                                                             Answers<V> to) {
        const OnIsland home{IslandSearch<V>::region_at(view, batch(0).min_x, batch(0).min_y), view.islands};
        if (home.view.storeys != nullptr) return false;
        // Packets on an island are small.
        const std::size_t samples = batch.count < 256 ? batch.count / 16 + 1 : 16;
        if (!NearRows<V>::suits(home, batch.count, batch.spots(), samples)) return false;
        const RowAhead ahead(home.view, batch(0));
        if (view.node_count == 0)
            (void)find_near_from<NoTree>(view, home, ahead, batch, to, 0, batch.count);
        else
            find_near_and_oversized(view, home, ahead, batch, to);
        return true;
    }
    // Returns false, and finds nothing, if most queries reach too much.
    template <class Item, class To>
    static bool find_near(const View& view, const Batch<Item>& batch, const To& to) {
        constexpr bool is_packet = Batch<Item>::is_packet;
        if (view.islands != nullptr) return is_packet && find_on_island(view, AnyBatch(batch), to);
        if (view.storeys != nullptr) return false;
        const World home{view};
        if (!NearRows<V>::suits(home, batch.count, batch.spots())) return false;
        const RowAhead ahead = is_packet ? RowAhead(view, batch(0)) : RowAhead();
        if (view.node_count == 0)
            (void)find_near_from<NoTree>(view, home, ahead, batch, to, 0, batch.count);
        else
            find_near_and_oversized(view, home, ahead, AnyBatch(batch), to);
        return true;
    }

    // --- The same by id and height ---

    static bool is_by_id_and_height(const LabelFilter& filter) {
        return filter.categories == all_of_them && filter.not_in_group == no_id;
    }
    THRONG_KERNEL THRONG_NOINLINE static void find_far_filtered(const View& view, const Query& q,
                                                                const typename AnyAdmission::Filter& filter,
                                                                IdSink& sink) {
        Collect taker(sink);
        search<AnyAdmission>(view, Locator(view).reach(q), q, filter, taker);
    }
    // The world, or the storey with everything that a query may find; null if there is none.
    struct OnStoreys {
        static constexpr std::uint32_t in_reach = World::in_reach;
        const View& view;
        const LabelFilters& filters;
        const AnyBatch& batch;
        mutable typename StoreySearch<V>::Only only{view};
        static constexpr bool has_all_near(const Query&) { return true; }
        const View* view_at(std::size_t i, const Reach& reach) const {
            if (view.storeys == nullptr) return &view;
            return only.in_reach(AnyAdmission::heights_of(filters[batch.number(i)]), reach);
        }
    };
    // The view with all that some queries may find, if they admit each agent there; else null. Mostly queries
    // that follow each other are on one storey. The filters of as many behind them are fetched.
    static const View* home_without_filter(const View& view, const LabelFilters& filters,
                                           const AnyBatch& batch, std::size_t begin, std::size_t end) {
        if (filters.bands == nullptr || filters.itself != 0) return nullptr;
        LabelFilters::Several several;
        for (std::size_t i = begin; i < end; ++i) {
            if (const std::size_t next = i + end - begin; next < batch.count)
                filters.fetch(batch.number(next));
            filters.add_to(several, batch.number(i));
        }
        if (!several.are_only_by_height()) return nullptr;
        const Reach reach = Locator(view).reach(Base::around(batch.spots(), begin, end));
        const View* home = &view;
        if (view.storeys != nullptr)
            home = StoreySearch<V>::has_none_between(*view.storeys, reach)
                       ? StoreySearch<V>::only_one(*view.storeys, {several.lowest, several.highest})
                       : nullptr;
        if (home == nullptr) return nullptr;
        constexpr std::uint32_t few_rows = 8;
        const auto admit_all = [&](const SharedHeights& shared) {
            return shared.admit_all(several.heights.from, several.heights.to);
        };
        const bool all = admit_all(home->shared_heights) ||
                         (reach.last_row - reach.first_row < few_rows &&
                          admit_all(shared_heights_of(*home, reach.first_row, reach.last_row)));
        return all ? home : nullptr;
    }
    // What reaches far is looked for in the whole view, with its filter.
    template <class Far>
    THRONG_KERNEL THRONG_NOINLINE static bool find_near_unfiltered(const View& home, const RowAhead& ahead,
                                                                   const AnyBatch& batch,
                                                                   const Answers<V>& to, std::size_t begin,
                                                                   std::size_t end, const Far& find_far) {
        return find_near_from<NoTree>(
            home, World{home}, ahead, batch, to, begin, end,
            [](std::size_t, const View*, const Reach&, NearFound&) {}, find_far);
    }
    // Returns false, and finds nothing, if most queries reach too much, or are filtered by labels.
    THRONG_KERNEL THRONG_NOINLINE static bool find_near_filtered(const View& view,
                                                                 const LabelFilters& filters,
                                                                 const AnyBatch& batch,
                                                                 const Answers<V>& to) {
        if (view.islands != nullptr || view.node_count != 0) return false;
        std::size_t asked = 0, simple = 0;
        for (std::size_t i = 0; i < batch.count; i += batch.count / 16 + 1, ++asked)
            simple += is_by_id_and_height(filters[batch.number(i)]);
        if (4 * simple < 3 * asked) return false;
        const OnStoreys home{view, filters, batch};
        if (!NearRows<V>::suits(home, batch.count, batch.spots())) return false;
        const View* const first = home.view_at(0, Locator(view).reach(batch(0)));
        const bool is_packet = batch.records != nullptr;
        const RowAhead ahead = is_packet && first != nullptr ? RowAhead(*first, batch(0)) : RowAhead();
        const auto leave_out = [&](std::size_t i, const View* at, const Reach& reach, NearFound& found) {
            const LabelFilter filter = filters[batch.number(i)];
            if (!is_by_id_and_height(filter)) [[unlikely]]
                found = {};
            else if (at != nullptr)
                NearRows<V>::leave_out(*at, reach, filter, found);
        };
        const auto find_far = [&](const Query& q, const NoTree&, std::size_t i, IdSink& sink) {
            find_far_filtered(view, q, AnyAdmission::filter(view, filters, batch.number(i)), sink);
        };
        bool goes_on = true;
        for (std::size_t begin = 0; begin < batch.count && goes_on; begin += NoTree::queries) {
            const std::size_t left = batch.count - begin,
                              end = begin + (left < NoTree::queries ? left : NoTree::queries);
            const View* const unfiltered = home_without_filter(view, filters, batch, begin, end);
            goes_on =
                unfiltered != nullptr
                    ? find_near_unfiltered(*unfiltered, ahead, batch, to, begin, end, find_far)
                    : find_near_from<NoTree>(view, home, ahead, batch, to, begin, end, leave_out, find_far);
        }
        return true;
    }

    THRONG_KERNEL THRONG_NOINLINE static void find_shared(const View& view, const LabelFilters& filters,
                                                          const AnyBatch& batch, const Answers<V>& to) {
        SharedWalk<V>::each(view, batch.count, batch, [&](std::size_t i, const Near& near) {
            const std::size_t number = batch.number(i);
            return to.template collect<Collect>(i, number, [&](Collect& taker) {
                Search<V, BoxShape<V>, AnyAdmission, Collect>::search_near(
                    view, near, batch(i), AnyAdmission::filter(view, filters, number), taker);
            });
        });
    }
    // A filter has to see ids.
    template <Told told>
    THRONG_KERNEL THRONG_NOINLINE static void count_shared(const View& view, const LabelFilters& filters,
                                                           const AnyBatch& batch, std::uint32_t* counts) {
        SharedWalk<V>::template each<told>(view, batch.count, batch, [&](std::size_t i, const Near& near) {
            const std::size_t number = batch.number(i);
            Tally taker{0, false};
            Search<V, BoxShape<V>, AnyAdmission, Tally>::search_near(
                view, near, batch(i), AnyAdmission::filter(view, filters, number), taker);
            counts[number] = static_cast<std::uint32_t>(taker.found);
            return true;
        });
    }

    template <class Admit>
    struct Find {
        template <class Item, class To>
        static void find_all(const View& view, const LabelFilters& filters, const Batch<Item>& batch,
                             const To& to) {
            if constexpr (Admit::is_unfiltered && NearRows<V>::pays)
                if (find_near(view, batch, to)) return;
            if constexpr (!Admit::is_unfiltered && NearRows<V>::pays)
                if (find_near_filtered(view, filters, AnyBatch(batch), to)) return;
            if (may_share(view, filters, batch.count)) return find_shared(view, filters, AnyBatch(batch), to);
            const auto none = [&](std::size_t begin, std::size_t end) { to.skip(begin, end); };
            each<Admit>(view, filters, batch, none, [&](std::size_t i, const Reach& reach) {
                const std::size_t number = batch.number(i);
                return to.template collect<Collect>(i, number, [&](Collect& taker) {
                    search<Admit>(view, reach, batch(i), Admit::filter(view, filters, number), taker);
                });
            });
        }
        THRONG_KERNEL THRONG_NOINLINE static void run(const View& view, const LabelFilters& filters,
                                                      const Query* queries, std::size_t count, IdSink& sink,
                                                      std::uint64_t* ends) {
            const Answers<V, Headers::without> to{&sink, 0, ends};
            find_all(view, filters, Batch<Query>{queries, count}, to);
        }
        THRONG_KERNEL THRONG_NOINLINE static void run(const View& view, const LabelFilters& filters,
                                                      const Record* records, std::size_t count,
                                                      IdSink* streams, std::uint32_t shift,
                                                      std::uint64_t* ends) {
            const Batch<Record> batch{records, count};
            if (ends == nullptr)
                find_all(view, filters, batch, Answers<V, Headers::with>{streams, shift, ends});
            else
                find_all(view, filters, batch, Answers<V, Headers::without>{streams, shift, ends});
        }
    };

    // Answers of a fixed size go to the spots of their queries.
    template <class Admit, class Taker, class Answer>
    struct Fill {
        template <class Item>
        THRONG_KERNEL THRONG_NOINLINE static void run(const View& view, const LabelFilters& filters,
                                                      const Item* items, std::size_t count, Answer* answers) {
            const Batch<Item> batch{items, count};
            // The first agent is soon found. All of them are looked for together if that may pay.
            if constexpr (!std::is_same_v<Taker, Any>)
                if (may_share(view, filters, count)) {
                    constexpr Told told = Admit::is_unfiltered ? Told::count : Told::ids;
                    return count_shared<told>(view, filters, AnyBatch(batch), answers);
                }
            const auto none = [&](std::size_t begin, std::size_t end) {
                for (; begin < end; ++begin) answers[begin] = 0;
            };
            each<Admit>(view, filters, batch, none, [&](std::size_t i, const Reach& reach) {
                const std::size_t number = batch.number(i);
                Taker taker;
                search<Admit>(view, reach, batch(i), Admit::filter(view, filters, number), taker);
                answers[number] = static_cast<Answer>(taker.found);
                return true;
            });
        }
    };
    template <class Admit>
    using CountAll = Fill<Admit, Count, std::uint32_t>;
    template <class Admit>
    using AnyOfAll = Fill<Admit, Any, std::uint8_t>;

    // --- Some queries together, against boxes that were gathered for all of them ---

    THRONG_KERNEL static void find_together(const Row& row, const Query* queries, std::size_t count,
                                            std::uint32_t* ids, std::uint32_t* ends) {
        using Wide = typename Base::Wide;
        const typename Base::PlainArrays a(row);
        std::uint32_t* at = ids;
        for (std::size_t k = 0; k < count; ++k) {
            const typename Base::template Probe<Wide> probe(queries[k]);
            for (std::uint32_t j = 0; j < row.count; j += Wide::size) {
                const std::uint32_t found = probe.overlap(a, j);
                V::left_pack(at, a.id + j, found);
                at += V::count_bits(found);
            }
            ends[k] = static_cast<std::uint32_t>(at - ids);
        }
    }
};

template <class V>
constexpr QueryKernels queries_table() {
    return {
        .find = Queries<V>::find,
        .count = Queries<V>::count,
        .any = Queries<V>::any,
        .count_legal = Packets<V>::count_legal,
        .find_in_order = Queries<V>::template choose<Queries<V>::template Find>,
        .count_in_order = Queries<V>::template choose<Queries<V>::template CountAll>,
        .any_in_order = Queries<V>::template choose<Queries<V>::template AnyOfAll>,
        .count_query_rows = Packets<V>::count_query_rows,
        .scatter_queries = Packets<V>::scatter_queries,
        .sort_packet = Packets<V>::sort_packet,
        .find_packet = Queries<V>::template choose<Queries<V>::template Find>,
        .count_packet = Queries<V>::template choose<Queries<V>::template CountAll>,
        .any_packet = Queries<V>::template choose<Queries<V>::template AnyOfAll>,
        .tree_find = TreeSearches<V>::find,
        .tree_count = TreeSearches<V>::count,
        .tree_any = TreeSearches<V>::any,
        .find_together = Queries<V>::find_together,
        .count_legal_boxes = Unordered<V>::count_legal,
        .find_boxes = Unordered<V>::find,
        .count_boxes = Unordered<V>::count,
        .screen_boxes = Unordered<V>::screen,
        .match_boxes = Unordered<V>::match,
        .count_matches = Unordered<V>::count_matches,
    };
}

}  // namespace throng::simd
