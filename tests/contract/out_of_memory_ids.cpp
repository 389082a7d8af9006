// Updates by ids, and other ids for all.
#include "contract/out_of_memory_calls.hpp"
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

Status update_by(World& world, std::size_t holes, bool shuffled) {
    return world.engine.update(some_ids(holes, shuffled), first_scene().boxes());
}
Status update_with_labels_by(World& world, std::size_t holes, bool shuffled) {
    return world.engine.update(some_ids(holes, shuffled), first_scene().boxes(), some_labels());
}

void populate_by_ids(World& world) {
    populate(world);
    ASSERT_EQ(update_by(world, 2, false), Status{});
}
void keep_a_handle(World& world) {
    populate(world);
    AgentHandle handle;
    ASSERT_EQ(world.engine.handle(17, handle), Status{});
}

Status renumber(World& world) {
    std::vector<AgentId> order(world.engine.size());
    EXPECT_EQ(world.engine.frame().order(order).written, order.size());
    return world.engine.renumber(order);
}

}  // namespace

std::vector<Call> calls_by_ids() {
    constexpr std::size_t far_apart = 100000;
    return {
        {"the first update by ids", [](World&) {}, [](World& world) { return update_by(world, 2, false); }},
        {"an update by ids in any order", populate, [](World& world) { return update_by(world, 2, true); }},
        {"an update by ids with pairs", populate,
         [](World& world) {
             return world.engine.update(some_ids(2, true), first_scene().boxes(), world.results.pairs);
         }},
        {"an update by ids far apart", populate,
         [=](World& world) { return update_by(world, far_apart, true); }},
        {"an update by ids with labels", populate,
         [](World& world) { return update_with_labels_by(world, 2, false); }},
        {"an update by ids far apart with labels", populate,
         [=](World& world) { return update_with_labels_by(world, far_apart, true); }},
        {"an update by ids where handles are kept", keep_a_handle,
         [](World& world) { return update_by(world, 2, false); }},
        {"an update by ids of what is legal", populate,
         [](World& world) {
             std::vector<Box> boxes = first_scene().agents();
             boxes[3] = boxes[8] = {1, 0, 0, 0};
             std::vector<AgentId> left_out(2);
             const Filled filled =
                 world.engine.update_legal(some_ids(2, true), boxes, left_out, some_labels());
             world.results.record.assign(left_out.begin(), left_out.end());
             return filled.status;
         }},
        {"an insert after an update by ids", populate_by_ids,
         [](World& world) {
             AgentId id = 0;
             return world.engine.insert({0, 0, 1, 1}, id);
         }},
        {"an insert with its handle", populate_by_ids,
         [](World& world) {
             AgentHandle handle;
             return world.engine.insert({0, 0, 1, 1}, handle);
         }},
        {"a handle after an update by ids", populate_by_ids,
         [](World& world) {
             AgentHandle handle;
             return world.engine.handle(some_ids(2, false)[17], handle);
         }},
        {"other ids for all", populate, renumber},
        {"other ids for all with labels", populate_with_labels, renumber},
        {"other ids for all after an update by ids", populate_by_ids, renumber},
    };
}

}  // namespace throng::test
