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
    void begin(FrameState& frame) noexcept { begin_(*this, frame); }
    // After each row, from the first to the last.
    void sorted(std::size_t row) noexcept { sorted_(*this, row); }

protected:
    using Begin = void (*)(RowWatcher&, FrameState&) noexcept;
    using Sorted = void (*)(RowWatcher&, std::size_t) noexcept;
    RowWatcher(Begin on_begin, Sorted on_sorted) noexcept : begin_(on_begin), sorted_(on_sorted) {}
    ~RowWatcher() = default;

    const FrameState* frame_ = nullptr;  // null if none is watched

private:
    Begin begin_;
    Sorted sorted_;
};

}  // namespace throng::detail
