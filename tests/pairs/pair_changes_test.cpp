// Which pairs began and which ended, against brute force, on every scene and instruction set: after updates
// and edits, with labels, between frames of different engines. And the same bytes on any executor.
#include "oracle/pair_changes.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

std::vector<Pair> copy_of(std::span<const Pair> pairs) { return {pairs.begin(), pairs.end()}; }

std::vector<Pair> copy_in_order(std::span<const Pair> pairs) {
    std::vector<Pair> copy = copy_of(pairs);
    std::sort(copy.begin(), copy.end(), [](const Pair& one, const Pair& other) {
        return std::pair(one.a, one.b) < std::pair(other.a, other.b);
    });
    return copy;
}

void expect_same(const PairChanges& changes, const oracle::PairChanges& twin) {
    ASSERT_EQ(copy_in_order(changes.pairs()), twin.pairs());
    ASSERT_EQ(copy_of(changes.began()), twin.began());
    ASSERT_EQ(copy_of(changes.ended()), twin.ended());
}

TEST(PairChanges, are_found_among_pairs_that_stay) {
    std::vector<Box> boxes = make_scene("uniform", 20000).agents();
    Engine engine;
    PairChanges changes;
    oracle::PairChanges twin;
    for (std::size_t step = 0; step < 5; ++step) {
        for (std::size_t i = step; step != 2 && i < boxes.size(); i += 1999) boxes[i] = boxes[7 * i % 20000];
        ASSERT_EQ(engine.update(boxes), Status{});
        PairList list;
        ASSERT_EQ(engine.frame().pairs(list), Status{});
        ASSERT_EQ(list.sort(), Status{});
        twin.see(list);
        ASSERT_EQ(changes.update(engine.frame()), Status{});
        expect_same(changes, twin);
        ASSERT_EQ(changes.began().empty(), step == 2);
    }
}

// Mirrored, agents keep their pairs, and large ones lie in another order in their tree.
TEST(PairChanges, are_those_of_brute_force_where_large_agents_change_order) {
    std::vector<Box> boxes = make_scene("uniform", 20000).agents();
    for (std::size_t i = 0; i < boxes.size(); i += 30) {
        const float grow = 15 * (boxes[i].max_x - boxes[i].min_x);
        boxes[i] = {boxes[i].min_x - grow, boxes[i].min_y - grow, boxes[i].max_x + grow,
                    boxes[i].max_y + grow};
    }
    Engine engine;
    PairChanges changes;
    oracle::PairChanges twin;
    for (std::size_t step = 0; step < 5; ++step) {
        for (Box& box : boxes) box = {-box.max_x, box.min_y, -box.min_x, box.max_y};
        if (step > 2) std::swap(boxes[390], boxes[391 + step]);
        ASSERT_EQ(engine.update(boxes), Status{});
        ASSERT_GT(engine.frame().tuning().oversized, 512u);
        PairList list = listed_pairs(engine.frame());
        ASSERT_GT(list.size(), 64 * engine.frame().tuning().oversized);
        ASSERT_EQ(list.sort(), Status{});
        twin.see(list);
        ASSERT_EQ(changes.update(engine.frame()), Status{});
        expect_same(changes, twin);
        ASSERT_EQ(changes.ended().empty(), step < 3);
    }
}

// Pairs of a larger frame where agents moved, and where all agents below one of them lost their pairs.
TEST(PairChanges, are_the_same_bytes_on_every_executor) {
    Scene scene = make_scene("uniform", 90000);
    std::vector<Frame> frames;
    Engine engine;
    PairChanges wanted;
    oracle::PairChanges twin;
    for (int step = 0; step < 3; ++step, scene.step()) {
        std::vector<Box> boxes = scene.agents();
        for (Box& box : boxes)
            if (step == 2 && box.min_y < boxes[0].min_y) box = {box.min_x, box.min_y, box.min_x, box.min_y};
        ASSERT_EQ(engine.update(boxes), Status{});
        frames.push_back(engine.frame());
        PairList list = listed_pairs(frames.back());
        ASSERT_EQ(list.sort(), Status{});
        twin.see(list);
        ASSERT_EQ(wanted.update(frames.back().on(serial_executor())), Status{});
        expect_same(wanted, twin);
    }
    ASSERT_GT(wanted.ended().size(), 1000u);
    for (const std::unique_ptr<Workplace>& place : all_workplaces({1, 2, 5, 16, 33})) {
        PairChanges changes;
        place->run([&] {
            for (const Frame& frame : frames)
                ASSERT_EQ(changes.update(frame.on(place->executor())), Status{});
        });
        EXPECT_EQ(copy_of(changes.began()), copy_of(wanted.began())) << place->name();
        EXPECT_EQ(copy_of(changes.ended()), copy_of(wanted.ended())) << place->name();
        EXPECT_EQ(copy_of(changes.pairs()), copy_of(wanted.pairs())) << place->name();
    }
}

}  // namespace
}  // namespace throng::test
