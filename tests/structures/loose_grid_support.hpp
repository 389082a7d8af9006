// What the tests of LooseGrid share: a way into it, worlds, and answers by brute force.
#pragma once

#include "engine/src/structures/loose_grid/state.hpp"
#include "structures/index_answers.hpp"
#include "support/test.hpp"
#include "throng/structures/loose_grid.hpp"

namespace throng {

template <>
struct IndexInspector<LooseGrid> {
    static auto& state(auto& index) { return index.template own<LooseGrid::State>(); }
    static auto& records(LooseGrid& g) { return state(g).records_; }
    static auto& slots(LooseGrid& g) { return state(g).slots_; }
    static auto& cells(LooseGrid& g) { return state(g).cells_; }
    static auto& tight(LooseGrid& g) { return state(g).tight_; }
    static auto& nodes(LooseGrid& g) { return state(g).nodes_; }
    static auto& touched(LooseGrid& g) { return state(g).touched_; }
    static std::size_t wide_cells(LooseGrid& g) {
        std::size_t count = 0;
        for (std::uint32_t node = tight(g)[state(g).wide_list()]; node != LooseGrid::State::none;
             node = nodes(g)[node].next)
            ++count;
        return count;
    }
    static auto& row_sizes(LooseGrid& g) { return state(g).row_sizes_; }
    static std::uint32_t cell_of(const LooseGrid& g, const Box& box) { return state(g).cell_of(box); }
    static const Box& bounds(LooseGrid& g, const Box& of) {
        return state(g).cells_[state(g).cell_of(of)].bounds;
    }
    static std::size_t links(const LooseGrid& g) { return state(g).nodes_.size(); }
};

namespace test {

using Inspector = IndexInspector<LooseGrid>;
inline constexpr float huge = 3e38f;

// Ten by ten loose cells of size 10, and five by five tight ones.
inline LooseGrid::Config ten_by_ten() {
    return {.extents = {0, 0, 100, 100}, .columns = 10, .rows = 10, .tight_columns = 2, .tight_rows = 2};
}

// Against all boxes, one by one. Element i of them has the id i.
inline void expect_all_answers(LooseGrid& grid, const std::vector<Box>& boxes,
                               const std::vector<Box>& queries) {
    expect_sound(grid);
    for (const Box& query : queries) ASSERT_EQ(overlapping(grid, query), overlapping(boxes, query));
    ASSERT_EQ(pairs_of(grid), pairs_of(boxes));
}

inline Box some_box(Random& random, float largest) {
    return Box::around(random.uniform(-5, 105), random.uniform(-5, 105), random.uniform(0, largest),
                       random.uniform(0, largest));
}

inline std::vector<Box> some_boxes(std::size_t count, std::uint64_t seed, float largest = 1) {
    Random random(seed);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) boxes.push_back(some_box(random, largest));
    return boxes;
}

}  // namespace test
}  // namespace throng
