// The centres of a frame's agents by id, if all ids are in use. An update makes it on its way if a reader
// wanted such a table lately (Store::want_centres), since it reads the boxes in that order anyway. It goes
// back to its pool when the frame is dropped.
#pragma once

#include "engine/src/memory/pool.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

// Tells rounding modes apart by their effect: a host may have set only that of the vector unit.
inline int rounding_mode() noexcept {
    const volatile float tiny = 0x1p-30f;
    return (1.0f + tiny != 1.0f) + 2 * (1.0f - tiny != 1.0f) + 4 * (-1.0f - tiny != -1.0f);
}

struct CentreTable : WorkSpace<CentreTable> {
    using WorkSpace::WorkSpace;
    Buffer<Point> points{host};
    int rounding = 0;  // under which they were rounded
};

}  // namespace throng::detail
