// The kernels for casts: batches in a given order, and all hits of one.
#pragma once

#include "simd/kernels/casts/cast_path.hpp"
#include "simd/kernels/casts/cast_search.hpp"
#include "simd/kernels/casts/cast_takers.hpp"
#include "simd/kernels/casts/near_casts.hpp"

namespace throng::simd {

// The spot of the i-th answer of a batch, and the number of its cast.
inline std::uint32_t spot(const CastBatch& batch, std::size_t i) {
    return static_cast<std::uint32_t>(batch.first + i);
}
inline std::uint32_t number(const CastBatch& batch, std::size_t i) {
    return batch.order != nullptr ? batch.order[i] : spot(batch, i);
}

// The casts of a sorted batch lie anywhere in the caller's array, and so do their filters. Inlined early,
// since GCC takes a function that only fetches for one without an effect, and leaves out its calls.
template <bool filtered>
THRONG_ALWAYS_INLINE inline void fetch_cast(const LabelFilters& filters, const CastBatch& batch,
                                            std::size_t i) {
    if (batch.order == nullptr || i >= batch.count) return;
    const std::uint32_t n = batch.order[i];
    const char* cast = reinterpret_cast<const char*>(&batch.cast(n));
    THRONG_PREFETCH(cast);
    THRONG_PREFETCH(cast + sizeof(CastQuery) - 1);
    if (filtered && !filters.are_unfiltered()) filters.fetch(n);
}

template <class V, class Answers>
THRONG_KERNEL THRONG_NOINLINE void search_alone(const View& view, const LabelFilters& filters,
                                                const CastBatch& batch, std::size_t i,
                                                const Answers answers) {
    const std::uint32_t n = number(batch, i), at = spot(batch, i);
    if (!answers.wants(at)) return;
    typename Answers::Taker taker = answers.taker(at);
    using Admit = typename Admission<V>::AnyAdmission;
    const auto filter = answers.filter(Admit::filter(view, filters, n));
    if (!Admit::admits_none(filter))
        (void)CastSearch<V, typename Answers::Taker>(batch.cast(n), batch.heights(n), filter, taker)
            .search_world(view);
    answers.put(at, taker);
}

// The answers of a batch, by spot, and the filters of its casts:
//
//     filter(of_batch)   the filter of a cast
//     wants(at)          whether the cast is to be searched
//     taker(at)          what it begins with
//     put(at, taker)     what it found
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

// --- Waves ---

// The takers of a wave, by lane, and the result of the last block of agents for each. A plain loop handles
// all of them, which a compiler turns into vectors.
template <class V, class Taker, std::uint32_t size>
struct LaneTakers;

template <class V, std::uint32_t size>
struct LaneTakers<V, FirstTaker, size> {
    float limit[size] = {}, when[size] = {};
    std::uint32_t id[size] = {}, other[size] = {};

    FirstTaker taker(std::uint32_t lane) const { return {limit[lane], id[lane]}; }
    void put(std::uint32_t lane, const FirstTaker& taker) {
        limit[lane] = taker.t;
        id[lane] = taker.id;
        when[lane] = infinite;
    }
    template <CastsAdmit admit, class Search>
    void test(std::uint32_t lane, const Search& search, const Row& row, std::uint32_t j) {
        const FirstTaker first = search.template first_of<admit>(row, j);
        when[lane] = first.t;
        other[lane] = first.id;
    }
    void take() {
        for (std::uint32_t k = 0; k < size; ++k) {
            const bool is_earlier = when[k] < limit[k], is_same = when[k] == limit[k];
            const std::uint32_t lower = other[k] < id[k] ? other[k] : id[k], best = is_same ? lower : id[k];
            id[k] = is_earlier ? other[k] : best;
            limit[k] = is_earlier ? when[k] : limit[k];
            when[k] = infinite;
        }
    }
    std::uint32_t is_content(std::uint32_t) const { return 0; }
};

template <class V, std::uint32_t size>
struct LaneTakers<V, AnyTaker, size> {
    float limit[size] = {};
    std::uint32_t found[size] = {};

    AnyTaker taker(std::uint32_t lane) const { return {found[lane] != 0}; }
    void put(std::uint32_t lane, const AnyTaker& taker) {
        limit[lane] = taker.limit();
        found[lane] = taker.found;
    }
    template <CastsAdmit admit, class Search>
    void test(std::uint32_t lane, const Search& search, const Row& row, std::uint32_t j) {
        found[lane] = search.template any_of<admit>(row, j);
    }
    void take() {}
    std::uint32_t is_content(std::uint32_t lane) const { return found[lane]; }
};

// The casts of a batch, many side by side. A cast alone waits for the cells of its next row, then for their
// agents, and after that for a branch that cannot be predicted. A wave of casts takes each of these steps
// together:
//
//     find_bands    which columns of its row each cast may touch
//     find_runs     the agents in these columns, which are fetched
//     test_runs     a block of agents for each cast
//     go_on         where each cast is then, and which are at their end
//     replace       casts that are at their end make room for the next ones
//
// A cast whose run is longer than a block stays in its row for another turn. A wave searches the rows of the
// world. Each cast searches islands and oversized agents alone, and a cast with a radius searches everything
// alone.
template <class V, class Answers, bool filtered>
class CastWave {
public:
    CastWave(const View& view, const LabelFilters& filters, const CastBatch& batch, const Answers& answers)
        : view_(view),
          filters_(filters),
          batch_(batch),
          answers_(answers),
          lanes_(batch.count < size ? static_cast<std::uint32_t>(batch.count) : size),
          paths_(view.grid, view.reach_x, view.reach_y) {}
    CastWave(const CastWave&) = delete;

    void run() {
        for (;;) {
            replace();
            if (active_ == 0) return;
            find_bands();
            find_runs();
            if constexpr (!filtered)
                test_runs<CastsAdmit::all>();
            else if (have_bands_)
                test_runs<CastsAdmit::band>();
            else
                test_runs<CastsAdmit::some>();
            go_on();
        }
    }

private:
    using Taker = typename Answers::Taker;
    using Base = Vectors<V>;
    using Search = CastSearch<V, Taker>;
    using Admit = typename Search::Admit;
    using Arrays = typename Admit::Arrays;
    static constexpr std::uint32_t size = 64, block = Search::block, least_long = Search::least_long;
    // Fewer casts look for oversized agents alone.
    static constexpr std::uint32_t least_together = 4;
    // A run is often empty behind a first hit. Without one, a pass of its own for the others costs more than
    // what is fetched for nothing.
    static constexpr bool fetches_at_once = !Taker::wants_first;

    // A set of lanes is a word; this goes through it.
    static std::uint32_t lowest(std::uint64_t lanes) { return Vectors<V>::lowest(lanes); }

    // --- The casts ---

    void replace() {
        std::uint64_t fresh = 0, free = (~std::uint64_t{0} >> (size - lanes_)) & ~active_;
        // A few free lanes wait for others: to begin costs as much for one as for many, and many end
        // together.
        if (active_ != 0 && V::count_bits(free) < size / 4) return;
        end_all();
        while (free != 0 && next_ < batch_.count) {
            fetch_cast<filtered>(filters_, batch_, next_ + size);
            if (!begin(lowest(free), next_++)) continue;
            fresh |= free & (0 - free);
            free &= free - 1;
        }
        if (fresh == 0) return;
        active_ |= fresh;
        paths_.find_first_rows(lanes_);
        for (; fresh != 0; fresh &= fresh - 1) {
            const std::uint32_t lane = lowest(fresh);
            row_[lane] = paths_.first_row(lane);
            last_row_[lane] = paths_.last_row(lane);
            step_[lane] = 2 * paths_.goes_down(lane) + 1;
            from_end_[lane] = static_cast<std::uint32_t>(paths_.goes_leftwards(lane));
            from_[lane] = 0;
            behind_[lane] = ~std::uint32_t{0};
        }
    }
    // Returns whether the lane is taken.
    bool begin(std::uint32_t lane, std::size_t i) {
        const std::uint32_t n = number(batch_, i), at = spot(batch_, i);
        if (!answers_.wants(at)) return false;
        const CastQuery& cast = batch_.cast(n);
        typename Admit::Filter filter;
        if constexpr (filtered) filter = answers_.filter(Admit::filter(view_, filters_, n));
        if (cast.radius > 0.0f || Admit::admits_none(filter)) [[unlikely]] {
            search_alone<V>(view_, filters_, batch_, i, answers_);
            return false;
        }
        cast_[lane] = &cast;
        spot_[lane] = at;
        if constexpr (filtered) {
            heights_[lane] = batch_.heights(n);
            if (heights_[lane] != nullptr && CastRise<V>::is_still(*heights_[lane])) {
                filter.add_heights(heights_[lane]->min_z, heights_[lane]->max_z);
                heights_[lane] = nullptr;
            }
            filter_[lane] = filter;
            has_stretches_ |= Admit::has_stretches(filter);
            have_bands_ &= heights_[lane] == nullptr && Admit::is_band(filter);
        }
        takers_.put(lane, answers_.taker(at));
        paths_.begin(lane, cast);
        return true;
    }
    void end_all() {
        const Row* const oversized = find_oversized();
        for (; ended_ != 0; ended_ &= ended_ - 1) {
            const std::uint32_t lane = lowest(ended_);
            Taker taker = takers_.taker(lane);
            if (!view_.is_all && !taker.is_content())
                (void)search(lane, taker).search_beyond_rows(view_, oversized);
            answers_.put(spot_[lane], taker);
        }
    }
    // The oversized agents that any of the casts at their end may touch: these casts are near each other, and
    // mostly short behind a hit. Null if they are many, or if filters need labels.
    const Row* find_oversized() {
        if (filtered || view_.node_count == 0) return nullptr;
        Query around{infinite, infinite, -infinite, -infinite};
        std::uint32_t casts = 0;
        for (std::uint64_t rest = ended_; rest != 0; rest &= rest - 1) {
            const std::uint32_t lane = lowest(rest);
            if (takers_.is_content(lane) != 0) continue;
            around = Base::united(around, swept(lane));
            ++casts;
        }
        return casts < least_together ? nullptr : oversized_.find(view_, around);
    }
    // What a cast may touch until its limit, and more than times are rounded by.
    Query swept(std::uint32_t lane) const {
        const CastQuery& cast = *cast_[lane];
        const auto size_of = [](float v) { return v < 0.0f ? -v : v; };
        const auto low = [&](float edge, float d) {
            return edge + (d < 0.0f ? d * takers_.limit[lane] : 0.0f) -
                   (size_of(edge) + size_of(d) + 0x1p-80f) * 0x1p-20f;
        };
        const auto high = [&](float edge, float d) { return -low(-edge, -d); };
        const Query& s = cast.start;
        return {low(s.min_x, cast.dx), low(s.min_y, cast.dy), high(s.max_x, cast.dx), high(s.max_y, cast.dy)};
    }

    // --- Steps ---

    void find_bands() {
        paths_.find_bands(lanes_, row_, takers_.limit);
        for (std::uint64_t rest = active_; rest != 0; rest &= rest - 1) {
            const std::uint32_t lane = lowest(rest);
            if (const Row& row = view_.rows[row_[lane]]; row.count != 0)
                THRONG_PREFETCH(row.cells + paths_.first_column(lane));
        }
    }
    void find_runs() {
        Test* next = tests_;
        for (std::uint64_t rest = active_; rest != 0; rest &= rest - 1) {
            const std::uint32_t lane = lowest(rest);
            const Row& row = view_.rows[row_[lane]];
            if (row.count == 0 || !is_wanted(lane)) {
                begin_[lane] = end_[lane] = 0;
                continue;
            }
            const std::uint32_t first = row.cells[paths_.first_column(lane)],
                                last = row.cells[paths_.last_column(lane) + 1];
            const std::uint32_t begin = first > from_[lane] ? first : from_[lane],
                                least = last < behind_[lane] ? last : behind_[lane],
                                end = begin < least ? least : begin;
            begin_[lane] = begin;
            end_[lane] = end;
            next->row = &row;
            next->lane = lane;
            next->at = begin + ((end - begin - tested_of(end - begin)) & from_end_[lane]);
            if constexpr (fetches_at_once) fetch(Arrays(row), next->at);
            next += begin < end;
        }
        tests_end_ = next;
        if constexpr (!fetches_at_once)
            for (const Test* test = tests_; test != next; ++test) fetch(Arrays(*test->row), test->at);
    }
    bool is_wanted(std::uint32_t lane) {
        if (filtered && has_stretches_) {
            // If nearly all rows have a wanted agent, only some are looked up.
            if (skipped_ * 16 < looked_up_ && ++rows_ % 8 != 0) return true;
            Taker taker = takers_.taker(lane);
            const bool wanted =
                search(lane, taker)
                    .has_wanted(view_, row_[lane], paths_.first_column(lane), paths_.last_column(lane));
            ++looked_up_;
            skipped_ += !wanted;
            return wanted;
        }
        return true;
    }
    // With the parts of the labels and heights that filters mostly use.
    THRONG_ALWAYS_INLINE void fetch(const Arrays& a, std::uint32_t j) const {
        for (const float* array : {a.min_x, a.min_y, a.max_x, a.max_y}) Search::fetch_block(array, j);
        if constexpr (Taker::wants_first || filtered) Search::fetch_block(a.id, j);
        if (filtered && has_heights_) {
            Search::fetch_block(a.min_z, j);
            Search::fetch_block(a.max_z, j);
        } else if (filtered && has_stretches_) {
            Search::fetch_block(a.categories, j);
        }
    }
    // How many agents of a run are tested next.
    static std::uint32_t tested_of(std::uint32_t count) { return count < block ? count : block; }

    template <CastsAdmit admit>
    void test_runs() {
        for (const Test* test = tests_; test != tests_end_; ++test) {
            Taker taker = takers_.taker(test->lane);
            takers_.template test<admit>(test->lane, search(test->lane, taker), *test->row, test->at);
        }
    }
    Search search(std::uint32_t lane, Taker& taker) const {
        return Search(*cast_[lane], heights(lane), filter_[filtered ? lane : 0], taker, paths_.axes(lane));
    }
    const CastHeights* heights(std::uint32_t lane) const { return filtered ? heights_[lane] : nullptr; }
    // A cast whose run is long looks at more of it alone, or skips a pile in it. Afterwards the run is as if
    // one block of it had been tested, and the rest is shorter.
    THRONG_KERNEL THRONG_NOINLINE void pass_long_runs() {
        // Which casts these are is as good as random, so they are found by masks and not by branches.
        std::uint64_t lanes = 0;
        for (std::uint64_t rest = active_; rest != 0; rest &= rest - 1) {
            const std::uint32_t lane = lowest(rest);
            lanes |= std::uint64_t{!is_first_of_run(lane) && end_[lane] - begin_[lane] >= least_long} << lane;
        }
        for (; lanes != 0; lanes &= lanes - 1) {
            const std::uint32_t lane = lowest(lanes), from_end = from_end_[lane];
            if (takers_.is_content(lane) != 0) continue;
            CastRun run{begin_[lane] + (block & ~from_end), end_[lane] - (block & from_end), from_end};
            const Row& row = view_.rows[row_[lane]];
            Taker taker = takers_.taker(lane);
            const Search alone = search(lane, taker);
            const std::uint32_t before = run.size();
            if (Search::may_be_pile(row, run)) (void)alone.pass_pile(view_, row, run);
            if (run.size() == before) {
                constexpr std::uint32_t more = least_long - block;
                const std::uint32_t at = from_end != 0 ? run.end - more : run.begin;
                (void)alone.search_run(row, {at, at + more, 0});
                run.begin += more & ~from_end;
                run.end -= more & from_end;
            }
            takers_.put(lane, taker);
            begin_[lane] = run.begin - (block & ~from_end);
            end_[lane] = run.end + (block & from_end);
        }
    }
    bool is_first_of_run(std::uint32_t lane) const { return (from_[lane] | ~behind_[lane]) == 0; }
    // To the rest of each run, or to the next row. Casts that can find nothing more are at their end.
    void go_on() {
        takers_.take();
        std::uint32_t longest_rest = 0;
        for (std::uint32_t k = 0; k < size; ++k) {
            const std::uint32_t count = end_[k] - begin_[k],
                                goes_on = (from_[k] | ~behind_[k]) != 0 ? ~std::uint32_t{0} : 0,
                                rest = count & goes_on;
            longest_rest = longest_rest < rest ? rest : longest_rest;
        }
        if (longest_rest >= least_long) [[unlikely]]
            pass_long_runs();
        float over[size];  // 1 or 0
        for (std::uint32_t k = 0; k < size; ++k) {
            const std::uint32_t count = end_[k] - begin_[k], tested = tested_of(count),
                                ready = count == tested ? ~std::uint32_t{0} : 0, from_end = from_end_[k];
            from_[k] = (begin_[k] + tested) & ~from_end & ~ready;
            behind_[k] = (end_[k] - tested) | ~from_end | ready;
            const bool is_last = row_[k] == last_row_[k],
                       is_too_late = paths_.comes_too_late(k, takers_.limit[k]);
            const std::uint32_t is_over =
                takers_.is_content(k) | (is_last ? ready : 0) | (is_too_late ? ready : 0);
            over[k] = is_over != 0 ? 1.0f : 0.0f;
            row_[k] += step_[k] & static_cast<std::int32_t>(ready);
        }
        using Wide = typename V::Wide;
        std::uint64_t ended = 0;
        for (std::uint32_t k = 0; k < size; k += Wide::size)
            ended |= std::uint64_t{V::bits(Wide::load_unaligned(over + k) > Wide(0.0f))} << k;
        ended_ |= ended & active_;
        active_ &= ~ended;
    }

    const View& view_;
    const LabelFilters& filters_;
    const CastBatch& batch_;
    const Answers& answers_;
    // Of the filters so far: whether any skips by labels, and whether all are bands of heights.
    bool has_stretches_ = false, have_bands_ = true;
    const bool has_heights_ = filtered && (filters_.bands != nullptr || batch_.have_heights);
    const std::uint32_t lanes_;  // that may be in use
    CastPaths<V, size> paths_;
    std::size_t next_ = 0;
    // Rows with labels: how many came since only some are looked up, how many were looked up, and how many
    // of them had no wanted agent.
    std::size_t rows_ = 0, looked_up_ = 0, skipped_ = 0;
    // The lanes whose casts are searched, and those whose casts are at their end.
    std::uint64_t active_ = 0, ended_ = 0;
    // The blocks of agents to test in this turn: many runs are empty.
    struct Test {
        const Row* row;
        std::uint32_t lane, at;
    };
    Test tests_[size + 1], *tests_end_ = tests_;
    NearCasts<V> oversized_;

    // --- By lane ---

    LaneTakers<V, Taker, size> takers_;
    typename Admit::Filter filter_[filtered ? size : 1];
    const CastHeights* heights_[filtered ? size : 1];
    const CastQuery* cast_[size];
    std::uint32_t spot_[size];  // of its answer
    std::int32_t row_[size] = {}, last_row_[size] = {}, step_[size] = {};
    // All bits if the cast goes to the left: it takes runs from their ends.
    std::uint32_t from_end_[size] = {};
    // The untested part of the row within reach.
    std::uint32_t from_[size] = {}, behind_[size] = {}, begin_[size] = {}, end_[size] = {};
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
            fetch_cast<true>(filters, batch, i + ahead);
            search_alone<V>(view, filters, batch, i, answers);
        }
    }
    // Casts that follow each other on one storey are one batch there.
    template <class Answers>
    THRONG_KERNEL THRONG_NOINLINE static void answer_on_storeys(const View& view, const LabelFilters& filters,
                                                                const CastBatch& batch,
                                                                const Answers& answers) {
        typename StoreySearch<V>::Only only(view);
        const auto storey_of = [&](std::size_t i) -> const View* {
            if (i >= batch.count) return nullptr;
            fetch_cast<true>(filters, batch, i + 16);
            const std::uint32_t n = number(batch, i);
            const auto band = Admission<V>::AnyAdmission::heights_of(
                filters.are_unfiltered() ? LabelFilter{all_of_them, no_id, no_id} : filters[n]);
            return only.of(CastAtHeights<V>::on_the_way(batch.heights(n), band));
        };
        // Bands in which all agents of a storey have a height are no filters.
        const bool may_admit_all = filters.bands != nullptr && filters.itself == 0 && !batch.have_heights;
        const View* home = storey_of(0);
        for (std::size_t i = 0; i < batch.count;) {
            CastBatch some = batch;
            some.first += i;
            if (some.order != nullptr) some.order += i;
            const std::size_t first = i;
            const View* const here = home;
            LabelFilters::Several several;
            do {
                if (may_admit_all) filters.add_to(several, number(batch, i));
                home = storey_of(++i);
            } while (i < batch.count && home == here);
            some.count = i - first;
            if (here == nullptr)
                answer_alone(view, filters, some, answers);
            else if (may_admit_all && here->is_all && several.are_only_by_height() &&
                     here->shared_heights.admit_all(several.heights.from, several.heights.to))
                answer_many(*here, {}, some, answers);
            else
                answer_many(*here, filters, some, answers);
        }
    }
    template <class Answers>
    THRONG_KERNEL static void answer(const View& view, const LabelFilters& filters, const CastBatch& batch,
                                     const Answers& answers) {
        if (batch.count == 1) return search_alone<V>(view, filters, batch, 0, answers);
        if (view.storeys != nullptr) [[unlikely]]
            return answer_on_storeys(view, filters, batch, answers);
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
