// What fits into a bounded output must not depend on which thread was quickest: it is always the first of the whole
// answer.
#include "support/everywhere.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

struct Bounded {
    std::vector<AgentId> ids;
    std::vector<std::uint64_t> offsets;
    std::vector<Pair> pairs;
    friend bool operator==(const Bounded&, const Bounded&) = default;
};

Bounded first_of(const Frame& frame, const std::vector<Box>& queries, std::size_t ids, std::size_t pairs) {
    Bounded bounded;
    bounded.ids.resize(ids);
    bounded.offsets.resize(queries.size() + 1);
    bounded.pairs.resize(pairs);
    EXPECT_EQ(frame.overlaps(Boxes::of(queries), bounded.offsets, bounded.ids).written, ids);
    EXPECT_EQ(frame.pairs(std::span(bounded.pairs)).written, pairs);
    return bounded;
}

TEST(BoundedOutput, holds_the_first_answers_on_every_executor_and_instruction_set) {
    const Scene scene = make_scene("lattice", 9000);
    const std::vector<Box> queries = scene.queries(400);
    Engine serial({.executor = serial_executor()});
    ASSERT_EQ(serial.update(scene.boxes()), Status{});
    const Answers all = ask(serial.frame(), queries);

    constexpr std::size_t percentages[] = {0, 1, 37, 99, 100};
    for (const std::size_t percent : percentages) {
        const std::size_t ids = all.ids.size() * percent / 100, pairs = all.pairs.size() * percent / 100;
        Bounded expected{all.ids, all.offsets, all.pairs};
        expected.ids.resize(ids);
        expected.pairs.resize(pairs);
        everywhere({2, 8}, [&](const EngineConfig& config) {
            Engine engine(config);
            ASSERT_EQ(engine.update(scene.boxes()), Status{});
            EXPECT_TRUE(first_of(engine.frame(), queries, ids, pairs) == expected) << percent << " %";
        });
    }
}

}  // namespace
}  // namespace throng::test
