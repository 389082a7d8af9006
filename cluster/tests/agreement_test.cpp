// One rank does something else than the others: all hear of it from the same call, by name, and none waits.
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/tests/ranks.hpp"
#include "support/counting_resource.hpp"
#include "support/test.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {

using cluster::ClusterEngine;
using cluster::ClusterStatus;
using cluster::Trouble;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

class ClusterAgreement : public testing::Test {
protected:
    ClusterAgreement() { EXPECT_TRUE(engine_.update(held_.view()).ok()); }
    void expect_all(const ClusterStatus& status, Trouble trouble, int rank) {
        EXPECT_EQ(status.trouble, trouble);
        EXPECT_EQ(status.rank, rank);
        EXPECT_TRUE(all_agree(status));
    }
    // The pairs of all ranks. Each rank may want them within another distance.
    std::size_t pairs_within(float distance) {
        cluster::PairList list;
        EXPECT_TRUE(engine_.pairs(list, {.within = distance}).ok());
        return gathered(std::vector(list.begin(), list.end())).size();
    }
    std::size_t pairs_of_one_engine(float distance) const {
        Engine one;
        PairList list;
        EXPECT_TRUE(one.update(scene_.agents()).ok());
        EXPECT_TRUE(one.frame().pairs(list, {.within = distance}).ok());
        return list.size();
    }

    const Scene scene_ = make_scene("uniform", 300, 3);
    const int last_ = rank_count() - 1;
    const bool is_last_ = my_rank() == last_;
    const Held held_ = hand_out(scene_.agents(), {}, HandedOut::in_turns);
    ClusterEngine engine_{MPI_COMM_WORLD, {.reach = is_last_ ? 1.0f : 0.5f}};
    cluster::Lists lists_;
    cluster::PairList pairs_;
};

TEST_F(ClusterAgreement, distances_beyond_what_was_set_are_refused_and_nothing_is_made_again) {
    EXPECT_EQ(engine_.reach(), 1);
    const cluster::Table mine = engine_.owned();
    const std::vector ids(mine.ids.begin(), mine.ids.end());
    const ClusterStatus far = engine_.pairs(pairs_, {.within = 1.5f});
    EXPECT_EQ(far.trouble, Trouble::beyond_reach);
    EXPECT_EQ(far.rank, my_rank());
    EXPECT_EQ(far.status.argument, Argument::options);
    const ClusterStatus wide = engine_.neighbours(Within{.radius = 20}, lists_);
    EXPECT_EQ(wide.trouble, Trouble::beyond_reach);
    EXPECT_EQ(wide.status.argument, Argument::radii);
    char text[200];
    cluster::describe(wide, text);
    EXPECT_NE(std::string_view(text).find("set `radius`"), std::string_view::npos) << text;
    EXPECT_TRUE(engine_.neighbours(Within{.radius = 1}, lists_).ok());
    // What `owned` gave is there until the next update.
    EXPECT_EQ(mine.ids.data(), engine_.owned().ids.data());
    EXPECT_EQ(std::vector(mine.ids.begin(), mine.ids.end()), ids);
}

TEST_F(ClusterAgreement, the_largest_reach_of_all_ranks_counts) {
    EXPECT_EQ(pairs_within(1), pairs_of_one_engine(1));
    // Each rank may ask for other distances up to that, and none waits for it.
    EXPECT_TRUE(engine_.pairs(pairs_, {.within = is_last_ ? 1.0f : 0.25f}).ok());
    EXPECT_TRUE(engine_.update(held_.view()).ok());
    EXPECT_TRUE(engine_.set_reach(nan, 0) == Code::not_finite);
    EXPECT_TRUE(engine_.set_reach(0, -1) == Code::inverted);
    if (is_last_) {
        EXPECT_TRUE(engine_.set_reach(3, 4).ok());
    }
    EXPECT_EQ(engine_.pairs(pairs_, {.within = 3}).trouble, Trouble::beyond_reach);
    for (int frame = 0; frame < 4; ++frame) {
        ASSERT_TRUE(engine_.update(held_.view()).ok());
        EXPECT_EQ(engine_.reach(), 3);
        EXPECT_EQ(engine_.radius(), 4);
        EXPECT_EQ(pairs_within(3), pairs_of_one_engine(3));
        EXPECT_TRUE(engine_.neighbours(Within{.radius = 4}, lists_).ok());
    }
    EXPECT_TRUE(engine_.set_reach(0.5f, 0).ok());
    ASSERT_TRUE(engine_.update(held_.view()).ok());
    EXPECT_EQ(engine_.reach(), 0.5f);
    EXPECT_EQ(engine_.pairs(pairs_, {.within = 1}).trouble, Trouble::beyond_reach);
}

TEST_F(ClusterAgreement, options_of_one_rank_that_are_none_are_refused_on_all) {
    expect_all(engine_.neighbours(Nearest{.count = 3, .max_radius = is_last_ ? nan : 2}, lists_),
               Trouble::refused, last_);
    expect_all(engine_.neighbours(Nearest{.count = is_last_ ? 0u : 3u}, lists_), Trouble::refused, last_);
    expect_all(engine_.pairs_with(engine_, pairs_, {.within = is_last_ ? -1.0f : 1.0f}), Trouble::refused,
               last_);
    const Filter upside_down{.heights = is_last_ ? Band{5, 1} : Band{}};
    const std::vector<Box> boxes(3, Box{0, 0, 1, 1});
    const ClusterStatus status = engine_.overlaps(boxes, lists_, upside_down);
    expect_all(status, Trouble::refused, last_);
    EXPECT_TRUE(status == Code::inverted && status.status.argument == Argument::heights);
    const std::span<std::uint64_t> nowhere(static_cast<std::uint64_t*>(nullptr), 3);
    std::vector<std::uint64_t> counts(3);
    expect_all(engine_.count(boxes, is_last_ ? nowhere : std::span(counts)), Trouble::refused, last_);
    EXPECT_TRUE(engine_.count(boxes, counts).ok());

    ClusterEngine stays(MPI_COMM_WORLD, {.radius = 2, .agents_stay = true});
    ASSERT_TRUE(stays.update(held_.view()).ok());
    expect_all(stays.neighbours(Within{.radius = is_last_ ? nan : 2}, lists_), Trouble::refused, last_);
    expect_all(stays.neighbours(Within{.radius = is_last_ ? 3.0f : 2.0f}, lists_), Trouble::beyond_reach,
               last_);
    expect_all(stays.pairs(pairs_, {.within = is_last_ ? -1.0f : 0.0f}), Trouble::refused, last_);
    EXPECT_TRUE(stays.neighbours(Within{.radius = 2}, lists_).ok());
}

TEST_F(ClusterAgreement, what_has_to_be_the_same_on_all_ranks_is_compared) {
    if (rank_count() == 1) return;
    expect_all(engine_.neighbours(Nearest{.count = is_last_ ? 3u : 2u}, lists_), Trouble::differs, last_);
    expect_all(engine_.pairs_with(engine_, pairs_, {.within = is_last_ ? 2.0f : 1.0f}), Trouble::differs,
               last_);
    const ClusterEngine one(MPI_COMM_WORLD, {.rebalance = !is_last_});
    expect_all(one.status(), Trouble::differs, last_);
    const ClusterEngine other(MPI_COMM_WORLD, {.agents_stay = is_last_});
    expect_all(other.status(), Trouble::differs, last_);
}

// Each rank finds some for the hosts of others.
TEST_F(ClusterAgreement, where_agents_stay_all_ranks_have_to_want_the_same) {
    ClusterEngine stays(MPI_COMM_WORLD, {.reach = 2, .radius = 4, .agents_stay = true});
    ASSERT_TRUE(stays.update(held_.view()).ok());
    EXPECT_TRUE(stays.neighbours(Within{.radius = 2, .distances = is_last_}, lists_).ok());
    if (rank_count() == 1) return;
    const float distance = is_last_ ? 1.0f : 2.0f;
    const Filter filter{.categories = is_last_ ? 1u : 2u}, group{.not_in_group = is_last_ ? 1u : 2u};
    const Filter band{.heights = {0, distance}};
    expect_all(stays.pairs(pairs_, {.within = distance}), Trouble::differs, last_);
    expect_all(stays.pairs(pairs_, {.filter = {.b = filter.categories}}), Trouble::differs, last_);
    expect_all(stays.neighbours(Within{.radius = distance}, lists_), Trouble::differs, last_);
    expect_all(stays.neighbours(Within{.radius = 2, .with_self = is_last_}, lists_), Trouble::differs, last_);
    expect_all(stays.neighbours(Nearest{.max_radius = distance}, lists_), Trouble::differs, last_);
    expect_all(stays.neighbours(Nearest{.count = is_last_ ? 3u : 2u}, lists_), Trouble::differs, last_);
    const AgentsAs as = is_last_ ? AgentsAs::boxes : AgentsAs::centres;
    expect_all(stays.neighbours(Within{.radius = 2, .agents_as = as}, lists_), Trouble::differs, last_);
    expect_all(stays.neighbours(Nearest{.agents_as = as}, lists_), Trouble::differs, last_);
    for (const Filter& each : {filter, group, band}) {
        expect_all(stays.neighbours(Within{.radius = 2}, lists_, each), Trouble::differs, last_);
        expect_all(stays.neighbours(Nearest{.count = 2}, lists_, each), Trouble::differs, last_);
    }
    EXPECT_TRUE(stays.pairs(pairs_, {.within = 2}).ok());
    EXPECT_TRUE(stays.neighbours(Nearest{.count = 2}, lists_).ok());
    EXPECT_TRUE(engine_.neighbours(Nearest{.max_radius = distance}, lists_, filter).ok());
}

TEST_F(ClusterAgreement, another_cluster_that_does_not_go_with_this_is_refused) {
    ClusterEngine alone(MPI_COMM_SELF), beside(MPI_COMM_WORLD, {.rebalance = false});
    ASSERT_TRUE(alone.update({}).ok());
    if (rank_count() > 1) {
        expect_all(engine_.partition_as(alone), Trouble::other_ranks, 0);
        expect_all(engine_.pairs_with(alone, pairs_), Trouble::other_ranks, 0);
        expect_all(engine_.partition_as(beside), Trouble::not_cut, 0);
    }
    ASSERT_TRUE(engine_.update(held_.view()).ok());
    // Cuts that the other one's host has given count before its next update.
    const std::vector<Point> points{{1, 1}, {2, 2}, {3, 3}, {40, 4}, {5, 50}, {60, 60}, {7, 7}, {8, 9}};
    ASSERT_TRUE(beside.partition(points).ok());
    ASSERT_TRUE(engine_.partition_as(beside).ok());
    ASSERT_TRUE(engine_.update(held_.view()).ok() && beside.update(held_.view()).ok());
    EXPECT_EQ(engine_.domain(my_rank()), beside.domain(my_rank()));
    // A cluster that is gone on one rank alone.
    std::optional<ClusterEngine> gone;
    if (is_last_) gone.emplace(std::move(alone));
    expect_all(engine_.pairs_with(is_last_ ? alone : engine_, pairs_), Trouble::refused, last_);
    expect_all(engine_.partition_as(is_last_ ? alone : engine_), Trouble::refused, last_);
}

TEST_F(ClusterAgreement, a_step_of_a_host_that_fails_on_one_rank_is_heard_on_all) {
    ClusterStatus failed;
    if (is_last_) failed.trouble = Trouble::host_failed;
    EXPECT_TRUE(engine_.agree({}).ok());
    expect_all(engine_.agree(failed), Trouble::host_failed, last_);
    // In place of a collective call, and of an update that would have been made in any way.
    const std::vector<Box> boxes(3, Box{0, 0, 1, 1});
    const std::vector<Point> points{{1, 1}, {2, 2}};
    const auto in_place_of = [&](const auto& call) { return is_last_ ? engine_.agree(failed) : call(); };
    expect_all(in_place_of([&] { return engine_.overlaps(boxes, lists_); }), Trouble::host_failed, last_);
    expect_all(in_place_of([&] { return engine_.neighbours(Nearest{.count = 2}, lists_); }),
               Trouble::host_failed, last_);
    expect_all(in_place_of([&] { return engine_.neighbours(points, Nearest{.count = 2}, lists_); }),
               Trouble::host_failed, last_);
    expect_all(in_place_of([&] { return engine_.pairs_with(engine_, pairs_); }), Trouble::host_failed, last_);
    expect_all(in_place_of([&] { return engine_.partition(points); }), Trouble::host_failed, last_);
    expect_all(in_place_of([&] { return engine_.partition_as(engine_); }), Trouble::host_failed, last_);
    for (int frame = 0; frame < 5; ++frame) {
        cluster::Agents agents = held_.view();
        agents.failed = failed;
        if (is_last_) agents.ids = {};
        expect_all(engine_.update(agents), Trouble::host_failed, last_);
        ASSERT_TRUE(engine_.update(held_.view()).ok());
        EXPECT_EQ(pairs_within(1), pairs_of_one_engine(1));
    }
}

// Pairs are of each rank alone, so the others cannot know.
TEST_F(ClusterAgreement, a_list_without_memory_on_one_rank_is_heard_on_all) {
    CountingResource memory;
    cluster::PairList pairs(&memory);
    if (is_last_) memory.fail_after(0);
    const ClusterStatus status = engine_.agree(engine_.pairs(pairs));
    memory.stop_failing();
    if (!status.ok()) {
        expect_all(status, Trouble::refused, last_);
        EXPECT_TRUE(status == Code::out_of_memory);
    }
    EXPECT_TRUE(all_agree(status));
    EXPECT_TRUE(engine_.update(held_.view()).ok());
}

// Ghosts tell all that there is to know, so no rank asks another.
TEST_F(ClusterAgreement, nearest_that_are_known_without_memory_on_one_rank_are_refused_on_all) {
    ASSERT_TRUE(engine_.set_reach(0, 1000).ok());
    ASSERT_TRUE(engine_.update(held_.view()).ok());
    EXPECT_EQ(engine_.owned().size() + engine_.ghosts().size(), 300u);
    CountingResource memory;
    cluster::Lists lists(&memory);
    if (is_last_) memory.fail_after(0);
    const ClusterStatus status = engine_.neighbours(Nearest{.count = 3}, lists);
    expect_all(status, Trouble::refused, last_);
    EXPECT_TRUE(status == Code::out_of_memory && lists.empty());
}

TEST_F(ClusterAgreement, a_report_is_of_the_last_update_alone) {
    const cluster::ClusterReport before = engine_.report();
    std::vector<std::uint64_t> counts(held_.boxes.size());
    EXPECT_TRUE(engine_.count(held_.boxes, counts).ok());
    EXPECT_TRUE(engine_.neighbours(Nearest{.count = 3}, lists_).ok());
    EXPECT_EQ(engine_.report().sums.messages, before.sums.messages);
    EXPECT_EQ(engine_.report().general_exchange.bytes, before.general_exchange.bytes);
    EXPECT_EQ(engine_.report().waited_seconds, before.waited_seconds);
}

TEST_F(ClusterAgreement, ids_that_there_are_not_are_no_ghosts) {
    EXPECT_FALSE(engine_.is_ghost(100'000));
    EXPECT_EQ(engine_.global_id(100'000), 0u);
    const ClusterEngine failed(MPI_COMM_WORLD, {.reach = -1});
    EXPECT_FALSE(failed.is_ghost(0));
    const ClusterEngine other = std::move(engine_);
    EXPECT_FALSE(engine_.is_ghost(0));
    EXPECT_EQ(engine_.global_id(0), 0u);
}

TEST(ClusterConfiguration, a_payload_that_fits_no_letter_is_refused) {
    for (const std::size_t bytes : {std::size_t{1} << 33, ~std::size_t{0} - 3}) {
        const ClusterEngine engine(MPI_COMM_WORLD, {.payload_bytes = bytes});
        EXPECT_TRUE(engine.status() == Code::too_large);
        EXPECT_TRUE(all_agree(engine.status()));
    }
}

}  // namespace throng::test
