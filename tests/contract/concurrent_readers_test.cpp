// Many threads query frames, held ones and the newest, while the writer updates, commits and gives memory
// back. Another engine with the same history says beforehand what each frame has to answer. The thread
// sanitizer watches this test.
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr std::size_t agents_at_first = 2500;

// The same history each time.
class Writer {
public:
    explicit Writer(const EngineConfig& config)
        : engine(config), scene_(make_scene("uniform", agents_at_first)) {}

    void write_frame() {
        scene_.step();
        if (++frame_ % 3 == 1) {
            ASSERT_EQ(engine.update(scene_.boxes()), Status{});
            return;
        }
        for (std::size_t i = frame_ % 50; i < agents_at_first; i += 50)
            ASSERT_EQ(engine.move(static_cast<AgentId>(i), scene_.agents()[i]), Status{});
        AgentId id = 0;
        ASSERT_EQ(engine.insert(scene_.agents()[frame_], id), Status{});
        const Status removed = frame_ % 2 == 0 ? engine.remove(id) : Status{};
        ASSERT_EQ(removed, Status{});
        if (frame_ % 4 == 0) engine.release_memory();
        const Status reserved =
            frame_ % 4 == 2 ? engine.reserve(agents_at_first, agents_at_first / 50) : Status{};
        ASSERT_EQ(reserved, Status{});
        ASSERT_EQ(engine.commit(), Status{});
    }

    Engine engine;

private:
    Scene scene_;
    std::size_t frame_ = 0;
};

// What a frame says to a fixed set of queries, as one number.
std::uint64_t summary(const Frame& frame, const std::vector<Box>& queries, OverlapLists& hits) {
    std::uint64_t sum = frame.fingerprint() + frame.size();
    sum += frame.count_pairs().total * 31;
    EXPECT_EQ(frame.overlaps(Boxes::of(queries), hits), Status{});
    for (const AgentId id : hits.ids()) sum = sum * 3 + id;
    EXPECT_EQ(frame.for_each_overlap(queries[0], [&](AgentId id) { sum += id; }), Status{});
    return sum + frame.count(queries[1]).total + frame.any(queries[2]).found;
}

struct Expectation {
    std::vector<Box> queries = make_scene("uniform", agents_at_first).queries(25);
    std::vector<std::uint64_t> summaries;  // by the frame's number

    Expectation(EngineConfig config, std::size_t frames) {
        config.executor = serial_executor();
        config.memory = nullptr;
        Writer writer(config);
        OverlapLists hits;
        summaries.push_back(summary(writer.engine.frame(), queries, hits));
        for (std::size_t i = 0; i < frames; ++i) {
            writer.write_frame();
            summaries.push_back(summary(writer.engine.frame(), queries, hits));
        }
    }
};

class ConcurrentReaders : public ::testing::Test {
protected:
    void SetUp() override { THRONG_SKIP_WITHOUT_THREADS(); }
    // Readers query until the writer is done, and a few times at least. Half of them hold several frames at
    // once.
    void run(const EngineConfig& config, const Executor& reading) {
        const std::size_t frames = scaled(400, 60);
        const Expectation expectation(config, frames);
        Writer writer(config);
        std::atomic<bool> done = false;
        std::atomic<int> wrong = 0;
        std::atomic<std::size_t> asked = 0;
        std::vector<std::thread> readers;
        for (std::size_t reader = 0; reader < 3; ++reader)
            readers.emplace_back([&, reader] {
                Random random(reader);
                std::vector<Frame> held(reader == 0 ? 1 : 5, writer.engine.frame());
                OverlapLists hits;
                for (std::size_t round = 0; round < 5 || !done; ++round) {
                    held[random.below(held.size())] = writer.engine.frame();
                    const Frame frame = held[random.below(held.size())].on(reading);
                    wrong += summary(frame, expectation.queries, hits) !=
                             expectation.summaries[static_cast<std::size_t>(frame.number())];
                    ++asked;
                }
            });
        for (std::size_t i = 0; i < frames; ++i) writer.write_frame();
        done = true;
        for (std::thread& reader : readers) reader.join();
        EXPECT_EQ(wrong, 0) << "of " << asked;
        EXPECT_EQ(writer.engine.frame().number(), frames);
        EXPECT_TRUE(writer.engine.validate().sound());
    }
};

TEST_F(ConcurrentReaders, get_the_answers_of_their_frames_while_others_are_written) {
    run({.executor = serial_executor()}, serial_executor());
}

TEST_F(ConcurrentReaders, share_a_pool_of_threads_with_the_writer) {
    ThreadPool pool(3);
    run({.executor = pool.executor()}, pool.executor());
}

// In a world that wraps around, where a frame keeps more.
TEST_F(ConcurrentReaders, share_a_resource_that_one_thread_at_a_time_calls) {
    CountingResource memory;
    ThreadPool pool(2);
    run({.executor = pool.executor(), .memory = &memory, .period_x = 30, .period_y = 40}, serial_executor());
    EXPECT_EQ(memory.blocks_out(), 0u);
    EXPECT_FALSE(memory.misused());
    EXPECT_FALSE(memory.overlapped());
}

TEST_F(ConcurrentReaders, may_drop_the_last_copy_of_a_frame_on_any_thread) {
    CountingResource memory;
    {
        Writer writer({.executor = serial_executor(), .memory = &memory});
        for (std::size_t round = 0; round < scaled(300, 60); ++round) {
            writer.write_frame();
            std::vector<std::thread> threads;
            for (int i = 0; i < 2; ++i)
                threads.emplace_back([frame = writer.engine.frame()]() mutable {
                    EXPECT_EQ(frame.any({-1e6f, -1e6f, 1e6f, 1e6f}).found, 1u);
                    frame = Frame();
                });
            writer.write_frame();
            for (std::thread& thread : threads) thread.join();
        }
    }
    EXPECT_EQ(memory.blocks_out(), 0u);
    EXPECT_FALSE(memory.overlapped());
}

TEST_F(ConcurrentReaders, may_ask_one_frame_all_at_once) {
    const Scene scene = make_scene("lattice", 5000);
    ThreadPool pool(3);
    const Frame frame = engine_with(scene.boxes(), {.executor = pool.executor()}).frame();
    const std::vector<Box> queries = scene.queries(200);
    const Answers expected = ask(frame, queries);
    std::vector<std::thread> readers;
    std::atomic<int> wrong = 0;
    for (int reader = 0; reader < 4; ++reader)
        readers.emplace_back([&] {
            for (std::size_t round = 0; round < scaled(30, 5); ++round)
                wrong += !identical(expected, ask(frame, queries));
        });
    for (std::thread& reader : readers) reader.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace throng::test
