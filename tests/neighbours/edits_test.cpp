// Neighbours after edits, with ids that are not in use; of the agents of one frame among those of another; and of points
// in every form of a view.
#include "support/neighbour_answers.hpp"
#include "support/neighbour_blocks.hpp"
#include "support/test.hpp"
#include "support/twins.hpp"

namespace throng::test {
namespace {

class EditedNeighbours : public ::testing::TestWithParam<Isa> {};

// Moves, removes and inserts.
void edit(Twins& twins, const std::vector<Box>& places, std::uint64_t seed) {
    Random random(seed);
    const auto place = [&] { return places[random.below(places.size())]; };
    for (std::size_t i = 0; i < places.size(); i += 1 + random.below(9)) {
        const auto id = static_cast<AgentId>(i);
        if (twins.knows(id)) random.one_in(3) ? twins.remove(id) : twins.move(id, place());
    }
    AgentId id = no_agent;
    for (std::size_t i = 0; i < places.size() / 20; ++i) twins.insert(place(), id);
    twins.commit();
}

TEST_P(EditedNeighbours, are_those_that_brute_force_finds) {
    for (const char* name : {"uniform", "mixed_sizes", "giants_over_small", "villages"}) {
        Scene scene = make_scene(name, 500, 8);
        Twins twins({.executor = serial_executor(), .isa = GetParam()});
        twins.update(scene.boxes());
        Random random(5);
        for (std::size_t round = 0; round < scaled(8, 3); ++round, scene.step()) {
            edit(twins, scene.agents(), round);
            const Frame frame = twins.frame();
            const RandomNeighbourhood wanted(random, scene.agents(), frame.id_bound(), true);
            ASSERT_TRUE(agents_agree({&frame, 1}, twins.twin(), wanted.wanted()))
                << name << ", round " << round;
        }
    }
}

Status among(const Frame& frame, const Frame& others, const Neighbourhood& wanted, Neighbours& lists) {
    return wanted.in([&](const auto& kind) { return frame.neighbours_in(others, kind, lists); });
}

// Whether the lists come in blocks as they came all at once, by id and in row order, which has the same lists.
::testing::AssertionResult crossing_blocks_agree(const Frame& frame, const Frame& others,
                                                 Neighbourhood wanted) {
    Neighbours by_id, by_row, block;
    for (const bool in_row_order : {false, true}) {
        wanted.in_row_order = in_row_order;
        Neighbours& lists = in_row_order ? by_row : by_id;
        if (const Status status = among(frame, others, wanted, lists); !status)
            return ::testing::AssertionFailure() << status.message();
        for (const std::size_t max_bytes : {lists.bytes() / 6 + 100, lists.bytes() * 4}) {
            const JoinedLists joined = join_blocks(frame, block, max_bytes, {}, wanted, others);
            if (!joined.status || !joined.well_cut || joined.all != ListsAsTheyAre(lists))
                return ::testing::AssertionFailure() << "blocks of " << max_bytes << " have other lists";
        }
    }
    if (by_row.size() != frame.size() || by_row.agents().size() != frame.size())
        return ::testing::AssertionFailure() << by_row.size() << " lists in row order";
    for (std::size_t i = 0; i < by_row.size(); ++i) {
        const std::span<const AgentId> list = by_id[by_row.agents()[i]];
        if (!equal_ranges(list, by_row[i]))
            return ::testing::AssertionFailure() << "list " << i << " in row order";
    }
    return ::testing::AssertionSuccess();
}

::testing::AssertionResult crossing_agrees(const Frame& frame, const Frame& others,
                                           const oracle::BruteForceFrame& twin,
                                           const oracle::BruteForceFrame& other_twin,
                                           const Neighbourhood& wanted) {
    const oracle::NeighbourLists expected = oracle::neighbours_in(twin, other_twin, wanted);
    Neighbours lists;
    if (const Status status = among(frame, others, wanted, lists); !status)
        return ::testing::AssertionFailure() << status.message();
    for (std::size_t i = 0; i < expected.size(); ++i) {
        std::vector<AgentId> ids(lists[i].begin(), lists[i].end()), wanted_ids;
        for (const Neighbour& one : expected[i]) wanted_ids.push_back(one.id);
        if (wanted.max_count == 0) std::sort(ids.begin(), ids.end());
        if (ids != wanted_ids) return ::testing::AssertionFailure() << "list " << i;
    }
    return crossing_blocks_agree(frame, others, wanted);
}

TEST_P(EditedNeighbours, among_the_agents_of_another_frame_are_those_that_brute_force_finds) {
    Random random(6);
    ThreadPool pool(2);
    for (const char* name : {"uniform", "giants_over_small", "huge_numbers"}) {
        const Scene scene = make_scene(name, 400, 1), walls = make_scene(name, 150, 2);
        Engine engine({.executor = pool.executor(), .isa = GetParam()});
        oracle::BruteForce twin, wall_twin;
        ASSERT_EQ(engine.set_static_layer(StaticLayer(walls.boxes(), {.isa = GetParam()})), Status{});
        ASSERT_EQ(engine.update(scene.boxes()), Status{});
        ASSERT_EQ(twin.update(scene.boxes()), Status{});
        ASSERT_EQ(wall_twin.update(walls.boxes()), Status{});
        const Frame frame = engine.frame();
        for (std::size_t round = 0; round < scaled(12, 4); ++round) {
            const RandomNeighbourhood wanted(random, scene.agents(), scene.agents().size(), false);
            ASSERT_TRUE(crossing_agrees(frame, frame.static_layer(), twin.frame(), wall_twin.frame(),
                                        wanted.wanted()))
                << name << ", round " << round;
        }
        Neighbours lists;
        ASSERT_EQ(frame.neighbours_in(Frame(), {.count = 3}, lists), Status{});
        EXPECT_EQ(lists.size(), scene.agents().size());
        EXPECT_TRUE(lists.ids().empty());
        EXPECT_TRUE(crossing_blocks_agree(frame, Frame(), {.max_count = 3}));
    }
}

TEST_P(EditedNeighbours, of_points_are_the_same_in_every_form_of_a_view) {
    struct Thing {
        double weight;
        float x, y;
        char name[5];
    };
    const Scene scene = make_scene("uniform", 900, 3);
    Engine engine = engine_with(scene.boxes(), {.isa = GetParam()});
    Random random(2);
    const std::vector<Point> points = random_points(random, scene.agents(), 700);
    std::vector<Thing> things;
    std::vector<float> x, y;
    for (const Point& point : points) {
        things.push_back({1, point.x, point.y, {}});
        x.push_back(point.x);
        y.push_back(point.y);
    }
    Neighbours lists;
    ASSERT_EQ(engine.frame().neighbours(points, {.count = 5}, lists), Status{});
    const ListsAsTheyAre expected(lists);
    const Points views[] = {Points::arrays(x, y), Points::members(things, &Thing::x, &Thing::y),
                            Points::arrays(&things[0].x, &things[0].y, things.size(), sizeof(Thing))};
    for (const Points& view : views) {
        ASSERT_EQ(engine.frame().neighbours(view, {.count = 5}, lists), Status{});
        EXPECT_TRUE(ListsAsTheyAre(lists) == expected);
        EXPECT_EQ(view[3], points[3]);
    }
}

INSTANTIATE_TEST_SUITE_P(every, EditedNeighbours, every_instruction_set(), isa_name);

TEST(NeighbourVisitors, may_stop_and_may_throw) {
    const Scene scene = make_scene("uniform", 3000, 3);
    const Frame frame = engine_with(scene.boxes()).frame();
    const Point middle = oracle::centre_of(scene.agents()[0]);
    std::size_t seen = 0;
    EXPECT_EQ(
        frame.for_each_neighbour(middle, {.radius = 1e9f}, [&](const Neighbour&) { return ++seen < 5; }),
        Status{});
    EXPECT_EQ(seen, 5u);
    std::size_t spans = 0;
    EXPECT_EQ(frame.for_each_neighbour(middle, {.radius = 1e9f},
                                       [&](std::span<const Neighbour> some) { spans += some.size(); }),
              Status{});
    EXPECT_EQ(spans, 3000u);
    EXPECT_THROW(
        static_cast<void>(frame.for_each_neighbour(middle, {.count = 3}, [](const Neighbour&) { throw 1; })),
        int);
}

}  // namespace
}  // namespace throng::test
