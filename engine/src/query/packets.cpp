#include "engine/src/query/packets.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>

#include "base/sample.hpp"
#include "engine/src/frame/tree/tree_ranks.hpp"
#include "engine/src/memory/growth.hpp"

namespace throng::detail {

Status Packets::sort(const simd::Query* queries, std::size_t count,
                     const simd::LabelFilters& filters) noexcept {
    filters_ = filters;
    const bool has_storeys = !by_ranks_ && frame_.map.has_storeys() && !frame_.map.has_islands();
    if (has_storeys && filters.bands != nullptr && filters.itself == 0) filtered_ = 0;
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

std::size_t Packets::find_rows(const simd::Query* queries, std::size_t count,
                               const simd::LabelFilters& filters, std::uint16_t* rows,
                               std::uint32_t* histogram) noexcept {
    if (!by_ranks_) {
        const std::size_t legal =
            frame_.kernels->queries->count_query_rows(frame_.view, queries, count, rows, histogram);
        if (frame_.map.has_storeys() && filters.bands != nullptr) {
            std::fill_n(histogram, rows_, 0u);
            const bool tells = ~filtered_.load(std::memory_order_relaxed) != 0;
            std::array<simd::LabelFilters::Several, simd::Floors::most + 2> by_storey;
            lead_to_storeys(
                *frame_.kernels->rows, frame_.map, legal,
                [&](std::size_t first, std::size_t some, float* min_z, float* max_z) {
                    for (std::size_t k = 0; k < some; ++k) {
                        const simd::LabelFilter filter = filters[first + k];
                        min_z[k] = filter.min_z;
                        max_z[k] = filter.max_z;
                    }
                },
                [](std::uint32_t row) { return row; },
                [&](std::size_t i, std::uint32_t storey) {
                    if (tells) filters.add_to(by_storey[storey], i);
                },
                rows, histogram);
            for (std::uint32_t storey = 0; storey < by_storey.size(); ++storey)
                if (!admits_all(storey, by_storey[storey]))
                    filtered_.fetch_or(std::uint64_t{1} << storey, std::memory_order_relaxed);
        }
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

// Whether filters leave out no agent on a storey, and it has all that they may find.
bool Packets::admits_all(std::uint32_t storey, const simd::LabelFilters::Several& filters) const noexcept {
    if (storey == 0 || storey >= frame_.map.layers(0) || frame_.map.has_islands()) return false;
    const simd::View& view = frame_.view.storeys->views[storey];
    return view.is_all && filters.are_only_by_height() &&
           view.shared_heights.admit_all(filters.heights.from, filters.heights.to);
}

// The packet of some queries of a row.
Packet Packets::packet(std::size_t row, const simd::Record* records, std::size_t count) const noexcept {
    const std::uint64_t filtered = filtered_.load(std::memory_order_relaxed);
    if (~filtered != 0)
        if (const std::uint32_t storey = frame_.map.layer_of_row(static_cast<std::uint32_t>(row));
            (filtered >> storey & 1) == 0)
            return {frame_.view.storeys->views[storey], no_filters_, records, count};
    return {frame_.view, filters_, records, count};
}

std::size_t Packets::largest_row_of(const RowGroup& group) const noexcept {
    const Buffer<std::uint32_t>& starts = space_.starts;
    std::size_t largest = std::min<std::size_t>(largest_row_, 2 * (starts[rows_] / blocks_));
    for (std::size_t r = group.begin; r < group.end; ++r)
        largest = std::max<std::size_t>(largest, starts[r + 1] - starts[r]);
    return largest;
}

bool Packets::for_each_row(std::size_t block, AnswerSpace& answers,
                           parallel::Call<void(const Packet&)> search) const noexcept {
    const Buffer<std::uint32_t>& starts = space_.starts;
    const RowGroup group = rows_of(block);
    if (!reserve(answers, largest_row_of(group))) return false;
    if (by_ranks_) {
        const std::size_t first = starts[group.begin], count = starts[group.end] - first;
        if (count != 0) search({frame_.view, filters_, space_.records.data() + first, count});
        return true;
    }
    std::size_t waiting = 0, last_row = 0;
    std::uint32_t last = 0;
    const auto answer = [&] {
        if (waiting != 0) search(packet(last_row, answers.records.data(), waiting));
        waiting = 0;
    };
    for (std::size_t r = group.begin; r < group.end; ++r) {
        const std::size_t count = starts[r + 1] - starts[r];
        if (count == 0) continue;
        const std::uint32_t region = frame_.map.region_of_row(r);
        const simd::View& home = frame_.view_of(region);
        simd::Record* const records = space_.records.data() + starts[r];
        if (waiting + count > together || region != last) answer();
        if (home.islands != nullptr && count > few_groups) {
            search(packet(r,
                          radix_sort<8>(records, answers.records.data(), count,
                                        [](const simd::Record& each) { return ordered_bits(each.min_x); }),
                          count));
            continue;
        }
        frame_.kernels->queries->sort_packet(home, records, count, answers.group_of.data(),
                                             answers.records.data() + waiting);
        waiting += count;
        last = region, last_row = r;
        if (!frame_.map.has_islands()) answer();
    }
    answer();
    return true;
}

}  // namespace throng::detail
