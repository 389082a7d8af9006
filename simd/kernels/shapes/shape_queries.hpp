// The kernels that answer queries of any shape, one by one.
#pragma once

#include "simd/kernels/search/search.hpp"
#include "simd/kernels/search/shared/shared_walk.hpp"
#include "simd/kernels/shapes/any_shape.hpp"

namespace throng::simd {

template <class V>
struct ShapeQueries : Admission<V> {
    using Base = Admission<V>;
    using typename Base::AnyAdmission;
    using typename Base::Arrays;
    using typename Base::Locator;
    using typename Base::Wide;
    using Tally = typename Takers<V>::Tally;

    // Collects ids, and also the boxes if the sink wants them. That is decided for each vector, so that the
    // search is compiled once for both.
    struct Collect {
        typename Takers<V>::Collect ids;

        explicit Collect(IdSink& sink) : ids(sink) {}

        template <bool cut, class P, class A>
        bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
            if (ids.sink.boxes == nullptr) return ids.template test<cut>(probe, a, begin, end);
            for (std::uint32_t j = begin; j < end && !ids.sink.stopped; j += Wide::size)
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

    template <class Taker>
    THRONG_KERNEL THRONG_NOINLINE static void search(const View& view, const ShapeQuery& q,
                                                     const typename AnyAdmission::Filter& filter,
                                                     Taker& taker) {
        const auto reach = Locator(view).reach(q.circle.bounds);
        Search<V, AnyShape<V>, AnyAdmission, Taker>::search(view, reach, q, filter, taker);
    }

    // The number of a query. In an order of their own, shapes lie anywhere, so the next ones are fetched.
    static std::uint32_t number(const ShapeBatch& batch, std::size_t i) {
        constexpr std::size_t ahead = 8;
        if (batch.order == nullptr) return static_cast<std::uint32_t>(i);
        if (i + ahead < batch.count) THRONG_PREFETCH(&batch.shapes[batch.order[i + ahead].id]);
        return batch.order[i].id;
    }

    // Searches for each shape of a batch, with what is known of its answer; see SharedWalk. answer(number,
    // search) calls search(taker), and returns whether to go on.
    template <class Taker, class Answer>
    static void each(const View& view, const LabelFilters& filters, const ShapeBatch& batch,
                     const Answer& answer) {
        const bool skips = !filters.are_unfiltered() && view.stretches != nullptr;
        if (!skips && SharedWalk<V>::may_pay(view, batch.count)) {
            const auto bounds = [&](std::size_t i) -> const Query& {
                return batch.shapes[number(batch, i)].circle.bounds;
            };
            return SharedWalk<V>::template each<Told::slots>(
                view, batch.count, bounds, [&](std::size_t i, const Near& near) {
                    const std::uint32_t n = number(batch, i);
                    return answer(i, n, [&](Taker& taker) {
                        Search<V, AnyShape<V>, AnyAdmission, Taker>::search_near(
                            view, near, batch.shapes[n], AnyAdmission::filter(view, filters, n), taker);
                    });
                });
        }
        for (std::size_t i = 0; i < batch.count; ++i) {
            const std::uint32_t n = number(batch, i);
            const auto alone = [&](Taker& taker) {
                search(view, batch.shapes[n], AnyAdmission::filter(view, filters, n), taker);
            };
            if (!answer(i, n, alone)) return;
        }
    }

    THRONG_KERNEL THRONG_NOINLINE static void find(const View& view, const LabelFilters& filters,
                                                   const ShapeBatch& batch, IdSink* streams,
                                                   std::uint32_t shift, std::uint64_t* ends) {
        const Answers<V> to{streams, shift, ends};
        each<Collect>(view, filters, batch, [&](std::size_t i, std::uint32_t n, const auto& search) {
            return to.template collect<Collect>(i, n, search);
        });
    }
    // To `counts`, or whether there is any to `any`.
    THRONG_KERNEL THRONG_NOINLINE static void tally(const View& view, const LabelFilters& filters,
                                                    const ShapeBatch& batch, std::uint32_t* counts,
                                                    std::uint8_t* any) {
        each<Tally>(view, filters, batch, [&](std::size_t, std::uint32_t n, const auto& search) {
            Tally taker{0, any != nullptr};
            search(taker);
            if (any != nullptr)
                any[n] = taker.found != 0;
            else
                counts[n] = static_cast<std::uint32_t>(taker.found);
            return true;
        });
    }
    static void count(const View& view, const LabelFilters& filters, const ShapeBatch& batch,
                      std::uint32_t* counts) {
        tally(view, filters, batch, counts, nullptr);
    }
    static void any(const View& view, const LabelFilters& filters, const ShapeBatch& batch,
                    std::uint8_t* answers) {
        tally(view, filters, batch, nullptr, answers);
    }
};

template <class V>
constexpr ShapeKernels shapes_table() {
    return {.find = ShapeQueries<V>::find, .count = ShapeQueries<V>::count, .any = ShapeQueries<V>::any};
}

}  // namespace throng::simd
