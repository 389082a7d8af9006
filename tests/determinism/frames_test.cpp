// A frame is the same for any number of workers, in every way in which a host may give its agents. With so
// many workers, agents are also sorted in another number of steps.
#include "support/ids_with_holes.hpp"
#include "support/test.hpp"
#include "worlds/scenes/island_worlds.hpp"

namespace throng::test {
namespace {

// This many agents are worth a step to any number of workers.
constexpr std::size_t enough = 20000;
constexpr unsigned hints[] = {2, 3, 8, 33, 256};

// Calls check(frame, number) for the frames of a history on one worker, and then on each number of workers,
// the last of them first. `update` makes a frame of the boxes.
template <class Update, class Check>
void on_many_workers(Scene scene, const Update& update, const Check& check) {
    std::vector<std::unique_ptr<Workplace>> places;
    places.push_back(serial_workplace());
    for (const unsigned workers : hints) places.push_back(backward_workplace(workers));
    const Scene first = scene;
    for (const auto& place : places) {
        scene = first;
        Engine engine(scene.configure({.executor = place->executor()}));
        for (std::size_t frame = 0; frame < 2; ++frame, scene.step()) {
            ASSERT_EQ(update(engine, scene.boxes()), Status{}) << place->name();
            check(engine.frame(), frame, place->name());
        }
    }
}

template <class Update>
void expect_the_same_answers(const Scene& scene, const Update& update) {
    const std::vector<Box> queries = scene.queries(200);
    std::vector<Answers> serial;
    on_many_workers(scene, update, [&](const Frame& frame, std::size_t number, const std::string& place) {
        if (serial.size() <= number) serial.push_back(ask(frame, queries));
        EXPECT_TRUE(identical(serial[number], ask(frame, queries))) << scene.name() << ", " << place;
        EXPECT_TRUE(frame.validate().sound()) << scene.name() << ", " << place;
    });
}

const auto update_all = [](Engine& engine, const Boxes& boxes) { return engine.update(boxes); };

TEST(FramesOfManyWorkers, are_those_of_one) {
    for (const char* name : {"uniform", "clustered", "mixed_sizes", "lattice"})
        expect_the_same_answers(make_scene(name, enough, 3), update_all);
}

TEST(FramesOfManyWorkers, are_those_of_one_where_there_are_islands) {
    expect_the_same_answers(make_island_scene("villages_of_all_sizes", enough, 3), update_all);
}

TEST(FramesOfManyWorkers, are_those_of_one_whatever_the_order_of_ids) {
    Random random(5);
    std::vector<AgentId> ids = ids_with_holes(enough, 2, random);
    shuffle(ids, random);
    expect_the_same_answers(make_scene("uniform", enough, 3),
                            [&](Engine& engine, const Boxes& boxes) { return engine.update(ids, boxes); });
}

TEST(FramesOfManyWorkers, are_those_of_one_where_members_of_structures_are_read) {
    struct Agent {
        Box box;
        float more[3];
    };
    std::vector<Agent> all(enough);
    expect_the_same_answers(make_scene("mixed_sizes", enough, 3), [&](Engine& engine, const Boxes& boxes) {
        for (std::size_t i = 0; i < enough; ++i) all[i].box = boxes[i];
        const Box& first = all[0].box;
        return engine.update(
            Boxes::min_max(&first.min_x, &first.min_y, &first.max_x, &first.max_y, enough, sizeof(Agent)));
    });
}

TEST(FramesOfManyWorkers, have_the_labels_of_one) {
    const std::vector<Label> labels = labels_by_id(enough);
    const Scene scene = make_scene("clustered", enough, 3);
    const std::vector<Box> queries = scene.queries(200);
    std::vector<std::vector<AgentId>> serial;
    on_many_workers(
        scene, [&](Engine& engine, const Boxes& boxes) { return engine.update(boxes, {.labels = labels}); },
        [&](const Frame& frame, std::size_t number, const std::string& place) {
            OverlapLists hits;
            EXPECT_EQ(frame.overlaps(Boxes::of(queries), hits, Filter{.categories = 2}), Status{});
            const std::vector<AgentId> found(hits.ids().begin(), hits.ids().end());
            if (serial.size() <= number) serial.push_back(found);
            EXPECT_EQ(serial[number], found) << place;
            EXPECT_FALSE(found.empty());
        });
}

TEST(FramesOfManyWorkers, have_the_kept_neighbours_of_one) {
    std::vector<std::vector<AgentId>> serial;
    const KeptNeighbourhood near{.radius = 1, .skin = 2};
    KeptNeighbours kept(near);
    on_many_workers(make_scene("uniform", enough, 3), update_all,
                    [&](const Frame& frame, std::size_t number, const std::string& place) {
                        if (number == 0) kept = KeptNeighbours(near);
                        EXPECT_EQ(kept.update(frame), Status{});
                        EXPECT_EQ(kept.was_rebuilt(), number == 0) << place;
                        const std::span<const AgentId> ids = kept.lists().ids();
                        const std::vector<AgentId> found(ids.begin(), ids.end());
                        if (serial.size() <= number) serial.push_back(found);
                        EXPECT_EQ(serial[number], found) << place;
                    });
}

TEST(FramesOfManyWorkers, are_refused_for_the_first_illegal_box) {
    std::vector<Box> boxes = make_scene("uniform", enough, 3).agents();
    for (const std::size_t bad : {enough - 1, enough / 2, enough / 2 - 1, std::size_t{700}}) {
        boxes[bad].max_x = std::numeric_limits<float>::quiet_NaN();
        for (const unsigned workers : hints) {
            const auto place = backward_workplace(workers);
            Engine engine({.executor = place->executor()});
            const Status status = engine.update(Boxes::of(boxes));
            EXPECT_EQ(status.code, Code::not_finite) << place->name();
            EXPECT_EQ(status.index, bad) << place->name();
            EXPECT_EQ(engine.frame().size(), 0u);
        }
    }
}

}  // namespace
}  // namespace throng::test
