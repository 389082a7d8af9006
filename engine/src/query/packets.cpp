#include "engine/src/query/packets.hpp"
#include "base/blocks.hpp"
#include "simd/query_kernels.hpp"

#include <array>
#include <bit>
#include <limits>

namespace throng::detail {

// The row of each query, and how many each row has. Returns how many come before the first that is illegal.
std::size_t Packets::find_rows(const simd::Query* queries, std::size_t count,
                               const simd::LabelFilters& filters, std::uint16_t* rows,
                               std::uint32_t* histogram) const noexcept {
    if (!by_ranks_) {
        const std::size_t legal =
            frame_.kernels->queries->count_query_rows(frame_.view, queries, count, rows, histogram);
        if (frame_.map.has_storeys() && filters.bands != nullptr)
            lead_to_storeys(
                *frame_.kernels->rows, frame_.map.floors(), legal,
                [&](std::size_t i) {
                    const simd::LabelFilter filter = filters[i];
                    return Band{filter.min_z, filter.max_z};
                },
                [&](std::size_t row) { return frame_.map.rows_of_layer(row); }, rows, histogram);
        return legal;
    }
    const TreeRanks tree_ranks(frame_, frame_.tree_marks());
    std::array<std::uint32_t, 64> ranks;
    for (std::size_t first = 0; first < count; first += ranks.size()) {
        const std::size_t some = std::min(ranks.size(), count - first);
        tree_ranks.find({reinterpret_cast<const Box*>(queries + first), some}, ranks.data());
        for (std::size_t k = 0; k < some; ++k)
            ++histogram[rows[first + k] = static_cast<std::uint16_t>(ranks[k] >> rank_shift_)];
    }
    return frame_.kernels->queries->count_legal(queries, count);
}

Status Packets::sort(const simd::Query* queries, std::size_t count,
                     const simd::LabelFilters& filters) noexcept {
    std::size_t& rows = rows_ = frame_.rows.size();
    if (by_ranks_) {
        rows = std::min(std::bit_ceil(count + 1), std::size_t{1} << 13);
        rank_shift_ = frame_.tree_marks()->levels + 2 * simd::TreeMarks::rank_bits -
                      static_cast<unsigned>(std::countr_zero(rows));
    }
    const std::size_t chunks = parallel::blocks_for(executor_, count, 8192);
    blocks_ = row_groups_for(executor_, rows, count);
    if (!reserve_amply(space_.row_of, count) || !space_.row_of.resize(count) ||
        !resize_by_rows(frame_.map.has_islands(), space_.counts, chunks * rows) ||
        !resize_by_rows(frame_.map.has_islands(), space_.starts, rows + 1) ||
        !resize_by_rows(frame_.map.has_islands(), space_.cursors, chunks * rows) ||
        !reserve_amply(space_.records, count + 1) || !space_.records.resize(count))
        return {Code::out_of_memory};

    constexpr std::size_t all_legal = std::numeric_limits<std::size_t>::max();
    std::atomic<std::size_t> first_bad{all_legal};
    parallel::Ran ran = parallel::for_blocks(executor_, chunks, [&](std::size_t chunk) {
        std::uint32_t* histogram = space_.counts.data() + chunk * rows;
        std::fill_n(histogram, rows, 0u);
        const parallel::Range part = parallel::range_of(count, chunks, chunk);
        const std::size_t legal = find_rows(queries + part.begin, part.size(),
                                            filters.are_unfiltered() ? filters : filters.from(part.begin),
                                            space_.row_of.data() + part.begin, histogram);
        if (legal < part.size()) parallel::lower(first_bad, part.begin + legal);
    });
    if (!ran) return outcome(ran);
    if (const std::size_t bad = first_bad.load(std::memory_order_relaxed); bad != all_legal)
        return {Code::not_finite, bad};

    parallel::scan_bins(space_.counts.data(), chunks, rows, space_.starts.data());
    largest_row_ = 0;
    for (std::size_t r = 0; r < rows; ++r)
        largest_row_ = std::max<std::size_t>(largest_row_, space_.starts[r + 1] - space_.starts[r]);
    return scatter(queries, count, chunks);
}

// Writes the queries of each chunk to the places of their rows.
Status Packets::scatter(const simd::Query* queries, std::size_t count, std::size_t chunks) noexcept {
    const std::size_t rows = rows_;
    const parallel::Ran ran = parallel::for_blocks(executor_, chunks, [&](std::size_t chunk) {
        simd::Record** cursors = space_.cursors.data() + chunk * rows;
        for (std::size_t r = 0; r < rows; ++r)
            cursors[r] = space_.records.data() + space_.counts[chunk * rows + r];
        const parallel::Range part = parallel::range_of(count, chunks, chunk);
        frame_.kernels->queries->scatter_queries(queries + part.begin, part.size(),
                                                 static_cast<std::uint32_t>(part.begin),
                                                 space_.row_of.data() + part.begin, cursors);
    });
    return outcome(ran);
}

}  // namespace throng::detail
