// What a host may count on: who is a ghost after updates and edits of all kinds, and what is refused.
// tests/harness makes all calls on frames with ghosts.
#include "oracle/brute_force.hpp"
#include "support/everywhere.hpp"
#include "support/ids_with_holes.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr Box at(float x) { return {x, 0, x + 1, 1}; }

std::vector<AgentId> ghosts_of(const Frame& frame) {
    std::vector<AgentId> ghosts;
    for (AgentId id = 0; id < frame.id_bound() + 3; ++id)
        if (frame.is_ghost(id)) ghosts.push_back(id);
    EXPECT_EQ(ghosts.size(), frame.ghost_count());
    return ghosts;
}
using Ids = std::vector<AgentId>;

std::size_t pairs_in(const Frame& frame) {
    const Count count = frame.count_pairs();
    EXPECT_TRUE(count.status);
    return static_cast<std::size_t>(count.total);
}

TEST(Ghosts, are_the_agents_behind_the_owned_ones) {
    Engine engine;
    ASSERT_EQ(engine.update(all_here(5), {.owned = 3}), Status{});
    EXPECT_EQ(ghosts_of(engine.frame()), (Ids{3, 4}));
    EXPECT_EQ(pairs_in(engine.frame()), 9u);  // all but one
    ASSERT_EQ(engine.update(all_here(5)), Status{});
    EXPECT_EQ(ghosts_of(engine.frame()), Ids{});
    EXPECT_EQ(pairs_in(engine.frame()), 10u);
    ASSERT_EQ(engine.update(all_here(5), {.owned = 5}), Status{});
    EXPECT_EQ(ghosts_of(engine.frame()), Ids{});
    ASSERT_EQ(engine.update(all_here(5), {.owned = 0}), Status{});
    EXPECT_EQ(ghosts_of(engine.frame()), (Ids{0, 1, 2, 3, 4}));
    EXPECT_EQ(pairs_in(engine.frame()), 0u);
}

TEST(Ghosts, are_the_elements_behind_the_owned_ones_of_an_update_by_ids) {
    Engine engine;
    ASSERT_EQ(engine.update(Ids{9, 2, 4'000'000'000u, 7}, all_here(4), {.owned = 2}), Status{});
    EXPECT_TRUE(engine.frame().is_ghost(4'000'000'000u));
    EXPECT_TRUE(engine.frame().is_ghost(7));
    EXPECT_FALSE(engine.frame().is_ghost(9));
    EXPECT_FALSE(engine.frame().is_ghost(8));
    EXPECT_EQ(engine.frame().ghost_count(), 2u);
    EXPECT_EQ(pairs_in(engine.frame()), 5u);
    // Memory follows the agents.
    EXPECT_LT(engine.memory().total(), std::size_t{64} << 20);
}

TEST(Ghosts, are_listed_with_owned_agents_by_an_update_with_pairs) {
    Engine engine;
    PairList pairs;
    ASSERT_EQ(engine.update(all_here(4), pairs, {.owned = 2}), Status{});
    EXPECT_EQ(pairs.size(), 5u);
    ASSERT_EQ(engine.update(Ids{4, 3, 2, 1}, all_here(4), pairs, {.owned = 1}), Status{});
    EXPECT_EQ(pairs.size(), 3u);
}

TEST(Ghosts, with_boxes_that_are_not_legal_are_left_out) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Box> boxes{here, {nan, 0, 1, 1}, here, {nan, 0, 1, 1}, here};
    LeftOut left_out;
    Engine engine;
    ASSERT_EQ(engine.update(boxes, {.owned = 2, .left_out = &left_out}), Status{});
    ASSERT_EQ(left_out.total, 2u);
    EXPECT_EQ(ghosts_of(engine.frame()), (Ids{2, 4}));
    ASSERT_EQ(engine.update(Ids{8, 7, 6, 5, 4}, boxes, {.owned = 1, .left_out = &left_out}), Status{});
    ASSERT_EQ(left_out.total, 2u);
    EXPECT_EQ(ghosts_of(engine.frame()), (Ids{4, 6}));
}

TEST(Ghosts, stay_what_they_are_when_they_move_and_are_relabelled) {
    Engine engine;
    ASSERT_EQ(engine.update(all_here(4), {.owned = 2}), Status{});
    ASSERT_EQ(committed(engine, engine.move(3, there)), Status{});
    EXPECT_EQ(ghosts_of(engine.frame()), (Ids{2, 3}));
    ASSERT_EQ(committed(engine, engine.relabel(3, {4, 4})), Status{});
    ASSERT_EQ(committed(engine, engine.move(2, there)), Status{});
    EXPECT_EQ(ghosts_of(engine.frame()), (Ids{2, 3}));
    EXPECT_EQ(pairs_in(engine.frame()), 1u);
    ASSERT_EQ(engine.rebase(3, 4), Status{});
    EXPECT_EQ(ghosts_of(engine.frame()), (Ids{2, 3}));
    ASSERT_EQ(engine.renumber(Ids{2, 0, 3, 1}), Status{});
    EXPECT_EQ(ghosts_of(engine.frame()), (Ids{0, 2}));
}

TEST(Ghosts, that_leave_are_none_and_agents_that_come_are_owned) {
    Engine engine;
    ASSERT_EQ(engine.update(all_here(4), {.owned = 2}), Status{});
    const Frame before = engine.frame();
    ASSERT_EQ(committed(engine, engine.remove(3)), Status{});
    EXPECT_EQ(ghosts_of(engine.frame()), Ids{2});
    AgentId id = 0;
    ASSERT_EQ(committed(engine, engine.insert(here, id)), Status{});
    EXPECT_EQ(id, 3u);
    EXPECT_EQ(ghosts_of(engine.frame()), Ids{2});
    // In one commit another agent gets the id, and moves.
    ASSERT_EQ(engine.remove(2), Status{});
    ASSERT_EQ(engine.insert(here, id), Status{});
    EXPECT_EQ(id, 2u);
    ASSERT_EQ(committed(engine, engine.move(2, there)), Status{});
    EXPECT_EQ(ghosts_of(engine.frame()), Ids{});
    EXPECT_EQ(ghosts_of(before), (Ids{2, 3}));
}

TEST(Ghosts, whose_removal_is_taken_back_stay) {
    Engine engine;
    ASSERT_EQ(engine.update(all_here(3), {.owned = 2}), Status{});
    AgentId id = 0;
    ASSERT_EQ(engine.remove(2), Status{});
    ASSERT_EQ(engine.insert(here, id), Status{});
    engine.discard();
    ASSERT_EQ(committed(engine, engine.move(2, there)), Status{});
    EXPECT_EQ(ghosts_of(engine.frame()), Ids{2});
}

TEST(Ghosts, more_of_which_are_owned_than_there_are_agents_are_refused) {
    Engine engine;
    ASSERT_EQ(engine.update(all_here(2), {.owned = 1}), Status{});
    PairList pairs;
    LeftOut left_out;
    for (const Status& status :
         {engine.update(all_here(3), {.owned = 4}), engine.update(Ids{1, 2, 3}, all_here(3), {.owned = 4}),
          engine.update(all_here(3), pairs, {.owned = all_owned - 1}),
          engine.update(all_here(3), {.owned = 4, .left_out = &left_out})}) {
        EXPECT_EQ(status, Status{Code::bad_config});
        EXPECT_EQ(status.argument, Argument::owned);
        EXPECT_EQ(std::string(status.message()).find("more agents are owned than there are boxes"), 0u);
    }
    EXPECT_EQ(ghosts_of(engine.frame()), Ids{1});
}

TEST(Ghosts, have_no_lists_in_row_order) {
    Engine engine;
    const Box boxes[] = {at(0), at(1), at(2), at(3)};
    ASSERT_EQ(engine.update(Boxes::of(boxes), {.owned = 2}), Status{});
    NeighbourLists lists;
    ASSERT_EQ(engine.frame().neighbours({.radius = 1.5f, .in_row_order = true}, lists), Status{});
    ASSERT_TRUE(equal_ranges(lists.agents(), Ids{0, 1}));
    EXPECT_TRUE(equal_ranges(lists[0], Ids{1}));
    EXPECT_TRUE(equal_ranges(lists[1], Ids{0, 2}));
    ASSERT_EQ(engine.frame().neighbours({.radius = 1.5f}, lists), Status{});
    ASSERT_EQ(lists.size(), 4u);
    EXPECT_TRUE(lists[2].empty() && lists[3].empty());
}

// A pair of an owned agent and a ghost is in the list of the owned one, whichever id is lower.
TEST(Ghosts, are_in_half_lists_of_owned_agents) {
    Engine engine;
    ASSERT_EQ(engine.update(Ids{1, 3, 0, 2}, all_here(4), {.owned = 2}), Status{});
    NeighbourLists lists;
    ASSERT_EQ(engine.frame().neighbours({.radius = 1, .half = true}, lists), Status{});
    EXPECT_TRUE(equal_ranges(lists[1], Ids{0, 2, 3}));
    EXPECT_TRUE(equal_ranges(lists[3], Ids{0, 2}));
    EXPECT_EQ(lists.ids().size(), 5u);
}

TEST(Ghosts, that_become_owned_have_kept_lists_made_again) {
    KeptNeighbours kept({.radius = 1, .skin = 1});
    Engine engine;
    for (const std::size_t owned : {2u, 1u, 3u, 0u, 3u}) {
        ASSERT_EQ(engine.update(all_here(3), {.owned = owned}), Status{});
        ASSERT_EQ(kept.update(engine.frame()), Status{});
        EXPECT_TRUE(kept.was_rebuilt());
        EXPECT_EQ(kept.lists().ids().size(), 2 * owned);
        ASSERT_EQ(kept.update(engine.frame()), Status{});
        EXPECT_FALSE(kept.was_rebuilt());
    }
}

TEST(Ghosts, make_another_fingerprint) {
    Engine all, some, by_ids;
    ASSERT_EQ(all.update(all_here(3)), Status{});
    ASSERT_EQ(some.update(all_here(3), {.owned = 2}), Status{});
    ASSERT_EQ(by_ids.update(Ids{1, 0, 2}, all_here(3), {.owned = 2}), Status{});
    EXPECT_NE(all.frame().fingerprint(), some.frame().fingerprint());
    EXPECT_NE(all.frame().agents_fingerprint(), some.frame().agents_fingerprint());
    EXPECT_EQ(by_ids.frame().fingerprint(), some.frame().fingerprint());
}

// Their ids are a range, or spread over the ids of others, or so far apart that most have no agent.
TEST(Ghosts, are_known_whatever_their_ids) {
    const Scene scene = make_scene("uniform", scaled(4000, 900));
    const std::size_t count = scene.agents().size(), owned = count * 3 / 4;
    oracle::BruteForce twin;
    ASSERT_EQ(twin.update(scene.boxes(), {.owned = owned}), Status{});
    oracle::PairLists expected;
    ASSERT_EQ(twin.frame().pairs(expected), Status{});
    for (const Isa isa : instruction_sets())
        for (const AgentId step : {1u, 3u, 100u})
            for (const bool backwards : {false, true}) {
                Ids ids(count);
                for (std::size_t i = 0; i < count; ++i)
                    ids[i] = static_cast<AgentId>(backwards ? count - 1 - i : i) * step;
                const auto element = [&](AgentId id) {
                    return static_cast<AgentId>(backwards ? count - 1 - id / step : id / step);
                };
                Engine engine({.isa = isa});
                ASSERT_EQ(engine.update(ids, scene.boxes(), {.owned = owned}), Status{});
                const Frame frame = engine.frame();
                for (std::size_t i = 0; i < count; ++i) {
                    EXPECT_EQ(frame.is_ghost(ids[i]), i >= owned);
                    EXPECT_FALSE(step != 1 && frame.is_ghost(ids[i] + 1));
                }
                PairList pairs;
                ASSERT_EQ(frame.pairs(pairs), Status{});
                std::set<std::pair<AgentId, AgentId>> listed;
                for (const Pair& pair : pairs) {
                    const AgentId a = element(pair.a), b = element(pair.b);
                    listed.insert({std::min(a, b), std::max(a, b)});
                }
                EXPECT_EQ(listed.size(), pairs.size());
                EXPECT_EQ(pairs.size(), expected.size());
                for (const Pair& pair : expected) EXPECT_TRUE(listed.contains({pair.a, pair.b}));
            }
}

// Also where all lists are full, which go to their place at once.
TEST(Ghosts, leave_the_nearest_of_owned_agents_as_they_are) {
    const Scene scene = make_scene("uniform", scaled(30000, 5000));
    Random random(11);
    Ids ids = ids_with_holes(scene.agents().size(), 0, random);
    shuffle(ids, random);
    everywhere({1, 3}, [&](const EngineConfig& config) {
        Engine engine(config);
        NeighbourLists of_all, lists;
        for (const std::uint32_t count : {3u, 8u, 11u}) {
            const Nearest wanted{.count = count, .distances = true};
            ASSERT_EQ(engine.update(ids, scene.boxes()), Status{});
            ASSERT_EQ(engine.frame().neighbours(wanted, of_all), Status{});
            ASSERT_EQ(engine.update(ids, scene.boxes(), {.owned = ids.size() * 9 / 10}), Status{});
            const Frame frame = engine.frame();
            ASSERT_EQ(frame.neighbours(wanted, lists), Status{});
            for (AgentId id = 0; id < ids.size(); ++id) {
                if (frame.is_ghost(id)) {
                    ASSERT_EQ(lists[id].size(), 0u);
                    continue;
                }
                ASSERT_TRUE(equal_ranges(lists[id], of_all[id]));
                ASSERT_TRUE(equal_ranges(lists.squared_distances(id), of_all.squared_distances(id)));
            }
        }
    });
}

// Where they are drawn at random, and where they have the highest ids.
TEST(Ghosts, give_the_same_bytes_on_every_executor_and_instruction_set) {
    const Scene scene = make_scene("mixed_sizes", scaled(60000, 20000));
    const std::vector<Box> queries = scene.queries(200);
    Random random(9);
    Ids ids = ids_with_holes(scene.agents().size(), 1, random);
    for (const bool shuffled : {false, true}) {
        if (shuffled) shuffle(ids, random);
        const UpdateOptions options{.owned = ids.size() * 9 / 10};
        Engine first;
        ASSERT_EQ(first.update(ids, scene.boxes(), options), Status{});
        const Answers expected = ask(first.frame(), queries);
        everywhere({1, 3, 8}, [&](const EngineConfig& config) {
            Engine engine(config);
            ASSERT_EQ(engine.update(ids, scene.boxes(), options), Status{});
            EXPECT_TRUE(identical(expected, ask(engine.frame(), queries)));
        });
    }
}

}  // namespace
}  // namespace throng::test
