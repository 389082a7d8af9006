// Queries with filters, in the caller's order, in a frame with labels. The table of stretches alone answers
// most of them; in an incoherent order the others wait for memory. So queries are prefiltered in groups:
// first, branch-free, which of them may find an agent; then their data are prefetched together; then they
// run.
#pragma once

#include "simd/kernels/search/admission.hpp"

namespace throng::simd {

template <class V>
class Screen : Admission<V> {
public:
    using Base = Admission<V>;
    using typename Base::LabelArrays;
    using typename Base::Locator;
    using typename Base::Reach;

    // Calls search(i, reach) for the queries that may find an agent, in order, until it returns false, and
    // before each none(begin, i) for the skipped ones before it.
    template <class None, class Search>
    static void each(const View& view, const Query* queries, const LabelFilters& filters, std::size_t count,
                     const None& none, const Search& search) {
        const Locator locator(view);
        Screen screen;
        for (std::size_t first = 0; first < count; first += group_size) {
            const std::size_t end = count - first < group_size ? count : first + group_size;
            const LabelFilters here = filters.from(first);
            screen.prefilter(view, locator, queries + first, here, end - first);
            screen.fetch(view, here);
            std::size_t done = first;
            for (std::size_t k = 0; k < screen.count_; ++k) {
                const std::size_t i = first + screen.candidates_[k];
                none(done, i);
                if (!search(i, screen.reach_[k])) return;
                done = i + 1;
            }
            none(done, end);
        }
    }

private:
    static constexpr std::size_t group_size = 1024;

    Screen() {}

    void prefilter(const View& view, const Locator& locator, const Query* queries,
                   const LabelFilters& filters, std::size_t count) {
        count_ = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Reach here = locator.reach(queries[i]);
            reach_[count_] = here;
            candidates_[count_] = static_cast<std::uint32_t>(i);
            const bool may = !view.is_all || Base::may_be_near(view, here, filters.categories(i));
            count_ += std::size_t{may};
        }
    }
    // Calls use(row, column) for the first cell that each candidate reads: a cheap guess at a cell with an
    // admitted agent.
    template <class Use>
    void each_cell(const View& view, const LabelFilters& filters, const Use& use) const {
        for (std::size_t k = 0; k < count_; ++k) {
            const Reach& r = reach_[k];
            const bool above =
                (Base::stretches_of(view, r.first_row, r) & filters.categories(candidates_[k])) != 0;
            const Row& row = view.rows[above ? r.first_row : r.last_row];
            if (row.count != 0) use(row, r.first_column);
        }
    }
    void fetch(const View& view, const LabelFilters& filters) const {
        each_cell(view, filters, [](const Row& row, std::uint32_t c) { THRONG_PREFETCH(row.cells + c); });
        each_cell(view, filters, [](const Row& row, std::uint32_t c) {
            const std::uint32_t* categories = LabelArrays(row).categories + row.cells[c];
            THRONG_PREFETCH(categories);
            THRONG_PREFETCH(categories + gap / 2);
        });
    }

    // The queries of a group that may find an agent, with their reach.
    Reach reach_[group_size + 1];
    std::uint32_t candidates_[group_size + 1];
    std::size_t count_ = 0;
};

}  // namespace throng::simd
