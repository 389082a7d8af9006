// The centres of a frame's agents by id, where all ids are in use. An update makes it on its way if a reader wanted such a table
// lately (Store::want_centres), since it reads the boxes in that order anyway. It goes back to its pool when the frame is dropped.
#pragma once

#include "throng/containers/buffer.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

struct CentreTable {
    explicit CentreTable(MemoryResource* memory) noexcept : places(memory) {}

    Buffer<Point> places;
    CentreTable* next = nullptr;
};

}  // namespace throng::detail
