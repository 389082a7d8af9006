// Frames that are held cost what changed, and dropping them costs little: the reader that drops a history
// does not pay for all at once; nor does the next commit or the engine's end. All is counted, not timed.
#include <optional>

#include "support/engine_inside.hpp"
#include "support/executors.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// An engine with a history of small commits, each of which a frame holds.
class History {
public:
    explicit History(std::size_t frames) : agents_(make_scene("uniform", 3000).agents()) {
        engine_.emplace(EngineConfig{.executor = serial_executor(), .memory = &memory});
        EXPECT_EQ(engine_->update(Boxes::of(agents_)), Status{});
        for (std::size_t i = 0; i < frames; ++i) {
            commit(2);
            held.push_back(engine_->frame());
            counts_.push_back(held.back().count(agents_[i % agents_.size()]).total);
        }
    }
    void commit(std::size_t edits) {
        for (std::size_t i = 0; i < edits; ++i) {
            const auto id = static_cast<AgentId>(random.below(agents_.size()));
            ASSERT_EQ(engine_->move(id, agents_[random.below(agents_.size())]), Status{});
        }
        ASSERT_EQ(engine_->commit(), Status{});
    }
    bool answers_as_before(std::size_t i) const {
        return held[i].count(agents_[i % agents_.size()]).total == counts_[i];
    }
    Engine& engine() { return *engine_; }
    void end() { engine_.reset(); }
    std::uint64_t steps() { return store_behind(engine_->frame()).blocks.steps(); }

    CountingResource memory;
    std::vector<Frame> held;
    Random random{5};

private:
    std::vector<Box> agents_;
    std::optional<Engine> engine_;
    std::vector<std::uint64_t> counts_;
};

std::size_t frames() { return scaled(2000, 300); }

TEST(DroppedHistory, costs_the_reader_no_call_to_the_resource) {
    History history(frames());
    const std::uint64_t calls = history.memory.calls() + history.memory.returns();
    const std::uint64_t steps = history.steps();
    history.held.clear();
    EXPECT_EQ(history.memory.calls() + history.memory.returns(), calls);
    EXPECT_EQ(history.steps(), steps);
}

TEST(DroppedHistory, is_taken_back_in_portions) {
    History history(frames());
    const std::size_t held = history.memory.bytes_out();
    history.held.clear();
    std::size_t commits = 0;
    for (; commits < frames() && history.engine().memory().history > 1500000; ++commits) {
        const std::uint64_t steps = history.steps(), returns = history.memory.returns();
        const std::size_t bytes = history.memory.bytes_out();
        history.commit(1);
        // Twice 1,024 blocks and what was trimmed (detail::Portion).
        EXPECT_LE(history.steps() - steps, 2500u);
        EXPECT_LE(history.memory.returns() - returns, 200u);
        EXPECT_LE(bytes, history.memory.bytes_out() + 1100000);
    }
    EXPECT_LE(history.memory.bytes_out(), 2500000u);
    EXPECT_LE(commits, held / 400000 + 40) << "it goes back as fast as the portions allow";
    EXPECT_TRUE(history.engine().validate().sound());
}

// As engine.hpp says, however long it was: here a thousand times the newest frame.
TEST(DroppedHistory, is_back_within_64_updates_or_commits) {
    const std::vector<Box> agents = make_scene("uniform", 3000).agents();
    for (const bool edits : {false, true}) {
        CountingResource memory;
        Engine engine({.executor = serial_executor(), .memory = &memory});
        std::vector<Frame> held;
        std::size_t reserve = 0;
        for (int i = 0; i < 2000; ++i) {
            ASSERT_EQ(engine.update(agents), Status{});
            if (i == 2) reserve = engine.memory().total();
            if (i > 2) held.push_back(engine.frame());
        }
        ASSERT_GT(memory.bytes_out(), 100 * reserve);
        held.clear();
        for (AgentId id = 0; id < 64; ++id)
            ASSERT_EQ(edits ? committed(engine, engine.move(id, agents[id])) : engine.update(agents),
                      Status{});
        EXPECT_LE(memory.bytes_out(), 3 * reserve + (1 << 20)) << (edits ? "commits" : "updates");
        EXPECT_TRUE(engine.validate().sound());
    }
}

// A world needs for itself as much as an engine that was just made for it.
class ReleasedMemory : public ::testing::Test {
protected:
    ReleasedMemory() {
        CountingResource fresh;
        Engine engine({.executor = serial_executor(), .memory = &fresh});
        EXPECT_EQ(engine.update(agents_), Status{});
        needed_ = fresh.bytes_out();
        EXPECT_EQ(engine_.update(agents_), Status{});
    }
    // Little more than that; buffers of some kilobytes are not worth a call.
    void expect_released() {
        EXPECT_LE(memory_.bytes_out(), needed_ + needed_ / 4 + 300'000);
        EXPECT_TRUE(engine_.validate().sound());
        EXPECT_FALSE(memory_.misused());
    }

    const std::vector<Box> agents_ = make_scene("uniform", 20'000).agents();
    CountingResource memory_;
    const std::unique_ptr<Workplace> workplace_ = backward_workplace(8);
    std::size_t needed_ = 0;
    Engine engine_{{.executor = serial_executor(), .memory = &memory_}};
};

TEST_F(ReleasedMemory, of_a_history_that_was_dropped_is_back_at_once) {
    std::vector<Frame> held;
    for (int i = 0; i < 50; ++i) {
        ASSERT_EQ(engine_.update(agents_), Status{});
        held.push_back(engine_.frame());
    }
    const Frame last = held.back();
    ASSERT_GT(memory_.bytes_out(), 20 * needed_);
    held.clear();
    ASSERT_GT(memory_.bytes_out(), 20 * needed_);
    engine_.release_memory();
    expect_released();
    EXPECT_TRUE(last.validate().sound());
    EXPECT_EQ(last.count(agents_[0]).total, engine_.frame().count(agents_[0]).total);
}

TEST_F(ReleasedMemory, of_queries_is_back_at_once_and_is_taken_anew) {
    const auto ask = [&] {
        OverlapLists hits;
        PairList list;
        NeighbourLists lists;
        const Frame frame = engine_.frame().on(workplace_->executor());
        EXPECT_EQ(frame.overlaps(agents_, hits), Status{});
        EXPECT_EQ(frame.pairs(list), Status{});
        EXPECT_EQ(frame.neighbours({.radius = 9}, lists), Status{});
        EXPECT_EQ(frame.box(3), agents_[3]);
        return std::pair{hits.ids().size(), list.size()};
    };
    const auto before = ask();
    const std::size_t with_spaces = memory_.bytes_out();
    ASSERT_GT(with_spaces, 2 * needed_);
    engine_.release_memory();
    ASSERT_EQ(engine_.update(agents_), Status{});
    engine_.release_memory();
    expect_released();
    EXPECT_EQ(ask(), before);
    EXPECT_GT(memory_.bytes_out(), 2 * needed_);
}

TEST_F(ReleasedMemory, is_not_that_of_staged_edits_and_of_holes) {
    std::vector<AgentId> ids(agents_.size() / 2);
    std::iota(ids.begin(), ids.end(), 0u);
    ASSERT_EQ(committed(engine_, engine_.remove(std::span(ids).first(100))), Status{});
    ids.erase(ids.begin(), ids.begin() + 100);
    ASSERT_EQ(engine_.move(ids, Boxes::of(std::span(agents_).first(ids.size()))), Status{});
    AgentId id = no_agent;
    ASSERT_EQ(engine_.insert(agents_[0], id), Status{});
    EXPECT_EQ(id, 0u) << "the lowest that was removed";
    engine_.release_memory();
    EXPECT_EQ(engine_.staged(), ids.size() + 1);
    ASSERT_EQ(engine_.commit(), Status{});
    EXPECT_TRUE(engine_.validate().sound());
    EXPECT_EQ(engine_.frame().box(ids[7]), agents_[7]);
    EXPECT_EQ(engine_.frame().box(0), agents_[0]);
    EXPECT_FALSE(engine_.frame().contains(1));
    Engine moved(std::move(engine_));
    engine_.release_memory();
    moved.release_memory();
    EXPECT_TRUE(moved.validate().sound());
}

// However many more edits are staged than there are agents.
TEST(ReleaseMemory, leaves_staged_edits_alone_and_what_later_calls_do_to_them) {
    for (const std::size_t agents : {0u, 40u, 1000u})
        for (const std::size_t edits : {60u, 3000u, 20000u}) {
            SCOPED_TRACE(std::to_string(edits) + " edits of " + std::to_string(agents) + " agents");
            const std::vector<Box> boxes = make_scene("uniform", agents + edits).agents();
            const Boxes all = Boxes::of(boxes);
            Engine engine = engine_with(all.part(0, agents));
            std::vector<AgentId> ids(edits);
            std::vector<Label> labels(edits, Label{2, 50});
            ASSERT_EQ(engine.insert(all.part(agents, edits), ids, {.labels = Labels::of(labels)}), Status{});
            engine.release_memory();
            ASSERT_EQ(engine.staged(), edits);
            ASSERT_EQ(engine.move(ids[50], boxes[0]), Status{});
            ASSERT_EQ(engine.remove(ids[51]), Status{});
            engine.release_memory();
            ASSERT_EQ(engine.commit(), Status{});
            ASSERT_TRUE(engine.validate().sound());
            ASSERT_EQ(engine.frame().size(), agents + edits - 1);
            EXPECT_EQ(engine.frame().box(ids[49]), boxes[agents + 49]);
            EXPECT_EQ(engine.frame().label(ids[49]), (Label{2, 50}));
            EXPECT_EQ(engine.frame().box(ids[50]), boxes[0]);
            EXPECT_FALSE(engine.frame().contains(ids[51]));
        }
}

TEST(DroppedHistory, ends_with_the_engine_in_as_many_calls_as_there_are_slabs) {
    for (const bool engine_first : {false, true}) {
        History history(frames());
        const std::size_t blocks = history.memory.blocks_out();
        if (!engine_first) history.held.clear();
        history.end();
        history.held.clear();
        // Slabs, and the engine's own buffers, of which a short history has as many.
        EXPECT_LE(blocks, frames() + 64) << "each frame has several blocks";
        EXPECT_EQ(history.memory.blocks_out(), 0u);
        EXPECT_FALSE(history.memory.misused());
    }
}

// When a frame is dropped, in any order, its rows go to the older frame that still has them.
TEST(HeldFrames, keep_their_rows_whichever_others_are_dropped) {
    History history(400);
    std::vector<std::size_t> there;
    for (std::size_t i = 0; i < 400; ++i) there.push_back(i);
    while (there.size() > 1) {
        for (int k = 0; k < 20 && there.size() > 1; ++k) {
            const std::size_t at = history.random.below(there.size());
            history.held[there[at]] = {};
            there.erase(there.begin() + static_cast<std::ptrdiff_t>(at));
        }
        history.commit(3);
        for (const std::size_t i : there) {
            ASSERT_TRUE(history.answers_as_before(i));
            ASSERT_TRUE(history.held[i].validate().sound())
                << ::testing::PrintToString(history.held[i].validate());
        }
    }
}

TEST(HeldFrames, give_their_memory_for_a_commit_that_would_be_refused) {
    History history(200);
    for (int i = 0; i < 3; ++i) history.commit(3);
    history.held.clear();
    history.memory.fail_after(0);
    for (int i = 0; i < 3; ++i) history.commit(3);
    history.memory.stop_failing();
    EXPECT_TRUE(history.engine().validate().sound());
}

// What queries of many agents needed goes back in portions, too: filled pages take long to return.
TEST(PopulationThatLeft, gives_back_what_its_queries_needed_in_eight_portions) {
    CountingResource memory;
    const auto workplace = backward_workplace(8);
    std::optional<Engine> engine;
    engine.emplace(EngineConfig{.executor = workplace->executor(), .memory = &memory});
    const std::vector<Box> many = make_scene("uniform", 20000).agents();
    std::vector<Box> queries;  // in no order, so that each worker keeps its answers until all are there
    for (std::size_t i = 0; i < many.size(); ++i) queries.push_back(many[i * 7 % many.size()]);
    for (Box& query : queries) query.max_x += 20, query.max_y += 20;
    ASSERT_EQ(engine->update(Boxes::of(many)), Status{});
    const std::size_t before = memory.bytes_out();
    OverlapLists hits;  // in the global heap
    ASSERT_EQ(engine->frame().overlaps(Boxes::of(queries), hits), Status{});
    const std::size_t needed = memory.bytes_out() - before;
    ASSERT_GT(needed, 4'000'000u);

    const std::vector<Box> few(100, Box{0, 0, 1, 1});
    std::size_t most_at_once = 0;
    for (int commit = 0; commit < 10; ++commit) {
        const std::size_t held = memory.bytes_out();
        ASSERT_EQ(engine->update(Boxes::of(few)), Status{});
        most_at_once = std::max(most_at_once, held - std::min(held, memory.bytes_out()));
    }
    EXPECT_LT(most_at_once, needed / 2);
    EXPECT_LT(memory.bytes_out(), needed / 8);
    engine.reset();
    EXPECT_EQ(memory.bytes_out(), 0u);
}

}  // namespace
}  // namespace throng::test
