// The worlds before the calls.
#include "memory/out_of_memory_calls.hpp"
#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {

const Scene& first_scene() {
    static const Scene scene = make_scene("mixed_sizes", 300);
    return scene;
}

const std::vector<Box>& piled_up() {
    static const std::vector<Box> boxes = [] {
        std::vector<Box> pile = first_scene().agents();
        for (Box& box : pile) box = {box.min_x / 64, box.min_y / 64, box.max_x / 64, box.max_y / 64};
        pile[0] = {5000, 5000, 5001, 5001};
        return pile;
    }();
    return boxes;
}

const std::vector<Label>& some_labels() {
    static const std::vector<Label> labels = [] {
        Random random(6);
        return random_labels(random, first_scene().agents().size());
    }();
    return labels;
}

void populate(EngineWorld& world) { ASSERT_EQ(world.engine.update(first_scene().boxes()), Status{}); }

void populate_with_labels(EngineWorld& world) {
    ASSERT_EQ(world.engine.update(first_scene().boxes(), {.labels = Labels::of(some_labels())}), Status{});
}

void populate_with_layer(EngineWorld& world) {
    static const Scene walls = make_scene("giants_over_small", 200, 8);
    const StaticLayer layer(walls.boxes(), {.executor = serial_executor(), .memory = &world.memory});
    ASSERT_EQ(world.engine.set_static_layer(layer), Status{});
    populate(world);
}

void keep_a_handle(EngineWorld& world) {
    populate(world);
    AgentHandle handle;
    ASSERT_EQ(world.engine.handle(17, handle), Status{});
}

Status insert_one(EngineWorld& world) {
    AgentId id = 0;
    return world.engine.insert({0, 0, 1, 1}, id);
}

Status commit(EngineWorld& world) { return world.engine.commit(); }

}  // namespace throng::test
