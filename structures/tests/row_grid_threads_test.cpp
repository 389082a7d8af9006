// RowGrid on several threads: the same answers on any executor, rows that are edited at the same time, and
// executors that break their promise.
#include "structures/tests/row_grid_support.hpp"
#include "structures/tests/test.hpp"
#include "support/worker_hints.hpp"

namespace throng::structures::test {
namespace of_row_grid_threads {

constexpr std::size_t crowd = 40000;
constexpr float side = 400;

std::vector<Pair> serially(RowGrid& grid) {
    std::vector<Pair> pairs;
    EXPECT_TRUE(grid.for_each_pair([&](Pair pair) { pairs.push_back(pair); }));
    return pairs;
}
std::vector<Pair> joined(RowGrid& grid, const Executor& executor) {
    std::vector<std::vector<Pair>> blocks(grid.pair_blocks(executor));
    EXPECT_TRUE(grid.for_each_pair_concurrently(
        [&](std::span<const Pair> pairs, std::size_t block) {
            blocks[block].insert(blocks[block].end(), pairs.begin(), pairs.end());
        },
        executor));
    std::vector<Pair> all;
    for (const std::vector<Pair>& block : blocks) all.insert(all.end(), block.begin(), block.end());
    return all;
}
std::vector<ElementId> order_of(const RowGrid& grid) {
    std::vector<ElementId> ids;
    grid.for_each_element([&](ElementId id) { ids.push_back(id); });
    return ids;
}
std::vector<Box> crowd_with_oversized(Random& random) {
    std::vector<Box> boxes = some_boxes(crowd, side, 0.5f, random.next());
    for (int i = 0; i < 150; ++i) boxes[random.below(crowd)] = some_box(random, side, 30);
    return boxes;
}

TEST(RowGridThreads, make_the_same_grid_and_pairs_on_every_executor) {
    Random random(1);
    const std::vector<Box> first = crowd_with_oversized(random);
    std::vector<Box> second = first;
    walk(random, second, 3);
    RowGrid serial = grid_for(crowd, side);
    ASSERT_TRUE(serial.assign(Boxes::of(first)));
    const std::vector<Pair> pairs = serially(serial);
    const std::vector<ElementId> order = order_of(serial);
    ASSERT_TRUE(serial.assign(Boxes::of(second)));
    const std::vector<Pair> moved_pairs = serially(serial);
    const std::vector<ElementId> moved_order = order_of(serial);
    expect_holds(serial, second);
    for (const std::unique_ptr<Workplace>& place : all_workplaces({1, 2, 3, 8}))
        place->run([&] {
            SCOPED_TRACE(place->name());
            const Executor executor = place->executor();
            RowGrid grid = grid_for(crowd, side);
            ASSERT_TRUE(grid.assign(Boxes::of(first), executor));
            EXPECT_EQ(joined(grid, executor), pairs);
            EXPECT_EQ(order_of(grid), order);
            ASSERT_TRUE(grid.assign(Boxes::of(second), executor));
            EXPECT_EQ(order_of(grid), moved_order);
            EXPECT_EQ(joined(grid, executor), moved_pairs);
            EXPECT_EQ(serially(grid), moved_pairs);
            EXPECT_TRUE(grid.validate());
        });
}

TEST(RowGridThreads, say_which_is_the_first_bad_box_on_every_executor) {
    Random random(2);
    const std::vector<Box> boxes = crowd_with_oversized(random);
    std::vector<Box> others = boxes;
    for (const std::size_t i : {39000u, 21000u, 20999u})
        others[i].min_y = std::numeric_limits<float>::infinity();
    for (const std::unique_ptr<Workplace>& place : all_workplaces({2, 8}))
        place->run([&] {
            SCOPED_TRACE(place->name());
            RowGrid grid = grid_for(crowd, side);
            ASSERT_TRUE(grid.assign(Boxes::of(boxes), place->executor()));
            EXPECT_EQ(grid.assign(Boxes::of(others), place->executor()), (Status{Code::not_finite, 20999}));
            EXPECT_EQ(grid.box(39000), boxes[39000]);
            EXPECT_TRUE(grid.validate());
        });
}

TEST(RowGridThreads, may_edit_rows_at_the_same_time) {
    THRONG_SKIP_WITHOUT_THREADS();
    Random random(3);
    std::vector<Box> boxes = some_boxes(4000, 100, 0.5f);
    for (int i = 0; i < 20; ++i) boxes[random.below(4000)] = some_box(random, 100, 30);
    RowGrid grid = grid_for(4000, 100);
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    constexpr std::uint32_t threads = 3;
    std::vector<std::thread> workers;
    for (std::uint32_t t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
            Random mine(100 + t);
            for (std::size_t round = 0; round < scaled(20, 4); ++round)
                for (ElementId id = 0; id < boxes.size(); ++id) {
                    // No other thread has an element of this row.
                    if (grid.row_of(id) % threads != t) continue;
                    std::vector<Box> one{boxes[id]};
                    walk(mine, one, 2);
                    const Status status = grid.move_within_row(id, one[0]);
                    if (status.ok()) boxes[id] = one[0];
                    EXPECT_EQ(status.code,
                              grid.row_of(one[0]) == grid.row_of(id) ? Code::ok : Code::other_row);
                }
        });
    for (std::thread& worker : workers) worker.join();
    expect_holds(grid, boxes);
}

TEST(RowGridThreads, are_whole_whatever_an_executor_leaves_out) {
    Random random(5);
    const std::vector<Box> first = crowd_with_oversized(random);
    std::vector<Box> second = first;
    walk(random, second, 3);
    using Habit = FaultyExecutor::Habit;
    for (const Habit habit : {Habit::runs_nothing, Habit::skips_the_first, Habit::skips_the_last,
                              Habit::repeats_the_first, Habit::repeats_the_last, Habit::runs_one_for_another})
        for (std::uint64_t from = 0; from < 4; ++from) {
            RowGrid grid = grid_for(crowd, side);
            ASSERT_TRUE(grid.assign(Boxes::of(first)));
            FaultyExecutor faulty(habit, from);
            const Status status = grid.assign(Boxes::of(second), faulty.executor());
            ASSERT_EQ(faulty.guilty(), from < 3);
            EXPECT_EQ(status.code, from == 0 ? Code::bad_executor : Code::ok);
            EXPECT_TRUE(grid.validate());
            const std::vector<Box>& expected = status.ok() ? second : first;
            for (ElementId id = 0; id < crowd; ++id) ASSERT_EQ(grid.box(id), expected[id]);
        }
}

// Runs blocks in order. It is also the resource, and sees whether a block asks it for memory.
class WatchfulExecutor : public MemoryResource {
public:
    Executor executor() {
        return {.context = this,
                .workers = 4,
                .parallel_for = [](void* self, std::size_t count, Executor::Body body, void* argument) {
                    static_cast<WatchfulExecutor*>(self)->run(count, body, argument);
                }};
    }
    std::size_t blocks() const { return blocks_; }
    std::size_t calls() const { return calls_; }
    std::size_t calls_of_blocks() const { return calls_of_blocks_; }

private:
    void run(std::size_t count, Executor::Body body, void* argument) {
        running_ = true;
        for (std::size_t i = 0; i < count; ++i, ++blocks_) body(argument, i);
        running_ = false;
    }
    void note() {
        ++calls_;
        calls_of_blocks_ += running_;
    }
    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        note();
        return throng::allocate(nullptr, bytes, alignment);
    }
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override {
        note();
        throng::give_back(nullptr, memory, bytes, alignment);
    }

    bool running_ = false;
    std::size_t blocks_ = 0, calls_ = 0, calls_of_blocks_ = 0;
};

TEST(RowGridThreads, ask_for_memory_only_where_there_is_but_one) {
    Random random(8);
    WatchfulExecutor watchful;
    {
        RowGrid grid = grid_for(crowd, side, &watchful);
        std::vector<Box> boxes = crowd_with_oversized(random);
        for (std::size_t frame = 0; frame < 6; ++frame) {
            ASSERT_TRUE(grid.assign(Boxes::of(boxes), watchful.executor()));
            ASSERT_TRUE(grid.for_each_pair_concurrently([](std::span<const Pair>, std::size_t) {},
                                                        watchful.executor()));
            // More and more of them gather in fewer rows, whose memory has to grow.
            for (std::size_t i = frame; i < boxes.size(); i += 3) boxes[i].min_y = boxes[i].max_y = side / 2;
        }
        EXPECT_TRUE(grid.validate());
    }
    EXPECT_GT(watchful.blocks(), 6u * 4);
    EXPECT_GT(watchful.calls(), 0u);
    EXPECT_EQ(watchful.calls_of_blocks(), 0u);
}

TEST(RowGridThreads, end_the_search_for_pairs_when_a_visitor_has_enough_or_throws_or_pairs_are_left_out) {
    Random random(6);
    RowGrid grid = grid_for(crowd, side);
    const std::vector<Box> given = crowd_with_oversized(random);
    ASSERT_TRUE(grid.assign(Boxes::of(given)));
    ThreadPool pool(3);
    const auto code = [&](auto&& visitor, const Executor& executor) {
        return grid.for_each_pair_concurrently(visitor, executor).code;
    };
    FaultyExecutor faulty(FaultyExecutor::Habit::skips_the_last, 0);
    EXPECT_EQ(code([](std::span<const Pair>, std::size_t) {}, faulty.executor()), Code::bad_executor);
    // Also where one element has many partners.
    for (const std::size_t piled : {0u, 3000u}) {
        std::vector<Box> boxes = given;
        std::fill_n(boxes.begin(), piled, Box{50, 50, 51, 51});
        ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
        std::size_t calls = 0;
        EXPECT_EQ(code([&](std::span<const Pair>, std::size_t) { return ++calls < 2; }, Executor{}),
                  Code::ok);
        EXPECT_EQ(calls, 2u);
    }
    ASSERT_TRUE(grid.assign(Boxes::of(given)));
    // When the first thread ends the search, each other may be in a call or about to make one.
    std::atomic<std::size_t> begun{0};
    EXPECT_EQ(code([&](std::span<const Pair>, std::size_t) { return ++begun, false; }, pool.executor()),
              Code::ok);
    EXPECT_GE(begun, 1u);
    EXPECT_LE(begun, pool.executor().workers);
    const auto throws = [](std::span<const Pair>, std::size_t block) {
        if (block == 1) throw 1;
    };
    EXPECT_EQ(code(throws, pool.executor()), Code::visitor_threw);
    EXPECT_EQ(joined(grid, pool.executor()), serially(grid));
}

TEST(RowGridThreads, may_be_as_many_as_a_number_can_say) {
    const Scene scene = make_scene("uniform", 20000);
    for (const unsigned workers : worker_hints) {
        CountingExecutor host(workers);
        RowGrid grid(RowGrid::recommended({.extents = {0, 0, 1000, 1000}, .elements = 20000}));
        ASSERT_EQ(grid.assign(scene.boxes(), host.executor()), Status{});
        std::size_t in_parallel = 0, alone = 0;
        ASSERT_EQ(grid.for_each_pair_concurrently(
                      [&](std::span<const Pair> pairs, std::size_t) { in_parallel += pairs.size(); },
                      host.executor()),
                  Status{});
        ASSERT_EQ(grid.for_each_pair([&](Pair) { ++alone; }), Status{});
        EXPECT_EQ(in_parallel, alone) << workers;
        EXPECT_LE(host.most_blocks(), 4096u) << workers;
    }
}

}  // namespace of_row_grid_threads
}  // namespace throng::structures::test
