// The centres of a frame's agents by id, if all ids are in use. An update makes it on its way if a reader
// wanted such a table lately (Store::want_centres), since it reads the boxes in that order anyway. It goes
// back to its pool when the frame is dropped.
#pragma once

#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

// Tells rounding modes apart by their effect: a host may have set only that of the vector unit.
inline int rounding_mode() noexcept {
    const volatile float tiny = 0x1p-30f;
    return (1.0f + tiny != 1.0f) + 2 * (1.0f - tiny != 1.0f) + 4 * (-1.0f - tiny != -1.0f);
}

struct CentreTable {
    explicit CentreTable(MemoryResource* memory) noexcept : points(memory) {}

    Buffer<Point> points;
    int rounding = 0;  // under which they were rounded
    CentreTable* next = nullptr;
};

}  // namespace throng::detail
