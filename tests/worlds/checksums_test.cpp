// The common workloads against fixed checksums that come from brute force: the same agents, movements and
// queries as the benchmarks measure.
#include "support/test.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::test {
namespace {

struct Truth {
    const char* scenario;
    std::size_t agents;
    std::uint64_t pairs, pair_hash;  // after three steps
    std::uint64_t hits, hit_hash;    // of one neighbourhood an agent, after three steps; zero if not known
};

void PrintTo(const Truth& truth, std::ostream* out) { *out << truth.scenario << ", " << truth.agents; }

class Workload : public ::testing::TestWithParam<Truth> {
protected:
    static Boxes boxes(const workload::World& world) {
        return Boxes::centre_half(world.x.data(), world.y.data(), world.hx.data(), world.hy.data(),
                                  world.size());
    }
    // An update a step, as the benchmark makes it.
    static void run(const workload::World& start, Engine& engine, workload::World& world) {
        world = start;
        for (int step = 0; step < 3; ++step) {
            world.step();
            ASSERT_EQ(engine.update(boxes(world)), Status{});
        }
    }
};

TEST_P(Workload, has_the_true_pairs_and_neighbours) {
    const Truth truth = GetParam();
    const workload::World start = workload::make(truth.scenario, truth.agents);
    for (const Isa isa : instruction_sets()) {
        Engine engine({.isa = isa});
        workload::World world;
        run(start, engine, world);

        workload::Checksum pairs, hits;
        PairList list = listed_pairs(engine.frame());
        for (const Pair& pair : list) pairs.pair(pair.a, pair.b);
        EXPECT_EQ(pairs.count, truth.pairs) << to_string(isa);
        EXPECT_EQ(pairs.hash, truth.pair_hash) << to_string(isa);
        if (truth.hits == 0) continue;

        OverlapLists answers;
        const std::vector<workload::Rect> rects = workload::neighbourhoods(world, false);
        ASSERT_EQ(engine.frame().overlaps(Boxes::min_max(&rects[0].x0, &rects[0].y0, &rects[0].x1,
                                                         &rects[0].y1, rects.size(), sizeof(workload::Rect)),
                                          answers),
                  Status{});
        for (const AgentId id : answers.ids()) hits.hit(id);
        EXPECT_EQ(hits.count, truth.hits) << to_string(isa);
        EXPECT_EQ(hits.hash, truth.hit_hash) << to_string(isa);
    }
}

TEST_P(Workload, has_the_true_pairs_when_every_move_is_a_single_edit) {
    const Truth truth = GetParam();
    workload::World world = workload::make(truth.scenario, truth.agents);
    Engine engine = engine_with(boxes(world));
    for (int step = 0; step < 3; ++step) {
        world.step();
        const Boxes moved = boxes(world);
        for (AgentId id = 0; id < world.size(); ++id) ASSERT_EQ(engine.move(id, moved[id]), Status{});
        ASSERT_EQ(engine.commit(), Status{});
    }
    workload::Checksum pairs;
    PairList list = listed_pairs(engine.frame());
    for (const Pair& pair : list) pairs.pair(pair.a, pair.b);
    EXPECT_EQ(pairs.count, truth.pairs);
    EXPECT_EQ(pairs.hash, truth.pair_hash);
}

// Which pairs began and which ended between the frames of steps 3 and 4.
TEST(WorkloadEvents, are_the_true_changes_of_pairs) {
    struct Events {
        const char* scenario;
        std::uint64_t count, hash;
    };
    for (const Events& truth :
         {Events{"crowd", 1140, 0x0221e658621c965f}, Events{"clustered", 2303, 0xe5a40eb05b5dc1d6}}) {
        workload::World world = workload::make(truth.scenario, 20000);
        Engine engine;
        PairChanges changes;
        for (int step = 1; step <= 4; ++step) {
            world.step();
            ASSERT_EQ(engine.update(Boxes::centre_half(world.x, world.y, world.hx, world.hy)), Status{});
            if (step < 3) continue;
            ASSERT_EQ(changes.update(engine.frame()), Status{});
        }
        workload::Checksum began, ended;
        for (const Pair& pair : changes.began()) began.pair(pair.a, pair.b);
        for (const Pair& pair : changes.ended()) ended.pair(pair.a, pair.b);
        EXPECT_EQ(began.count + ended.count, truth.count) << truth.scenario;
        EXPECT_EQ(began.hash * 3 + ended.hash, truth.hash) << truth.scenario;
    }
}

std::string truth_name(const ::testing::TestParamInfo<Truth>& info) {
    return info.param.scenario + std::string("_") + std::to_string(info.param.agents);
}

INSTANTIATE_TEST_SUITE_P(
    small, Workload,
    ::testing::Values(Truth{"crowd", 20000, 7309, 0x4b68c1aa2d8f1894, 136704, 0x03286e293f8cbd77},
                      Truth{"mixed", 20000, 10473, 0x36b211e9f4acece3, 140440, 0xd95ee4a4eb4a2e7e},
                      Truth{"clustered", 20000, 140225, 0x6ef0f7b347fd0db9, 517043, 0x4f6f08e45794e73b},
                      Truth{"sizes", 20000, 5020, 0xafb46bc399535dbb, 24692, 0x4113c25b254f1a42},
                      Truth{"crushed", 20000, 571790, 0x33899832a04e63de, 8814569, 0xf46a957b2ba5a902},
                      Truth{"villages", 20000, 7541, 0x414316c6d5a34d23, 135482, 0xe975e208e2cc3995},
                      Truth{"point", 20000, 2006759, 0x193226b5004eb3ce, 4139940, 0x5a606990c0fccc2c},
                      Truth{"line", 20000, 16398, 0x241ecc330e057d77, 117030, 0x9aab19d263426e50},
                      Truth{"crowd", 100000, 36283, 0x704cfcb34dfd7661, 0, 0}),
    truth_name);

INSTANTIATE_TEST_SUITE_P(large, Workload,
                         ::testing::Values(Truth{"crowd", 1000000, 360504, 0xedb6fb870e5a6ecb, 0, 0}),
                         truth_name);

}  // namespace
}  // namespace throng::test
