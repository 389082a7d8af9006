#include "engine/src/casts/batch_order.hpp"

#include <algorithm>

#include "engine/src/base/cell_math.hpp"
#include "parallel/blocks.hpp"

namespace throng::detail {

namespace {

// The bins: each row of each region is cut into equally many groups of columns.
class Bins {
public:
    Bins(const FrameState& frame, std::size_t casts) noexcept : frame_(frame) {
        const std::size_t wanted = std::min(casts, max_bins);
        most_ = std::max(wanted, frame.rows.size());
        groups_ = std::clamp<std::size_t>(wanted / frame.rows.size(), 1, 64);
        groups_in_column_ =
            static_cast<float>(groups_) / static_cast<float>(frame.map.grid_of_region(0).columns);
    }
    std::size_t count() const noexcept { return frame_.rows.size() * groups_; }
    // No fewer than there are, and the same for any number of rows, unless there are many.
    std::size_t most() const noexcept { return most_; }
    std::size_t of(const Cast& cast) const noexcept {
        const float x = cast.start.min_x, y = cast.start.min_y;
        if (!frame_.map.has_islands()) {
            // Without a division: only the order depends on it.
            const simd::Grid& g = frame_.map.grid_of_region(0);
            const float group = static_cast<float>(column_at(g, x)) * groups_in_column_;
            return row_at(g, y) * groups_ + std::min(static_cast<std::size_t>(group), groups_ - 1);
        }
        const std::uint32_t region = frame_.map.region_at(x, y);
        const simd::Grid& g = frame_.map.grid_of_region(region);
        const std::size_t row = frame_.map.first_row(region) + row_at(g, y);
        // In 32 bits, which divide faster; there are at most 65,520 columns.
        return row * groups_ + column_at(g, x) * static_cast<std::uint32_t>(groups_) / g.columns;
    }

private:
    static constexpr std::size_t max_bins = 1 << 16;

    const FrameState& frame_;
    std::size_t most_, groups_;
    float groups_in_column_;  // of a world without islands
};

}  // namespace

Status sort_casts(const FrameState& frame, const Executor& executor, const Cast* casts, std::size_t count,
                  CastSpace& space) noexcept {
    const Bins bins(frame, count);
    const std::size_t blocks = parallel::blocks_for(executor, count, 16384);
    if (!reserve_amply(space.counts, blocks * bins.most()) || !space.counts.resize(blocks * bins.count()) ||
        !reserve_amply(space.starts, bins.most() + 1) || !space.starts.resize(bins.count() + 1) ||
        !resize_amply(space.order, count) || !resize_amply(space.bins, count))
        return {Code::out_of_memory};
    const bool found = parallel::for_blocks(executor, blocks, [&](std::size_t b) {
        const parallel::Range part = parallel::range_of(count, blocks, b);
        for (std::size_t i = part.begin; i < part.end; ++i)
            space.bins[i] = static_cast<std::uint32_t>(bins.of(casts[i]));
    });
    if (!found) return {Code::bad_executor};
    const bool ran =
        parallel::bin(executor, count, bins.count(), blocks, space.counts.data(), space.starts.data(),
                      space.order.data(), [&](std::size_t i) { return space.bins[i]; });
    return {ran ? Code::ok : Code::bad_executor};
}

}  // namespace throng::detail
