// The order in which the casts of a batch are searched: by the cells in which they start, so that casts in a
// row read the same few rows.
//
// First they are put into up to 256 parts of the world, and then each part is sorted in the cache. In one
// step several workers would write to the same lines of memory all the time. For that reason answers are in
// this order, too, until all are found.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <span>

#include "base/blocks.hpp"
#include "base/box_math.hpp"
#include "engine/src/casts/cast_check.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/store/spaces.hpp"
#include "parallel/blocks.hpp"
#include "throng/compiler.hpp"
#include "throng/queries/casts.hpp"

namespace throng::detail {

// The number of the one storey at which a cast looks on its way, or 0 if it looks at several.
inline std::uint32_t layer_of_cast(const WorldMap& map, const LyingCasts& casts,
                                   const simd::LabelFilters& filters, std::size_t i) noexcept {
    if (!casts.may_have_heights) return layer_of_query(map, filters, i);
    simd::LabelFilter filter = filters.are_unfiltered() ? simd::LabelFilter{} : filters[i];
    const simd::CastHeights& at = casts.heights(i);
    filter.share_heights(std::min(at.min_z, at.min_z + at.dz), std::max(at.max_z, at.max_z + at.dz));
    return map.layer_of({filter.min_z, filter.max_z});
}

// Each row of each region is cut into equally many groups of columns. With very many rows, some share a bin.
class CastBins {
public:
    static constexpr std::size_t in_part = 256, most = in_part * in_part;

    CastBins(const FrameState& frame, std::size_t casts) noexcept : frame_(frame) {
        groups_ = std::clamp<std::size_t>(std::min(casts, most) / frame.rows.size(), 1, 64);
        while ((frame.rows.size() * groups_ - 1) >> shift_ >= most) ++shift_;
        const simd::Grid& g = frame.map.grid_of_region(0);
        groups_in_width_ = g.inverse_width * (static_cast<float>(groups_) / static_cast<float>(g.columns));
    }
    std::size_t parts() const noexcept {
        return ((frame_.rows.size() * groups_ - 1) >> shift_) / in_part + 1;
    }
    // `layer` is the number of its storey, if there are any.
    std::uint32_t of(const simd::CastQuery& cast, std::uint32_t layer) const noexcept {
        const float x = cast.start.min_x, y = cast.start.min_y;
        if (!frame_.map.has_islands()) {
            // Without a division: only the order depends on it.
            const simd::Grid& g = frame_.map.grid_of_region(0);
            return in_bins(std::size_t{layer} * g.rows + row_at(g, y),
                           bin(x, g.origin_x, groups_in_width_, static_cast<float>(groups_ - 1)));
        }
        const std::uint32_t region = frame_.map.region_at(x, y);
        const simd::Grid& g = frame_.map.grid_of_region(region);
        // In 32 bits, which divide faster; there are at most 65,520 columns.
        return in_bins(frame_.map.first_row(region, layer) + row_at(g, y),
                       column_at(g, x) * static_cast<std::uint32_t>(groups_) / g.columns);
    }

private:
    std::uint32_t in_bins(std::size_t row, std::uint32_t group) const noexcept {
        return static_cast<std::uint32_t>((row * groups_ + group) >> shift_);
    }

    const FrameState& frame_;
    std::size_t groups_;
    unsigned shift_ = 0;
    float groups_in_width_;  // in one unit of a world without islands
};

// For the casts [0, count).
class CastOrder {
public:
    CastOrder(const FrameState& frame, const Executor& executor, CastSpace& space, std::size_t count) noexcept
        : frame_(frame),
          bins_(frame, count),
          executor_(executor),
          space_(space),
          count_(count),
          parts_(bins_.parts()),
          blocks_(parallel::blocks_for(executor, count, 4096)) {}

    // Checks the casts, and writes their order to the space. The first one is number `first` of all.
    Status find(const LyingCasts& casts, const Casts& all, std::size_t first,
                const simd::LabelFilters& filters) noexcept {
        if (!reserve_amply(space_.counts, blocks_ * CastBins::in_part) ||
            !space_.counts.resize(blocks_ * parts_) || !space_.starts.reserve(CastBins::in_part + 1) ||
            !space_.starts.resize(parts_ + 1) || !resize_amply(space_.order, count_) ||
            !resize_amply(space_.bins, count_) || !resize_amply(space_.entries, count_))
            return {Code::out_of_memory};
        std::atomic<std::size_t> first_bad{count_};
        parallel::Ran ran = each_range(
            [&](std::size_t b, parallel::Range some) { count(casts, filters, b, some, first_bad); });
        if (!ran) return outcome(ran);
        if (const std::size_t bad = first_bad.load(std::memory_order_relaxed); bad != count_)
            return {check(all[first + bad]), first + bad, Argument::boxes};
        parallel::scan_bins(space_.counts.data(), blocks_, parts_, space_.starts.data());
        ran = each_range([&](std::size_t b, parallel::Range some) { put_into_parts(b, some); });
        if (!ran) return outcome(ran);
        return outcome(parallel::for_ranges(executor_, parts_, 8, [&](parallel::Range parts) {
            for (std::size_t p = parts.begin; p < parts.end; ++p)
                sort_part(space_.starts[p], space_.starts[p + 1]);
        }));
    }
    // From this order to that of the casts.
    template <class Answer>
    Status put_back(const Answer* found, Answer* answers) const noexcept {
        return outcome(each_range([&](std::size_t, parallel::Range part) {
            for (std::size_t i = part.begin; i < part.end; ++i)
                answers[i] = found[space_.entries[space_.bins[i]].spot];
        }));
    }

private:
    template <class Body>
    parallel::Ran each_range(const Body& body) const noexcept {
        return parallel::for_blocks(executor_, blocks_,
                                    [&](std::size_t b) { body(b, parallel::range_of(count_, blocks_, b)); });
    }
    std::uint32_t* parts_of_block(std::size_t b) const noexcept { return space_.counts.data() + b * parts_; }

    // As many casts at a time as the nearest cache holds are checked, and then counted.
    void count(const LyingCasts casts, const simd::LabelFilters& filters, std::size_t b, parallel::Range some,
               std::atomic<std::size_t>& first_bad) noexcept {
        std::uint32_t* counts = parts_of_block(b);
        std::fill_n(counts, parts_, 0u);
        const bool by_storeys = frame_.map.has_storeys();
        for (std::size_t i = some.begin, end = i; i < some.end;) {
            for (const std::size_t last = std::min(end + 256, some.end); end < last; ++end)
                if (!casts.legal(end)) return parallel::lower(first_bad, end);
            for (; i < end; ++i) {
                const std::uint32_t bin =
                    bins_.of(casts[i], by_storeys ? layer_of_cast(frame_.map, casts, filters, i) : 0);
                space_.bins[i] = bin;
                ++counts[bin / CastBins::in_part];
            }
        }
    }
    void put_into_parts(std::size_t b, parallel::Range some) noexcept {
        std::uint32_t* next = parts_of_block(b);
        for (std::size_t i = some.begin; i < some.end; ++i) {
            const std::uint32_t bin = space_.bins[i], entry = next[bin / CastBins::in_part]++;
            THRONG_PREFETCH(space_.entries.data() + entry + 16, 1);
            space_.entries[entry] = {static_cast<std::uint32_t>(i), bin};
            space_.bins[i] = entry;
        }
    }
    void sort_part(std::uint32_t begin, std::uint32_t end) noexcept {
        std::array<std::uint32_t, CastBins::in_part + 1> next{};
        const std::span<CastEntry> part(space_.entries.data() + begin, end - begin);
        for (const CastEntry& entry : part) ++next[entry.spot % CastBins::in_part + 1];
        next[0] = begin;
        for (std::size_t bin = 1; bin < CastBins::in_part; ++bin) next[bin] += next[bin - 1];
        for (CastEntry& entry : part) {
            entry.spot = next[entry.spot % CastBins::in_part]++;
            space_.order[entry.spot] = entry.number;
        }
    }

    const FrameState& frame_;
    const CastBins bins_;
    const Executor& executor_;
    CastSpace& space_;
    const std::size_t count_, parts_, blocks_;
};

}  // namespace throng::detail
