// Small queries are compared many at a time, before the answers of any are written.
#pragma once

#include "simd/kernels/search/admission.hpp"
#include "simd/kernels/search/islands.hpp"
#include "simd/kernels/search/near_rows.hpp"
#include "simd/kernels/search/shared/shared_tree.hpp"

namespace throng::simd {

template <class V>
struct NearQueries : Admission<V> {
    using Base = Admission<V>;
    using typename Base::QueriesAt;
    using RowAhead = typename NearRows<V>::RowAhead;

    // The place where queries begin: the world, or the innermost island around the lower corners of a packet.
    struct World {
        static constexpr std::uint32_t in_reach = NearRows<V>::slots;  // of most queries, at most
        const View& view;
        static constexpr bool has_all_near(const Query&) { return true; }
        // The view with all that a query may find in its reach; null if there is none.
        const View* view_at(std::size_t, const typename Base::Reach&) const { return &view; }
    };
    struct OnIsland {
        static constexpr std::uint32_t in_reach = NearRows<V>::slots_on_islands;
        const View& view;
        const Islands* islands;
        // Whether a query finds no common agent anywhere else.
        bool has_all_near(const Query& q) const {
            const Island* only = IslandSearch<V>::only_island(islands, q);
            return only != nullptr && &only->view == &view;
        }
        const View* view_at(std::size_t, const typename Base::Reach&) const { return &view; }
    };

    using NearFound = typename NearRows<V>::Found;
    // Writes the ids of a query's answers from `sink.at + header` on. Returns false and writes none if they
    // may be many.
    template <class Tree>
    static bool write_near(const NearFound& found, const Query& q, const Tree& tree, std::ptrdiff_t header,
                           const IdSink& sink, std::uint32_t*& end) {
        if (found.low == nullptr || sink.limit - sink.at < header + NearRows<V>::room + Tree::room ||
            !tree.is_complete()) [[unlikely]]
            return false;
        end = tree.find(q, NearRows<V>::write(found, sink.at + header));
        return true;
    }
    // The box around the queries [begin, end).
    static Query around(const QueriesAt& query, std::size_t begin, std::size_t end) {
        Query all = query(begin);
        for (std::size_t i = begin + 1; i < end; ++i) all = Base::united(all, query(i));
        return all;
    }
    // Calls body(i, query, tree, found) for each query, `tree` with what it may find among the oversized
    // agents, after leave_out(i, view, reach, found) has taken out what is not admitted. First Tree::queries
    // are compared, then their answers are written. If cells, agents and ids of one query were looked up one
    // after the other, the instructions between would leave the reads of only a few queries under way at a
    // time.
    template <class Tree, class Home, class LeaveOut, class Body>
    static void each_near(const View& view, const Home& home, const RowAhead& ahead, std::size_t count,
                          const QueriesAt& query, const LeaveOut& leave_out, const Body& body) {
        Tree tree(view);
        NearFound found[Tree::queries];
        for (std::size_t begin = 0; begin < count; begin += Tree::queries) {
            const std::size_t end = count - begin < Tree::queries ? count : begin + Tree::queries;
            const Query all = around(query, begin, end);  // mostly on one island, and so is each query then
            if constexpr (Tree::may_have_any)
                tree.gather(all, end - begin,
                            [&](std::size_t i) -> const Query& { return query(begin + i); });
            const bool have_all_near = home.has_all_near(all);
            const typename Base::Reaches reaches(home.view.locate, query, begin, end - begin);
            for (std::size_t i = begin; i < end; ++i) {
                ahead.fetch(i);
                const Query& q = query(i);
                const View* const at = home.view_at(i, reaches[i - begin]);
                found[i - begin] =
                    at != nullptr && (have_all_near || home.has_all_near(q))
                        ? NearRows<V>::template compare<Home::in_reach>(*at, reaches[i - begin], q)
                        : NearFound{};
                leave_out(i, at, reaches[i - begin], found[i - begin]);
            }
            for (std::size_t i = begin; i < end; ++i)
                if (!body(i, query(i), tree, found[i - begin])) return;
        }
    }
};

}  // namespace throng::simd
