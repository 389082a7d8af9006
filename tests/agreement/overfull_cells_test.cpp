// Cells with far more agents than a grid of the engine's own choice would have: crowds that are sorted there
// instead of compared, agents that all overlap and are not, and both side by side.
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "simd/kernels.hpp"
#include "support/answers.hpp"
#include "support/counting_resource.hpp"
#include "support/crowded_boxes.hpp"
#include "support/executors.hpp"
#include "support/filtered_answers.hpp"
#include "support/instruction_sets.hpp"
#include "support/printing.hpp"
#include "support/scale.hpp"
#include "throng/engine.hpp"

namespace throng::test {
namespace {

struct World {
    std::string name;
    std::vector<Box> agents;
    EngineConfig config;
};

void append(std::vector<Box>& all, const std::vector<Box>& some, float x, float y, float scale) {
    for (const Box& b : some)
        all.push_back({x + b.min_x * scale, y + b.min_y * scale, x + b.max_x * scale, y + b.max_y * scale});
}

EngineConfig cells_of(float width, float height, float common) {
    return {.executor = serial_executor(), .cell_width = width, .row_height = height, .common_size = common};
}

std::vector<World> overfull_worlds() {
    const std::size_t count = scaled(1500, 1300);
    std::vector<World> worlds;
    for (const CrowdedBoxes& kind : crowded_boxes) {
        // In one cell, and over the borders of rows and cells; in cells of the agents' size and smaller.
        World one{std::string(kind.name) + " in a cell", {}, cells_of(4, 4, 1)};
        append(one.agents, kind.make(count), 0.5f, 0.5f, 1);
        one.agents.push_back({-9, -9, -9, -9});
        World some{std::string(kind.name) + " over rows", {}, cells_of(0.3f, 0.4f, 1)};
        append(some.agents, kind.make(count), -0.05f, 0.17f, 1);
        append(some.agents, kind.make(count / 2, 2), 0.6f, 0.3f, 0.7f);
        World thousands{std::string(kind.name) + " in one column", {}, cells_of(2, 0.25f, 1)};
        append(thousands.agents, kind.make(count), 0, 0, 1);
        worlds.insert(worlds.end(), {one, some, thousands});
    }
    World pile{"a pile beside slivers", {}, cells_of(4, 2, 2)};
    append(pile.agents, crowded_boxes[0].make(count / 2), 0, 0.5f, 1);
    pile.agents.insert(pile.agents.end(), count / 4, Box{0.4f, 0.4f, 0.6f, 2.5f});
    append(pile.agents, crowded_boxes[1].make(count / 2), 0.3f, 1.8f, 1);
    World huge{"huge numbers", {}, {.executor = serial_executor()}};
    append(huge.agents, crowded_boxes[4].make(count), -3e38f, -3e38f, 3e38f);
    append(huge.agents, crowded_boxes[3].make(count / 2), 0, 0, 3.2e38f);
    World tiny{"subnormal numbers", {}, cells_of(1, 1, 1)};
    append(tiny.agents, crowded_boxes[4].make(count), -0.0f, -0.0f, 1e-41f);
    append(tiny.agents, crowded_boxes[3].make(count / 2), -3e-42f, -3e-42f, 1e-41f);
    worlds.insert(worlds.end(), {pile, huge, tiny});
    return worlds;
}

TEST(OverfullCells, give_the_pairs_of_brute_force_with_every_instruction_set) {
    if (finds_only_races()) GTEST_SKIP() << "on one thread";
    for (const World& world : overfull_worlds()) {
        oracle::BruteForce twin;
        ASSERT_EQ(twin.update(Boxes::of(world.agents)), Status{}) << world.name;
        const Expected expected = expect(twin.frame(), {});
        std::vector<Pair> first;
        for (const Isa isa : instruction_sets()) {
            EngineConfig config = world.config;
            config.isa = isa;
            Engine engine(config);
            ASSERT_EQ(engine.update(Boxes::of(world.agents)), Status{});
            ASSERT_TRUE(pairs_agree(engine.frame(), expected)) << world.name;
            PairList list;
            ASSERT_EQ(engine.frame().pairs(list), Status{});
            const std::vector<Pair> pairs(list.begin(), list.end());
            if (isa == instruction_sets().front()) first = pairs;
            EXPECT_EQ(pairs, first) << world.name << ": another order with " << to_string(isa);
        }
    }
}

TEST(OverfullCells, give_their_pairs_in_one_order_to_every_executor) {
    for (const World& world : enough_of(overfull_worlds(), 2)) {
        std::vector<Pair> first;
        for (const std::unique_ptr<Workplace>& workplace : all_workplaces({2, 7})) {
            EngineConfig config = world.config;
            config.executor = workplace->executor();
            workplace->run([&] {
                Engine engine(config);
                ASSERT_EQ(engine.update(Boxes::of(world.agents)), Status{});
                PairList list;
                ASSERT_EQ(engine.frame().pairs(list), Status{});
                const std::vector<Pair> pairs(list.begin(), list.end());
                if (first.empty()) first = pairs;
                EXPECT_EQ(pairs, first) << world.name << ", " << workplace->name();
            });
        }
    }
}

TEST(OverfullCells, give_filtered_pairs_as_brute_force_does) {
    if (finds_only_races()) GTEST_SKIP() << "on one thread";
    for (const World& world : enough_of(overfull_worlds(), 1)) {
        Random random(5);
        const std::vector<Label> labels = random_labels(random, world.agents.size());
        oracle::BruteForce twin;
        ASSERT_EQ(twin.update(Boxes::of(world.agents), Labels::of(labels)), Status{});
        for (const Isa isa : instruction_sets()) {
            EngineConfig config = world.config;
            config.isa = isa;
            Engine engine(config);
            ASSERT_EQ(engine.update(Boxes::of(world.agents), Labels::of(labels)), Status{});
            EXPECT_TRUE(pair_filters_agree(engine.frame(), twin.frame(), false)) << world.name;
        }
    }
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
bool all_ok(const std::vector<Status>& statuses) {
    for (const Status& status : statuses)
        if (!status.ok()) return false;
    return true;
}

TEST(OverfullCells, refuse_their_pairs_where_there_is_no_memory_to_sort_in) {
    if (finds_only_races()) GTEST_SKIP() << "on one thread";
    const std::vector<Box> agents = crowded_boxes[0].make(3000);
    const std::vector<Label> labels(agents.size(), Label{.categories = 3});
    std::size_t refused = 0;
    for (std::uint64_t successes = 0;; ++successes) {
        CountingResource memory;
        EngineConfig config = cells_of(4, 4, 1);
        config.memory = &memory;
        Engine engine(config);
        ASSERT_EQ(engine.update(Boxes::of(agents), Labels::of(labels)), Status{});
        const Frame frame = engine.frame();
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

TEST(OverfullCells, take_no_memory_once_they_have_settled) {
    for (const std::unique_ptr<Workplace>& workplace : all_workplaces({2})) {
        CountingResource memory;
        EngineConfig config = cells_of(0.3f, 0.4f, 1);
        config.memory = &memory;
        config.executor = workplace->executor();
        workplace->run([&] {
            Engine engine(config);
            PairList list;
            std::uint64_t settled = 0;
            for (std::uint64_t turn = 0; turn < 24; ++turn) {
                const std::vector<Box> given = crowded_boxes[4].make(3000, turn % 3);
                ASSERT_EQ(engine.update(Boxes::of(given)), Status{});
                ASSERT_TRUE(all_ok({engine.frame().pairs(list), engine.frame().count_pairs().status}));
                if (turn == 15) settled = memory.calls();
            }
            EXPECT_EQ(memory.calls(), settled) << workplace->name();
        });
    }
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
        scratch = {edge.data(), make_room, this};
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
        simd::kernels(isa)->row_pairs(view, 0, scratch, sink);
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
