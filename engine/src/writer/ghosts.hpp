// Tells a frame which of its agents are ghosts (simd/types.hpp). Each function writes them after the
// frame is built, and returns false if there is no memory.
#pragma once

#include <cstddef>
#include <span>

#include "engine/src/edit/staging.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/store/store.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// The ghosts of an update: the ids behind the owned ones, or as many ids from 0 on, except those left out.
struct GhostsGiven {
    std::size_t owned, count;
    const AgentId* ids = nullptr;            // null if agent i has id i
    std::span<const AgentId> left_out = {};  // ascending
};
[[nodiscard]] bool give_ghosts(Store& store, const GhostsGiven& given, FrameState& frame) noexcept;

// The ghosts of the frame before: all of them, or with the new numbers of their ids, or those left after
// edits.
void keep_ghosts(Store& store, const FrameState& before, FrameState& frame) noexcept;
[[nodiscard]] bool renumber_ghosts(Store& store, const FrameState& before, std::span<const AgentId> order,
                                   FrameState& frame) noexcept;
[[nodiscard]] bool edit_ghosts(Store& store, const FrameState& before, const Staging& staging,
                               FrameState& frame) noexcept;

}  // namespace throng::detail
