// The ways of a commit, all of which give the same rows, bit for bit, if the grid is the same.
#pragma once

#include <cstdint>

#include "engine/src/edit/staging.hpp"
#include "engine/src/frame/frame_state.hpp"

namespace throng::detail {

enum class Way : std::uint8_t {
    by_rows,       // few edits: only the rows that they touch are written (frame_editor.hpp)
    merged,        // many, all over the world: each row is merged with the agents that come (row_merger.hpp)
    from_scratch,  // very many: all rows are built, as by an update (gathered_agents.hpp)
};

// The fastest way for these edits: it depends on how many they are, and whether they are all over the world.
// If the frame gets its first labels or heights, all rows are built.
Way way_of(const FrameState& frame, const Staging& staging) noexcept;

}  // namespace throng::detail
