// Updates by ids, and other ids for all.
#include "memory/out_of_memory_calls.hpp"
#include "support/ids_with_holes.hpp"
#include "support/test.hpp"

namespace throng::test {

namespace {

// As many ids as there are agents in the first scene; they ascend, or they do not.
std::vector<AgentId> some_ids(std::size_t holes, bool shuffled) {
    Random random(3);
    std::vector<AgentId> ids = ids_with_holes(first_scene().agents().size(), holes, random);
    if (shuffled) shuffle(ids, random);
    return ids;
}

Status update_by(EngineWorld& world, std::size_t holes, bool shuffled) {
    return world.engine.update(some_ids(holes, shuffled), first_scene().boxes());
}
Status update_with_labels_by(EngineWorld& world, std::size_t holes, bool shuffled) {
    return world.engine.update(some_ids(holes, shuffled), first_scene().boxes(), {.labels = some_labels()});
}

void populate_by_ids(EngineWorld& world) {
    populate(world);
    ASSERT_EQ(update_by(world, 2, false), Status{});
}

Status renumber(EngineWorld& world) {
    std::vector<AgentId> order(world.engine.frame().size());
    EXPECT_EQ(world.engine.frame().row_order(order).written, order.size());
    return world.engine.renumber(order);
}

void populate_with_ghosts(EngineWorld& world) {
    ASSERT_EQ(world.engine.update(first_scene().boxes(), {.owned = 9}), Status{});
}

}  // namespace

std::vector<MemoryCall> calls_by_ids() {
    constexpr std::size_t far_apart = 100000;
    return {
        {"the first update by ids", [](W) {}, [](W w) { return update_by(w, 2, false); }},
        {"an update by ids in any order", populate, [](W w) { return update_by(w, 2, true); }},
        {"an update by ids with pairs", populate,
         [](W w) { return w.engine.update(some_ids(2, true), first_scene().boxes(), w.results.pairs); }},
        {"an update by ids with ghosts", populate,
         [](W w) { return w.engine.update(some_ids(2, true), first_scene().boxes(), {.owned = 9}); }},
        {"an update by ids far apart with ghosts and pairs", populate,
         [=](W w) {
             return w.engine.update(some_ids(far_apart, true), first_scene().boxes(), w.results.pairs,
                                    {.owned = 9});
         }},
        {"an update by ids far apart", populate, [=](W w) { return update_by(w, far_apart, true); }},
        {"an update by ids with labels", populate, [](W w) { return update_with_labels_by(w, 2, false); }},
        {"an update by ids far apart with labels", populate,
         [=](W w) { return update_with_labels_by(w, far_apart, true); }},
        {"an update by ids where handles are kept", keep_a_handle,
         [](W w) { return update_by(w, 2, false); }},
        {"an update by ids of what is legal", populate,
         [](W w) {
             std::vector<Box> boxes = first_scene().agents();
             boxes[3] = boxes[8] = {1, 0, 0, 0};
             std::vector<AgentId> ids(2);
             LeftOut left_out{ids};
             const Status status = w.engine.update(some_ids(2, true), boxes, w.results.pairs,
                                                   {.labels = some_labels(), .left_out = &left_out});
             w.results.record.assign(ids.begin(), ids.end());
             return status;
         }},
        {"an insert after an update by ids", populate_by_ids, insert_one},
        {"a move after an update by ids", populate_by_ids,
         [](W w) {
             return w.engine.move(some_ids(2, false)[17], {0, 0, 1, 1});
         }},
        {"a commit after an update by ids",
         [](W w) {
             populate_by_ids(w);
             ASSERT_EQ(w.engine.move(some_ids(2, false)[17], {0, 0, 1, 1}), Status{});
             ASSERT_EQ(w.engine.remove(some_ids(2, false)[0]), Status{});
         },
         commit},
        {"a handle after an update by ids", populate_by_ids,
         [](W w) {
             AgentHandle handle;
             return w.engine.handle(some_ids(2, false)[17], handle);
         }},
        {"a commit that takes a ghost away",
         [](W w) {
             populate_with_ghosts(w);
             ASSERT_EQ(w.engine.remove(20), Status{});
         },
         commit},
        {"another origin for ghosts", populate_with_ghosts, [](W w) { return w.engine.rebase(3, 4); }},
        {"other ids for ghosts", populate_with_ghosts, renumber},
        {"other ids for all", populate, renumber},
        {"other ids for all with labels", populate_with_labels, renumber},
        {"other ids for all after an update by ids", populate_by_ids, renumber},
    };
}

}  // namespace throng::test
