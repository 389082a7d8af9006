// The kernels for casts: batches in a given order, and all hits of one.
#pragma once

#include "simd/kernels/casts/cast_search.hpp"
#include "simd/kernels/casts/cast_takers.hpp"
#include "simd/kernels/casts/cast_wave.hpp"
#include "simd/kernels/search/queries.hpp"

namespace throng::simd {

// The answers of a batch, and the filters that their casts have.
struct CastAnswers {
    bool is_static;

    template <class Admit>
    auto filter(const LabelFilters& filters, std::uint32_t n) const {
        if constexpr (Admit::is_unfiltered)
            return typename Admit::Filter{};
        else
            return is_static ? without_self(filters[n]) : filters[n];
    }

private:
    static LabelFilter without_self(LabelFilter f) {
        f.self = no_id;
        return f;
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
    template <class Admit, class Answers>
    THRONG_KERNEL THRONG_NOINLINE static void answer_many(const View& view, const LabelFilters& filters,
                                                          const CastBatch& batch, const Answers& answers) {
        const bool has_rows = view.islands == nullptr || !view.islands->open_is_empty;
        if (batch.count >= min_wave && has_rows)
            return CastWave<V, Admit, Answers>(view, filters, batch, answers).run();
        for (std::size_t i = 0; i < batch.count; ++i) {
            constexpr std::size_t ahead = 8;
            fetch_cast(batch, i + ahead);
            search_alone<V, Admit>(view, filters, batch, i, answers);
        }
    }
    template <class Admit, class Answers>
    THRONG_KERNEL static void answer(const View& view, const LabelFilters& filters, const CastBatch& batch,
                                     const Answers& answers) {
        if (batch.count == 1) return search_alone<V, Admit>(view, filters, batch, 0, answers);
        answer_many<Admit>(view, filters, batch, answers);
    }

    template <class Admit>
    struct First {
        THRONG_KERNEL THRONG_NOINLINE static void run(const View& view, const LabelFilters& filters,
                                                      const CastBatch& batch, CastHit* hits) {
            answer<Admit>(view, filters, batch, FirstAnswers{{batch.is_static}, hits});
        }
    };
    template <class Admit>
    struct Blocked {
        THRONG_KERNEL THRONG_NOINLINE static void run(const View& view, const LabelFilters& filters,
                                                      const CastBatch& batch, std::uint8_t* answers) {
            answer<Admit>(view, filters, batch, BlockedAnswers{{batch.is_static}, answers});
        }
    };

    // --- All hits of one cast ---

    template <class Admit>
    struct All {
        THRONG_KERNEL THRONG_NOINLINE static void run(const View& view, const LabelFilters& filters,
                                                      const CastQuery& cast, std::size_t n, CastSink& sink) {
            AllTaker taker{sink};
            const auto filter = Admit::filter(filters, n);
            if (Admit::admits_none(filter)) return;
            (void)CastSearch<V, Admit, AllTaker>(cast, filter, taker).search_world(view);
        }
    };
};

}  // namespace throng::simd
