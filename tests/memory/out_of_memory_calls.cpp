#include "memory/out_of_memory_calls.hpp"

#include "support/engine_state.hpp"
#include "support/test.hpp"

namespace throng::test {

namespace {

// More agents, elsewhere and of other sizes, so that everything grows and another grid is chosen.
const Scene& second_scene() {
    static const Scene scene = make_scene("giants_over_small", 900, 2);
    return scene;
}

// Islands, and giants over them.
const Scene& island_scene() {
    static const Scene scene = make_island_scene("villages_under_giants", 1300);
    return scene;
}

std::vector<AgentId> every(std::size_t step) {
    std::vector<AgentId> ids;
    for (std::size_t i = 0; i < first_scene().agents().size(); i += step)
        ids.push_back(static_cast<AgentId>(i));
    return ids;
}

std::vector<Box> some_boxes(std::size_t count) {
    return {second_scene().agents().begin(),
            second_scene().agents().begin() + static_cast<std::ptrdiff_t>(count)};
}

void stage_some(EngineWorld& world) {
    populate(world);
    const std::vector<AgentId> moved = every(3), removed{1, 4, 100, 299};
    const std::vector<Box> boxes = some_boxes(moved.size()), fresh = some_boxes(60);
    std::vector<AgentId> ids(fresh.size());
    ASSERT_EQ(world.engine.move(moved, Boxes::of(boxes)), Status{});
    ASSERT_EQ(world.engine.remove(removed), Status{});
    ASSERT_EQ(world.engine.insert(Boxes::of(fresh), ids), Status{});
}

void stage_a_few(EngineWorld& world) {
    populate(world);
    AgentId id = 0;
    ASSERT_EQ(world.engine.remove(4), Status{});
    ASSERT_EQ(world.engine.move(AgentId{5}, {1, 1, 2, 2}), Status{});
    ASSERT_EQ(world.engine.insert({-50, -50, 500, 500}, id), Status{});
    ASSERT_EQ(world.engine.insert({1, 1, 2, 2}, id), Status{});
}

void hold_and_stage_some(EngineWorld& world) {
    populate(world);
    world.held.push_back(world.engine.frame());
    ASSERT_EQ(world.engine.update(second_scene().boxes()), Status{});
    world.held.push_back(world.engine.frame());
    AgentId id = 0;
    ASSERT_EQ(world.engine.insert({-50, -50, 500, 500}, id), Status{});
    ASSERT_EQ(committed(world.engine, world.engine.move(5, {1, 1, 2, 2})), Status{});
    world.held.push_back(world.engine.frame());
    ASSERT_EQ(world.engine.move(6, {1, 1, 2, 2}), Status{});
    ASSERT_EQ(world.engine.remove(7), Status{});
}

// As large as agents are far out, so in more than one grove. Some go to one place, where leaves are then too
// full.
void stage_some_in_groves(EngineWorld& world) {
    Random random(14);
    std::vector<Box> giants;
    for (std::size_t i = 0; i < 1500; ++i) {
        const float out = random.decades(0, 18), half = out * random.uniform(0.1f, 0.4f);
        giants.push_back(Box::around(random.uniform(-out, out), i % 2 == 0 ? out : -out, half, half));
    }
    ASSERT_EQ(world.engine.update(Boxes::of(giants)), Status{});
    ASSERT_GT(world.engine.frame().tuning().oversized, 1024u);
    world.held.push_back(world.engine.frame());
    for (AgentId id = 0; id < 90; ++id) {
        const Box& to = giants[id % 5 == 0 ? id : 700];
        ASSERT_EQ(world.engine.move(id, {to.min_x, to.min_y, to.max_x + 1, to.max_y}), Status{});
    }
    ASSERT_EQ(world.engine.remove(1499), Status{});
}

Status insert_many(EngineWorld& world) {
    std::vector<AgentId> ids(second_scene().agents().size());
    return world.engine.insert(second_scene().boxes(), ids);
}

void populate_islands(EngineWorld& world) {
    ASSERT_EQ(world.engine.update(island_scene().boxes()), Status{});
    ASSERT_GT(world.engine.frame().tuning().islands, 0u);
    ASSERT_GT(world.engine.frame().tuning().oversized, 0u);
}

// From one island to another, and out into the open; giants come and go as well.
void stage_some_on_islands(EngineWorld& world) {
    populate_islands(world);
    world.held.push_back(world.engine.frame());
    const std::vector<Box>& boxes = island_scene().agents();
    for (AgentId id = 0; id < 200; id += 9)
        ASSERT_EQ(world.engine.move(id, boxes[boxes.size() - 1 - id]), Status{});
    ASSERT_EQ(world.engine.move(7, {400, 400, 401, 401}), Status{});
    ASSERT_EQ(world.engine.move(8, {0, 0, 700, 700}), Status{});
    ASSERT_EQ(world.engine.remove(67), Status{});
    AgentId id = 0;
    ASSERT_EQ(world.engine.insert({-50, -50, 500, 500}, id), Status{});
}

}  // namespace

std::vector<MemoryCall> calls_on_islands() {
    return {
        {"the first update with islands", [](W) {},
         [](W w) { return w.engine.update(island_scene().boxes()); }},
        {"an update that makes islands", populate,
         [](W w) { return w.engine.update(island_scene().boxes()); }},
        {"an update that leaves islands", populate_islands,
         [](W w) { return w.engine.update(second_scene().boxes()); }},
        {"a commit on islands", stage_some_on_islands, commit},
        {"a commit that makes islands",
         [](W w) {
             populate(w);
             std::vector<AgentId> ids(island_scene().agents().size());
             ASSERT_EQ(w.engine.insert(island_scene().boxes(), ids), Status{});
         },
         [](W w) {
             const Status status = w.engine.commit();
             EXPECT_EQ(status.ok(), w.engine.frame().tuning().islands > 0);
             return status;
         }},
        {"pairs on islands", populate_islands, [](W w) { return w.engine.frame().pairs(w.results.pairs); }},
        {"a batch on islands", populate_islands,
         [](W w) { return w.engine.frame().overlaps(island_scene().boxes(), w.results.hits); }},
    };
}

std::vector<MemoryCall> writing_calls() {
    return {
        {"the first update", [](W) {}, [](W w) { return w.engine.update(first_scene().boxes()); }},
        {"a larger update", populate, [](W w) { return w.engine.update(second_scene().boxes()); }},
        {"an update with pairs", populate,
         [](W w) { return w.engine.update(first_scene().boxes(), w.results.pairs); }},
        {"an update with pairs that is planned again", populate,
         [](W w) { return w.engine.update(Boxes::of(piled_up()), w.results.pairs); }},
        {"an update with held frames",
         [](W w) {
             populate(w);
             w.held.push_back(w.engine.frame());
         },
         [](W w) { return w.engine.update(first_scene().boxes()); }},
        {"an update of what is legal", populate,
         [](W w) {
             std::vector<Box> boxes = some_boxes(first_scene().agents().size());
             boxes[3] = boxes[8] = {1, 0, 0, 0};
             std::vector<AgentId> ids(2);
             LeftOut left_out{ids};
             const Status status = w.engine.update(boxes, {.left_out = &left_out});
             w.results.record.assign(ids.begin(), ids.end());
             return status;
         }},
        {"the first handle", stage_some,
         [](W w) {
             AgentHandle handle;
             return w.engine.handle(17, handle);
         }},
        {"an insert where handles are kept", keep_a_handle, insert_many},
        {"a larger update where handles are kept", keep_a_handle,
         [](W w) { return w.engine.update(second_scene().boxes()); }},
        {"the first insert", [](W) {}, insert_one},
        {"an insert", populate, insert_one},
        {"many inserts", populate, insert_many},
        {"a move", populate,
         [](W w) {
             return w.engine.move(17, {0, 0, 1, 1});
         }},
        {"many moves", populate,
         [](W w) {
             const std::vector<AgentId> ids = every(1);
             const std::vector<Box> boxes = some_boxes(ids.size());
             return w.engine.move(ids, Boxes::of(boxes));
         }},
        {"a removal", populate, [](W w) { return w.engine.remove(17); }},
        {"many removals", populate, [](W w) { return w.engine.remove(every(2)); }},
        {"an insert that makes a few edits many",
         [](W w) {
             stage_a_few(w);
             ASSERT_EQ(insert_many(w), Status{});
         },
         insert_many},
        {"a commit of a few edits", stage_a_few, commit},
        {"a commit", stage_some, commit},
        {"a commit with held frames", hold_and_stage_some, commit},
        {"a commit in groves", stage_some_in_groves, commit},
        {"a commit that chooses a grid",
         [](W w) {
             populate(w);
             std::vector<AgentId> ids(second_scene().agents().size());
             ASSERT_EQ(w.engine.insert(second_scene().boxes(), ids), Status{});
         },
         commit},
        {"another origin", populate_with_labels, [](W w) { return w.engine.rebase(100, -7); }},
        {"another origin after edits",
         [](W w) {
             populate(w);
             ASSERT_EQ(committed(w.engine, w.engine.remove(17)), Status{});
         },
         [](W w) { return w.engine.rebase(100, -7); }},
        {"a static layer with another origin", [](W w) { populate_with_layer(w); },
         [](W w) {
             static const Scene walls = make_scene("uniform", 200, 8);
             const StaticLayer layer(walls.boxes(), {.executor = serial_executor(), .memory = &w.memory});
             if (!layer.status().ok()) return layer.status();
             const StaticLayer moved = layer.rebased(5, 6);
             if (moved.status().ok()) w.results.record = {moved.frame().fingerprint()};
             return moved.status();
         }},
        {"a static layer", populate,
         [](W w) {
             const StaticLayer layer(second_scene().boxes(),
                                     {.executor = serial_executor(), .memory = &w.memory});
             if (layer.status().ok()) w.results.record = {layer.frame().fingerprint()};
             return layer.status();
         }},
        {"the first update with labels", [](W) {},
         [](W w) { return w.engine.update(first_scene().boxes(), {.labels = Labels::of(some_labels())}); }},
        {"an insert with a label", populate,
         [](W w) {
             AgentId id = 0;
             return w.engine.insert({0, 0, 1, 1}, id, Label{4, 7});
         }},
        {"many new labels", populate,
         [](W w) { return w.engine.relabel(every(1), Labels::of(some_labels())); }},
        {"a commit of the first label",
         [](W w) {
             populate(w);
             ASSERT_EQ(w.engine.relabel(17, {4, 7}), Status{});
         },
         commit},
        {"a commit with labels",
         [](W w) {
             populate_with_labels(w);
             AgentId id = 0;
             ASSERT_EQ(w.engine.relabel(17, {4, 7}), Status{});
             const std::vector<Box> given = some_boxes(every(9).size());
             ASSERT_EQ(w.engine.move(every(9), Boxes::of(given)), Status{});
             ASSERT_EQ(w.engine.insert({0, 0, 1, 1}, id, Label{4, 7}), Status{});
         },
         commit},
        {"an insert with a height", populate,
         [](W w) {
             AgentId id = 0;
             return w.engine.insert({0, 0, 1, 1}, id, Label{}, Band{1, 2});
         }},
        {"many new heights", populate,
         [](W w) {
             const std::vector<Band> heights(every(1).size(), Band{1, 2});
             const std::vector<Box> given = some_boxes(heights.size());
             return w.engine.move(every(1), Boxes::of(given), heights);
         }},
        {"a commit of the first height",
         [](W w) {
             populate(w);
             ASSERT_EQ(w.engine.move(17, {0, 0, 1, 1}, Band{1, 2}), Status{});
         },
         commit},
        {"a commit of nothing", populate, commit},
    };
}

namespace {

// Calls with filters by labels are made in a world with labels, the others in one without.
std::vector<MemoryCall> calls_asking(const ReadingWorld& asked) {
    std::vector<MemoryCall> calls;
    for (const ReadingCall& call : reading_calls())
        calls.push_back({call.name,
                         [&](W w) { ASSERT_EQ(asked.fill(w.engine, call.given, &w.memory), Status{}); },
                         [&](W w) {
                             w.results.record.clear();
                             return call.make(w.engine.frame(), asked, w.results);
                         }});
    return calls;
}

}  // namespace

std::vector<MemoryCall> calls_that_read() {
    static const ReadingWorld asked(first_scene(), 300);
    std::vector<MemoryCall> calls = calls_asking(asked);
    calls.push_back({"an engines validation", stage_some, [](W w) { return w.engine.validate().status; }});
    return calls;
}

// Calls that read, write and fold. What a batch costs depends on what searches know about crowded cells, of
// which there are more.
std::vector<MemoryCall> calls_that_wrap_around() {
    constexpr float period = 40;
    static const ReadingWorld asked = [] {
        ReadingWorld world(first_scene(), 300);
        for (Asked& one : world.asked) one.fit_into({period, period});
        return world;
    }();
    std::vector<MemoryCall> calls = calls_asking(asked);
    std::erase_if(calls,
                  [](const MemoryCall& call) { return call.name.find("explained") < call.name.size(); });
    calls.push_back({"an update", populate, [](W w) { return w.engine.update(second_scene().boxes()); }});
    calls.push_back({"an update with pairs", populate,
                     [](W w) { return w.engine.update(second_scene().boxes(), w.results.pairs); }});
    calls.push_back({"a static layer", populate, [](W w) {
                         const StaticLayer layer(second_scene().boxes(),
                                                 {.executor = serial_executor(), .memory = &w.memory});
                         return layer.status().ok() ? w.engine.set_static_layer(layer) : layer.status();
                     }});
    calls.push_back({"an insert", populate, insert_one});
    calls.push_back({"a commit of many", stage_some, commit});
    calls.push_back({"moves", populate, [](W w) {
                         const std::vector<Box> boxes = some_boxes(every(1).size());
                         return w.engine.move(every(1), Boxes::of(boxes));
                     }});
    for (MemoryCall& call : calls) {
        call.name += ", around";
        call.period = period;
    }
    return calls;
}

}  // namespace throng::test
