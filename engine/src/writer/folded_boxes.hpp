// A host's boxes for an engine whose world wraps around, folded into the one world. A pass tells whether all
// lie there already: then the host's own are used.
#pragma once

#include <cstddef>

#include "engine/src/frame/frame_state.hpp"
#include "throng/boxes.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/executor.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class FoldedBoxes {
public:
    explicit FoldedBoxes(MemoryResource* memory) noexcept : boxes_(memory) {}

    // `boxes` becomes a view of the folded ones, and `torus` takes account of them. Illegal ones stay.
    Status fold(const Executor& executor, Boxes& boxes, Torus& torus) noexcept;
    void give_back_excess(std::size_t agents) noexcept;

private:
    Buffer<Box> boxes_;
};

}  // namespace throng::detail
