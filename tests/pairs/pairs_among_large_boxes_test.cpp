// Pairs of circles and of centres among boxes that are far larger than these. Frames of the circles and of
// the centres find them. They are made when it pays, and the host notices only the time.
#include <thread>

#include "engine/src/store/spaces.hpp"
#include "support/engine_inside.hpp"
#include "support/rounding.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr std::size_t long_ones = 2200;
constexpr float square_side = 56;  // as dense as a crowd

constexpr PairQuery touching{.agents_as = AgentsAs::circles},
    near_each_other{.within = 0.5f, .agents_as = AgentsAs::circles},
    with_near_centres{.within = 1, .agents_as = AgentsAs::centres};

enum class Of { crowd, crossing, one_way, squares };

// A crowd's places, where boxes reach far along one axis or both.
std::vector<Box> world_of(Of kind, std::uint64_t seed = 1, float scale = 1) {
    Random random(seed);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < long_ones; ++i) {
        const float x = random.uniform(0, square_side), y = random.uniform(0, square_side),
                    half = random.uniform(0.1f, 0.5f), far = square_side * random.uniform(0.1f, 0.3f);
        const bool is_wide = kind == Of::one_way || (kind == Of::crossing && i % 2 == 0),
                   is_high = kind == Of::crossing && i % 2 != 0;
        const float half_x = is_wide || kind == Of::squares ? far : half,
                    half_y = is_high || kind == Of::squares ? far : half;
        boxes.push_back(Box::around(scale * x, scale * y, scale * half_x, scale * half_y));
    }
    return boxes;
}
Engine engine_of(Of kind) {
    const std::vector<Box> boxes = world_of(kind);
    return engine_with(boxes);
}
const detail::ShapeFrame* circles_of(const Frame& frame) { return state_behind(frame).circle_frame.load(); }
const detail::ShapeFrame* centres_of(const Frame& frame) { return state_behind(frame).centre_frame.load(); }

std::vector<Pair> expected_of(const std::vector<Box>& boxes, const PairQuery& wanted) {
    oracle::PairLists list;
    EXPECT_EQ(twin_with(boxes).frame().pairs(list, wanted), Status{});
    return in_order(list.pairs());
}
// In the order of the frame.
std::vector<Pair> pairs_in(const Frame& frame, const PairQuery& wanted) {
    const PairList list = listed_pairs(frame, wanted);
    return {list.begin(), list.end()};
}

TEST(PairsAmongLargeBoxes, are_found_at_the_cost_of_a_crowd) {
    for (const Of kind : {Of::crossing, Of::one_way}) {
        const Engine engine = engine_of(kind);
        const Frame frame = engine.frame();
        const std::size_t answers = pairs_in(frame, near_each_other).size();
        ASSERT_NE(circles_of(frame), nullptr);
        EXPECT_TRUE(circles_of(frame)->frame.validate().sound());
        EXPECT_LT(circles_of(frame)->frame.count_pairs({.within = 0.5f}).total, 2 * answers);
        EXPECT_GT(frame.count_pairs({.within = 0.5f}).total, 10 * (long_ones + answers)) << "of the boxes";
    }
    const Engine engine = engine_of(Of::squares);
    const Frame frame = engine.frame();
    const std::size_t answers = pairs_in(frame, with_near_centres).size();
    ASSERT_NE(centres_of(frame), nullptr);
    EXPECT_LT(centres_of(frame)->frame.count_pairs({.within = 1}).total, 2 * answers);
}

TEST(PairsAmongLargeBoxes, are_looked_for_by_their_boxes_where_nothing_else_pays) {
    const auto has_others = [](const std::vector<Box>& boxes, const PairQuery& wanted) {
        const Engine engine = engine_with(boxes);
        (void)pairs_in(engine.frame(), wanted);
        return circles_of(engine.frame()) != nullptr || centres_of(engine.frame()) != nullptr;
    };
    EXPECT_FALSE(has_others(world_of(Of::crowd), near_each_other));
    EXPECT_FALSE(has_others(world_of(Of::crowd), with_near_centres));
    EXPECT_FALSE(has_others(world_of(Of::crossing), {.within = 0.5f}));
    EXPECT_FALSE(has_others(world_of(Of::squares), near_each_other)) << "nearly all touch";
    const PairQuery of_a_few{.filter = {.a = 2}, .agents_as = AgentsAs::circles};
    std::vector<Label> labels(long_ones);
    labels[7].categories = labels[70].categories = 2;
    const std::vector<Box> boxes = world_of(Of::crossing);
    const Engine engine = engine_with(boxes, labels);
    EXPECT_EQ(engine.frame().count_pairs(of_a_few).status, Status{});
    EXPECT_EQ(circles_of(engine.frame()), nullptr) << "a filter leaves few agents";
}

// Circles that hardly touch, in boxes that are long one way or the other.
std::vector<Box> long_and_hardly_touching(const Point& origin) {
    Random random(7);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < long_ones / 2; ++i) {
        const float x = origin.x + static_cast<float>(i % 40) * 8,
                    y = origin.y + static_cast<float>(i / 40) * 8, one = random.uniform(0.2f, 1.5f),
                    other = random.uniform(0.2f, 1.5f), angle = random.uniform(0, 6.3f);
        const float apart =
            (one + other) * (1 + static_cast<float>(static_cast<int>(random.below(7)) - 3) * 0x1p-24f);
        const auto add = [&](float at_x, float at_y, float radius) {
            const float far = random.uniform(40, 90);
            const bool is_wide = random.one_in(2);
            boxes.push_back(Box::around(at_x, at_y, is_wide ? far : radius, is_wide ? radius : far));
        };
        add(x, y, one);
        add(x + apart * std::cos(angle), y + apart * std::sin(angle), other);
    }
    return boxes;
}

TEST(PairsAmongLargeBoxes, are_those_of_the_definition_where_they_hardly_touch_and_far_from_the_origin) {
    for (const Point origin : {Point{0, 0}, Point{-160, -160}, Point{1e4f, 3}, Point{-5e5f, 5e6f}}) {
        const std::vector<Box> boxes = long_and_hardly_touching(origin);
        const Engine engine = engine_with(boxes);
        for (const PairQuery& wanted :
             {touching, PairQuery{.within = 0.25f, .agents_as = AgentsAs::circles}, with_near_centres}) {
            const std::vector<Pair> found = pairs_in(engine.frame(), wanted);
            EXPECT_EQ(in_order(found), expected_of(boxes, wanted)) << origin.x;
        }
        EXPECT_NE(circles_of(engine.frame()), nullptr);
    }
}

// Where squares of distances are zero, or infinite.
TEST(PairsAmongLargeBoxes, are_those_of_the_definition_in_worlds_of_any_size) {
    for (const float scale : {1e-42f, 1e-23f, 1e-21f, 1e17f, 1e19f}) {
        const std::vector<Box> boxes = world_of(Of::crossing, 3, scale);
        const Engine engine = engine_with(boxes);
        for (PairQuery wanted : {touching, near_each_other, with_near_centres}) {
            wanted.within *= scale;
            EXPECT_EQ(in_order(pairs_in(engine.frame(), wanted)), expected_of(boxes, wanted)) << scale;
        }
    }
    std::vector<Box> boxes = world_of(Of::crossing);
    for (std::size_t i = 0; i < 40; ++i)  // circles of all sizes
        boxes[i * 9] = Box::around(0, 0, std::ldexp(1.0f, static_cast<int>(i) * 3), 1e38f);
    const Engine engine = engine_with(boxes);
    for (const PairQuery& wanted : {touching, near_each_other})
        EXPECT_EQ(in_order(pairs_in(engine.frame(), wanted)), expected_of(boxes, wanted));
    EXPECT_NE(circles_of(engine.frame()), nullptr);
}

TEST(PairsAmongLargeBoxes, come_in_one_order_whatever_was_asked_before) {
    const std::vector<Box> boxes = world_of(Of::squares), others = world_of(Of::crossing, 9);
    for (const PairQuery& wanted : {touching, near_each_other, with_near_centres})
        for (const std::vector<Box>& world : {boxes, others}) {
            std::vector<Pair> first;
            for (int history = 0; history < 4; ++history) {
                Engine engine;
                NeighbourLists lists;
                // Frames of shapes that come from a pool, made by another call, or by another thread.
                for (int k = 0; history == 1 && k < 5; ++k) {
                    ASSERT_EQ(engine.update(k % 2 == 0 ? others : boxes), Status{});
                    (void)pairs_in(engine.frame(), k % 2 == 0 ? touching : with_near_centres);
                }
                ASSERT_EQ(engine.replan(), Status{});
                ASSERT_EQ(engine.update(world), Status{});
                const Frame frame = engine.frame();
                if (history == 2) {
                    ASSERT_EQ(frame.neighbours({.count = 8}, lists), Status{});
                }
                std::vector<Pair> found;
                if (history == 3) std::thread([&] { (void)pairs_in(frame, wanted); }).join();
                found = pairs_in(frame, wanted);
                if (history == 0) first = found;
                EXPECT_EQ(found, first) << history;
                EXPECT_EQ(found, pairs_in(frame, wanted));
            }
        }
}

TEST(PairsAmongLargeBoxes, are_shared_by_all_readers) {
    Engine engine({.executor = serial_executor()});
    const std::vector<Box> boxes = world_of(Of::crossing);
    const std::vector<Pair> expected = pairs_in(engine_with(boxes).frame(), near_each_other);
    for (int again = 0; again < 5; ++again) {
        ASSERT_EQ(engine.replan(), Status{});
        ASSERT_EQ(engine.update(boxes), Status{});
        const Frame frame = engine.frame();
        std::vector<std::vector<Pair>> found(4);
        std::vector<std::thread> readers;
        for (std::vector<Pair>& pairs : found)
            readers.emplace_back([&] { pairs = pairs_in(frame, near_each_other); });
        for (std::thread& reader : readers) reader.join();
        for (const std::vector<Pair>& pairs : found) EXPECT_EQ(pairs, expected);
    }
}

TEST(PairsAmongLargeBoxes, are_none_without_memory_for_a_frame_of_circles) {
    const std::vector<Box> boxes = world_of(Of::crossing);
    const std::vector<Pair> expected = pairs_in(engine_with(boxes).frame(), near_each_other);
    std::size_t refused = 0;
    bool had_all = false;
    for (std::uint64_t allowed = 0; !had_all; ++allowed) {
        ASSERT_LT(allowed, 1000u);
        CountingResource memory;
        const Engine engine = engine_with(boxes, {.executor = serial_executor(), .memory = &memory});
        const Frame frame = engine.frame();
        PairList list(&memory);
        memory.fail_once_after(allowed);
        const Status status = frame.pairs(list, near_each_other);
        memory.stop_failing();
        had_all = memory.failures() == 0;
        if (status.ok()) {
            EXPECT_TRUE(equal_ranges(list, expected)) << allowed;
            continue;
        }
        ++refused;
        EXPECT_EQ(status.code, Code::out_of_memory);
        EXPECT_TRUE(list.empty());
        EXPECT_EQ(pairs_in(frame, near_each_other), expected) << "the next time";
    }
    EXPECT_GT(refused, 20u);
}

TEST(PairsAmongLargeBoxes, are_none_where_the_host_wants_the_call_to_end) {
    const Engine engine = engine_of(Of::crossing);
    CountingExecutor several(4);
    for (const Executor& executor : {serial_executor(), several.executor()})
        for (std::uint64_t from = 0;; from += 1 + from / 8) {
            CancellingHost host(from);
            PairList list;
            const Status status = engine.frame().on(host.on(executor)).pairs(list, near_each_other);
            EXPECT_EQ(status, Status{host.has_cancelled() ? Code::cancelled : Code::ok}) << from;
            EXPECT_EQ(list.empty(), host.has_cancelled()) << from;
            if (!host.has_cancelled()) break;
        }
}

TEST(PairsAmongLargeBoxes, take_no_memory_in_settled_frames_and_give_it_back) {
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    PairList list(&memory);
    PairChanges changes(&memory);
    std::vector<Box> boxes = world_of(Of::crossing);
    std::uint64_t settled = 0;
    for (int frame = 0; frame < 240; ++frame) {
        if (frame == 140) settled = memory.calls();
        for (std::size_t i = static_cast<std::size_t>(frame) % 7; i < long_ones; i += 7) {
            const float step = (i + static_cast<std::size_t>(frame) / 7) % 2 == 0 ? 0.1f : -0.1f;
            boxes[i] = {boxes[i].min_x + step, boxes[i].min_y, boxes[i].max_x + step, boxes[i].max_y};
        }
        ASSERT_EQ(engine.update(boxes), Status{});
        ASSERT_EQ(engine.frame().pairs(list, near_each_other), Status{});
        ASSERT_EQ(engine.frame().pairs(list, with_near_centres), Status{});
        ASSERT_EQ(changes.update(engine.frame(), touching), Status{});
        ASSERT_NE(circles_of(engine.frame()), nullptr);
    }
    EXPECT_EQ(memory.calls(), settled);
    const std::size_t with_shapes = memory.bytes_out();
    ASSERT_EQ(engine.update(boxes), Status{});
    engine.release_memory();
    EXPECT_LT(memory.bytes_out(), with_shapes - 20 * long_ones);
}

TEST(PairsAmongLargeBoxes, are_those_of_each_rounding_mode) {
    THRONG_SKIP_WITHOUT_ROUNDING_MODES();
    const std::vector<Box> boxes = long_and_hardly_touching({300, 300});
    const Engine engine = engine_with(boxes, {.executor = serial_executor()});
    for (const int mode : rounding_modes) {
        const Rounding rounding(mode);
        for (const PairQuery& wanted : {touching, near_each_other, with_near_centres})
            EXPECT_EQ(in_order(pairs_in(engine.frame(), wanted)), expected_of(boxes, wanted)) << mode;
    }
}

}  // namespace
}  // namespace throng::test
