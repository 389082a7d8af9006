// Plans where a crowd and slivers walk apart: what is common, and what is left to the tree.
#include "bench/common/worlds/frames.hpp"
#include "support/test.hpp"
#include "worst_worlds/world_of.hpp"

namespace throng::test {
namespace {

// What the engine chose after so many updates.
Tuning tuning_after(std::size_t updates, std::string_view text) {
    worlds::Frames frames(world_of(text));
    Engine engine({.executor = serial_executor()});
    for (std::size_t k = 0; k < updates; ++k) {
        if (k != 0) frames.next();
        EXPECT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    }
    return engine.tuning();
}

// A crowd walks apart among slivers, denser in some places than the ground is on average: cells as large as slivers hold 240 there.
TEST(Update, leaves_slivers_to_the_tree_where_cells_for_them_would_be_overfull) {
    const Tuning tuning =
        tuning_after(6,
                     "h1;n=100000;seed=874;place=point;at=at(y=-15700,turn=0.407);"
                     "place=line(step=1.23e-05,width=178);share=70.2;place=line(step=1.23e-05,width=178);"
                     "at=at(turn=0.492);share=70.2;place=disc;size=sliver(thin=0.122);share=63.1;"
                     "place=spiral(turns=5.56);size=distance(factor=7.97e-08);share=274;place=hinterland;"
                     "size=sliver(long=20.5,tall=0.423);at=at(y=241,scale=1.6e+08);"
                     "place=line(step=1.23e-05,width=178);at=at(turn=0.492);share=70.2;"
                     "place=radial(octaves=75.4);size=uniform(high=0.214);at=at(y=2.18,spread=164000);"
                     "share=49;ids=squads(stride=73);then=walk(step=1650)");
    EXPECT_LE(tuning.sharing, 1'600'000) << "it was 97 for each agent";
}

// On the plan of the first frame each shared a cell with thousands, on the present one with a hundred: the first was made for other
// agents, and would leave most of these to the tree.
TEST(Update, returns_to_no_plan_that_was_made_for_another_crowd) {
    const Tuning tuning =
        tuning_after(8,
                     "h1;n=100000;seed=889;place=line(step=1.23e-05);share=70.2;place=square;"
                     "size=sliver(tall=0.33);share=63.1;place=radial;at=at(spread=164000);share=49;"
                     "then=walk(step=1650)");
    EXPECT_LE(tuning.oversized, 40'000) << "it was 73 in a hundred";
}

}  // namespace
}  // namespace throng::test
