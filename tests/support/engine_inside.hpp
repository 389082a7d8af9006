// What the library hides: the state behind a frame, and with it the store. For tests that plant faults or
// count steps.
#pragma once

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/store/store.hpp"
#include "throng/frame.hpp"

namespace throng::test {

detail::FrameState& state_behind(const Frame& frame);

// How many agents of the common size are on no island, in a world that has some.
std::uint64_t strays_of(const Frame& frame);

inline detail::Store& store_behind(const Frame& frame) { return *state_behind(frame).store; }

}  // namespace throng::test
