// A call that runs out of memory ends at once: after the first refused allocation, blocks that are at work
// end, and others do not begin. The refused allocations are counted.
#include "support/test.hpp"

namespace throng::test {
namespace {

// Has a number of bytes and no more, as a host's budget for one part of a game.
class Budget : public MemoryResource {
public:
    std::uint64_t refused() const { return refused_; }
    void leave(std::size_t bytes) { left_ = bytes; }

private:
    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        if (bytes > left_) {
            ++refused_;
            return nullptr;
        }
        left_ -= bytes;
        return throng::allocate(nullptr, bytes, alignment);
    }
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override {
        left_ += bytes;
        throng::give_back(nullptr, memory, bytes, alignment);
    }

    std::atomic<std::size_t> left_ = std::numeric_limits<std::size_t>::max();
    std::atomic<std::uint64_t> refused_ = 0;
};

constexpr std::size_t budget = 4 << 20;

// A world with far more answers than the budget holds: piles, each of which overlaps its neighbours.
std::vector<Box> piles(std::size_t agents, std::size_t count) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < agents; ++i) {
        const auto x = static_cast<float>(i % count % 20), y = static_cast<float>(i % count / 20);
        boxes.push_back({x, y, x + 1, y + 1});
    }
    return boxes;
}

struct ShortMemory {
    const char* name;
    std::size_t agents, piles;
    std::function<Status(const Frame& frame, const Boxes& boxes, MemoryResource* memory)> ask;
};

const ShortMemory shortages[] = {
    {"pairs of one pile", 4000, 1,
     [](const Frame& frame, const Boxes&, MemoryResource* memory) {
         PairList list(memory);
         return frame.pairs(list);
     }},
    {"pairs of many piles", 20000, 400,
     [](const Frame& frame, const Boxes&, MemoryResource* memory) {
         PairList list(memory);
         return frame.pairs(list);
     }},
    {"pairs of two frames", 20000, 400,
     [](const Frame& frame, const Boxes&, MemoryResource* memory) {
         PairList list(memory);
         return frame.pairs(list, with_other(frame));
     }},
    {"filtered pairs", 20000, 100,
     [](const Frame& frame, const Boxes&, MemoryResource* memory) {
         PairList list(memory);
         return frame.pairs(list, PairFilter{.a = 1, .b = 1});
     }},
    {"a batch in a good order", 20000, 1,
     [](const Frame& frame, const Boxes& boxes, MemoryResource* memory) {
         OverlapLists hits(memory);
         return frame.overlaps(boxes, hits);
     }},
    {"a batch in any order", 20000, 400,
     [](const Frame& frame, const Boxes& boxes, MemoryResource* memory) {
         OverlapLists hits(memory);
         return frame.overlaps(boxes, hits);
     }},
};

TEST(OutOfMemory, is_answered_at_the_first_refusals) {
    constexpr unsigned workers = 4;
    for (const ShortMemory& shortage : shortages) {
        const std::vector<Box> boxes = piles(shortage.agents, shortage.piles);
        const std::vector<Label> labels(boxes.size(), Label{.categories = 3});
        for (const auto& place : all_workplaces({workers})) {
            Budget memory;
            place->run([&] {
                Engine engine = engine_with(boxes, Labels::of(labels),
                                            {.executor = place->executor(), .memory = &memory});
                memory.leave(budget);
                EXPECT_EQ(shortage.ask(engine.frame(), Boxes::of(boxes), &memory).code, Code::out_of_memory)
                    << shortage.name << ", " << place->name();
                // One for each block that was at work, and the tries to keep some room in complete blocks.
                EXPECT_LE(memory.refused(), 4 * workers) << shortage.name << ", " << place->name();
                EXPECT_GE(memory.refused(), 1u);
                memory.leave(std::numeric_limits<std::size_t>::max());
                EXPECT_TRUE(engine.frame().any(boxes[0]).status.ok());
                EXPECT_TRUE(engine.validate().sound());
            });
        }
    }
}

// Of millions of pairs the engine may keep a megabyte.
TEST(PairsIntoMemoryOfTheHosts, need_none_of_the_engines_where_they_do_not_fit) {
    constexpr std::size_t agents = 3000;
    for (const std::size_t piles_of_all : {std::size_t{1}, std::size_t{20}}) {
        const std::vector<Box> boxes = piles(agents, piles_of_all);
        PairList all, of_both;
        const Frame reference = engine_with(boxes, {.executor = serial_executor()}).frame();
        ASSERT_EQ(reference.pairs(all), Status{});
        ASSERT_EQ(reference.pairs(of_both, with_other(reference)), Status{});
        ASSERT_GT(all.pairs().size_bytes(), 1u << 20);
        for (const auto& place : all_workplaces({4})) {
            Budget memory;
            place->run([&] {
                Engine engine = engine_with(boxes, {.executor = place->executor(), .memory = &memory});
                const Frame frame = engine.frame();
                memory.leave(1 << 20);
                for (const std::size_t room : {0u, 1u, 70u, 2000u}) {
                    std::vector<Pair> some(room);
                    const auto expect_first = [&](const Filled& filled, const PairList& list) {
                        EXPECT_EQ(filled.status, Status{}) << place->name() << ", room for " << room;
                        EXPECT_EQ(filled.total, list.size());
                        ASSERT_EQ(filled.written, room);
                        EXPECT_TRUE(std::equal(some.begin(), some.end(), list.begin()));
                    };
                    expect_first(frame.pairs(some), all);
                    expect_first(frame.pairs(some, with_other(frame)), of_both);
                }
                EXPECT_EQ(memory.refused(), 0u) << place->name();
                memory.leave(std::numeric_limits<std::size_t>::max());
            });
        }
    }
}

// Each asks a frame, and returns how many answers there are.
using Ask = std::size_t (*)(const Frame&, const std::vector<Box>&, const std::vector<Cast>&, MemoryResource*,
                            Status&);
const Ask asks[] = {[](const Frame& frame, const std::vector<Box>&, const std::vector<Cast>&,
                       MemoryResource* memory, Status& status) {
                        PairList list(memory);
                        status = frame.pairs(list);
                        return list.size();
                    },
                    [](const Frame& frame, const std::vector<Box>& queries, const std::vector<Cast>&,
                       MemoryResource* memory, Status& status) {
                        OverlapLists hits(memory);
                        status = frame.overlaps(queries, hits);
                        return hits.ids().size();
                    },
                    [](const Frame& frame, const std::vector<Box>&, const std::vector<Cast>&,
                       MemoryResource* memory, Status& status) {
                        NeighbourLists lists(memory);
                        status = frame.neighbours({.radius = 2}, lists);
                        return lists.ids().size();
                    },
                    [](const Frame& frame, const std::vector<Box>&, const std::vector<Cast>& rays,
                       MemoryResource* memory, Status& status) {
                        CastHits hits(memory);
                        status = frame.all_hits(rays, hits);
                        return hits.hits().size();
                    }};

// What a call takes for the next one alone may be refused: then it has its whole answer. Every allocation
// from some number on is refused.
TEST(OutOfMemory, is_said_unless_the_answer_is_whole) {
    const std::vector<Box> boxes = make_scene("uniform", 600).agents();
    const std::vector<Cast> casts{Cast::ray(0, 0, 100, 100), Cast::ray(50, 0, 0, 100)};
    std::size_t whole_though_refused = 0;
    for (const Ask& ask : asks)
        for (const auto& place : all_workplaces({4})) {
            std::size_t all = 0;
            for (std::uint64_t successes = 60;; --successes) {
                CountingResource memory;
                place->run([&] {
                    Engine engine = engine_with(boxes, {.executor = place->executor(), .memory = &memory});
                    memory.fail_after(successes);
                    const std::uint64_t before = memory.failures();
                    Status status;
                    const std::size_t found = ask(engine.frame(), boxes, casts, &memory, status);
                    const bool refused = memory.failures() != before;
                    memory.stop_failing();
                    if (successes == 60) all = found;
                    EXPECT_EQ(found, status.ok() ? all : 0u) << successes << ", " << place->name();
                    EXPECT_TRUE(status.ok() || status == Status{Code::out_of_memory});
                    EXPECT_TRUE(status.ok() || refused);
                    whole_though_refused += status.ok() && refused;
                });
                if (successes == 0) break;
            }
            EXPECT_GT(all, 0u);
        }
    EXPECT_GT(whole_though_refused, 0u);
}

// Each plan learns from those before it, and a frame's order is that of its plan.
TEST(OutOfMemory, teaches_nothing_to_the_plans_that_follow) {
    constexpr float largest = std::numeric_limits<float>::max();
    for (const std::uint64_t seed : {53u, 54u, 55u}) {
        Random random(seed);
        std::vector<Box> agents(3000);
        for (Box& box : agents) {
            const float m = largest / (random.one_in(2) ? 1 : 2), y = random.uniform();
            box = random.one_in(3)   ? Box{-m, -m, m, m}
                  : random.one_in(2) ? Box{m, m, m, m}
                                     : Box{-m, y, -m, 1 + random.uniform()};
        }
        CountingResource memory;
        Engine other({.executor = serial_executor()}),
            engine({.executor = serial_executor(), .memory = &memory});
        std::uint64_t successes = 0;
        do memory.fail_after(successes++);
        while (!engine.update(agents).ok());
        ASSERT_EQ(other.update(agents), Status{});
        EXPECT_GT(successes, 5u);
        EXPECT_EQ(engine.frame().fingerprint(), other.frame().fingerprint()) << seed;
    }
}

}  // namespace
}  // namespace throng::test
