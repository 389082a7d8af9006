// `Executor::workers` is a hint, and any value of it is legal: nothing hangs, nothing is cut into millions of
// blocks, the hint takes no memory, and the answers are the same.
#include <random>

#include "support/test.hpp"
#include "support/worker_hints.hpp"

namespace throng::test {
namespace {

// Everything that runs in parallel: updates, edits, and batches whose order is good and bad.
std::vector<Answers> history(const Executor& executor, Scene scene) {
    std::vector<Answers> answers;
    Engine engine({.executor = executor});
    std::vector<Box> coherent = scene.agents(), shuffled = coherent;
    std::sort(coherent.begin(), coherent.end(), [](const Box& a, const Box& b) { return a.min_x < b.min_x; });
    std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(7));
    EXPECT_EQ(engine.update(scene.boxes()), Status{});
    answers.push_back(ask(engine.frame(), coherent));
    answers.push_back(ask(engine.frame(), shuffled));
    EXPECT_EQ(engine.rebase(1, 2), Status{});
    for (AgentId id = 0; id < scene.agents().size(); id += 3)
        EXPECT_EQ(engine.move(id, scene.agents()[id / 2]), Status{});
    EXPECT_EQ(engine.commit(), Status{});
    answers.push_back(ask(engine.frame(), coherent));
    answers.push_back(ask(engine.frame(), {shuffled.begin(), shuffled.begin() + 50}));
    return answers;
}

TEST(WorkersHint, of_any_value_leads_to_the_same_answers) {
    const Scene scene = make_scene("uniform", 20000);
    const std::vector<Answers> expected = history(serial_executor(), scene);
    for (const unsigned workers : worker_hints) {
        CountingExecutor host(workers);
        const std::vector<Answers> answers = history(host.executor(), scene);
        for (std::size_t i = 0; i < expected.size(); ++i)
            EXPECT_TRUE(identical(expected[i], answers[i])) << workers << " workers, answer " << i;
        EXPECT_LE(host.most_blocks(), 4096u) << workers;
    }
}

TEST(WorkersHint, of_any_value_works_for_queries_of_a_frame) {
    const Scene scene = make_scene("clustered", 5000);
    const StaticLayer walls(scene.boxes());
    Engine engine = engine_with_layer(walls, scene.boxes(), {.executor = serial_executor()});
    const std::uint64_t pairs = engine.frame().count_pairs().total,
                        static_pairs = engine.frame().count_pairs(with_other(walls.frame())).total;
    for (const unsigned workers : worker_hints) {
        CountingExecutor host(workers);
        const Frame frame = engine.frame().on(host.executor());
        EXPECT_EQ(frame.count_pairs().total, pairs) << workers;
        EXPECT_EQ(frame.count_pairs(with_other(frame.static_layer())).total, static_pairs) << workers;
    }
}

std::size_t max_bytes(const Executor& executor, const std::vector<Box>& agents) {
    CountingResource memory;
    Engine engine({.executor = executor, .memory = &memory, .cell_width = 2, .row_height = 4});
    OverlapLists hits(&memory);
    for (int frame = 0; frame < 2; ++frame) {
        EXPECT_EQ(engine.update(Boxes::of(agents)), Status{});
        EXPECT_TRUE(engine.frame().count_pairs().status.ok());
        EXPECT_EQ(engine.frame().overlaps(Boxes::of(agents), hits), Status{});
    }
    return memory.bytes_out();
}

TEST(WorkersHint, does_not_multiply_memory) {
    std::vector<Box> even = make_scene("uniform", scaled(300000, 60000)).agents(), queue = even;
    // Two thirds stand in one row: a worker's memory for the largest row is memory for most of the world.
    for (std::size_t i = 0; i < queue.size(); ++i)
        if (i % 3 != 0) queue[i] = Box::around(static_cast<float>(i) * 0.01f, 500, 0.4f, 0.4f);
    for (const std::vector<Box>& agents : {even, queue}) {
        const std::size_t usual = max_bytes(CountingExecutor(16).executor(), agents);
        for (const unsigned workers : {4096u, 1u << 28, most_workers})
            EXPECT_LE(max_bytes(CountingExecutor(workers).executor(), agents), usual + usual / 2) << workers;
    }
}

}  // namespace
}  // namespace throng::test
