// Memory that was reserved: first frames ask the host for nothing more, and nothing else changes.
#include <optional>

#include "support/engine_state.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// In fewer villages all agents are in the tree, which takes more.
constexpr std::size_t crowd = 20000;

// A host that updates, holds the frame before, and then commits edits of all kinds.
class Host {
public:
    Host(const char* world, std::size_t agents, const EngineConfig& config)
        : scene_(make_scene(world, agents)), engine_(config) {}

    Engine& engine() { return engine_; }
    const std::vector<Box>& agents() const { return scene_.agents(); }
    std::vector<Box> queries() const { return scene_.queries(20); }
    void update(bool labelled) {
        scene_.step();
        const std::vector<Label> labels =
            labelled ? labels_by_id(scene_.agents().size()) : std::vector<Label>();
        ASSERT_EQ(engine_.update(scene_.boxes(), {.labels = labels}), Status{});
        held_ = engine_.frame();
    }
    // Stages that many edits, after which there are as many agents.
    void edit(std::size_t edits) {
        for (std::size_t i = 0; i < edits; ++i) {
            auto id = static_cast<AgentId>(random_.below(scene_.agents().size()));
            const Box box = scene_.place(random_);
            if (i % 5 != 0)
                (void)engine_.move(id, box);
            else if (engine_.remove(id).ok()) {
                ASSERT_EQ(engine_.insert(box, id), Status{});
            }
        }
    }
    void commit(std::size_t edits) {
        edit(edits);
        ASSERT_EQ(engine_.commit(), Status{});
        held_ = engine_.frame();
    }

private:
    Scene scene_;
    Engine engine_;
    Frame held_;
    Random random_{11};
};

TEST(Reserve, is_all_that_updates_and_commits_need) {
    const auto workplace = backward_workplace(4);
    for (const char* world : {"uniform", "mixed_sizes", "clustered", "villages", "on_a_line", "on_a_column"})
        for (const std::size_t edits : {std::size_t{0}, std::size_t{100}, crowd / 3}) {
            SCOPED_TRACE(world + std::string(", edits: ") + std::to_string(edits));
            CountingResource memory;
            Host host(
                world, crowd,
                {.executor = edits == 100 ? workplace->executor() : serial_executor(), .memory = &memory});
            ASSERT_EQ(host.engine().reserve(host.agents().size(), edits), Status{});
            const std::uint64_t calls = memory.calls();
            for (int i = 0; i < 6; ++i) host.update(edits == 100);
            EXPECT_EQ(memory.calls(), calls) << "updates";
            if (edits != 0)
                for (int i = 0; i < 12; ++i) host.commit(edits);
            EXPECT_EQ(memory.calls(), calls) << "commits";
            EXPECT_EQ(host.engine().memory().total(), memory.bytes_out());
            EXPECT_TRUE(host.engine().validate().sound());
        }
}

TEST(Reserve, changes_nothing_that_is_visible) {
    for (const char* world : {"uniform", "villages", "sizes_over_decades"}) {
        Host host(world, crowd / 4, {.executor = serial_executor()}),
            twin(world, crowd / 4, {.executor = serial_executor()});
        const auto expect_same = [&] {
            const std::vector<Box> queries = twin.queries();
            EXPECT_TRUE(unchanged(state_of(twin.engine(), queries), host.engine()));
            EXPECT_EQ(host.engine().frame().fingerprint(), twin.engine().frame().fingerprint());
            EXPECT_EQ(host.engine().frame().tuning().times_chosen,
                      twin.engine().frame().tuning().times_chosen);
        };
        const auto both = [&](auto&& call) {
            call(host);
            call(twin);
            expect_same();
        };
        const std::size_t agents = host.agents().size();
        for (const std::size_t factor : {0u, 1u, 3u}) {
            ASSERT_EQ(host.engine().reserve(factor * agents, 100), Status{});
            expect_same();
            both([&](Host& each) { each.update(factor == 1); });
            ASSERT_EQ(host.engine().reserve(agents), Status{});
            both([](Host& each) { each.commit(50); });
            both([](Host& each) { each.edit(70); });
            ASSERT_EQ(host.engine().reserve(2 * factor * agents, 1000), Status{});
            expect_same();
            both([](Host& each) { EXPECT_EQ(each.engine().commit(), Status{}); });
        }
    }
}

// With agents that are there, and edits that are staged.
TEST(Reserve, that_finds_no_memory_has_changed_nothing) {
    CountingResource memory;
    Host host("uniform", 2000, {.executor = serial_executor(), .memory = &memory});
    host.update(false);
    host.commit(30);
    ASSERT_EQ(host.engine().reserve(1000, 10), Status{});
    host.edit(40);
    const EngineState before = state_of(host.engine(), host.queries());
    const std::size_t bytes = memory.bytes_out(), blocks = memory.blocks_out();
    std::uint64_t successes = 0;
    for (;; ++successes) {
        memory.fail_after(successes);
        const Status status = host.engine().reserve(5000, 100);
        memory.stop_failing();
        if (status.ok()) break;
        ASSERT_EQ(status, Status{Code::out_of_memory});
        ASSERT_EQ(memory.bytes_out(), bytes);
        ASSERT_EQ(memory.blocks_out(), blocks);
        ASSERT_TRUE(unchanged(before, host.engine()));
    }
    EXPECT_GE(successes, 2u) << "it takes several parts";
    EXPECT_TRUE(unchanged(before, host.engine()));
    EXPECT_EQ(host.engine().commit(), Status{});
    EXPECT_FALSE(memory.misused());
}

TEST(Reserve, of_nothing_takes_nothing_and_of_too_many_is_refused) {
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    const std::uint64_t calls = memory.calls();
    EXPECT_EQ(engine.reserve(0), Status{});
    EXPECT_EQ(engine.reserve(0, 0), Status{});
    const Status too_many{Code::too_many, most_agents};
    EXPECT_EQ(engine.reserve(most_agents + 1), too_many);
    EXPECT_EQ(engine.reserve(~std::size_t{0}, 5), too_many);
    EXPECT_EQ(engine.reserve(5, most_agents + 1), too_many);
    EXPECT_EQ(memory.calls(), calls);
    EXPECT_EQ(engine.reserve(0, 5), Status{});
    EXPECT_GT(memory.calls(), calls);
    Engine other(std::move(engine));
    EXPECT_EQ(engine.reserve(5, 5), Status(Code::moved_from));
    EXPECT_EQ(Engine({.cell_width = -1}).reserve(5, 5), Status(Code::bad_config));
}

TEST(Reserve, takes_only_what_is_not_reserved_already) {
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    const std::size_t before = memory.bytes_out();
    ASSERT_EQ(engine.reserve(10000), Status{});
    const std::size_t for_updates = memory.bytes_out() - before;
    ASSERT_EQ(engine.reserve(10000), Status{});
    ASSERT_EQ(engine.reserve(500), Status{});
    EXPECT_EQ(memory.bytes_out() - before, for_updates);
    ASSERT_EQ(engine.reserve(9000, 100), Status{});
    const std::size_t with_edits = memory.bytes_out() - before;
    EXPECT_GT(with_edits, for_updates);
    ASSERT_EQ(engine.reserve(10000), Status{});
    EXPECT_EQ(memory.bytes_out() - before, with_edits);
    ASSERT_EQ(engine.reserve(20000), Status{});
    EXPECT_LE(memory.bytes_out() - before, 2 * for_updates) << "in the place of the others";
}

TEST(Reserve, goes_back_when_memory_is_released_but_for_the_part_that_is_in_use) {
    CountingResource memory;
    Host host("uniform", 3000, {.executor = serial_executor(), .memory = &memory});
    const std::size_t empty = memory.bytes_out();
    ASSERT_EQ(host.engine().reserve(3000, 100), Status{});
    host.engine().release_memory();
    EXPECT_LE(memory.bytes_out(), empty);
    ASSERT_EQ(host.engine().reserve(300000, 100), Status{});
    host.update(false);
    host.commit(20);
    host.engine().release_memory();
    EXPECT_LE(memory.bytes_out(), std::size_t{300000} * 90) << "one of three";
    EXPECT_TRUE(host.engine().validate().sound());
    host.update(false);
    EXPECT_TRUE(host.engine().validate().sound());
}

TEST(Reserve, serves_frames_that_outlive_the_engine) {
    CountingResource memory;
    const Scene scene = make_scene("villages", 2000);
    {
        std::optional<Engine> engine;
        engine.emplace(EngineConfig{.executor = serial_executor(), .memory = &memory});
        ASSERT_EQ(engine->reserve(2000, 10), Status{});
        ASSERT_EQ(engine->update(scene.agents()), Status{});
        const Frame frame = engine->frame();
        engine.reset();
        EXPECT_TRUE(frame.validate().sound());
        EXPECT_EQ(frame.box(7), scene.agents()[7]);
        EXPECT_NE(memory.blocks_out(), 0u);
    }
    EXPECT_EQ(memory.blocks_out(), 0u);
    EXPECT_FALSE(memory.misused());
}

// Hands out memory whose bytes are all 1, and counts the pages that are still all 1.
class Untouched final : public MemoryResource {
public:
    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        void* memory = throng::allocate(nullptr, bytes, alignment);
        if (memory == nullptr) return nullptr;
        std::memset(memory, 1, bytes);
        pieces_.push_back({static_cast<const char*>(memory), bytes});
        return memory;
    }
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override {
        std::erase_if(pieces_, [&](const std::span<const char>& piece) { return piece.data() == memory; });
        throng::give_back(nullptr, memory, bytes, alignment);
    }
    void forget_pieces() { pieces_.clear(); }
    // Of the pieces that were taken since.
    std::size_t pages(bool untouched) const {
        constexpr std::size_t page = 4096;
        std::size_t count = 0;
        for (const std::span<const char>& piece : pieces_)
            for (std::size_t at = 0; at + page <= piece.size(); at += page)
                count += !untouched || std::count(&piece[at], &piece[at] + page, 1) == page;
        return count;
    }

private:
    std::vector<std::span<const char>> pieces_;
};

TEST(Reserve, touches_every_page) {
    Untouched memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    memory.forget_pieces();
    ASSERT_EQ(engine.reserve(50000, 100), Status{});
    EXPECT_GE(memory.pages(false), 50000u * 200 / 4096);
    EXPECT_EQ(memory.pages(true), 0u);
}

}  // namespace
}  // namespace throng::test
