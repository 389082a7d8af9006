#include "engine/src/pairs/pairs_while_built.hpp"

#include <algorithm>
#include <limits>

#include "engine/src/memory/scratch.hpp"

namespace throng::detail {

namespace {

// Sizes that a host adds to a centre come out a little different in each frame.
constexpr float ample = 1.0009765625f;

// How many rows an agent can reach below its own, and never less than the kernel takes for that.
std::size_t rows_below(const simd::Grid& grid, float reach_y) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    if (largest - grid.origin_y > largest) return grid.rows;
    const float rows = reach_y * grid.inverse_height * 1.002f + 0.13f;
    return 1 + static_cast<std::size_t>(rows < grid.last_row ? rows : grid.last_row);
}

}  // namespace

PairsWhileBuilt::PairsWhileBuilt(Store& store, const simd::Kernels& kernels, const FrameState& before,
                                 Buffer<Pair>& list) noexcept
    : store_(store),
      kernels_(kernels),
      list_(list),
      reach_x_(before.view.reach_x * ample),
      reach_y_(before.view.reach_y * ample) {}

void PairsWhileBuilt::begin(FrameState& frame) noexcept {
    list_.clear();
    if (reach_x_ <= 0 || reach_y_ <= 0 || frame.rows.size() == 1) return;
    if (!space_) space_.emplace(store_.pair_spaces);
    if (!*space_) return;
    PairSpace& space = **space_;
    std::size_t largest = 0;
    for (const simd::Row& row : frame.rows) largest = std::max<std::size_t>(largest, row.count);
    out_of_memory_.store(false, std::memory_order_relaxed);
    if (!reserve_amply(space.edge, largest + simd::gap) || !keep_.open(sink_, 0)) return;
    scratch_.emplace(space, store_);
    view_.grid = frame.map.open();
    view_.reach_x = reach_x_;
    view_.reach_y = reach_y_;
    view_.rows = frame.rows.data();
    view_.is_all = true;
    ahead_ = rows_below(view_.grid, reach_y_);
    swept_ = 0;
    frame_ = &frame;
}

// The rows up to `end`. What is overfull is found again, so there is no need to go on. An agent that reaches further than
// was foreseen may reach rows that are not sorted yet.
void PairsWhileBuilt::sweep(std::size_t end) noexcept {
    for (; frame_ != nullptr && swept_ < end && !scratch_->overfull && !sink_.stopped; ++swept_) {
        const simd::RowReach& reach = frame_->reach[swept_];
        if (reach.width > reach_x_ || reach.height > reach_y_) {
            frame_ = nullptr;
            return;
        }
        if (frame_->rows[swept_].count != 0)
            kernels_.row_pairs(view_, static_cast<std::uint32_t>(swept_), *scratch_, sink_);
    }
}

bool PairsWhileBuilt::has_all(const FrameState& frame) noexcept {
    if (frame_ != &frame || frame.view.reach_x > reach_x_ || frame.view.reach_y > reach_y_) return false;
    sweep(frame.rows.size());
    if (frame_ == nullptr || scratch_->overfull || sink_.stopped) return false;
    if (const std::uint32_t oversized = frame.view.oversized.count; oversized != 0)
        kernels_.oversized_pairs(frame.view, 0, oversized, sink_);
    return keep_.close(sink_);
}

Status PairsWhileBuilt::finish(const FrameState& frame, const Executor& executor) noexcept {
    if (has_all(frame)) {
        keep_pairs_ample(list_);
        return {};
    }
    in_vain_ = scratch_.has_value();
    scratch_.reset();
    space_.reset();
    list_.clear();
    return list_all_pairs(frame, executor, list_);
}

}  // namespace throng::detail
