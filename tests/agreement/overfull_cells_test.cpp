// Cells with far more agents than in a grid that the engine chose: crowds, which are sorted there instead of
// compared; agents that all overlap, which are not; and both side by side.
#include "simd/kernels.hpp"
#include "simd/pair_kernels.hpp"
#include "simd/types.hpp"
#include "support/filtered_answers.hpp"
#include "support/overfull_worlds.hpp"
#include "support/test.hpp"
#include "worlds/scenes/crowded_boxes.hpp"

namespace throng::test {
namespace {

TEST(OverfullCells, give_the_pairs_of_brute_force_with_every_instruction_set) {
    for (const OverfullWorld& world : overfull_worlds()) {
        oracle::BruteForce twin;
        ASSERT_EQ(twin.update(Boxes::of(world.agents)), Status{}) << world.name;
        const ExpectedAnswers expected = expect(twin.frame(), {});
        std::vector<Pair> first;
        for (const Isa isa : instruction_sets()) {
            EngineConfig config = world.config;
            config.isa = isa;
            Engine engine = engine_with(world.agents, config);
            ASSERT_TRUE(pairs_agree(engine.frame(), expected)) << world.name;
            PairList list = listed_pairs(engine.frame());
            const std::vector<Pair> pairs(list.begin(), list.end());
            if (isa == instruction_sets().front()) first = pairs;
            EXPECT_EQ(pairs, first) << world.name << ": another order with " << to_string(isa);
        }
    }
}

// Sorted there or joined by ranks.
TEST(OverfullCells, give_the_pairs_of_circles_in_one_order) {
    constexpr PairQuery circles{.agents_as = AgentsAs::circles};
    for (const OverfullWorld& world : overfull_worlds()) {
        oracle::PairLists expected;
        ASSERT_EQ(twin_with(world.agents).frame().pairs(expected, circles), Status{});
        std::vector<Pair> first;
        for (const Isa isa : instruction_sets()) {
            EngineConfig config = world.config;
            config.isa = isa;
            const PairList list = listed_pairs(engine_with(world.agents, config).frame(), circles);
            EXPECT_TRUE(equal_ranges(in_order(list.pairs()), in_order(expected.pairs()))) << world.name;
            const std::vector<Pair> pairs(list.begin(), list.end());
            if (isa == instruction_sets().front()) first = pairs;
            EXPECT_TRUE(equal_ranges(pairs, first))
                << world.name << ": another order with " << to_string(isa);
        }
    }
}

TEST(OverfullCells, give_filtered_pairs_as_brute_force_does) {
    for (const OverfullWorld& world : enough_of(overfull_worlds(), 1)) {
        Random random(5);
        const std::vector<Label> labels = random_labels(random, world.agents.size());
        oracle::BruteForce twin;
        ASSERT_EQ(twin.update(Boxes::of(world.agents), {.labels = Labels::of(labels)}), Status{});
        const Expectation expected = expect_filtered_pairs(twin.frame(), false);
        for (const Isa isa : instruction_sets()) {
            EngineConfig config = world.config;
            config.isa = isa;
            EXPECT_TRUE(expected.met_by(engine_with(world.agents, Labels::of(labels), config).frame()))
                << world.name;
        }
    }
}

// Enough slivers that a sweep gives up, and a few that cross half of them.
TEST(OverfullCells, leave_out_the_pairs_of_a_group_where_they_join_ranks) {
    std::vector<Box> agents = crowded_boxes[4].make(8000);
    for (const Box& fence : {Box{0.45f, 0, 0.46f, 0.5f}, Box{0, 0.8f, 1, 0.81f}})
        agents.insert(agents.end(), 4, fence);
    std::vector<Label> labels;
    for (std::uint32_t i = 0; i < agents.size(); ++i) labels.push_back({.group = i / 3 % 2});
    Engine engine = engine_with(agents, Labels::of(labels), cells_of(4, 4, 1));
    const PairFilter filter{.other_groups_only = true};
    PairList all = listed_pairs(engine.frame());
    std::uint64_t expected = 0;
    for (const Pair& pair : all) expected += filter.admits(labels[pair.a], labels[pair.b]);
    EXPECT_LT(expected, all.size());
    EXPECT_EQ(engine.frame().count_pairs(filter).total, expected);
}

// --- Memory ---

// Each form of the call, with and without a filter, on two workers.
std::vector<Status> ask_all(const Frame& frame) {
    PairList list;
    std::vector<Pair> room(100);
    const PairFilter filter{.a = 1, .b = 1};
    return {frame.pairs(list), frame.pairs(list, filter), frame.count_pairs().status,
            frame.pairs(std::span(room)).status, frame.count_pairs(filter).status};
}
TEST(OverfullCells, refuse_their_pairs_where_there_is_no_memory_to_sort_in) {
    const std::vector<Box> agents = crowded_boxes[0].make(3000);
    const std::vector<Label> labels(agents.size(), Label{.categories = 3});
    std::size_t refused = 0;
    for (std::uint64_t successes = 0;; ++successes) {
        CountingResource memory;
        EngineConfig config = cells_of(4, 4, 1);
        config.memory = &memory;
        const Frame frame = engine_with(agents, Labels::of(labels), config).frame();
        memory.fail_after(successes);
        const std::vector<Status> statuses = ask_all(frame);
        memory.stop_failing();
        for (const Status& status : statuses)
            ASSERT_TRUE(status.ok() || status.code == Code::out_of_memory) << successes;
        ASSERT_TRUE(all_ok(ask_all(frame))) << successes;
        if (all_ok(statuses)) break;
        ++refused;
    }
    EXPECT_GT(refused, 3u);
}

// --- Whether agents are sorted at all: the kernel asks for memory if so ---

struct Asked {
    simd::PairScratch scratch{};
    std::vector<std::uint32_t> edge;
    std::vector<char> room;
    std::size_t times = 0;
    bool refuse = false;

    static void* make_room(simd::PairScratch& scratch, std::size_t bytes) {
        Asked& self = *static_cast<Asked*>(scratch.context);
        ++self.times;
        if (self.refuse) return nullptr;
        self.room.resize(bytes + 64);
        void* at = self.room.data();
        std::size_t space = self.room.size();
        return std::align(64, bytes, at, space);
    }
    // All agents in one cell of one row. Returns how many pairs there are.
    std::size_t pairs_of(Isa isa, const std::vector<Box>& boxes) {
        const auto count = static_cast<std::uint32_t>(boxes.size());
        const std::uint32_t stride = count + simd::gap, cells[2] = {0, count};
        std::vector<float> data(std::size_t{5} * stride, std::numeric_limits<float>::quiet_NaN());
        for (std::uint32_t i = 0; i < count; ++i) {
            const float edges[4] = {boxes[i].min_x, boxes[i].min_y, boxes[i].max_x, boxes[i].max_y};
            for (std::size_t a = 0; a < 4; ++a) data[a * stride + i] = edges[a];
            data[std::size_t{4} * stride + i] = 0;
        }
        const simd::Row row{data.data(), cells, stride, count, 0};
        simd::View view{};
        view.grid = {0, 0, 0.5f, 0.5f, 0, 0, 2, 2, 1, 1};
        view.reach_x = view.reach_y = 1;
        view.rows = &row;
        view.is_all = true;
        edge.resize(count + simd::gap);
        scratch = {simd::kernels(isa)->in_row, edge.data(), make_room, this};
        struct Counter {
            std::vector<simd::Pair> pairs = std::vector<simd::Pair>(1024 + simd::pair_slack);
            std::size_t count = 0;
            static void full(simd::PairSink& sink) {
                Counter& self = *static_cast<Counter*>(sink.context);
                self.count += static_cast<std::size_t>(sink.at - self.pairs.data());
                sink.at = self.pairs.data();
            }
        } counter;
        simd::PairSink sink{counter.pairs.data(), counter.pairs.data() + 1024, Counter::full, &counter};
        simd::kernels(isa)->pairs->boxes(view, 0, {}, scratch, sink);
        Counter::full(sink);
        return counter.count;
    }
};

TEST(OverfullCells, are_sorted_where_agents_lie_apart_and_only_there) {
    for (const Isa isa : instruction_sets()) {
        Asked apart, together, few;
        (void)apart.pairs_of(isa, crowded_boxes[0].make(1000));
        EXPECT_GT(apart.times, 0u);
        EXPECT_EQ(together.pairs_of(isa, std::vector<Box>(1000, Box{0, 0, 1, 1})), 499500u);
        EXPECT_EQ(together.times, 0u);
        (void)few.pairs_of(isa, crowded_boxes[0].make(100));
        EXPECT_EQ(few.times, 0u);
    }
}

TEST(OverfullCells, give_the_same_pairs_without_memory_for_sorting) {
    for (const Isa isa : instruction_sets())
        for (const CrowdedBoxes& kind : crowded_boxes) {
            Asked with, without;
            without.refuse = true;
            const std::vector<Box> boxes = kind.make(1500);
            EXPECT_EQ(with.pairs_of(isa, boxes), without.pairs_of(isa, boxes)) << kind.name;
            EXPECT_GT(without.times, 0u) << kind.name;
        }
}

}  // namespace
}  // namespace throng::test
