// Makes the rows of the next frame from those of a frame of which many agents were edited, and from those of
// the agents that come: a frame of these alone, on the same map, whose rows are not sorted. Each row is read
// once and written once, in order. The frame is the one that a build from scratch would make, bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/src/store/store.hpp"
#include "throng/executor.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class RowMerger {
public:
    struct Input {
        const FrameState& frame;      // without labels
        const FrameState& coming;     // the agents of the edits, except for those that leave; not sorted
        const std::uint32_t* edited;  // a bit for each id: whether its agent moves or leaves
        std::size_t agents;           // that there will be
        Executor executor;
    };
    explicit RowMerger(MemoryResource* memory) noexcept
        : before_(memory), counts_(memory), offsets_(memory) {}

    // On success `next` is a state like that of FrameBuilder::build.
    Status merge(Store& store, const Input& input, FrameState*& next) noexcept;

private:
    bool prepare(const Input& input, std::size_t groups) noexcept;
    Status count_rows(const Input& input, std::size_t groups) noexcept;
    Block* take_block(Store& store, const Input& input) noexcept;
    Status merge_rows(Store& store, const Input& input, std::size_t groups, FrameState& next) noexcept;
    // Where the rows of a group go, one after the other, and how many pairs share a cell in those that are
    // there.
    struct Place {
        Block* block;
        std::byte* at;
        std::uint64_t sharing;
    };
    static void merge_row(const Input& input, std::size_t r, std::byte* scratch, Place& place,
                          FrameState& next) noexcept;

    Buffer<std::uint32_t> before_;  // agents of both frames in the rows before
    Buffer<std::uint32_t> counts_;  // by row: how many there will be, if they were counted
    Buffer<std::size_t> offsets_;   // by row: where it begins in the block, if they were counted
    bool counted_ = false;
};

}  // namespace throng::detail
