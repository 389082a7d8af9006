// Builds a frame from nothing: all agents' boxes in, rows out. Two streaming passes over the boxes and one
// over the rows, none of which needs a lock or an atomic number:
//
//     1. chunks of agents count their rows                      (simd: count_rows)
//     2. a prefix sum over rows and chunks tells each chunk where in each row it may write
//     3. chunks write their agents as records into the rows     (simd: scatter)
//     4. each row is sorted by column, where it lies            (simd: sort_row)
//
// Chunks are joined in order and the sort is stable, so a row comes out the same for any number of chunks: by
// cell, and in a cell by id. Nothing is published before step 4 is done, so a bad box found in step 3 costs
// nothing to refuse.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/src/frame/store.hpp"
#include "simd/kernels.hpp"
#include "throng/boxes.hpp"
#include "throng/executor.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class FrameBuilder {
public:
    explicit FrameBuilder(MemoryResource* memory) noexcept
        : row_of_(memory), counts_(memory), starts_(memory), cursors_(memory) {}

    struct Input {
        Boxes boxes;
        const AgentId* ids = nullptr;  // ascending; null where agent i has id i
        Labels labels;                 // empty if all have the default one
        bool labels_are_by_id = true;  // otherwise they are in the order of the boxes
        WorldMap map;
        const simd::Kernels* kernels;
        Executor executor;
    };
    // On success `frame` is a state with one reference, complete but for its tuning and number.
    Status build(Store& store, const Input& input, FrameState*& frame) noexcept;
    // Gives back what so many agents have no use for.
    void give_back_excess(std::size_t agents) noexcept;

private:
    // Where one cell is enough there is nothing to count or to sort. Leaves it undone if somebody is
    // oversized.
    static Status build_few(Store& store, const Input& input, FrameState& frame, bool& done) noexcept;
    Status count(const Input& input) noexcept;
    bool lay_out(Store& store, const Input& input, FrameState& frame) noexcept;
    Status scatter(const Input& input) noexcept;
    Status sort(Store& store, const Input& input, FrameState& frame) noexcept;

    // Where things are while a frame is built.
    std::size_t chunks_ = 0;
    Buffer<std::uint16_t> row_of_;   // by agent
    Buffer<std::uint32_t> counts_;   // by chunk and row
    Buffer<std::uint32_t> starts_;   // how many agents are in the rows before
    Buffer<simd::Record*> cursors_;  // by chunk and row
};

}  // namespace throng::detail
