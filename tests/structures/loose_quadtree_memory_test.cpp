// The loose quadtree's memory: how much, when, and what happens without.
#include "bench/common/workload.hpp"
#include "structures/loose_quadtree_support.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using namespace loose;

Boxes boxes_of(const workload::World& world) {
    return Boxes::centre_half(world.x.data(), world.y.data(), world.hx.data(), world.hy.data(), world.size());
}

TEST(LooseQuadtreeMemory, is_at_most_36_bytes_an_element_in_a_crowd) {
    const workload::World world = workload::make("crowd", 100'000);
    CountingResource memory;
    LooseQuadtree tree(
        LooseQuadtree::recommended({.extents = {0, 0, world.side, world.side}, .elements = world.size()}),
        &memory);
    ASSERT_TRUE(tree.assign(boxes_of(world)));
    EXPECT_EQ(tree.bytes(), memory.bytes_out());
    EXPECT_LE(memory.bytes_out(), 36 * world.size());
}

TEST(LooseQuadtreeMemory, is_bounded_by_the_number_of_elements_wherever_they_are) {
    // As many as split a leaf at as many points, which differ in their last bits: a path of groups for each.
    constexpr std::size_t points = 500;
    constexpr std::uint32_t limit = 8;
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < points * (limit + 1); ++i) {
        const float x = 0.9f * static_cast<float>(i / (limit + 1)) / points;
        boxes.push_back({x, 0.5f, x, 0.5f});
    }
    LooseQuadtree tree(config_of(1, 24, limit));
    ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
    EXPECT_GT(parts_of(tree).size(), points * 12);
    EXPECT_LE(parts_of(tree).size(), points * 24 * 4);
    EXPECT_LE(tree.bytes(), boxes.size() * (40 + 24 * 80 * 3 / 2 / limit));
}

TEST(LooseQuadtreeMemory, is_kept_by_a_tree_that_is_cleared) {
    CountingResource memory;
    LooseQuadtree tree(config_of(100), &memory);
    const std::vector<Box> boxes = some_boxes(1000, 100, 1);
    ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
    const std::uint64_t calls = memory.calls();
    tree.clear();
    EXPECT_EQ(tree.size(), 0u);
    EXPECT_TRUE(overlapping(tree, {0, 0, 100, 100}).empty());
    EXPECT_TRUE(parts_of(tree).empty());
    EXPECT_TRUE(tree.validate());
    ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
    EXPECT_EQ(memory.calls(), calls);
    expect_right(tree);
}

TEST(LooseQuadtreeMemory,
     is_not_needed_for_moving_and_removing_and_leaves_are_split_when_there_is_some_again) {
    CountingResource memory;
    LooseQuadtree tree(config_of(100, 10, 2), &memory);
    const std::vector<Box> boxes = some_boxes(500, 100, 1);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        ElementId id;
        ASSERT_TRUE(tree.insert({1, 1, 1, 1}, id));
    }
    memory.fail_after(0);
    for (ElementId id = 0; id < 499; ++id) ASSERT_TRUE(tree.move(id, boxes[id]));
    EXPECT_GT(memory.failures(), 0u);
    ASSERT_TRUE(tree.remove(499));
    tree.clean_up();
    expect_right(tree);
    const std::size_t before = parts_of(tree).size();
    memory.stop_failing();
    for (ElementId id = 0; id < 499; ++id) {
        ASSERT_TRUE(tree.move(id, {200, 200, 200, 200}));
        ASSERT_TRUE(tree.move(id, boxes[id]));
    }
    EXPECT_GT(parts_of(tree).size(), before + 100);
    for (const Part& part : parts_of(tree))
        if (part.depth < 10) {
            EXPECT_LE(part.elements, 2u);
        }
    expect_right(tree);
}

}  // namespace
}  // namespace throng::test
