// An update by ids answers as brute force does, with any ids in any order. Then a host goes on with edits and
// handles as after any other update.
#include "support/everywhere.hpp"
#include "support/ids_with_holes.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::vector<Label> labels_for(const std::vector<AgentId>& ids) {
    std::vector<Label> labels;
    for (const AgentId id : ids) labels.push_back({1u << id % 5, id % 3});
    return labels;
}

// The same frame, bit for bit, from ascending ids, from shuffled ones, and from edits.
TEST(UpdateByIdsOnOneGrid, gives_one_frame_for_every_order_and_history) {
    for (const char* name : {"uniform", "mixed_sizes", "all_at_one_point", "giants_over_small"}) {
        SCOPED_TRACE(name);
        const Scene scene = make_scene(name, scaled(3000, 400));
        std::vector<AgentId> all, present, absent;
        for (AgentId id = 0; id < scene.agents().size(); ++id) {
            all.push_back(id);
            (id % 5 == 2 ? absent : present).push_back(id);
        }
        const std::vector<Label> labels = labels_for(all);
        Engine ascending, shuffled, edited;
        for (Engine* engine : {&ascending, &shuffled, &edited})
            ASSERT_EQ(engine->update(scene.boxes(), {.labels = labels}), Status{});
        Random random(7);
        for (Engine* engine : {&ascending, &shuffled}) {
            std::vector<Box> boxes;
            for (const AgentId id : present) boxes.push_back(scene.agents()[id]);
            const std::vector<Label> their_labels = labels_for(present);
            ASSERT_EQ(engine->update(present, boxes, {.labels = their_labels}), Status{});
            shuffle(present, random);
        }
        ASSERT_EQ(committed(edited, edited.remove(absent)), Status{});
        EXPECT_EQ(ascending.frame().fingerprint(), shuffled.frame().fingerprint());
        EXPECT_EQ(ascending.frame().fingerprint(), edited.frame().fingerprint());
    }
}

TEST(UpdateByIdsOnOneGrid, gives_the_same_bytes_on_every_executor_and_instruction_set) {
    const Scene scene = make_scene("mixed_sizes", scaled(60000, 20000));
    const std::vector<Box> queries = scene.queries(200);
    Random random(9);
    std::vector<AgentId> ids = ids_with_holes(scene.agents().size(), 1, random);
    for (const bool shuffled : {false, true}) {
        if (shuffled) shuffle(ids, random);
        Engine first;
        ASSERT_EQ(first.update(ids, scene.boxes()), Status{});
        const Answers expected = ask(first.frame(), queries);
        everywhere({1, 3, 8}, [&](const EngineConfig& config) {
            Engine engine(config);
            ASSERT_EQ(engine.update(ids, scene.boxes()), Status{});
            EXPECT_TRUE(identical(expected, ask(engine.frame(), queries)));
        });
    }
}

TEST(UpdateByIdsWithLabels, gives_each_label_to_the_agent_of_its_element) {
    const Scene scene = make_scene("uniform", 500);
    const Box everywhere{-1e9f, -1e9f, 1e9f, 1e9f};
    Random random(5);
    // The last are so far apart that nothing is kept by id.
    for (const std::size_t holes : {1u, 3u, 100000u})
        for (const bool shuffled : {false, true}) {
            std::vector<AgentId> ids = ids_with_holes(scene.agents().size(), holes, random);
            if (shuffled) shuffle(ids, random);
            const std::vector<Label> labels = labels_for(ids);
            Engine engine;
            ASSERT_EQ(engine.update(ids, scene.boxes(), {.labels = labels}), Status{});
            const Frame frame = engine.frame();
            for (std::size_t i = 0; i < ids.size(); ++i) {
                EXPECT_EQ(frame.label(ids[i]), labels[i]) << i;
                EXPECT_EQ(frame.box(ids[i]), scene.agents()[i]) << i;
            }
            EXPECT_EQ(frame.label(ids[0] + 1 == ids[1] ? ids.back() + 1 : ids[0] + 1), Label{});
            EXPECT_EQ(frame.count(everywhere, {.categories = 4}).total,
                      static_cast<std::uint64_t>(
                          std::count_if(ids.begin(), ids.end(), [](AgentId id) { return id % 5 == 2; })));
            EXPECT_TRUE(engine.validate().sound());
        }
}

// A host that spawns and kills, without edits: slots are taken and given back in every frame.
TEST(UpdateByIdsOverTime, follows_a_world_in_which_agents_come_and_go) {
    Scene scene = make_scene("uniform", 600);
    Random random(11);
    Engine engine;
    oracle::BruteForce twin;
    for (std::size_t step = 0; step < scaled(60, 10); ++step) {
        std::vector<AgentId> slots;
        std::vector<Box> boxes;
        scene.step();
        for (AgentId id = 0; id < scene.agents().size(); ++id) {
            if (random.one_in(5)) continue;
            slots.push_back(id);
            boxes.push_back(scene.agents()[id]);
        }
        ASSERT_EQ(engine.update(slots, boxes), Status{});
        ASSERT_EQ(twin.update(slots, Boxes::of(boxes)), Status{});
        ASSERT_TRUE(answers_as(engine.frame(), expect(twin.frame(), scene.queries(20, step))));
        ASSERT_EQ(engine.frame().size(), slots.size());
    }
}

TEST(UpdateByIdsThenEdits, fill_the_lowest_holes_first) {
    const std::vector<AgentId> ids{5, 1, 2, 9};
    Engine engine;
    ASSERT_EQ(engine.update(ids, all_here(4)), Status{});
    for (const AgentId expected : {0u, 3u, 4u, 6u, 7u, 8u, 10u}) {
        AgentId id = no_agent;
        ASSERT_EQ(engine.insert(there, id), Status{});
        EXPECT_EQ(id, expected);
    }
    EXPECT_EQ(engine.move(11, here), (Status{Code::unknown_id, 0}));
    ASSERT_EQ(committed(engine, engine.remove(5)), Status{});
    EXPECT_EQ(engine.frame().size(), 10u);
    EXPECT_EQ(engine.frame().box(2), here);
    EXPECT_EQ(engine.frame().box(5), no_box);
    EXPECT_TRUE(engine.validate().sound());
    ASSERT_EQ(engine.update(all_there(3)), Status{}) << "and by places again";
    EXPECT_EQ(engine.frame().size(), 3u);
    EXPECT_TRUE(engine.validate().sound());
}

TEST(UpdateByIdsThenEdits, know_no_agent_in_a_hole) {
    const std::vector<AgentId> ids{1, 4};
    Engine engine;
    ASSERT_EQ(engine.update(ids, all_here(2)), Status{});
    AgentHandle handle;
    for (const AgentId hole : {0u, 2u, 3u, 5u}) {
        EXPECT_EQ(engine.handle(hole, handle), (Status{Code::unknown_id, 0})) << hole;
        EXPECT_EQ(engine.move(hole, there), (Status{Code::unknown_id, 0})) << hole;
        EXPECT_EQ(engine.relabel(hole, {}), (Status{Code::unknown_id, 0})) << hole;
        EXPECT_EQ(engine.remove(hole), (Status{Code::unknown_id, 0})) << hole;
    }
    EXPECT_EQ(engine.staged(), 0u);
    EXPECT_EQ(engine.handle(4, handle), Status{});
    EXPECT_EQ(engine.move(engine.id(handle), there), Status{});
}

TEST(UpdateByIdsThenEdits, discard_what_was_staged) {
    const std::vector<AgentId> ids{1, 4};
    Engine engine;
    ASSERT_EQ(engine.update(ids, all_here(2)), Status{});
    AgentId first = no_agent, second = no_agent;
    ASSERT_EQ(engine.insert(there, first), Status{});
    ASSERT_EQ(engine.remove(4), Status{});
    engine.discard();
    ASSERT_EQ(engine.insert(there, second), Status{});
    EXPECT_EQ(first, 0u);
    EXPECT_EQ(second, 0u);
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(engine.frame().size(), 3u);
    EXPECT_TRUE(engine.validate().sound());
}

TEST(UpdateByIdsAndHandles, keep_those_of_agents_that_stay) {
    const std::vector<AgentId> all{0, 1, 2, 3}, some{3, 1};
    Engine engine;
    ASSERT_EQ(engine.update(all, all_here(4)), Status{});
    AgentHandle stays, goes;
    ASSERT_EQ(engine.handle(1, stays), Status{});
    ASSERT_EQ(engine.handle(2, goes), Status{});
    ASSERT_EQ(engine.update(some, all_there(2)), Status{});
    EXPECT_EQ(engine.id(stays), 1u);
    EXPECT_EQ(engine.id(goes), no_agent);
    ASSERT_EQ(engine.update(all, all_here(4)), Status{});
    EXPECT_EQ(engine.id(stays), 1u);
    EXPECT_EQ(engine.id(goes), no_agent) << "another agent has the id";
    EXPECT_EQ(engine.move(engine.id(goes), there), (Status{Code::unknown_id, 0}));
    ASSERT_EQ(committed(engine, engine.move(engine.id(stays), there)), Status{});
    EXPECT_EQ(engine.frame().box(1), there);
}

TEST(UpdateByIds, leaves_out_the_ids_of_boxes_that_are_not_legal) {
    Random random(13);
    for (const std::size_t holes : {2u, 200000u})
        for (const bool shuffled : {false, true}) {
            std::vector<AgentId> ids = ids_with_holes(300, holes, random);
            if (shuffled) shuffle(ids, random);
            std::vector<Box> boxes(ids.size(), here);
            std::vector<AgentId> expected;
            for (std::size_t i = 0; i < ids.size(); i += 7) {
                boxes[i].min_x = nan;
                expected.push_back(ids[i]);
            }
            std::sort(expected.begin(), expected.end());
            const std::vector<Label> labels = labels_for(ids);
            std::vector<AgentId> listed(ids.size());
            LeftOut left_out{listed};
            Engine engine;
            EXPECT_EQ(engine.update(ids, boxes, {.labels = labels}), (Status{Code::not_finite, 0}));
            EXPECT_EQ(engine.frame().size(), 0u);
            ASSERT_EQ(engine.update(ids, boxes, {.labels = labels, .left_out = &left_out}), Status{});
            ASSERT_EQ(left_out.total, expected.size());
            listed.resize(expected.size());
            EXPECT_EQ(listed, expected);
            EXPECT_EQ(engine.frame().size(), ids.size() - expected.size());
            for (std::size_t i = 0; i < ids.size(); ++i) {
                EXPECT_EQ(engine.frame().box(ids[i]), i % 7 == 0 ? no_box : here);
                EXPECT_EQ(engine.frame().label(ids[i]), i % 7 == 0 ? Label{} : labels[i]);
            }
            EXPECT_EQ(engine.move(ids[0], there), (Status{Code::unknown_id, 0}));
            EXPECT_EQ(committed(engine, engine.move(ids[1], there)), Status{});
            EXPECT_TRUE(engine.validate().sound());
        }
}

// One agent with a large id does not make tables for all ids below it.
TEST(UpdateByIdsFarApart, takes_memory_for_its_agents_only) {
    const std::vector<AgentId> ids{largest_id, 3, 1000000000u, 70000};
    const std::vector<AgentId> ascending{3, 70000, 1000000000u, largest_id};
    CountingResource memory;
    Engine engine({.memory = &memory});
    const std::vector<Box> boxes{here, there, {1, 1, 2, 2}, {7, 7, 8, 8}};
    const std::vector<Label> labels{
        {.categories = 2}, {.categories = 4}, {.categories = 8}, {.categories = 16}};
    for (const std::vector<AgentId>& some : {ids, ascending}) {
        ASSERT_EQ(engine.update(some, boxes, {.labels = labels}), Status{});
        EXPECT_EQ(engine.frame().id_bound(), std::size_t{largest_id} + 1);
        EXPECT_EQ(engine.frame().count({-1, -1, 9, 9}).total, 4u);
        EXPECT_EQ(engine.frame().count(here, {.categories = 2}).total, 1u);
        EXPECT_LT(memory.bytes_out(), 1000000u);
    }
}

// In whichever order the ids come; see steady_state_test.cpp for the rest of the engine.
TEST(UpdateByIdsSettled, allocates_nothing) {
    for (const std::size_t holes : {2u, 10u, 100000u})
        for (const bool shuffled : {false, true})
            for (const bool labelled : {false, true}) {
                Scene scene = make_scene("uniform", 3000);
                Random random(17);
                std::vector<AgentId> ids = ids_with_holes(scene.agents().size(), holes, random);
                if (shuffled) shuffle(ids, random);
                std::vector<Label> labels;
                if (labelled) labels = labels_for(ids);
                CountingResource memory;
                Engine engine({.executor = serial_executor(), .memory = &memory});
                std::uint64_t calls = 0;
                for (int frame = 0; frame < 60; ++frame) {
                    scene.step();
                    ASSERT_EQ(engine.update(ids, scene.boxes(), {.labels = labels}), Status{});
                    if (frame == 30) calls = memory.calls();
                }
                EXPECT_EQ(memory.calls(), calls) << holes << (shuffled ? ", shuffled" : ", ascending");
            }
}

// Half of the agents, so commits build from scratch: with boxes by id while ids are not far apart.
TEST(UpdateByIdsSettled, allocates_nothing_for_many_edits) {
    constexpr AgentId agents = 9000;
    for (const AgentId apart : {6u, 12u})
        for (const bool by_turns : {false, true}) {
            const Scene scene = make_scene("uniform", agents);
            std::vector<AgentId> ids(agents);
            for (AgentId i = 0; i < agents; ++i) ids[i] = i * apart;
            CountingResource memory;
            Engine engine({.executor = serial_executor(), .memory = &memory});
            std::uint64_t calls = 0;
            for (int frame = 0; frame < 60; ++frame) {
                if (frame == 0 || by_turns) {
                    ASSERT_EQ(engine.update(ids, scene.boxes()), Status{});
                }
                for (AgentId i = 0; i < agents; i += 2)
                    ASSERT_EQ(engine.move(ids[i],
                                          scene.agents()[i].moved(0.01f * static_cast<float>(frame % 2), 0)),
                              Status{});
                ASSERT_EQ(engine.commit(), Status{});
                if (frame == 40) calls = memory.calls();
            }
            EXPECT_EQ(memory.calls(), calls)
                << apart << (by_turns ? ", by turns with updates" : ", edits alone");
        }
}

TEST(UpdateByIdsSettled, gives_back_what_gaps_take_when_the_host_says_so) {
    constexpr AgentId agents = 1500;
    const Scene scene = make_scene("uniform", agents);
    std::vector<std::size_t> held;
    for (const AgentId apart : {1u, 8u}) {
        std::vector<AgentId> ids(agents);
        for (AgentId i = 0; i < agents; ++i) ids[i] = i * apart;
        const std::vector<Label> labels = labels_for(ids);
        CountingResource memory;
        Engine engine({.executor = serial_executor(), .memory = &memory});
        for (int frame = 0; frame < 3; ++frame) {
            ASSERT_EQ(engine.update(ids, scene.boxes(), {.labels = labels}), Status{});
            for (AgentId i = 0; i < agents; i += 2) ASSERT_EQ(engine.move(ids[i], here), Status{});
            ASSERT_EQ(engine.commit(), Status{});
        }
        engine.release_memory();
        held.push_back(memory.bytes_out());
    }
    EXPECT_LT(held[1], held[0] + 100 * agents);
}

// Numbers beside the host's ids in memory are not read as ids: the ids ascend and need no marks.
TEST(UpdateByIdsThatAscend, take_no_memory_for_what_lies_beside_them) {
    const std::vector<Box> boxes(3000, Box{1, 1, 2, 2});
    std::vector<AgentId> ids{0};
    for (AgentId id = 0; id < 3 * boxes.size(); ++id) ids.push_back(2 * id + 1);
    std::set<std::uint64_t> calls;
    for (const auto& [before, after] : {std::pair(0u, 6001u), std::pair(5u, 6001u), std::pair(0u, 0u)}) {
        ids[0] = before;
        ids[boxes.size() + 1] = after;
        CountingResource memory;
        Engine engine({.executor = serial_executor(), .memory = &memory});
        ASSERT_EQ(engine.update(std::span<const AgentId>(ids).subspan(1, boxes.size()), boxes), Status{});
        calls.insert(memory.calls());
    }
    EXPECT_EQ(calls.size(), 1u);
}

TEST(UpdateByIdsOfNone, empties_the_world) {
    Engine engine;
    ASSERT_EQ(engine.update(std::vector<AgentId>{2, 3}, all_here(2)), Status{});
    ASSERT_EQ(engine.update(std::span<const AgentId>{}, Boxes{}), Status{});
    EXPECT_EQ(engine.frame().size(), 0u);
    EXPECT_EQ(engine.frame().id_bound(), 0u);
}

}  // namespace
}  // namespace throng::test
