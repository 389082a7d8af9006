// The kernels that answer queries of any shape, one by one.
#pragma once

#include "simd/kernels/search/queries.hpp"
#include "simd/kernels/shapes/any_shape.hpp"

namespace throng::simd {

template <class V>
struct ShapeQueries : Admission<V> {
    using Base = Admission<V>;
    using typename Base::Arrays;
    using typename Base::Locator;
    using typename Base::Wide;

    // Collects ids, and also the boxes if the sink wants them. That is decided for each vector, so that the search is
    // compiled once for both.
    struct Collect {
        typename Takers<V>::Collect ids;

        explicit Collect(IdSink& sink) : ids(sink) {}

        template <bool cut, class P, class A>
        bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
            if (ids.sink.boxes == nullptr) return ids.template test<cut>(probe, a, begin, end);
            for (std::uint32_t j = begin; j < end; j += Wide::size)
                add(a, j, Takers<V>::template found_in<cut>(probe, a, j, end));
            return !ids.sink.stopped;
        }
        template <class A>
        bool take(const A& a, std::uint32_t begin, std::uint32_t end, const std::uint32_t* ahead) {
            if (ids.sink.boxes == nullptr) return ids.take(a, begin, end, ahead);
            for (; begin < end && !ids.sink.stopped; ++begin) add(a, begin, 1);
            return !ids.sink.stopped;
        }

    private:
        // The agents from `j` on whose bits are set.
        THRONG_KERNEL THRONG_NOINLINE void add(const Arrays& a, std::size_t j, std::uint32_t found) {
            for (; found != 0; found &= found - 1) {
                if (ids.at > ids.sink.limit) [[unlikely]]
                    ids.at = ids.make_room(ids.at);
                const std::size_t i = j + Base::lowest(found);
                float* box = ids.sink.boxes + 4 * (ids.at - ids.sink.begin);
                box[0] = a.min_x[i], box[1] = a.min_y[i], box[2] = a.max_x[i], box[3] = a.max_y[i];
                *ids.at++ = a.id[i];
            }
        }
    };

    // Counts, or stops at the first.
    struct Tally {
        typename Takers<V>::Count count{};
        bool any_will_do;

        template <bool cut, class P, class A>
        bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
            count.template test<cut>(probe, a, begin, end);
            return !any_will_do || count.found == 0;
        }
        template <class A>
        bool take(const A& a, std::uint32_t begin, std::uint32_t end, const std::uint32_t* ahead) {
            count.take(a, begin, end, ahead);
            return !any_will_do || count.found == 0;
        }
    };

    template <class Admit, class Taker>
    THRONG_KERNEL THRONG_NOINLINE static void search(const View& view, const ShapeQuery& q,
                                                     const typename Admit::Filter& filter, Taker& taker) {
        const auto reach = Locator(view).reach(q.circle.bounds);
        Search<V, AnyShape<V>, Admit, Taker>::search(view, reach, q, filter, taker);
    }

    // The number of a query. In an order of their own, shapes lie anywhere, so those that come soon are fetched.
    static std::uint32_t number(const ShapeBatch& batch, std::size_t i) {
        constexpr std::size_t ahead = 8;
        if (batch.order == nullptr) return static_cast<std::uint32_t>(i);
        if (i + ahead < batch.count) THRONG_PREFETCH(&batch.shapes[batch.order[i + ahead].id]);
        return batch.order[i].id;
    }

    // Calls body(i, near) for each shape of a batch, until it returns false; see SharedWalk. Without one `near` is null.
    template <class Admit, class Body>
    static void each(const View& view, const ShapeBatch& batch, const Body& body) {
        const auto bounds = [&](std::size_t i) -> const Query& {
            return batch.shapes[number(batch, i)].circle.bounds;
        };
        if (!Admit::has_stretches && SharedWalk<V>::may_pay(view, batch.count))
            return SharedWalk<V>::template each<Told::places>(
                view, batch.count, bounds, [&](std::size_t i, const Near& near) { return body(i, &near); });
        for (std::size_t i = 0; i < batch.count; ++i)
            if (!body(i, nullptr)) return;
    }
    template <class Admit, class Taker>
    static void search_near(const View& view, const Near* near, const ShapeQuery& q,
                            const typename Admit::Filter& filter, Taker& taker) {
        using Shapes = Search<V, AnyShape<V>, Admit, Taker>;
        if constexpr (!Admit::has_stretches)
            if (near != nullptr) return Shapes::search_near(view, *near, q, filter, taker);
        search<Admit>(view, q, filter, taker);
    }

    template <class Admit>
    struct Find {
        static void run(const View& view, const LabelFilters& filters, const ShapeBatch& batch,
                        IdSink* streams, std::uint32_t shift, std::uint64_t* ends) {
            if (ends != nullptr)
                find_all(view, filters, batch, typename Answers<V>::InOneSink{streams[0], ends});
            else
                find_all(view, filters, batch, typename Answers<V>::InStreams{streams, shift});
        }
        template <class To>
        static void find_all(const View& view, const LabelFilters& filters, const ShapeBatch& batch,
                             const To& to) {
            each<Admit>(view, batch, [&](std::size_t i, const Near* near) {
                const std::uint32_t n = number(batch, i);
                return to.template collect<Collect>(i, n, [&](Collect& taker) {
                    search_near<Admit>(view, near, batch.shapes[n], Admit::filter(filters, n), taker);
                });
            });
        }
    };
    template <class Admit>
    struct Answer {
        template <class Result>
        static void run(const View& view, const LabelFilters& filters, const ShapeBatch& batch,
                        Result* answers) {
            each<Admit>(view, batch, [&](std::size_t i, const Near* near) {
                const std::uint32_t n = number(batch, i);
                Tally taker{.any_will_do = sizeof(Result) == 1};
                search_near<Admit>(view, near, batch.shapes[n], Admit::filter(filters, n), taker);
                answers[n] =
                    static_cast<Result>(sizeof(Result) == 1 ? taker.count.found != 0 : taker.count.found);
                return true;
            });
        }
    };
};

}  // namespace throng::simd
