// Scratch memory of a grid for its pairs: two packed rows, and what sweeps of overfull cells need. LooseGrid::assign
// sorts in the first, and notes the rows of all elements in the second.
#pragma once

#include <cstddef>

#include "throng/containers/buffer.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

struct PackedPairSpace {
    Buffer<std::byte> rows, sweep;

    explicit PackedPairSpace(MemoryResource* memory) noexcept : rows(memory), sweep(memory) {}
    std::size_t bytes() const noexcept { return rows.bytes() + sweep.bytes(); }
};

}  // namespace throng::detail
