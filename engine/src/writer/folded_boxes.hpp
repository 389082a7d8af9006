// A host's boxes for an engine whose world wraps around, folded into the one world. A pass tells whether all
// lie there already: then the host's own are used.
#pragma once

#include <cstddef>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "throng/boxes.hpp"
#include "throng/executor.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class FoldedBoxes {
public:
    explicit FoldedBoxes(ScratchList& scratch) noexcept : boxes_(scratch) {}

    // `boxes` becomes a view of the folded ones, and `torus` takes account of them. Illegal ones stay.
    Status fold(const Executor& executor, Boxes& boxes, Torus& torus) noexcept;

private:
    Scratch<Box> boxes_;
};

}  // namespace throng::detail
