// The same lists, byte by byte, on every executor and instruction set; and lists that are filled again and again take no
// memory.
#include "support/everywhere.hpp"
#include "support/neighbour_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Lists of every kind, one behind the other.
std::vector<ListsAsTheyAre> all_lists(const Frame& frame, const std::vector<Point>& points,
                                      const std::vector<float>& radii) {
    std::vector<ListsAsTheyAre> all;
    Neighbours lists;
    const auto keep = [&](const Status& status) {
        EXPECT_EQ(status, Status{});
        all.emplace_back(lists);
    };
    for (const bool rows : {false, true}) {
        keep(frame.neighbours({.radius = 2, .distances = true, .in_row_order = rows}, lists));
        keep(frame.neighbours({.radius = 2, .half = true, .in_row_order = rows}, lists));
        keep(frame.neighbours({.max_count = 8, .distances = true, .in_row_order = rows}, lists));
        keep(frame.neighbours(
            {.radii = radii, .max_count = 20, .agents_as = AgentsAs::boxes, .in_row_order = rows}, lists));
    }
    keep(frame.neighbours({.radii = radii, .either = true, .distances = true}, lists));
    keep(frame.neighbours({.radii = radii, .half = true}, lists));
    keep(frame.neighbours(points, {.radius = 3, .distances = true}, lists));
    keep(frame.neighbours(points, {.max_count = 8}, lists));
    return all;
}

using Threads = std::vector<unsigned>;

// Under an emulator or a sanitizer, a few worlds and executors are enough: the native builds compare all of them.
bool is_small() { return scale() < 0.1; }

void expect_identical_everywhere(const Scene& scene) {
    Random random(3);
    const std::vector<Point> points = random_points(random, scene.agents(), scene.agents().size());
    std::vector<float> radii;
    for (std::size_t i = 0; i < scene.agents().size(); ++i) radii.push_back(random.uniform(0, 4));
    std::vector<ListsAsTheyAre> reference;
    everywhere(is_small() ? Threads{5} : Threads{2, 5, 33}, [&](const EngineConfig& config) {
        Engine engine(config);
        ASSERT_EQ(engine.update(scene.boxes()), Status{});
        const std::vector<ListsAsTheyAre> lists = all_lists(engine.frame(), points, radii);
        if (reference.empty()) reference = lists;
        ASSERT_EQ(lists.size(), reference.size());
        for (std::size_t i = 0; i < lists.size(); ++i)
            EXPECT_TRUE(lists[i] == reference[i]) << scene.name() << ", lists " << i;
    });
}

TEST(SameNeighbours, come_in_the_same_order_everywhere) {
    for (const char* name : {"uniform", "giants_over_small"})
        expect_identical_everywhere(make_scene(name, scaled(5000, 1500), 7));
    if (is_small()) return;
    for (const char* name : {"clustered", "villages", "lattice"})
        expect_identical_everywhere(make_scene(name, scaled(5000, 1500), 7));
}

TEST(SameNeighbours, come_in_the_same_order_everywhere_on_islands) {
    expect_identical_everywhere(make_island_scene("villages_under_giants", enough_for_islands, 7));
}

std::uint64_t allocations_of_settled_lists(const Executor& executor) {
    CountingResource memory;
    Engine engine({.executor = executor, .memory = &memory});
    const Scene scene = make_scene("uniform", 4000, 3);
    EXPECT_EQ(engine.update(scene.boxes()), Status{});
    const Frame frame = engine.frame();
    Random random(3);
    const std::vector<Point> points = random_points(random, scene.agents(), 3000);
    const std::vector<float> radii(scene.agents().size(), 1.5f);
    std::vector<std::uint32_t> counts(scene.agents().size()), point_counts(points.size());
    Neighbours by_id(&memory), by_row(&memory), nearest(&memory), of_points(&memory), either(&memory),
        block(&memory);
    const auto nothing = [](std::size_t, const Neighbours&) {};
    const AnswerLimit small{.max_bytes = 20000};
    const auto ask = [&] {
        EXPECT_EQ(frame.for_each_answer({.radius = 2}, block, nothing, small), Status{});
        EXPECT_EQ(frame.for_each_answer({.radius = 2, .in_row_order = true}, block, nothing, small),
                  Status{});
        EXPECT_EQ(frame.for_each_answer(points, {.max_count = 8, .distances = true}, block, nothing, small),
                  Status{});
        EXPECT_EQ(frame.neighbours({.radius = 2, .distances = true}, by_id), Status{});
        EXPECT_EQ(frame.neighbours({.radius = 2, .in_row_order = true}, by_row), Status{});
        EXPECT_EQ(frame.neighbours({.max_count = 8, .distances = true}, nearest), Status{});
        EXPECT_EQ(frame.neighbours({.radii = radii, .either = true}, either), Status{});
        EXPECT_EQ(frame.neighbours(points, {.radius = 2}, of_points), Status{});
        EXPECT_EQ(frame.count_neighbours({.radius = 2}, counts), Status{});
        EXPECT_EQ(frame.count_neighbours(points, {.radius = 2}, point_counts), Status{});
    };
    for (int warm_up = 0; warm_up < 3; ++warm_up) ask();
    const std::uint64_t before = memory.calls();
    for (std::size_t frames = scaled(20, 4); frames > 0; --frames) ask();
    return memory.calls() - before;
}

TEST(SettledNeighbours, take_no_memory) {
    EXPECT_EQ(allocations_of_settled_lists(serial_executor()), 0u);
    CountingExecutor several(4);
    EXPECT_EQ(allocations_of_settled_lists(several.executor()), 0u);
}

}  // namespace
}  // namespace throng::test
