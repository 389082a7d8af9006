// Told of the rows of a frame while it is built, by the one thread that sorts them.
#pragma once

#include <cstddef>

#include "engine/src/frame/frame_state.hpp"

namespace throng::detail {

class RowWatcher {
public:
    // Before a frame is built, whether or not its rows will be sorted by one thread.
    void forget() noexcept { frame_ = nullptr; }
    // Before the first row is sorted; the rows have their numbers of agents already.
    virtual void begin(FrameState& frame) noexcept = 0;
    // After each row, from the first to the last.
    virtual void sorted(std::size_t row) noexcept = 0;

protected:
    ~RowWatcher() = default;

    const FrameState* frame_ = nullptr;  // null if none is watched
};

}  // namespace throng::detail
