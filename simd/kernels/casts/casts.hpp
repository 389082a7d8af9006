// The kernels for casts: batches in a given order, and all hits of one.
#pragma once

#include "simd/kernels/casts/cast_search.hpp"
#include "simd/kernels/casts/cast_takers.hpp"
#include "simd/kernels/search/queries.hpp"

namespace throng::simd {

template <class V>
struct Casts {
    // --- Batches ---

    static std::uint32_t number(const CastBatch& batch, std::size_t i) {
        return batch.order != nullptr ? batch.order[i] : static_cast<std::uint32_t>(batch.first + i);
    }
    static LabelFilter without_self(LabelFilter f) {
        f.self = no_id;
        return f;
    }
    template <class Admit>
    static auto filter(const LabelFilters& filters, const CastBatch& batch, std::uint32_t n) {
        if constexpr (Admit::is_everyone)
            return typename Admit::Filter{};
        else
            return batch.is_static ? without_self(filters[n]) : filters[n];
    }
    template <class Admit, class Taker>
    static void search(const View& view, const CastQuery& cast, const typename Admit::Filter& filter,
                       Taker& taker) {
        if (Admit::admits_none(filter)) return;
        (void)CastSearch<V, Admit, Taker>(cast, filter, taker).search_world(view);
    }
    // The casts and answers of a sorted batch lie anywhere in the caller's arrays.
    template <class Answer>
    static void fetch_ahead(const CastBatch& batch, std::size_t i, const Answer* answers) {
        constexpr std::size_t ahead = 8;
        if (batch.order == nullptr || i + ahead >= batch.count) return;
        const char* cast = reinterpret_cast<const char*>(batch.casts + batch.order[i + ahead]);
        __builtin_prefetch(cast);
        __builtin_prefetch(cast + sizeof(CastQuery) - 1);
        __builtin_prefetch(answers + batch.order[i + ahead], 1);
    }

    template <class Admit>
    struct First {
        THRONG_KERNEL [[gnu::noinline]] static void run(const View& view, const LabelFilters& filters,
                                                        const CastBatch& batch, CastHit* hits) {
            for (std::size_t i = 0; i < batch.count; ++i) {
                fetch_ahead(batch, i, hits);
                const std::uint32_t n = number(batch, i);
                FirstTaker taker;
                // An agent comes before an element that is touched at the same time: no id is below 0.
                if (batch.is_static && hits[n].id != no_id) taker = {hits[n].t, 0};
                const bool found_before = taker.id != no_id;
                const float before = taker.t;
                search<Admit>(view, batch.casts[n], filter<Admit>(filters, batch, n), taker);
                if (found_before && taker.t == before) continue;
                constexpr float never = __builtin_huge_valf();
                const bool found = taker.id != no_id;
                hits[n] = {taker.id, found ? taker.t : never, found && batch.is_static ? 1u : 0u};
            }
        }
    };
    template <class Admit>
    struct Blocked {
        THRONG_KERNEL [[gnu::noinline]] static void run(const View& view, const LabelFilters& filters,
                                                        const CastBatch& batch, std::uint8_t* answers) {
            for (std::size_t i = 0; i < batch.count; ++i) {
                fetch_ahead(batch, i, answers);
                const std::uint32_t n = number(batch, i);
                if (batch.is_static && answers[n] != 0) continue;
                AnyTaker taker;
                search<Admit>(view, batch.casts[n], filter<Admit>(filters, batch, n), taker);
                answers[n] = taker.found;
            }
        }
    };

    // --- All hits of one cast ---

    template <class Admit>
    struct All {
        THRONG_KERNEL [[gnu::noinline]] static void run(const View& view, const LabelFilters& filters,
                                                        const CastQuery& cast, std::size_t n,
                                                        CastSink& sink) {
            AllTaker taker{sink};
            search<Admit>(view, cast, Admit::filter(filters, n), taker);
        }
    };
};

}  // namespace throng::simd
