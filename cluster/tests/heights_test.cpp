// Agents with heights over many frames: they walk, climb, leave their rank and come back, and some frames
// fail. Ranks answer as one engine does, and have each agent's heights to the bit. The heights of filters and
// casts are tested where their queries are.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "cluster/tests/ranks.hpp"
#include "support/counting_resource.hpp"
#include "support/test.hpp"

namespace throng::test {

using cluster::ClusterEngine;
using cluster::ClusterPair;
using cluster::ClusterStatus;

namespace {

constexpr float nan_height = std::numeric_limits<float>::quiet_NaN();

// A tower: many agents above each other, so one engine divides them into storeys.
class Tower {
public:
    explicit Tower(std::size_t count, float spread = 0.5f) : heights(bands_by_id(count)) {
        Random random(31);
        const float side = std::sqrt(static_cast<float>(count)) * spread;
        for (std::size_t i = 0; i < count; ++i)
            boxes.push_back(Box::around(random.uniform(0, side), random.uniform(0, side), 0.5f, 0.5f));
    }
    // All walk a little, some jump, and some climb.
    void step(int frame) {
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const bool jumps = frame % 5 == 4 && i % 50 == 7;
            boxes[i] = jumps ? boxes[i].moved(3 - boxes[i].min_x, 0) : boxes[i].moved(0.03f, -0.02f);
            const float up = i % 4 == 0 ? 0.1f : 0;
            heights[i] = {heights[i].min_z + up, heights[i].max_z + up};
        }
    }
    // What a rank hands in next: those that it owns.
    Held of(const ClusterEngine& engine) const {
        Held held;
        held.take(engine.owned());
        held.heights.resize(held.ids.size());
        for (std::size_t i = 0; i < held.ids.size(); ++i) {
            held.boxes[i] = boxes[place_of(held.ids[i])];
            held.heights[i] = heights[place_of(held.ids[i])];
        }
        return held;
    }
    std::vector<std::uint64_t> pairs_of_one_engine() const {
        Engine one;
        PairList list;
        EXPECT_TRUE(one.update(boxes, list, traits_of({}, heights)).ok());
        std::vector<std::uint64_t> all;
        for (const Pair& pair : list)
            all.push_back(std::uint64_t{std::min(pair.a, pair.b)} << 32 | std::max(pair.a, pair.b));
        std::sort(all.begin(), all.end());
        return all;
    }
    void expect_all_of(ClusterEngine& engine) const {
        for (const cluster::Table& table : {engine.owned(), engine.ghosts()}) {
            ASSERT_EQ(table.heights.size(), table.size());
            for (std::size_t i = 0; i < table.size(); ++i)
                EXPECT_EQ(std::memcmp(&table.heights[i], &heights[place_of(table.ids[i])], sizeof(Band)), 0);
        }
        cluster::PairList list;
        EXPECT_TRUE(engine.pairs(list).ok());
        std::vector<std::uint64_t> mine;
        for (const ClusterPair& pair : list) mine.push_back(place_of(pair.a) << 32 | place_of(pair.b));
        std::vector<std::uint64_t> all = gathered(mine);
        std::sort(all.begin(), all.end());
        EXPECT_EQ(all, pairs_of_one_engine());
    }

    std::vector<Box> boxes;
    std::vector<Band> heights;
};

}  // namespace

TEST(ClusterHeights, go_with_their_agents_in_frames_of_every_kind) {
    Tower tower(1200);
    ClusterEngine engine(MPI_COMM_WORLD, {.reach = 0.5f});
    Held held = hand_out(tower.boxes, {}, HandedOut::all_on_one, 1, tower.heights);
    for (int frame = 0; frame < 15; ++frame) {
        ASSERT_TRUE(engine.update(held.view()).ok());
        tower.expect_all_of(engine);
        if (frame % 3 == 2) {
            Held bad = held;
            bad.take(engine.owned());
            for (Band& band : bad.heights) band.max_z += 1;
            if (my_rank() == 0 && !bad.heights.empty()) bad.heights.back() = {1, 0};
            EXPECT_TRUE(engine.update(bad.view()) == Code::inverted);
            tower.expect_all_of(engine);
        }
        tower.step(frame);
        held = tower.of(engine);
    }
}

TEST(ClusterHeights, of_ghosts_that_stay_ghosts_send_a_few_bytes) {
    Tower tower(12'000);
    ClusterEngine engine(MPI_COMM_WORLD, {.reach = 2, .rebalance = false});
    Held held = hand_out(tower.boxes, {}, HandedOut::in_turns, 1, tower.heights);
    for (int frame = 0; frame < 4; ++frame) {
        ASSERT_TRUE(engine.update(held.view()).ok());
        const cluster::ClusterReport& report = engine.report();
        if (frame > 1) {
            EXPECT_LT(double(report.ghosting.bytes), 13 * double(report.ghosts_sent) + 400) << frame;
        }
        tower.step(frame);
        held = tower.of(engine);
    }
}

// As labels: it is enough that one rank gives them, and the next frame may be without.
TEST(ClusterHeights, of_one_rank_are_heights_of_the_cluster) {
    Tower tower(600);
    const Held all = hand_out(tower.boxes, {}, HandedOut::in_turns, 1, tower.heights);
    const bool is_last = my_rank() == rank_count() - 1;
    for (std::size_t i = 0; i < tower.boxes.size(); ++i)
        if (i % static_cast<std::size_t>(rank_count()) + 1 != static_cast<std::size_t>(rank_count()))
            tower.heights[i] = Band();
    ClusterEngine engine(MPI_COMM_WORLD, {.agents_stay = true});
    for (int frame = 0; frame < 6; ++frame) {
        Held held = all;
        if (!is_last || frame % 3 == 2) held.heights.clear();
        ASSERT_TRUE(engine.update(held.view()).ok());
        if (frame % 3 != 2) {
            tower.expect_all_of(engine);
            continue;
        }
        EXPECT_TRUE(engine.owned().heights.empty() && engine.ghosts().heights.empty());
        EXPECT_TRUE(engine.in_place().heights.empty());
    }
}

TEST(ClusterHeights, that_are_none_on_one_rank_refuse_the_frame_on_all) {
    Tower tower(300);
    ClusterEngine engine(MPI_COMM_WORLD);
    ASSERT_TRUE(engine.update(hand_out(tower.boxes, {}, HandedOut::in_turns, 1, tower.heights).view()).ok());
    const int last = rank_count() - 1;
    const auto expect_refused = [&](const Held& held, Code code, std::size_t index) {
        const ClusterStatus status = engine.update(held.view());
        EXPECT_TRUE(status == code) << status.status.message();
        EXPECT_EQ(status.rank, last);
        EXPECT_EQ(status.status.index, index);
        EXPECT_EQ(status.status.argument, Argument::heights);
        EXPECT_TRUE(all_agree(status));
        tower.expect_all_of(engine);
    };
    const Held held = tower.of(engine);
    ASSERT_GT(held.ids.size(), 5u);
    Held bad = held;
    if (my_rank() == last) bad.heights[2].min_z = nan_height;
    expect_refused(bad, Code::not_finite, 2);
    // A band is named before a box, as in one engine.
    if (my_rank() == last) bad.heights[2] = {2, 1};
    if (my_rank() == last) bad.boxes[1].min_x = nan_height;
    expect_refused(bad, Code::inverted, 2);
    bad = held;
    if (my_rank() == last) bad.heights.pop_back();
    expect_refused(bad, Code::size_mismatch, Status::no_index);
    EXPECT_TRUE(engine.update(held.view()).ok());
}

// All walk and climb in circles, so after the first round nothing is new to any buffer.
TEST(ClusterHeights, allocate_nothing_in_frames_that_have_been_before) {
    constexpr int round = 16, rounds = 12;
    const Tower tower(1500, 2);
    CountingResource memory;
    cluster::ClusterConfig config{.reach = 1, .rebalance = false};
    config.engine.memory = &memory;
    config.engine.executor = serial_executor();
    ClusterEngine engine(MPI_COMM_WORLD, config);
    cluster::PairList pairs(&memory);
    Held held = hand_out(tower.boxes, {}, HandedOut::in_turns, 1, tower.heights);
    std::uint64_t calls = 0;
    for (int frame = 0; frame < rounds * round; ++frame) {
        if (frame == 4 * round) calls = memory.calls();
        ASSERT_TRUE(engine.update(held.view()).ok());
        ASSERT_TRUE(engine.pairs(pairs).ok());
        held = tower.of(engine);
        const float turn = 6.2831853f * static_cast<float>((frame + 1) % round) / round;
        for (Box& box : held.boxes) box = box.moved(std::cos(turn), std::sin(turn));
        for (std::size_t i = 0; i < held.ids.size(); ++i)
            if (place_of(held.ids[i]) % 5 == 0) held.heights[i].max_z += std::sin(turn) + 1;
    }
    EXPECT_EQ(memory.calls() - calls, 0u);
}

// Half of the agents overlap others, and half only stand above others.
TEST(ClusterHeights, that_keep_agents_apart_make_less_work_for_cuts) {
    constexpr std::size_t count = 6000;
    Tower tower(count);
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_tower = i % 2 == 1;
        const float storey = static_cast<float>(i % 40);
        tower.boxes[i] = tower.boxes[i].moved(is_tower ? 200 : 0, 0);
        tower.heights[i] = {is_tower ? storey : 0, is_tower ? storey + 0.5f : 1};
    }
    ClusterEngine engine(MPI_COMM_WORLD);
    cluster::PairList pairs;
    Held held = hand_out(tower.boxes, {}, HandedOut::in_turns, 1, tower.heights);
    for (int frame = 0; frame < 5; ++frame) {
        ASSERT_TRUE(engine.update(held.view()).ok());
        ASSERT_TRUE(engine.pairs(pairs).ok());
        held.take(engine.owned());
    }
    const cluster::ClusterReport& report = engine.report();
    EXPECT_LE(double(report.busiest) * rank_count(), 1.2 * double(report.all_work));
}

}  // namespace throng::test
