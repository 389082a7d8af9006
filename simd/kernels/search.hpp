// Questions: who overlaps a box. The box is cut along the grid:
//
//               left     inner columns    right
//             +-------+------------------+-------+
//    border   |               tested             |      a row that the box's lower edge may cross
//             +-------+------------------+-------+
//    inner    | tested|      covered     | tested|      rows strictly between the edges' rows
//    inner    | tested|      covered     | tested|
//             +-------+------------------+-------+
//    border   |               tested             |
//             +-------+------------------+-------+
//
// A covered run needs no test (see simd/kernels.hpp): its ids are copied, or handed over where they lie, and counting
// them takes two numbers. Each kind of question is one `Taker`, which says what to do with a run of either sort.
#pragma once

#include <cstring>

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct Search : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Four;
    using typename Base::Wide;
    using Probe = typename Base::template Probe<Wide>;

    // Which part of the grid a question can have answers in.
    struct Reach {
        std::uint32_t first_row, inner_row, last_row;  // inner rows are those strictly between the last two
        std::uint32_t first_column, inner_column, last_column;

        Reach(const View& v, const Question& q)
            : first_row(Base::row(v.grid, q.min_y - v.reach_y)),
              inner_row(Base::row(v.grid, q.min_y)),
              last_row(Base::row(v.grid, q.max_y)),
              first_column(Base::column(v.grid, q.min_x - v.reach_x)),
              inner_column(Base::column(v.grid, q.min_x)),
              last_column(Base::column(v.grid, q.max_x)) {}
    };

    // --- What to do with runs ---
    //
    // `test` compares the agents [begin, end). A vector may go on past the end, and finds nothing there, except where a
    // covered run follows: then its lanes are `cut` off.

    template <bool cut>
    static std::uint32_t found_in(const Probe& probe, const Arrays& a, std::uint32_t j, std::uint32_t end) {
        const std::uint32_t found = probe.overlap(a, j);
        if constexpr (cut)
            if (end - j < Wide::size) return found & ((1u << (end - j)) - 1);
        return found;
    }

    struct Collect {
        IdSink& sink;
        std::uint32_t* at;

        explicit Collect(IdSink& s) : sink(s), at(s.at) {}
        ~Collect() { sink.at = at; }
        void make_room() {
            if (at <= sink.limit) [[likely]] return;
            sink.at = at;
            sink.full(sink);
            at = sink.at;
        }
        template <bool cut>
        bool test(const Probe& probe, const Arrays& a, std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t j = begin; j < end; j += Wide::size) {
                make_room();
                const std::uint32_t found = found_in<cut>(probe, a, j, end);
                V::left_pack(at, a.id + j, found);
                at += V::count_bits(found);
            }
            return !sink.stopped;
        }
        bool take(const Arrays& a, std::uint32_t begin, std::uint32_t end) {
            if (sink.run != nullptr && end - begin > gap) {
                sink.at = at;
                sink.full(sink);
                if (!sink.stopped) sink.run(sink, a.id + begin, end - begin);
                at = sink.at;
                return !sink.stopped;
            }
            while (begin < end) {
                make_room();
                const std::size_t room = static_cast<std::size_t>(sink.limit - at) + gap;
                const std::size_t some = end - begin < room ? end - begin : room;
                std::memcpy(at, a.id + begin, some * sizeof *at);
                at += some;
                begin += static_cast<std::uint32_t>(some);
            }
            return !sink.stopped;
        }
    };

    struct Count {
        std::uint64_t found = 0;
        template <bool cut>
        bool test(const Probe& probe, const Arrays& a, std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t j = begin; j < end; j += Wide::size)
                found += V::count_bits(found_in<cut>(probe, a, j, end));
            return true;
        }
        bool take(const Arrays&, std::uint32_t begin, std::uint32_t end) {
            found += end - begin;
            return true;
        }
    };

    struct Any {
        bool found = false;
        template <bool cut>
        bool test(const Probe& probe, const Arrays& a, std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t j = begin; j < end && !found; j += Wide::size)
                found = found_in<cut>(probe, a, j, end) != 0;
            return !found;
        }
        bool take(const Arrays&, std::uint32_t begin, std::uint32_t end) {
            found = found || begin < end;
            return !found;
        }
    };

    // --- The search ---

    template <class Taker>
    static void search(const View& view, const Question& q, Taker& taker) {
        const Reach reach(view, q);
        const Probe probe(q);
        const bool has_inner = reach.inner_row + 1 < reach.last_row && reach.inner_column + 1 < reach.last_column;
        for (std::uint32_t r = reach.first_row; r <= reach.last_row; ++r) {
            const Row& row = view.rows[r];
            if (row.count == 0) continue;
            const Arrays a(row);
            const std::uint32_t begin = row.cells[reach.first_column], end = row.cells[reach.last_column + 1];
            if (!has_inner || r <= reach.inner_row || r == reach.last_row) {
                if (!taker.template test<false>(probe, a, begin, end)) return;
                continue;
            }
            const std::uint32_t left = row.cells[reach.inner_column + 1], right = row.cells[reach.last_column];
            if (!taker.template test<true>(probe, a, begin, left)) return;
            if (!taker.take(a, left, right)) return;
            if (!taker.template test<false>(probe, a, right, end)) return;
        }
        if (view.oversized.count != 0)
            taker.template test<false>(probe, Arrays(view.oversized), 0, view.oversized.count);
    }

    THRONG_KERNEL static void find(const View& view, const Question& q, IdSink& sink) {
        Collect taker(sink);
        search(view, q, taker);
    }
    THRONG_KERNEL static std::uint64_t count(const View& view, const Question& q) {
        Count taker;
        search(view, q, taker);
        return taker.found;
    }
    THRONG_KERNEL static bool any(const View& view, const Question& q) {
        Any taker;
        search(view, q, taker);
        return taker.found;
    }

    // --- Packets ---

    // The cell of each question's lower left corner, coarsened; see simd/kernels.hpp.
    THRONG_KERNEL static std::size_t keys(const Grid& g, const Question* questions, std::size_t count,
                                          std::uint32_t group_bits, std::uint32_t shift, std::uint16_t* keys) {
        constexpr float largest = 3.402823466e+38f;
        const Four low(-largest), high(largest);
        std::size_t i = 0;
        for (; i + 4 <= count; i += 4) {
            Four a = Four::load_unaligned(&questions[i].min_x), b = Four::load_unaligned(&questions[i + 1].min_x);
            Four c = Four::load_unaligned(&questions[i + 2].min_x), d = Four::load_unaligned(&questions[i + 3].min_x);
            Base::transpose(a, b, c, d);
            const auto valid = ((low <= a) & (a <= c)) & ((c <= high) & (low <= b)) & ((b <= d) & (d <= high));
            if (V::bits(valid) != 15) [[unlikely]] break;
            float x[4], y[4];
            Base::clamped((a - Four(g.origin_x)) * Four(g.inverse_width), Four(g.last_column)).store_unaligned(x);
            Base::clamped((b - Four(g.origin_y)) * Four(g.inverse_height), Four(g.last_row)).store_unaligned(y);
            for (std::size_t k = 0; k < 4; ++k) keys[i + k] = key(x[k], y[k], group_bits, shift);
        }
        for (; i < count; ++i) {
            const Question& q = questions[i];
            if (!(-largest <= q.min_x && q.min_x <= q.max_x && q.max_x <= largest)) return i;
            if (!(-largest <= q.min_y && q.min_y <= q.max_y && q.max_y <= largest)) return i;
            keys[i] = key(Base::clamped((q.min_x - g.origin_x) * g.inverse_width, g.last_column),
                          Base::clamped((q.min_y - g.origin_y) * g.inverse_height, g.last_row), group_bits, shift);
        }
        return count;
    }
    static std::uint16_t key(float column, float row, std::uint32_t group_bits, std::uint32_t shift) {
        return static_cast<std::uint16_t>(
            (static_cast<std::uint32_t>(static_cast<std::int32_t>(row)) << group_bits) +
            (static_cast<std::uint32_t>(static_cast<std::int32_t>(column)) >> shift));
    }

    // Questions are asked in the order of their cells but lie in the caller's, so the next ones are fetched ahead.
    static void fetch(const Question* questions, const std::uint32_t* order, std::size_t i, std::size_t count) {
        constexpr std::size_t ahead = 12;
        if (i + ahead < count) __builtin_prefetch(questions + order[i + ahead]);
    }
    THRONG_KERNEL static void find_packet(const View& view, const Question* questions, const std::uint32_t* order,
                                          std::size_t count, IdSink& sink, std::uint64_t* ends) {
        for (std::size_t i = 0; i < count; ++i) {
            fetch(questions, order, i, count);
            {
                Collect taker(sink);
                search(view, questions[order[i]], taker);
            }
            ends[i] = static_cast<std::uint64_t>(sink.at - sink.begin);
        }
    }
    THRONG_KERNEL static void count_packet(const View& view, const Question* questions, const std::uint32_t* order,
                                           std::size_t count, std::uint32_t* answers) {
        for (std::size_t i = 0; i < count; ++i) {
            fetch(questions, order, i, count);
            Count taker;
            search(view, questions[order[i]], taker);
            answers[order[i]] = static_cast<std::uint32_t>(taker.found);
        }
    }
    THRONG_KERNEL static void any_packet(const View& view, const Question* questions, const std::uint32_t* order,
                                         std::size_t count, std::uint8_t* answers) {
        for (std::size_t i = 0; i < count; ++i) {
            fetch(questions, order, i, count);
            Any taker;
            search(view, questions[order[i]], taker);
            answers[order[i]] = taker.found ? 1 : 0;
        }
    }
};

}  // namespace throng::simd
