// The check that no agent is lost or doubled on the way: it must find one that is.
#include "cluster/src/world/cluster_state.hpp"
#include "cluster/tests/ranks.hpp"
#include "support/test.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {

TEST(ClusterConservation, an_agent_that_is_lost_or_doubled_is_found_and_nothing_published) {
    cluster::detail::ClusterState state({});
    ASSERT_TRUE(state.start(MPI_COMM_WORLD).ok());
    const Scene scene = make_scene("uniform", 100, 1);
    const Held held = hand_out(scene.agents(), {}, HandedOut::in_turns);
    ASSERT_TRUE(state.update(held.view()).ok());
    for (const bool doubled : {false, true}) {
        cluster::detail::Census before = state.now.census;
        if (doubled)
            before.add(global_of(1));
        else
            ++before.mixed;  // as many, and others
        const cluster::ClusterStatus status = state.publish(held.view(), before);
        EXPECT_EQ(status.trouble, cluster::Trouble::not_conserved);
        EXPECT_TRUE(all_agree(status));
        EXPECT_EQ(state.now.census.count, scene.agents().size());
    }
    EXPECT_TRUE(state.update(held.view()).ok());
}

}  // namespace throng::test
