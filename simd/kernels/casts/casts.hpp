// The kernels for casts: batches in a given order, and all hits of one.
#pragma once

#include "simd/kernels/casts/cast_search.hpp"
#include "simd/kernels/casts/cast_takers.hpp"
#include "simd/kernels/casts/cast_wave.hpp"

namespace throng::simd {

// The answers of a batch, and the filters of its casts.
struct CastAnswers {
    bool is_static;

    // Elements are not agents: none is left out for its id.
    template <class Filter>
    Filter filter(Filter of_batch) const {
        if (is_static) of_batch.self = no_id;
        return of_batch;
    }
};

struct FirstAnswers : CastAnswers {
    using Taker = FirstTaker;
    CastHit* hits;

    bool wants(std::uint32_t) const { return true; }
    // An agent comes before an element that is touched at the same time: no id is below 0.
    Taker taker(std::uint32_t at) const { return has_agent(at) ? Taker{hits[at].fraction, 0} : Taker{}; }
    void put(std::uint32_t at, const Taker& taker) const {
        if (has_agent(at) && taker.t == hits[at].fraction) return;
        constexpr float never = infinite;
        const bool found = taker.id != no_id;
        hits[at] = {taker.id, found ? taker.t : never, found && is_static ? 1u : 0u};
    }

private:
    bool has_agent(std::uint32_t at) const { return is_static && hits[at].id != no_id; }
};

struct BlockedAnswers : CastAnswers {
    using Taker = AnyTaker;
    std::uint8_t* answers;

    bool wants(std::uint32_t at) const { return !is_static || answers[at] == 0; }
    Taker taker(std::uint32_t) const { return {}; }
    void put(std::uint32_t at, const Taker& taker) const { answers[at] = taker.found; }
};

template <class V>
struct Casts {
    // --- Batches ---

    // Fewer casts do not fill a wave.
    static constexpr std::size_t min_wave = 16;

    // Apart from single casts, which need none of its memory.
    template <class Answers>
    THRONG_KERNEL THRONG_NOINLINE static void answer_many(const View& view, const LabelFilters& filters,
                                                          const CastBatch& batch, const Answers& answers) {
        const bool has_rows = view.islands == nullptr || !view.islands->open_is_empty;
        if (batch.count >= min_wave && has_rows) {
            if (filters.are_unfiltered() && !batch.have_heights)
                return CastWave<V, Answers, false>(view, filters, batch, answers).run();
            return CastWave<V, Answers, true>(view, filters, batch, answers).run();
        }
        answer_alone(view, filters, batch, answers);
    }
    template <class Answers>
    static void answer_alone(const View& view, const LabelFilters& filters, const CastBatch& batch,
                             const Answers& answers) {
        for (std::size_t i = 0; i < batch.count; ++i) {
            constexpr std::size_t ahead = 8;
            fetch_cast(batch, i + ahead);
            search_alone<V>(view, filters, batch, i, answers);
        }
    }
    // Casts that follow each other on one storey are one batch there.
    template <class Answers>
    THRONG_KERNEL THRONG_NOINLINE static void answer_on_storeys(const View& view, const LabelFilters& filters,
                                                                const CastBatch& batch,
                                                                const Answers& answers) {
        using Admit = typename Admission<V>::AnyAdmission;
        const auto storey_of = [&](std::size_t i) {
            return StoreySearch<V>::only_one(*view.storeys, Admit::heights_of(filters[number(batch, i)]));
        };
        for (std::size_t i = 0; i < batch.count;) {
            const View* const home = storey_of(i);
            CastBatch some = batch;
            some.first += i;
            if (some.order != nullptr) some.order += i;
            const std::size_t first = i++;
            while (i < batch.count && storey_of(i) == home) ++i;
            some.count = i - first;
            if (home == nullptr)
                answer_alone(view, filters, some, answers);
            else
                answer_many(*home, filters, some, answers);
        }
    }
    template <class Answers>
    THRONG_KERNEL static void answer(const View& view, const LabelFilters& filters, const CastBatch& batch,
                                     const Answers& answers) {
        if (batch.count == 1) return search_alone<V>(view, filters, batch, 0, answers);
        if (view.storeys != nullptr && !filters.are_unfiltered()) [[unlikely]]
            return answer_on_storeys(view, filters, batch, answers);
        if (view.storeys != nullptr) [[unlikely]]
            return answer_alone(view, filters, batch, answers);
        answer_many(view, filters, batch, answers);
    }

    THRONG_KERNEL static void first(const View& view, const LabelFilters& filters, const CastBatch& batch,
                                    CastHit* hits) {
        answer(view, filters, batch, FirstAnswers{{batch.is_static}, hits});
    }
    THRONG_KERNEL static void blocked(const View& view, const LabelFilters& filters, const CastBatch& batch,
                                      std::uint8_t* answers) {
        answer(view, filters, batch, BlockedAnswers{{batch.is_static}, answers});
    }

    // --- All hits of one cast ---

    THRONG_KERNEL static void all(const View& view, const LabelFilters& filters, const CastQuery& cast,
                                  const CastHeights* heights, std::size_t n, CastSink& sink) {
        AllTaker taker{sink};
        const auto filter = Admission<V>::AnyAdmission::filter(view, filters, n);
        if (Admission<V>::AnyAdmission::admits_none(filter)) return;
        (void)CastSearch<V, AllTaker>(cast, heights, filter, taker).search_world(view);
    }
};

template <class V>
constexpr CastKernels casts_table() {
    return {.first = Casts<V>::first, .blocked = Casts<V>::blocked, .all = Casts<V>::all};
}

}  // namespace throng::simd
