// Goes through a frame's agents in the order of the rows: one after the other, or all of them in parallel
// over the rows. The order is the frame's own, so a sample taken through it is the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/blocks.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "parallel/blocks.hpp"
#include "throng/executor.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// Calls `visit(id, row, slot)` for all agents.
template <class Visit>
parallel::Ran for_each_agent(const Executor& executor, const FrameState& frame, Visit&& visit) noexcept {
    const std::size_t rows = frame.rows.size(), groups = row_groups_for(executor, rows, frame.agents);
    return parallel::for_blocks(executor, groups, [&](std::size_t index) {
        const parallel::Range range = parallel::range_of(rows, groups, index, 1);
        for (std::size_t r = range.begin; r < range.end; ++r) {
            const simd::Row& row = frame.rows[r];
            if (agents_in(row) == 0) continue;
            const AgentId* ids = RowArrays(row).id;
            for_each_slot(row, [&](std::uint32_t i) { visit(ids[i], row, i); });
        }
    });
}

class FrameReader {
public:
    explicit FrameReader(const FrameState& frame) noexcept : frame_(frame) {}

    // The box of the i-th agent, and its heights. Reading forwards is cheap; a step back starts again from
    // the first row.
    Box box(std::size_t i) noexcept {
        const auto [row, slot] = place_of(i);
        return RowArrays(*row).box(slot);
    }
    Band band(std::size_t i) noexcept {
        const auto [row, slot] = place_of(i);
        return traits_in(*row, frame_.extras, slot).height;
    }

private:
    struct Place {
        const simd::Row* row;
        std::size_t slot;
    };
    Place place_of(std::size_t i) noexcept {
        if (i < before_) row_ = before_ = at_ = 0;
        for (; i - before_ >= agents_in(frame_.rows[row_]); at_ = 0)
            before_ += agents_in(frame_.rows[row_++]);
        const simd::Row& row = frame_.rows[row_];
        const std::size_t n = i - before_;
        const std::uint32_t common = common_agents_in(row);
        return {&row, n < common ? slot_of(row, frame_.map.columns(row_), static_cast<std::uint32_t>(n))
                                 : oversized_slot(row, n - common)};
    }
    // The slot of the n-th oversized agent of the row.
    std::size_t oversized_slot(const simd::Row& row, std::size_t n) noexcept {
        if (row.is_dense()) return oversized_begin(row) + n;
        if (at_ == 0 || n < number_) at_ = oversized_begin(row), number_ = 0;
        for (;; ++at_) {
            if (!has_agent(row, at_)) continue;
            if (number_ == n) return at_;
            ++number_;
        }
    }

    const FrameState& frame_;
    std::size_t row_ = 0;
    std::size_t before_ = 0;           // agents in the rows before
    std::size_t at_ = 0, number_ = 0;  // the last slot of an oversized agent in this row; 0 if there was none
};

}  // namespace throng::detail
