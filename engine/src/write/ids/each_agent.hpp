// Goes through all agents of a frame, in parallel over its rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/row_groups.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/row_holes.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "parallel/blocks.hpp"
#include "throng/executor.hpp"

namespace throng::detail {

// Calls `visit(id, row, i)` for all agents. Returns false if the executor failed.
template <class Visit>
bool for_each_agent(const Executor& executor, const FrameState& frame, Visit&& visit) noexcept {
    const std::size_t rows = frame.rows.size(), groups = row_groups_for(executor, rows, frame.agents);
    return parallel::for_blocks(executor, groups, [&](std::size_t index) {
        const parallel::Range range = parallel::range_of(rows, groups, index, 1);
        for (std::size_t r = range.begin; r < range.end; ++r) {
            const simd::Row& row = frame.rows[r];
            if (agents_in(row) == 0) continue;
            const AgentId* ids = RowArrays(row).id;
            for_each_place(row, [&](std::uint32_t i) { visit(ids[i], row, i); });
        }
    });
}

}  // namespace throng::detail
