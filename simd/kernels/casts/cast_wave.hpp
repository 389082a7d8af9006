// The casts of a batch, many side by side. A cast alone waits for the cells of its next row, then for their agents,
// and after that for a branch that cannot be predicted. A wave of casts takes each of these steps together:
//
//     find_bands    which columns of its row each cast may touch
//     find_runs     the agents in these columns, which are fetched
//     test_runs     a block of agents for each cast, and which casts are at their end
//     replace       casts that are at their end make room for the next ones
//
// A cast whose run is longer than a block stays in its row for another turn. A wave searches the rows of the world.
// Islands and oversized agents are searched by each cast alone, and so is everything by a cast with a radius.
#pragma once

#include <new>

#include "simd/kernels/casts/cast_paths.hpp"
#include "simd/kernels/casts/cast_search.hpp"

namespace throng::simd {

// The number of the i-th cast of a batch.
inline std::uint32_t number(const CastBatch& batch, std::size_t i) {
    return batch.order != nullptr ? batch.order[i] : static_cast<std::uint32_t>(batch.first + i);
}

// The casts and answers of a sorted batch lie anywhere in the caller's arrays. Inlined early, since GCC takes a
// function that only fetches for one without an effect, and leaves out its calls.
template <class Answers>
[[gnu::always_inline]] inline void fetch_cast(const CastBatch& batch, std::size_t i, const Answers& answers) {
    if (batch.order == nullptr || i >= batch.count) return;
    const std::uint32_t n = batch.order[i];
    const char* cast = reinterpret_cast<const char*>(batch.casts + n);
    __builtin_prefetch(cast);
    __builtin_prefetch(cast + sizeof(CastQuery) - 1);
    __builtin_prefetch(answers.place(n), 1);
}

template <class V, class Admit, class Answers>
THRONG_KERNEL [[gnu::noinline]] void search_alone(const View& view, const LabelFilters& filters,
                                                  const CastBatch& batch, std::size_t i,
                                                  const Answers answers) {
    const std::uint32_t n = number(batch, i);
    if (!answers.wants(n)) return;
    typename Answers::Taker taker = answers.taker(n);
    const auto filter = answers.template filter<Admit>(filters, n);
    if (!Admit::admits_none(filter))
        (void)CastSearch<V, Admit, typename Answers::Taker>(batch.casts[n], filter, taker).search_world(view);
    answers.put(n, taker);
}

// `Answers` are those of the batch, by number:
//
//     wants(n)           whether cast n is to be searched
//     taker(n)           what it begins with
//     put(n, taker)      what it found
//     place(n)           where that is written
template <class V, class Admit, class Answers>
class CastWave {
public:
    CastWave(const View& view, const LabelFilters& filters, const CastBatch& batch, const Answers& answers)
        : view_(view),
          filters_(filters),
          batch_(batch),
          answers_(answers),
          lanes_(batch.count < size ? static_cast<std::uint32_t>(batch.count) : size),
          paths_({view.grid.origin_x, view.grid.origin_y, view.grid.inverse_width, view.grid.inverse_height,
                  view.grid.last_column, view.grid.last_row},
                 view.reach_x, view.reach_y) {
        for (std::uint32_t k = 0; k < size; ++k) order_[k] = k;
    }
    CastWave(const CastWave&) = delete;

    void run() {
        for (;;) {
            replace();
            if (active_ == 0) return;
            find_bands();
            find_runs();
            test_runs();
        }
    }

private:
    using Taker = typename Answers::Taker;
    using Search = CastSearch<V, Admit, Taker>;
    using Arrays = typename Admit::Arrays;
    static constexpr std::uint32_t size = 64, block = Search::block;

    // Aligned so that its place is found by a shift.
    struct alignas(64) Slot {
        Taker taker;
        [[no_unique_address]] const typename Admit::Filter filter;
        const std::uint32_t number;
        // All bits if the cast goes to the left: it takes runs from their ends.
        std::uint32_t from_end = 0;
        std::int32_t row = 0, last_row = 0, step = 0;
        // What of the row has not been tested.
        std::uint32_t from = 0, behind = ~std::uint32_t{0};
        // Its columns within reach, then the agents there.
        std::uint32_t begin = 0, end = 0;

        Slot(const Answers& answers, std::uint32_t n, const typename Admit::Filter& admitted)
            : taker(answers.taker(n)), filter(admitted), number(n) {}
        Slot(const Slot&) = delete;
    };
    union Room {
        Slot slot;
        Room() {}
    };
    Slot& slot(std::uint32_t k) { return rooms_[order_[k]].slot; }
    Search search(Slot& s, std::uint32_t lane) const {
        return Search(batch_.casts[s.number], s.filter, s.taker, paths_.axes(lane));
    }

    // --- The casts ---

    void replace() {
        for (std::uint32_t k = active_; k < ended_; ++k) {
            Slot& s = slot(k);
            if (!view_.is_all && !s.taker.is_content())
                (void)Search(batch_.casts[s.number], s.filter, s.taker).search_beyond_rows(view_);
            answers_.put(s.number, s.taker);
        }
        const std::uint32_t fresh = active_;
        while (active_ < size && next_ < batch_.count) {
            fetch_cast(batch_, next_ + size, answers_);
            begin(next_++);
        }
        if (fresh == active_) return;
        paths_.find_first_rows(lanes_);
        for (std::uint32_t k = fresh; k < active_; ++k) {
            const std::uint32_t lane = order_[k];
            Slot& s = rooms_[lane].slot;
            s.row = paths_.first_row(lane);
            s.last_row = paths_.last_row(lane);
            s.step = 2 * paths_.goes_down(lane) + 1;
            s.from_end = static_cast<std::uint32_t>(paths_.goes_leftwards(lane));
            paths_.go_on(lane, s.row, s.taker.limit());
        }
    }
    void begin(std::size_t i) {
        const std::uint32_t n = number(batch_, i);
        if (!answers_.wants(n)) return;
        const CastQuery& cast = batch_.casts[n];
        const auto filter = answers_.template filter<Admit>(filters_, n);
        if (cast.radius > 0.0f || Admit::admits_none(filter)) [[unlikely]]
            return search_alone<V, Admit>(view_, filters_, batch_, i, answers_);
        const std::uint32_t lane = order_[active_++];
        new (&rooms_[lane].slot) Slot(answers_, n, filter);
        paths_.begin(lane, cast);
    }

    // --- Steps ---

    void find_bands() {
        paths_.find_bands(lanes_);
        for (std::uint32_t k = 0; k < active_; ++k) {
            Slot& s = slot(k);
            s.begin = paths_.first_column(order_[k]);
            s.end = paths_.last_column(order_[k]) + 1;
            if (const Row& row = view_.rows[s.row]; row.count != 0) __builtin_prefetch(row.cells + s.begin);
        }
    }
    void find_runs() {
        for (std::uint32_t k = 0; k < active_; ++k) {
            Slot& s = slot(k);
            const Row& row = view_.rows[s.row];
            if (row.count == 0 || !is_wanted(s, order_[k])) {
                s.begin = s.end = 0;
                continue;
            }
            const std::uint32_t begin = row.cells[s.begin], end = row.cells[s.end];
            s.begin = begin > s.from ? begin : s.from;
            s.end = end < s.behind ? end : s.behind;
            s.end = s.begin < s.end ? s.end : s.begin;
            fetch(Arrays(row), at(s));
        }
    }
    bool is_wanted(Slot& s, std::uint32_t lane) {
        if constexpr (Admit::has_stretches) {
            // Where nearly all rows have a wanted agent, only some are looked up.
            if (skipped_ * 16 < looked_up_ && ++rows_ % 8 != 0) return true;
            const bool wanted = search(s, lane).has_wanted(view_, s.row, s.begin, s.end - 1);
            ++looked_up_;
            skipped_ += !wanted;
            return wanted;
        }
        return true;
    }
    [[gnu::always_inline]] static void fetch(const Arrays& a, std::uint32_t j) {
        for (const float* array : {a.min_x, a.min_y, a.max_x, a.max_y}) {
            __builtin_prefetch(array + j);
            __builtin_prefetch(array + j + block - 1);
        }
        if constexpr (Taker::wants_first) __builtin_prefetch(a.id + j);
        if constexpr (Admit::has_stretches) {
            __builtin_prefetch(a.categories + j);
            __builtin_prefetch(a.categories + j + block - 1);
        }
    }
    // How many agents are tested next, and where.
    static std::uint32_t tested_next(const Slot& s) {
        return s.end - s.begin < block ? s.end - s.begin : block;
    }
    static std::uint32_t at(const Slot& s) {
        return s.begin + ((s.end - s.begin - tested_next(s)) & s.from_end);
    }

    void test_runs() {
        std::uint32_t ended[size];
        std::uint32_t kept = 0, over = 0;
        for (std::uint32_t k = 0; k < active_; ++k) {
            const std::uint32_t which = order_[k];
            Slot& s = rooms_[which].slot;
            const Row& row = view_.rows[s.row];
            const std::uint32_t count = tested_next(s);
            if (row.count != 0) search(s, which).test_evenly(Arrays(row), at(s));
            const bool is_over = go_on(s, which, count);
            ended[over] = which;
            over += is_over;
            order_[kept] = which;
            kept += !is_over;
        }
        for (std::uint32_t k = 0; k < over; ++k) order_[kept + k] = ended[k];
        ended_ = active_;
        active_ = kept;
    }
    // To the rest of the row, or to the next one. Returns whether there is nothing more to find.
    bool go_on(Slot& s, std::uint32_t lane, std::uint32_t tested) {
        const std::uint32_t ready = s.end - s.begin == tested ? ~std::uint32_t{0} : 0;
        s.from = (s.begin + tested) & ~s.from_end & ~ready;
        s.behind = (s.end - tested) | ~s.from_end | ready;
        const bool is_last = s.row == s.last_row;
        s.row += s.step & static_cast<std::int32_t>(ready);
        const float limit = s.taker.limit();
        paths_.go_on(lane, s.row, limit);
        const bool is_content = s.taker.is_content(), is_too_late = paths_.comes_too_late(lane, limit);
        return is_content | ((is_last | is_too_late) & (ready != 0));
    }

    const View& view_;
    const LabelFilters& filters_;
    const CastBatch& batch_;
    const Answers& answers_;
    const std::uint32_t lanes_;  // that may be in use
    CastPaths<V, size> paths_;
    std::size_t next_ = 0;
    // Of rows with labels: those that came since only some are looked up, those that were looked up, and of these those without
    // a wanted agent.
    std::size_t rows_ = 0, looked_up_ = 0, skipped_ = 0;
    // The rooms of the active casts, then of those that ended in the last turn, then the others.
    std::uint32_t order_[size], active_ = 0, ended_ = 0;
    Room rooms_[size];
};

}  // namespace throng::simd
