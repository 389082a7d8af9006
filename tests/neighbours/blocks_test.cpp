// Lists of neighbours that come in blocks: how they are cut, what is refused, and that a world whose lists
// are suddenly long takes no memory far beyond the bound. All comparisons with brute force check that they
// are the right lists: see support/neighbour_answers.cpp.
#include "support/neighbour_blocks.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

std::vector<Point> corners_of(const std::vector<Box>& boxes) {
    std::vector<Point> points;
    for (const Box& box : boxes) points.push_back({box.min_x, box.min_y});
    return points;
}

TEST(NeighbourBlocks, skip_ids_that_are_not_in_use) {
    const Scene scene = make_scene("uniform", 1000);
    Engine engine = engine_with(scene.boxes());
    for (AgentId id = 0; id < 1000; id += id % 200 < 90 ? 1 : 7) ASSERT_EQ(engine.remove(id), Status{});
    ASSERT_EQ(engine.commit(), Status{});
    const Frame frame = engine.frame();
    NeighbourLists all, block;
    for (const Neighbourhood& wanted : {Neighbourhood{.radius = 3}, Neighbourhood{.max_count = 64},
                                        Neighbourhood{.max_count = 1, .with_self = true}}) {
        ASSERT_EQ(wanted.in([&](const auto& kind) { return frame.neighbours(kind, all); }), Status{});
        for (const std::size_t max_bytes : {std::size_t{0}, std::size_t{3000}}) {
            const JoinedLists joined = join_blocks(frame, block, max_bytes, {}, wanted);
            EXPECT_TRUE(joined.well_cut);
            EXPECT_TRUE(joined.all == ListsAsTheyAre(all)) << max_bytes;
        }
    }
}

// Agents far apart, with no neighbours, and then a heap of agents that all see each other.
std::vector<Box> many_alone_and_then_a_heap(std::size_t alone, std::size_t heap) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < alone; ++i) {
        const auto x = static_cast<float>(i % 64) * 10, y = static_cast<float>(i / 64) * 10;
        boxes.push_back({x, y, x + 1, y + 1});
    }
    boxes.insert(boxes.end(), heap, Box{-100, -100, -99, -99});
    return boxes;
}

TEST(NeighbourBlocks, keep_near_the_bound_where_lists_are_suddenly_long) {
    constexpr std::size_t alone = 6000, heap = 2000, max_bytes = 1 << 18;
    const std::vector<Box> boxes = many_alone_and_then_a_heap(alone, heap);
    const std::vector<Point> points = corners_of(boxes);
    for (const bool several : {false, true}) {
        CountingExecutor workers(4);
        CountingResource memory;
        const Frame frame = engine_with(boxes, {.executor = several ? workers.executor() : serial_executor(),
                                                .memory = &memory})
                                .frame();
        (void)frame.box(0);  // makes its table
        NeighbourLists block(&memory);
        const std::uint64_t before = memory.bytes_out();
        const auto expect_bounded = [&](const JoinedLists& joined) {
            EXPECT_EQ(joined.status, Status{});
            EXPECT_TRUE(joined.well_cut);
            EXPECT_EQ(joined.all.ids.size(), heap * (heap - 1));
            EXPECT_LT(block.bytes(), max_bytes * 5 / 2);
            // All lists together are 16 megabytes. A stream takes a few kilobytes even if it is empty.
            EXPECT_LT(memory.bytes_out() - before, max_bytes * 12);
        };
        expect_bounded(join_blocks(frame, block, max_bytes, {}, Neighbourhood{.radius = 2}));
        expect_bounded(
            join_blocks(frame, block, max_bytes, {}, Neighbourhood{.radius = 2, .in_row_order = true}));
        const JoinedLists of_points =
            join_blocks(frame, block, max_bytes, {}, Neighbourhood{.radius = 2}, points);
        EXPECT_EQ(of_points.all.ids.size(), alone + heap * heap);
        EXPECT_LT(memory.bytes_out() - before, max_bytes * 12);
    }
}

TEST(NeighbourBlocks, end_when_the_visitor_has_enough) {
    const Scene scene = make_scene("uniform", 2000);
    const Frame frame = engine_with(scene.boxes()).frame();
    const std::vector<Point> points(1000);
    NeighbourLists block;
    std::size_t calls = 0;
    const auto twice = [&](std::size_t, const NeighbourLists&) { return ++calls % 2 != 0; };
    ASSERT_EQ(frame.for_each_answer({.radius = 2}, block, twice, {.max_bytes = 2000}), Status{});
    EXPECT_EQ(calls, 2u);
    ASSERT_EQ(frame.for_each_answer(points, {.count = 3}, block, twice, {.max_bytes = 2000}), Status{});
    EXPECT_EQ(calls, 4u);
    const auto throwing = [](std::size_t, const NeighbourLists&) { throw std::runtime_error("enough"); };
    EXPECT_THROW((void)frame.for_each_answer({.radius = 2}, block, throwing), std::runtime_error);
    EXPECT_THROW((void)frame.for_each_answer(points, {.radius = 2}, block, throwing), std::runtime_error);
    ASSERT_EQ(frame.for_each_answer(Frame(), {.radius = 2}, block, twice, {.max_bytes = 2000}), Status{});
    EXPECT_EQ(calls, 6u);
}

TEST(NeighbourBlocks, do_not_come_if_anything_is_illegal) {
    const std::vector<Box> boxes(3000, Box{0, 0, 1, 1});
    NeighbourLists block;
    const auto none = [](std::size_t, const NeighbourLists&) { FAIL(); };
    const Frame frame = engine_with(boxes).frame();
    EXPECT_EQ(frame.for_each_answer({.radius = -1}, block, none), Status{Code::inverted});
    EXPECT_EQ(frame.for_each_answer(Within{}, block, none), Status{Code::not_finite});
    EXPECT_EQ(frame.for_each_answer({.count = 65}, block, none), Status{Code::bad_config});
    std::vector<float> radii(3000, 1.0f);
    for (const bool half : {false, true})
        EXPECT_EQ(frame.for_each_answer({.radii = radii, .either_reaches = !half, .half = half}, block, none),
                  Status{Code::bad_config});
    radii[2900] = -1;
    for (const bool rows : {false, true})
        EXPECT_EQ(frame.for_each_answer({.radii = radii, .in_row_order = rows}, block, none),
                  (Status{Code::inverted, 2900}));
    const std::vector<Filter> two(2);
    EXPECT_EQ(frame.for_each_answer({.radius = 1}, block, none, {}, Filters::of(two)),
              Status{Code::size_mismatch});
    for (const Frame& others : {frame, Engine({.cell_width = -1}).frame(), Frame()}) {
        const Status own = others.status();
        EXPECT_EQ(frame.for_each_answer(others, {.radius = -1}, block, none), Status{Code::inverted});
        EXPECT_EQ(frame.for_each_answer(others, {.radii = radii}, block, none),
                  own.ok() ? (Status{Code::inverted, 2900}) : own);
        EXPECT_EQ(frame.for_each_answer(others, {.radii = radii, .half = true}, block, none),
                  Status{Code::bad_config});
    }
    EXPECT_EQ(frame.for_each_answer(Frame(), {.radius = 1, .half = true}, block, none),
              Status{Code::bad_config});

    std::vector<Point> points(3000);
    EXPECT_EQ(frame.for_each_answer(points, {.radii = radii}, block, none), (Status{Code::inverted, 2900}));
    points[2000].y = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(frame.for_each_answer(points, {.radius = 1}, block, none), (Status{Code::not_finite, 2000}));
    EXPECT_EQ(Frame().for_each_answer(points, {.radius = 1}, block, none), (Status{Code::not_finite, 2000}));
    EXPECT_EQ(frame.for_each_answer(points, {.radius = 1, .half = true}, block, none),
              Status{Code::bad_config});
    EXPECT_EQ(frame.for_each_answer(Points(), {.radius = 1}, block, none), Status{});
    const Engine unusable({.cell_width = -1});
    const std::vector<Point> one_point(1);
    EXPECT_EQ(unusable.frame().for_each_answer({.radius = 1}, block, none), unusable.status());
    EXPECT_EQ(unusable.frame().for_each_answer(one_point, {.radius = 1}, block, none), unusable.status());
    EXPECT_TRUE(block.empty());
}

TEST(NeighbourBlocks, of_an_empty_frame_have_an_empty_list_for_every_point_and_no_list_of_agents) {
    const std::vector<Point> points(1000);
    NeighbourLists block;
    const JoinedLists joined = join_blocks(Frame(), block, 1000, {}, Neighbourhood{.max_count = 2}, points);
    EXPECT_EQ(joined.status, Status{});
    EXPECT_EQ(joined.all.offsets, std::vector<std::uint64_t>(1001));
    EXPECT_GT(joined.blocks.size(), 1u);
    EXPECT_TRUE(join_blocks(Frame(), block, 1000, {}, Neighbourhood{.radius = 2}).blocks.empty());
}

}  // namespace
}  // namespace throng::test
