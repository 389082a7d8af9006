// What a frame is made of: its rows, islands and nodes hold all agents, where they say so.
#include <cstdint>
#include <vector>

#include "support/test.hpp"
#include "throng/throng.hpp"
#include "worlds/scenes/random.hpp"

namespace throng::test {
namespace {

std::vector<FramePart> parts_of(const Frame& frame) {
    std::vector<FramePart> parts;
    EXPECT_EQ(frame.for_each_part([&parts](const FramePart& part) { parts.push_back(part); }), Status{});
    return parts;
}

std::uint64_t agents_in_all(const std::vector<FramePart>& parts, FramePartKind kind) {
    std::uint64_t agents = 0;
    for (const FramePart& part : parts)
        if (part.kind == kind &&
            (kind == FramePartKind::row || part.depth == (kind == FramePartKind::node ? 0u : 1u)))
            agents += part.agents;
    return agents;
}

std::vector<Box> spread(std::size_t count, float side, float half, Random& random, float at = 0) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i)
        boxes.push_back(Box::around({at + random.uniform(0, side), at + random.uniform(0, side)}, half));
    return boxes;
}

Frame frame_of(const std::vector<Box>& boxes, float common_size = 0) {
    Engine engine({.executor = serial_executor(), .common_size = common_size});
    EXPECT_EQ(engine.update(Boxes::of(boxes)), Status{});
    return engine.frame();
}

// Every agent is in a row, on the grid or on an island, or below a root of the tree.
void expect_all_agents(const Frame& frame) {
    const std::vector<FramePart> parts = parts_of(frame);
    EXPECT_EQ(agents_in_all(parts, FramePartKind::row) + agents_in_all(parts, FramePartKind::node),
              frame.size());
}

TEST(FrameParts, of_a_crowd_are_the_rows_that_its_tuning_tells_of) {
    Random random(1);
    const Frame frame = frame_of(spread(5000, 300, 0.5f, random));
    const std::vector<FramePart> parts = parts_of(frame);
    const Tuning tuning = frame.tuning();
    ASSERT_EQ(parts.size(), tuning.rows);
    for (std::size_t row = 0; row < parts.size(); ++row) {
        const FramePart& part = parts[row];
        EXPECT_EQ(part.kind, FramePartKind::row);
        EXPECT_EQ(part.cells, tuning.columns);
        EXPECT_NEAR(part.box.max_y - part.box.min_y, tuning.row_height, 1e-3);
        EXPECT_FLOAT_EQ(part.box.min_x, tuning.origin_x);
        EXPECT_EQ(part.box.min_y, row == 0 ? tuning.origin_y : parts[row - 1].box.max_y);
    }
    expect_all_agents(frame);
}

TEST(FrameParts, of_a_few_agents_are_one_row_around_them) {
    const std::vector<Box> boxes{{0, 0, 1, 1}, {5, -2, 6, 9}};
    const std::vector<FramePart> parts = parts_of(frame_of(boxes));
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].box, boxes[0].united(boxes[1]));
    EXPECT_EQ(parts[0].agents, 2u);
}

TEST(FrameParts, of_crowded_spots_are_islands_with_rows_of_their_own) {
    Random random(2);
    std::vector<Box> boxes;
    for (int village = 0; village < 12; ++village)
        for (const Box& box :
             spread(1000, 60, 0.5f, random, 50000.0f * static_cast<float>(village * village % 13)))
            boxes.push_back(box.moved(40000.0f * static_cast<float>(village), 0));
    const Frame frame = frame_of(boxes);
    ASSERT_GT(frame.tuning().islands, 0u);
    const std::vector<FramePart> parts = parts_of(frame);
    std::uint32_t islands = 0, rows = 0, in_island = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const FramePart& part = parts[k];
        islands += part.kind == FramePartKind::island;
        rows += part.kind == FramePartKind::row && part.depth != 0;
        if (part.kind != FramePartKind::island) continue;
        in_island += part.depth == 1 ? part.agents : 0;
        ASSERT_LT(k + 1, parts.size());
        EXPECT_EQ(parts[k + 1].kind, FramePartKind::row);
        EXPECT_EQ(parts[k + 1].depth, part.depth);
        std::uint64_t within = 0;
        for (const Box& box : boxes)
            within += part.box.min_x <= box.min_x && box.max_x <= part.box.max_x &&
                      part.box.min_y <= box.min_y && box.max_y <= part.box.max_y;
        EXPECT_GE(within, part.agents);
    }
    EXPECT_EQ(islands, frame.tuning().islands);
    EXPECT_GT(rows, islands);
    EXPECT_GT(in_island, boxes.size() / 2);
    expect_all_agents(frame);
}

TEST(FrameParts, of_giants_are_nodes_in_which_their_children_lie) {
    for (const std::size_t giants : {100u, 3000u}) {
        Random random(3);
        std::vector<Box> boxes = spread(20000, 2000, 0.5f, random);
        for (const Box& giant : spread(giants, 2000, 40, random)) boxes.push_back(giant);
        const Frame frame = frame_of(boxes, 2);
        ASSERT_EQ(frame.tuning().oversized, giants);
        std::vector<FramePart> around;
        std::size_t nodes = 0;
        for (const FramePart& part : parts_of(frame)) {
            if (part.kind != FramePartKind::node) continue;
            ++nodes;
            ASSERT_LE(part.depth, around.size());
            around.resize(part.depth);
            if (part.depth != 0) {
                const FramePart& parent = around.back();
                EXPECT_EQ(parent.box.united(part.box), parent.box);
                EXPECT_LE(part.agents, parent.agents);
            }
            around.push_back(part);
        }
        EXPECT_GT(nodes, giants / 32);
        expect_all_agents(frame);
    }
}

TEST(FrameParts, end_where_the_visitor_says) {
    Random random(4);
    const Frame frame = frame_of(spread(5000, 300, 0.5f, random));
    std::size_t seen = 0;
    EXPECT_EQ(frame.for_each_part([&seen](const FramePart&) { return ++seen < 3; }), Status{});
    EXPECT_EQ(seen, 3u);
}

}  // namespace
}  // namespace throng::test
