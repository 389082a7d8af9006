// The payload of ghosts comes with each update: it is that of their owners in the same frame.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "cluster/tests/ranks.hpp"
#include "support/test.hpp"
#include "worlds/scenes/random.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {

using cluster::ClusterEngine;
using cluster::GlobalId;

// New in every frame.
std::byte payload_byte(GlobalId id, int frame, std::size_t k) {
    return static_cast<std::byte>((id + static_cast<GlobalId>(frame)) * 0x9E3779B97F4A7C15u >> 4 * k);
}

std::size_t count_wrong(std::span<const GlobalId> ids, std::span<const std::byte> payload, std::size_t bytes,
                        int frame) {
    EXPECT_EQ(payload.size(), ids.size() * bytes);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < payload.size(); ++i)
        wrong += payload[i] != payload_byte(ids[i / bytes], frame, i % bytes);
    return wrong;
}

class GhostPayload : public testing::TestWithParam<bool> {
protected:
    // Odd numbers of bytes, so that nothing is aligned.
    static constexpr std::size_t carried = 11, seen = 7;
    static constexpr std::size_t crowd = 900;

    GhostPayload() { EXPECT_TRUE(update().ok()); }

    cluster::ClusterStatus update(std::size_t with_nan = crowd) {
        ++frame_;
        held_.payload.resize(held_.ids.size() * carried);
        for (std::size_t i = 0; i < held_.payload.size(); ++i)
            held_.payload[i] = payload_byte(held_.ids[i / carried], frame_, i % carried);
        Held held = held_;
        if (with_nan < held.boxes.size())
            held.boxes[with_nan].min_x = std::numeric_limits<float>::quiet_NaN();
        return engine_.update(held.view());
    }
    // The host's agents, or those that it has been given.
    void take() {
        if (!GetParam()) held_.take(engine_.owned());
    }
    void expect_payload(int frame) const {
        const cluster::Table mine = engine_.owned(), ghosts = engine_.ghosts();
        EXPECT_EQ(count_wrong(mine.ids, mine.payload, carried, frame), 0u) << frame;
        EXPECT_EQ(count_wrong(ghosts.ids, ghosts.payload, seen, frame), 0u) << frame;
    }
    void move(float dx, float dy) {
        for (Box& box : held_.boxes) box = box.moved(dx, dy);
    }

    int frame_ = 0;
    std::vector<Box> boxes_ = make_scene("uniform", crowd, 3).agents();
    Held held_ = hand_out(boxes_, {}, HandedOut::at_random);
    ClusterEngine engine_{
        MPI_COMM_WORLD,
        {.reach = 2, .agents_stay = GetParam(), .payload_bytes = carried, .ghost_payload_bytes = seen}};
};

TEST_P(GhostPayload, is_that_of_owners_through_steady_frames_and_changes) {
    Random random(static_cast<std::uint64_t>(my_rank()) + 1);
    for (int k = 0; k < 21; ++k) {
        take();
        move(k % 2 == 0 ? 0.1f : -0.05f, 0.02f);
        if (k % 3 == 1 && held_.ids.size() > 2) {  // some go, and one comes on each rank
            held_.ids.pop_back();
            held_.boxes.pop_back();
            held_.labels.resize(std::min(held_.labels.size(), held_.ids.size()));
        }
        if (k % 5 == 2 && !held_.ids.empty()) {
            held_.ids.push_back(global_of(crowd + static_cast<std::size_t>(100 * k + my_rank())));
            held_.boxes.push_back(held_.boxes[random.below(held_.boxes.size())]);
        }
        held_.labels.clear();
        if (k > 12 && k < 16) held_.labels.assign(held_.ids.size(), {2, static_cast<std::uint32_t>(k / 2)});
        if (k == 18 && !held_.boxes.empty()) held_.boxes[0] = held_.boxes[0].moved(-30, 30);
        if (k % 8 == 7) {
            ASSERT_TRUE(engine_.partition(random_cuts(boxes_, static_cast<std::uint64_t>(k))).ok());
        }
        ASSERT_TRUE(update().ok());
        expect_payload(frame_);
    }
    if (rank_count() > 1) {
        const std::vector<std::size_t> ghosts = gathered(std::vector{engine_.ghosts().size()});
        EXPECT_GT(*std::max_element(ghosts.begin(), ghosts.end()), 0u);
    }
}

TEST_P(GhostPayload, is_that_of_the_last_frame_after_one_that_was_refused) {
    for (int k = 0; k < 6; ++k) {
        take();
        move(0.1f, 0);
        ASSERT_TRUE(update().ok());
        const int last = frame_;
        const Held before = held_;
        move(k % 2 == 0 ? 0.1f : 7, 0.1f);
        held_.ids.push_back(global_of(5000 + static_cast<std::size_t>(my_rank())));
        held_.boxes.push_back(Box::around(0, 0, 1, 1));
        const cluster::ClusterStatus refused = update(my_rank() == k % rank_count() ? 0 : crowd);
        EXPECT_TRUE(refused == Code::not_finite && all_agree(refused));
        expect_payload(last);
        held_ = before;
    }
}

INSTANTIATE_TEST_SUITE_P(Cluster, GhostPayload, testing::Bool(), [](const auto& stays) {
    return std::string(stays.param ? "agents_stay" : "agents_move");
});

// The bytes of a steady frame, without it and with it.
TEST(ClusterGhostPayload, costs_its_own_bytes_and_nothing_without_it) {
    const std::vector<Box> boxes = make_scene("uniform", 900, 4).agents();
    std::uint64_t bytes[3] = {}, ghosts = 0;
    const cluster::ClusterConfig of_each[] = {
        {.reach = 1, .rebalance = false},
        {.reach = 1, .rebalance = false, .payload_bytes = 16},
        {.reach = 1, .rebalance = false, .payload_bytes = 16, .ghost_payload_bytes = 8}};
    for (std::size_t kind = 0; kind < 3; ++kind) {
        ClusterEngine engine(MPI_COMM_WORLD, of_each[kind]);
        Held held = hand_out(boxes, {}, HandedOut::in_turns);
        for (int frame = 0; frame < 6; ++frame) {
            held.payload.resize(held.ids.size() * of_each[kind].payload_bytes);
            ASSERT_TRUE(engine.update(held.view()).ok());
            held.take(engine.owned());
        }
        bytes[kind] = engine.report().ghosting.bytes;
        ghosts = engine.report().ghosts_sent;
        EXPECT_EQ(engine.ghosts().payload.size(), engine.ghosts().size() * of_each[kind].ghost_payload_bytes);
    }
    EXPECT_EQ(bytes[0], bytes[1]);
    EXPECT_EQ(bytes[2], bytes[1] + 8 * ghosts);
}

TEST(ClusterGhostPayload, that_is_too_long_or_differs_is_refused_on_all_ranks) {
    const bool last = my_rank() == rank_count() - 1;
    const ClusterEngine longer(MPI_COMM_WORLD,
                               {.payload_bytes = 8, .ghost_payload_bytes = last ? std::size_t{9} : 8});
    EXPECT_TRUE(longer.status() == Code::bad_config && all_agree(longer.status()));
    EXPECT_EQ(longer.status().rank, rank_count() - 1);
    const ClusterEngine differs(MPI_COMM_WORLD,
                                {.payload_bytes = 8, .ghost_payload_bytes = last ? std::size_t{4} : 8});
    EXPECT_EQ(differs.status().ok(), rank_count() == 1);
    EXPECT_TRUE(all_agree(differs.status()));
}

}  // namespace throng::test
