// What the tests of RowGrid compare it with: its elements' boxes, and brute force over them.
#pragma once

#include "structures/index_answers.hpp"
#include "support/test.hpp"
#include "throng/structures/row_grid.hpp"

namespace throng::test {

// The grid has these elements, with ids from 0 on, and is in order.
inline void expect_holds(RowGrid& grid, const std::vector<Box>& boxes) {
    expect_sound(grid);
    ASSERT_EQ(grid.size(), boxes.size());
    for (ElementId id = 0; id < boxes.size(); ++id) {
        ASSERT_TRUE(grid.contains(id));
        ASSERT_EQ(grid.box(id), boxes[id]);
    }
    const std::size_t step = std::max<std::size_t>(boxes.size() / 100, 1);
    for (std::size_t i = 0; i < boxes.size(); i += step)
        ASSERT_EQ(overlapping(grid, boxes[i]), overlapping(boxes, boxes[i])) << "box of " << i;
    if (boxes.size() <= 4000) {
        ASSERT_EQ(pairs_of(grid), pairs_of(boxes));
    }
}

inline Box box_in(Random& random, float low, float high, float largest_half) {
    return Box::around(random.uniform(low, high), random.uniform(low, high), random.uniform(0, largest_half),
                       random.uniform(0, largest_half));
}
inline std::vector<Box> crowd_in(Random& random, std::size_t count, float low, float high,
                                 float largest_half = 0.5f) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) boxes.push_back(box_in(random, low, high, largest_half));
    return boxes;
}
inline void walk(Random& random, std::vector<Box>& boxes, float pace) {
    for (Box& box : boxes) {
        const float x = random.uniform(-pace, pace), y = random.uniform(-pace, pace);
        box = {box.min_x + x, box.min_y + y, box.max_x + x, box.max_y + y};
    }
}

inline RowGrid grid_for(std::size_t elements, float side, MemoryResource* memory = nullptr) {
    return RowGrid(RowGrid::recommended({.extents = {0, 0, side, side}, .elements = elements}), memory);
}

}  // namespace throng::test
