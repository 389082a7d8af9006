// Neighbours by centres among boxes that are far larger than the distances between agents. A frame of the
// centres finds them. It is made when it pays, and the host notices only the time.
#include <thread>

#include "engine/src/neighbours/sites.hpp"
#include "engine/src/store/spaces.hpp"
#include "support/counting_resource.hpp"
#include "support/engine_inside.hpp"
#include "support/rounding.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr std::size_t ranges = 3000;
constexpr float square = 82;  // as dense as a crowd

// A crowd's places, where one of `one_in` sees as far as three fifths of the world.
std::vector<Box> crowd_with_large_boxes(std::uint64_t one_in, std::uint64_t seed = 1) {
    Random random(seed);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < ranges; ++i) {
        const float x = random.uniform(0, square), y = random.uniform(0, square),
                    half = random.one_in(one_in) ? 0.3f * square : 0.4f;
        boxes.push_back(Box::around(x, y, half, half));
    }
    return boxes;
}
const detail::ShapeFrame* centres_of(const Frame& frame) { return state_behind(frame).centre_frame.load(); }

using Lists = std::vector<std::vector<AgentId>>;
Lists one_by_one(const Frame& frame, const std::vector<Box>& boxes, float radius) {
    Lists lists;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Box& box = boxes[i];
        const Point at{box.min_x / 2 + box.max_x / 2, box.min_y / 2 + box.max_y / 2};
        lists.emplace_back();
        EXPECT_EQ(
            frame.for_each_neighbour(
                at, {.radius = radius}, [&](const Neighbour& other) { lists.back().push_back(other.id); },
                Filter{.self = static_cast<AgentId>(i)}),
            Status{});
    }
    return lists;
}
Lists by_id(const Frame& frame, float radius) {
    NeighbourLists found;
    EXPECT_EQ(frame.neighbours({.radius = radius}, found), Status{});
    Lists lists;
    for (const std::span<const AgentId> list : found) lists.emplace_back(list.begin(), list.end());
    return lists;
}

TEST(LargeBoxes, are_searched_by_centres_at_the_cost_of_a_crowd) {
    for (const std::uint64_t one_in : {1u, 2u}) {
        const std::vector<Box> boxes = crowd_with_large_boxes(one_in);
        const Engine engine = engine_with(boxes);
        NeighbourLists lists;
        ASSERT_EQ(engine.frame().neighbours({.count = 8}, lists), Status{});
        const detail::ShapeFrame* const centres = centres_of(engine.frame());
        ASSERT_NE(centres, nullptr);
        EXPECT_TRUE(centres->frame.validate().sound());
        // What own places look at there.
        std::vector<Box> places;
        for (const Box& box : boxes) {
            const float x = box.min_x / 2 + box.max_x / 2, y = box.min_y / 2 + box.max_y / 2;
            places.push_back({x - 2, y - 2, x + 2, y + 2});
        }
        const Explain cost = centres->frame.explain(places);
        EXPECT_LT(cost.tested, 40 * cost.queries);
    }
}

TEST(LargeBoxes, have_lists_in_one_order_whichever_way_these_were_made) {
    for (const std::uint64_t one_in : {1u, 2u}) {
        const std::vector<Box> boxes = crowd_with_large_boxes(one_in);
        const Engine engine = engine_with(boxes);
        const Frame frame = engine.frame();
        const std::vector<Box> few(boxes.begin(), boxes.begin() + 20);
        const Lists before = one_by_one(frame, few, 3);
        ASSERT_EQ(centres_of(frame), nullptr);
        Lists all = by_id(frame, 3);
        ASSERT_NE(centres_of(frame), nullptr);
        EXPECT_EQ(one_by_one(frame, boxes, 3), all);
        all.resize(few.size());
        EXPECT_EQ(before, all);
        EXPECT_GT(before[0].size(), 5u);
    }
}

TEST(LargeBoxes, have_no_lists_where_the_host_wants_the_call_to_end) {
    const std::vector<Box> boxes = crowd_with_large_boxes(1);
    const Engine engine = engine_with(boxes);
    NeighbourLists lists;
    ASSERT_EQ(engine.frame().neighbours({.radius = 3}, lists), Status{});
    ASSERT_NE(centres_of(engine.frame()), nullptr);
    CountingExecutor several(4);
    for (const Executor& executor : {serial_executor(), several.executor()})
        for (std::uint64_t from = 0;; from += 1 + from / 8) {
            CancellingHost host(from);
            const Status status = engine.frame().on(host.on(executor)).neighbours({.radius = 3}, lists);
            EXPECT_EQ(status, Status{host.has_cancelled() ? Code::cancelled : Code::ok}) << from;
            EXPECT_EQ(lists.empty(), host.has_cancelled()) << from;
            if (!host.has_cancelled()) break;
        }
}

TEST(LargeBoxes, get_a_frame_of_centres_once_single_searches_have_looked_at_enough) {
    const std::vector<Box> boxes = crowd_with_large_boxes(1);
    const Engine engine = engine_with(boxes);
    const Frame frame = engine.frame();
    std::size_t searches = 0;
    for (; centres_of(frame) == nullptr && searches < 1000; ++searches)
        EXPECT_TRUE(frame.nearest(boxes[searches].min_x < 0 ? Point{1, 1} : Point{2, 3}).neighbour.found());
    EXPECT_GT(searches, 20u);
    EXPECT_LT(searches, 300u);
    EXPECT_EQ(frame.nearest({2, 3}).neighbour, engine_with(boxes).frame().nearest({2, 3}).neighbour);
}

TEST(LargeBoxes, get_none_where_it_does_not_pay) {
    const auto has_one = [](const std::vector<Box>& boxes, auto wanted) {
        const Engine engine = engine_with(boxes);
        NeighbourLists lists;
        EXPECT_EQ(engine.frame().neighbours(wanted, lists), Status{});
        return centres_of(engine.frame()) != nullptr;
    };
    EXPECT_FALSE(has_one(crowd_with_large_boxes(100'000), Within{.radius = 2})) << "a crowd";
    EXPECT_FALSE(has_one(crowd_with_large_boxes(100), Nearest{.count = 8})) << "with a few large boxes";
    EXPECT_FALSE(has_one(crowd_with_large_boxes(1), Within{.radius = 2, .agents_as = AgentsAs::boxes}));
    EXPECT_FALSE(has_one(crowd_with_large_boxes(1), Within{.radius = square})) << "all find all";
    EXPECT_TRUE(has_one(crowd_with_large_boxes(1), Within{.radius = 2}));
}

TEST(LargeBoxes, are_searched_by_their_boxes_without_memory_for_a_frame_of_centres) {
    const std::vector<Box> boxes = crowd_with_large_boxes(1);
    const Lists expected = by_id(engine_with(boxes).frame(), 2);
    std::size_t refused = 0;
    for (std::uint64_t allowed = 0; allowed < 200; ++allowed) {
        CountingResource memory;
        const Engine engine = engine_with(boxes, {.executor = serial_executor(), .memory = &memory});
        const Frame frame = engine.frame();
        NeighbourLists lists;
        memory.fail_once_after(allowed);
        const Status status = frame.neighbours({.radius = 2}, lists);
        memory.stop_failing();
        if (!status.ok()) {
            EXPECT_EQ(status.code, Code::out_of_memory);
            continue;
        }
        refused += centres_of(frame) == nullptr;
        Lists found;
        for (const std::span<const AgentId> list : lists) found.emplace_back(list.begin(), list.end());
        ASSERT_EQ(found, expected) << allowed;
        if (memory.failures() == 0) break;
    }
    EXPECT_GT(refused, 0u);
}

TEST(LargeBoxes, share_one_frame_of_centres_among_all_readers) {
    const std::vector<Box> boxes = crowd_with_large_boxes(2);
    Engine engine = engine_with(boxes, {.executor = serial_executor()});
    const Lists expected = by_id(engine.frame(), 2);
    for (int again = 0; again < 5; ++again) {
        ASSERT_EQ(engine.update(boxes), Status{});
        const Frame frame = engine.frame();
        std::vector<Lists> found(4);
        std::vector<std::thread> readers;
        for (Lists& lists : found) readers.emplace_back([&] { lists = by_id(frame, 2); });
        for (std::thread& reader : readers) reader.join();
        for (const Lists& lists : found) EXPECT_EQ(lists, expected);
    }
}

TEST(LargeBoxes, take_no_memory_in_settled_frames_and_give_it_back) {
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    NeighbourLists lists(&memory);
    KeptNeighbours kept({.radius = 2, .skin = 0.5f}, &memory);
    std::vector<Box> boxes = crowd_with_large_boxes(2);
    std::uint64_t settled = 0;
    for (int frame = 0; frame < 240; ++frame) {
        if (frame == 140) settled = memory.calls();
        for (std::size_t i = static_cast<std::size_t>(frame) % 7; i < ranges; i += 7) {
            const float step = (i + static_cast<std::size_t>(frame) / 7) % 2 == 0 ? 0.1f : -0.1f;
            boxes[i] = {boxes[i].min_x + step, boxes[i].min_y, boxes[i].max_x + step, boxes[i].max_y};
        }
        ASSERT_EQ(engine.update(boxes), Status{});
        ASSERT_EQ(engine.frame().neighbours({.count = 8}, lists), Status{});
        ASSERT_EQ(engine.frame().neighbours({.radius = 2, .in_row_order = true}, lists), Status{});
        ASSERT_EQ(kept.update(engine.frame()), Status{});
        ASSERT_NE(centres_of(engine.frame()), nullptr);
    }
    EXPECT_EQ(memory.calls(), settled);
    const std::size_t with_centres = memory.bytes_out();
    ASSERT_EQ(engine.update(boxes), Status{});
    engine.release_memory();
    EXPECT_LT(memory.bytes_out(), with_centres - 20 * ranges);
}

TEST(LargeBoxes, are_searched_by_centres_as_each_rounding_mode_has_them) {
    THRONG_SKIP_WITHOUT_ROUNDING_MODES();
    const std::vector<Box> boxes = crowd_with_large_boxes(1);
    const Engine engine = engine_with(boxes, {.executor = serial_executor()});
    const Frame frame = engine.frame();
    const auto distances = [&] {
        NeighbourLists lists;
        EXPECT_EQ(frame.neighbours({.count = 4, .distances = true}, lists), Status{});
        return std::vector<float>(lists.squared_distances().begin(), lists.squared_distances().end());
    };
    (void)distances();
    ASSERT_NE(centres_of(frame), nullptr);
    for (const int mode : rounding_modes) {
        const Rounding rounding(mode);
        const Engine fresh = engine_with(boxes, {.executor = serial_executor()});
        NeighbourLists lists;
        EXPECT_EQ(fresh.frame().neighbours({.count = 4, .distances = true}, lists), Status{});
        const std::vector<float> there = distances();
        EXPECT_TRUE(std::equal(there.begin(), there.end(), lists.squared_distances().begin(),
                               lists.squared_distances().end()))
            << mode;
    }
}

}  // namespace
}  // namespace throng::test
