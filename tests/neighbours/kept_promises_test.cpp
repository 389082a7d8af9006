// What a host that keeps lists of neighbours may count on: when they are made again, what is refused, and
// what is left when memory or an executor fails.
#include "support/neighbour_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr KeptNeighbourhood within_two{.radius = 2, .skin = 0.5f};

// Points in a line, one apart.
std::vector<Box> line(std::size_t count, float shift = 0) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = static_cast<float>(i) + shift;
        boxes.push_back({x, 0, x, 0});
    }
    return boxes;
}
Frame frame_of(Engine& engine, const std::vector<Box>& boxes) {
    EXPECT_EQ(engine.update(boxes), Status{});
    return engine.frame();
}
bool rebuilt(const Frame& frame, KeptNeighbours& kept) {
    const std::uint64_t before = kept.times_rebuilt();
    EXPECT_EQ(kept.update(frame), Status{});
    EXPECT_EQ(kept.times_rebuilt(), before + (kept.was_rebuilt() ? 1 : 0));
    return kept.was_rebuilt();
}

TEST(KeptNeighbours, are_not_made_again_while_nothing_moves) {
    for (const float skin : {0.0f, 1e-30f, 0.5f}) {
        KeptNeighbours kept({.radius = 2, .skin = skin});
        Engine engine, other({.cell_width = 3});
        EXPECT_TRUE(rebuilt(frame_of(engine, line(5000)), kept));
        for (int again = 0; again < 5; ++again) EXPECT_FALSE(rebuilt(frame_of(engine, line(5000)), kept));
        EXPECT_FALSE(rebuilt(frame_of(other, line(5000)), kept)) << "another engine";
        EXPECT_EQ(kept.times_rebuilt(), 1u);
    }
}

TEST(KeptNeighbours, get_what_comes_near_without_being_made_again) {
    for (const bool half : {false, true}) {
        KeptNeighbours kept({.radius = 2, .skin = 0.5f, .half = half});
        Engine engine;
        EXPECT_TRUE(rebuilt(frame_of(engine, line(3000)), kept));
        EXPECT_FALSE(rebuilt(frame_of(engine, line(3000, 0.2f)), kept));
        EXPECT_FALSE(rebuilt(frame_of(engine, line(3000, -0.2f)), kept));
        // Also of the first and of the last agent: with 1 on, the one that is 3 away comes near.
        for (const AgentId one : {0u, 1234u, 2999u}) {
            const AgentId other = one == 2999 ? one - 3 : one + 3;
            const auto with_one_moved = [&](float x, float y) {
                std::vector<Box> boxes = line(3000);
                const float towards = one == 2999 ? -x : x;
                boxes[one].min_x = boxes[one].max_x += towards;
                boxes[one].min_y = boxes[one].max_y = y;
                return boxes;
            };
            const auto size_of = [&](AgentId id) { return kept.lists()[id].size(); };
            const std::size_t had = size_of(one), other_had = size_of(other), all = kept.lists().ids().size();
            EXPECT_FALSE(rebuilt(frame_of(engine, with_one_moved(0.99f, 0)), kept)) << one;
            EXPECT_FALSE(rebuilt(frame_of(engine, with_one_moved(0, 1000)), kept)) << one;
            EXPECT_EQ(kept.lists().ids().size(), all);
            for (int again = 0; again < 2; ++again) {
                EXPECT_FALSE(rebuilt(frame_of(engine, with_one_moved(1, 0)), kept)) << one;
                EXPECT_EQ(kept.lists().ids().size(), all + (half ? 1 : 2)) << one;
                EXPECT_EQ(size_of(one), had + (half && other < one ? 0 : 1)) << one;
                EXPECT_EQ(size_of(other), other_had + (half && one < other ? 0 : 1)) << one;
            }
            EXPECT_EQ(kept.lists()[std::min(one, other)].back(), std::max(one, other));
        }
    }
}

TEST(KeptNeighbours, are_made_again_once_too_many_came_near) {
    KeptNeighbours kept(within_two);
    Engine engine;
    EXPECT_TRUE(rebuilt(frame_of(engine, line(640)), kept));
    std::vector<Box> boxes = line(640);
    // Ten pairs may be added to the lists of 640 agents, also frame by frame.
    const auto move_on = [&](std::size_t one) { boxes[one].min_x = boxes[one].max_x += 1; };
    for (std::size_t i = 0; i < 4; ++i) move_on(20 * i);
    EXPECT_FALSE(rebuilt(frame_of(engine, boxes), kept));
    for (std::size_t i = 4; i < 10; ++i) move_on(20 * i);
    EXPECT_FALSE(rebuilt(frame_of(engine, boxes), kept));
    EXPECT_FALSE(rebuilt(frame_of(engine, boxes), kept)) << "nothing more";
    move_on(500);
    EXPECT_TRUE(rebuilt(frame_of(engine, boxes), kept));
    for (std::size_t i = 0; i < 11; ++i) move_on(20 * i + 10);
    EXPECT_TRUE(rebuilt(frame_of(engine, boxes), kept)) << "all at once";
}

TEST(KeptNeighbours, are_made_again_once_more_than_a_sixteenth_have_left_the_margin) {
    KeptNeighbours kept(within_two);
    Engine engine;
    EXPECT_TRUE(rebuilt(frame_of(engine, line(3000)), kept));
    const auto with_some_moved = [](std::size_t some, float y) {
        std::vector<Box> boxes = line(3000);
        for (std::size_t i = 0; i < some; ++i) boxes[16 * i].min_y = boxes[16 * i].max_y = y;
        return boxes;
    };
    EXPECT_FALSE(rebuilt(frame_of(engine, with_some_moved(188, 0.2499f)), kept));
    EXPECT_FALSE(rebuilt(frame_of(engine, with_some_moved(187, 0.2501f)), kept));
    EXPECT_TRUE(rebuilt(frame_of(engine, with_some_moved(188, 0.2501f)), kept));
}

TEST(KeptNeighbours, without_a_skin_are_made_again_by_the_smallest_movement) {
    KeptNeighbours kept({.radius = 0, .skin = 0});
    Engine engine;
    std::vector<Box> boxes(2, Box{0, 0, 0, 0});
    EXPECT_TRUE(rebuilt(frame_of(engine, boxes), kept));
    EXPECT_EQ(kept.lists()[0].size(), 1u);
    boxes[1].min_x = boxes[1].max_x = 1e-40f;
    EXPECT_TRUE(rebuilt(frame_of(engine, boxes), kept));
}

TEST(KeptNeighbours, hold_for_a_movement_from_when_they_were_made_and_not_from_the_last_frame) {
    KeptNeighbours kept(within_two);
    Engine engine;
    int made = 0;
    for (int step = 0; step < 21; ++step)
        made += rebuilt(frame_of(engine, line(100, 0.1f * static_cast<float>(step))), kept);
    EXPECT_EQ(made, 7);  // after 0.3 each time
}

TEST(KeptNeighbours, are_made_again_when_agents_come_or_go) {
    KeptNeighbours kept(within_two);
    Engine engine;
    EXPECT_TRUE(rebuilt(frame_of(engine, line(6)), kept));
    ASSERT_EQ(committed(engine, engine.remove(2)), Status{});
    EXPECT_TRUE(rebuilt(engine.frame(), kept));
    EXPECT_FALSE(rebuilt(engine.frame(), kept));
    EXPECT_EQ(kept.lists().size(), 6u);
    EXPECT_TRUE(kept.lists()[2].empty());
    // One comes and another goes: as many agents as before, with other ids.
    AgentId id = no_agent;
    ASSERT_EQ(engine.insert({2, 0, 2, 0}, id), Status{});
    ASSERT_EQ(id, 2u);
    ASSERT_EQ(committed(engine, engine.remove(5)), Status{});
    EXPECT_TRUE(rebuilt(engine.frame(), kept));
    EXPECT_EQ(kept.lists()[2].size(), 4u);
    // Another agent of the same id at the same place is no change.
    ASSERT_EQ(engine.remove(0), Status{});
    ASSERT_EQ(committed(engine, engine.insert({0, 0, 0, 0}, id)), Status{});
    if (id == 0) {
        EXPECT_FALSE(rebuilt(engine.frame(), kept));
    }
    EXPECT_TRUE(rebuilt(frame_of(engine, line(7)), kept));
}

TEST(KeptNeighbours, may_be_asked_of_older_frames) {
    KeptNeighbours kept(within_two), fresh(within_two);
    Engine engine;
    const Frame first = frame_of(engine, line(50)), second = frame_of(engine, line(80, 0.1f));
    EXPECT_TRUE(rebuilt(second, kept));
    EXPECT_TRUE(rebuilt(first, kept));
    EXPECT_TRUE(rebuilt(first, fresh));
    EXPECT_TRUE(ListsAsTheyAre(kept.lists()) == ListsAsTheyAre(fresh.lists()));
}

TEST(KeptNeighbours, of_no_agents_are_none) {
    KeptNeighbours kept(within_two);
    Engine engine;
    EXPECT_TRUE(rebuilt(frame_of(engine, line(5)), kept));
    EXPECT_FALSE(rebuilt(Frame(), kept));
    EXPECT_TRUE(kept.lists().empty());
    EXPECT_TRUE(rebuilt(frame_of(engine, line(5)), kept));
    EXPECT_EQ(kept.lists().size(), 5u);
    Engine empty;
    EXPECT_FALSE(rebuilt(empty.frame(), kept) && !kept.lists().empty());
    EXPECT_TRUE(kept.lists().empty());
}

TEST(KeptNeighbours, are_made_again_after_they_were_cleared_or_moved_away) {
    KeptNeighbours kept(within_two);
    Engine engine;
    const Frame frame = frame_of(engine, line(5));
    EXPECT_TRUE(rebuilt(frame, kept));
    kept.clear();
    EXPECT_FALSE(kept.was_rebuilt());
    EXPECT_TRUE(kept.lists().empty());
    EXPECT_TRUE(rebuilt(frame, kept));
    KeptNeighbours other(std::move(kept));
    EXPECT_FALSE(rebuilt(frame, other));
    EXPECT_EQ(other.lists()[0].size(), 2u);
    kept = KeptNeighbours({.radius = 1, .skin = 0});
    EXPECT_TRUE(rebuilt(frame, kept));
    EXPECT_EQ(kept.lists()[0].size(), 1u);
}

TEST(KeptNeighbours, refuse_a_radius_or_a_skin_that_is_negative_or_not_finite) {
    using Limits = std::numeric_limits<float>;
    constexpr float endless = Limits::infinity(), no_number = Limits::quiet_NaN(), max_count = Limits::max();
    Engine engine;
    const Frame frame = frame_of(engine, line(5));
    const auto status_of = [&](float radius, float skin) {
        KeptNeighbours kept({.radius = radius, .skin = skin});
        const Status status = kept.update(frame);
        EXPECT_EQ(kept.update(Frame()), status) << "of an empty frame";
        EXPECT_EQ(kept.times_rebuilt(), status.ok() ? 1u : 0u);
        return status;
    };
    EXPECT_EQ(status_of(-1, 0.5f), Status{Code::inverted});
    EXPECT_EQ(status_of(2, -0.5f), Status{Code::inverted});
    EXPECT_EQ(status_of(no_number, 0.5f), Status{Code::not_finite});
    EXPECT_EQ(status_of(2, no_number), Status{Code::not_finite});
    EXPECT_EQ(status_of(endless, 0.5f), Status{Code::not_finite});
    EXPECT_EQ(status_of(2, endless), Status{Code::not_finite});
    EXPECT_EQ(status_of(max_count, max_count), Status{Code::not_finite});
    EXPECT_EQ(status_of(-0.0f, -0.0f), Status{});
    EXPECT_EQ(status_of(max_count, 0), Status{}) << "finds all";
}

// After a call that failed there are no lists, and the next call makes the right ones.
template <class Fail>
void expect_fresh_lists_after(Fail&& fail, MemoryResource* memory) {
    const Scene scene = make_scene("clustered", 20000);
    ThreadPool pool(2);
    Engine engine({.executor = pool.executor()});
    const Frame frame = frame_of(engine, scene.agents());
    NeighbourLists wanted;
    ASSERT_EQ(frame.neighbours({.radius = 2.5f}, wanted), Status{});
    std::size_t failures = 0;
    for (;; ++failures) {
        KeptNeighbours kept(within_two, memory);
        if (!fail(frame, kept, failures)) break;
        EXPECT_TRUE(kept.lists().empty());
        EXPECT_FALSE(kept.was_rebuilt());
        EXPECT_TRUE(rebuilt(frame, kept));
        ASSERT_TRUE(ListsAsTheyAre(kept.lists()) == ListsAsTheyAre(wanted)) << "after failure " << failures;
    }
    EXPECT_GE(failures, 3u);
}

TEST(KeptNeighbours, are_empty_when_memory_runs_out_and_made_by_the_next_call) {
    CountingResource memory;
    expect_fresh_lists_after(
        [&](const Frame& frame, KeptNeighbours& kept, std::size_t failures) {
            memory.fail_after(failures);
            const Status status = kept.update(frame);
            memory.stop_failing();
            EXPECT_TRUE(status.ok() || status.code == Code::out_of_memory);
            return !status.ok();
        },
        &memory);
    EXPECT_FALSE(memory.misused());
    EXPECT_EQ(memory.bytes_out(), 0u);
}

TEST(KeptNeighbours, are_empty_when_an_executor_skips_blocks_and_made_by_the_next_call) {
    expect_fresh_lists_after(
        [&](const Frame& frame, KeptNeighbours& kept, std::size_t failures) {
            FaultyExecutor faulty(FaultyExecutor::Habit::skips_the_last, failures);
            // Once to make lists, and once to compare.
            Status status = kept.update(frame.on(faulty.executor()));
            if (status.ok()) status = kept.update(frame.on(faulty.executor()));
            EXPECT_EQ(status.code, faulty.guilty() ? Code::bad_executor : Code::ok);
            return !status.ok();
        },
        nullptr);
}

}  // namespace
}  // namespace throng::test
