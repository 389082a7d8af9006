// Queries that are about as large as agents reach one row or two, and a handful of agents in each:
//
//     row r + 1    . . [ a a a a a a ] . . . .       sixteen slots from the first cell in reach on, compared
//     row r        . . [ a a a ] . . . . . . .       without asking how many of them are in reach
//
// Behind the last cell in reach a vector finds nothing (simd/types.hpp). So no step depends on how many there
// are, and the processor goes on to the next query meanwhile. All other queries take the general search.
#pragma once

#include "simd/kernels/search/admission.hpp"
#include "simd/kernels/search/islands.hpp"
#include "simd/kernels/search/shared_walk.hpp"
#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct NearRows : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Reach;
    using typename Base::Wide;
    using Probe = typename Base::template Probe<Wide>;

    // With four lanes a row would take four vectors, and most queries need fewer.
    static constexpr bool pays = Wide::size >= 8;
    // `slots` slots of a row are compared without asking how many are in reach. If more than `max_slots` are,
    // the query takes the general search.
    static constexpr std::uint32_t slots = 16, max_slots = 64;
    // Rows on islands are higher.
    static constexpr std::uint32_t slots_on_islands = 32;
    // How many ids may be written for a query.
    static constexpr std::ptrdiff_t room = 2 * max_slots + gap;

    // Whether a region has no islands, and three quarters of a sample of the queries find there all that they
    // overlap, and reach at most `in_reach` slots of a row.
    template <class Home>
    static bool suits(const Home& home, std::size_t count, const typename Base::QueriesAt& query,
                      std::size_t samples = 16) {
        if (!pays || home.view.islands != nullptr) return false;
        const typename Base::Locator locator(home.view);
        const std::size_t step = count / samples + 1;
        std::size_t asked = 0, near = 0;
        for (std::size_t i = step / 2; i < count; i += step, ++asked) {
            const Reach reach = locator.reach(query(i));
            const View* const at = home.view_at(i, reach);
            near += at != nullptr && is_near(*at, reach, Home::in_reach) && home.has_all_near(query(i));
        }
        return 4 * near >= 3 * asked;
    }

    // Fetches the row above the one in which the queries of a packet begin, a line for each query: those that
    // reach it come last (packets.hpp). Its cells were fetched while they were sorted.
    class RowAhead {
    public:
        RowAhead() = default;  // for none
        RowAhead(const View& view, const Query& first) {
            const std::uint32_t home = Base::row(view.grid, first.min_y);
            if (home + 1 == view.grid.rows) return;
            const Row& row = view.rows[home + 1];
            data_ = reinterpret_cast<const char*>(row.data);
            data_lines_ = row.stride * (5 * sizeof(float)) / line;
        }
        void fetch(std::size_t i) const {
            if (i < data_lines_) THRONG_PREFETCH(data_ + i * line, 0, 2);
        }

    private:
        static constexpr std::size_t line = 64;
        const char* data_ = nullptr;
        std::size_t data_lines_ = 0;
    };

    // What a query overlaps in two rows: bits for the agents there, from the first in reach on, and the start
    // of their ids. `low` is null if the query reaches too much, and `high` if there is only one row.
    struct Found {
        const std::uint32_t *low, *high;
        std::uint64_t in_low, in_high;
    };
    template <std::uint32_t in_reach>
    static Found compare(const View& view, const Reach& reach, const Query& q) {
        const Row& low = view.rows[reach.first_row];
        const Row& high = view.rows[reach.last_row];
        if (reach.last_row - reach.first_row > 1 || low.count == 0 || high.count == 0) [[unlikely]]
            return {};
        const std::uint32_t low_begin = low.cells[reach.first_column],
                            low_count = low.cells[reach.last_column + 1] - low_begin,
                            high_begin = high.cells[reach.first_column],
                            high_count = high.cells[reach.last_column + 1] - high_begin;
        if (low_count > in_reach || high_count > in_reach) [[unlikely]] {
            if constexpr (in_reach < max_slots)
                return compare_more(view, reach, q);
            else
                return {};
        }
        const auto found = [probe = Probe(q)](const Arrays& a, std::uint32_t first, std::uint32_t count) {
            std::uint64_t in_run = probe.template overlap_of<slots>(a, first);
            if constexpr (in_reach > slots)
                for (std::uint32_t k = slots; k < count; k += Wide::size)
                    in_run |= std::uint64_t{probe.overlap(a, first + k)} << k;
            return in_run;
        };
        const Arrays a(low);
        const std::uint64_t in_low = found(a, low_begin, low_count);
        if (reach.first_row == reach.last_row) return {a.id + low_begin, nullptr, in_low, 0};
        const Arrays b(high);
        return {a.id + low_begin, b.id + high_begin, in_low, found(b, high_begin, high_count)};
    }
    // Takes out of a query's answers the agents that a filter by id and height does not admit.
    static void leave_out(const View& view, const Reach& reach, const LabelFilter& filter, Found& found) {
        if (found.in_low != 0)
            found.in_low &= admitted(view.rows[reach.first_row], reach, filter, found.in_low);
        if (found.in_high != 0)
            found.in_high &= admitted(view.rows[reach.last_row], reach, filter, found.in_high);
    }
    // Writes the ids, and returns the place for the next.
    static std::uint32_t* write(const Found& found, std::uint32_t* to) {
        to = write(found.low, found.in_low, to);
        return found.high == nullptr ? to : write(found.high, found.in_high, to);
    }

private:
    // Which of the compared slots of a row are admitted; slots before the last answer count.
    static std::uint64_t admitted(const Row& row, const Reach& reach, const LabelFilter& filter,
                                  std::uint64_t found) {
        using Admitting = Admission<V>;
        const typename Admitting::LabelArrays a(row);
        const typename Admitting::NotSelf not_self(filter);
        const std::uint32_t first = row.cells[reach.first_column];
        std::uint64_t in_run = 0;
        for (std::uint32_t k = 0; k < max_slots && found >> k != 0; k += Wide::size) {
            std::uint32_t here = ~0u >> (32 - Wide::size);
            if (filter.by_height)
                here = Admitting::template sharing_a_height<Wide>({filter.min_z, filter.max_z}, a, first + k);
            if (filter.self != no_id) here &= not_self.overlap(a, first + k);
            in_run |= std::uint64_t{here} << k;
        }
        return in_run;
    }
    static bool is_near(const View& view, const Reach& reach, std::uint32_t in_reach) {
        for (const std::uint32_t r : {reach.first_row, reach.last_row}) {
            const Row& row = view.rows[r];
            if (row.count == 0 || row.cells[reach.last_column + 1] - row.cells[reach.first_column] > in_reach)
                return false;
        }
        return reach.last_row - reach.first_row <= 1;
    }
    // Apart, so that it takes no registers from queries that reach less.
    THRONG_KERNEL THRONG_NOINLINE static Found compare_more(const View& view, const Reach& reach,
                                                            const Query& q) {
        return compare<max_slots>(view, reach, q);
    }
    static std::uint32_t* write(const std::uint32_t* ids, std::uint64_t found, std::uint32_t* to) {
        const auto write_vector = [&] {
            const auto here = static_cast<std::uint32_t>(found & ((std::uint64_t{1} << Wide::size) - 1));
            V::left_pack(to, ids, here);
            to += V::count_bits(here);
            ids += Wide::size;
            found >>= Wide::size;
        };
        for (std::uint32_t k = 0; k < slots; k += Wide::size) write_vector();
        while (found != 0) [[unlikely]] write_vector();
        return to;
    }
};

// They are compared many at a time, before the answers of any are written.
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
    // Calls body(i, query, tree, found) for the queries [first, last) until it returns false, `tree` with
    // what it may find among the oversized agents, after leave_out(i, view, reach, found) has taken out what
    // is not admitted. First Tree::queries are compared, then their answers are written. If cells, agents and
    // ids of one query were looked up one after the other, the instructions between would leave the reads of
    // only a few queries under way at a time.
    template <class Tree, class Home, class LeaveOut, class Body>
    static bool each_near(const View& view, const Home& home, const RowAhead& ahead, std::size_t first,
                          std::size_t last, const QueriesAt& query, const LeaveOut& leave_out,
                          const Body& body) {
        Tree tree(view);
        NearFound found[Tree::queries];
        for (std::size_t begin = first; begin < last; begin += Tree::queries) {
            const std::size_t end = last - begin < Tree::queries ? last : begin + Tree::queries;
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
                if (!body(i, query(i), tree, found[i - begin])) return false;
        }
        return true;
    }
};

}  // namespace throng::simd
