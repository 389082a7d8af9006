// What the tests of RowGrid share.
#pragma once

#include "structures/tests/index_answers.hpp"
#include "structures/tests/test.hpp"
#include "throng/structures/row_grid.hpp"

namespace throng::structures::test {

// Each by a random step of at most this length along either axis.
inline void walk(Random& random, std::vector<Box>& boxes, float pace) {
    for (Box& box : boxes) {
        const float x = random.uniform(-pace, pace), y = random.uniform(-pace, pace);
        box = moved(box, x, y);
    }
}

inline RowGrid grid_for(std::size_t elements, float side, MemoryResource* memory = nullptr) {
    return RowGrid(RowGrid::recommended({.extents = {0, 0, side, side}, .elements = elements}), memory);
}

}  // namespace throng::structures::test
