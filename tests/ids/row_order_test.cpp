// Frame::row_order names every agent once, in the order of answers.
#include "support/test.hpp"
#include "worlds/scenes/full_row_worlds.hpp"

namespace throng::test {
namespace {

// In the order in which a visit of all agents meets them.
std::vector<AgentId> visited(const Frame& frame) {
    std::vector<AgentId> ids;
    EXPECT_EQ(frame.for_each_agent([&](AgentId id, const Box&) { ids.push_back(id); }), Status{});
    return ids;
}

void expect_order(const Frame& frame) {
    std::vector<AgentId> order(frame.size() + 3, no_agent);
    const Filled filled = frame.row_order(order);
    ASSERT_EQ(filled.status, Status{});
    EXPECT_EQ(filled.total, frame.size());
    ASSERT_EQ(filled.written, frame.size());
    EXPECT_EQ(order.back(), no_agent) << "nothing is written beyond";
    order.resize(frame.size());
    EXPECT_EQ(order, visited(frame));
    constexpr float all = std::numeric_limits<float>::max();
    EXPECT_EQ(order, hits_of(frame, {-all, -all, all, all})) << "the order of answers";
    std::sort(order.begin(), order.end());
    for (std::size_t i = 1; i < order.size(); ++i) EXPECT_LT(order[i - 1], order[i]) << "each once";
}

TEST(RowOrderOnIslands, has_the_agents_of_all_islands_and_giants) {
    const Scene scene = make_island_scene("villages_under_giants", 1300);
    Engine engine = engine_with(scene.boxes());
    ASSERT_GT(engine.frame().tuning().islands, 0u);
    ASSERT_GT(engine.frame().tuning().oversized, 0u);
    const StaticLayer walls(scene.boxes());
    ASSERT_EQ(engine.set_static_layer(walls), Status{});
    ASSERT_EQ(engine.commit(), Status{});
    expect_order(engine.frame());
    expect_order(engine.frame().static_layer());
}

// Crowds in which some spots are more crowded still, far apart.
TEST(RowOrderOnIslands, follows_the_order_of_answers_on_islands_within_islands_too) {
    Random random(1);
    std::vector<Box> boxes;
    for (int outer = 0; outer < 4; ++outer) {
        const float x = random.uniform(-1e7f, 1e7f), y = random.uniform(-1e7f, 1e7f);
        const auto add = [&](float left, float low, float spread, int count) {
            for (int i = 0; i < count; ++i)
                boxes.push_back(Box::around(left + random.uniform(-spread, spread),
                                            low + random.uniform(-spread, spread), 1, 1));
        };
        add(x, y, 20'000, 300);
        for (int inner = 0; inner < 4; ++inner)
            add(x + random.uniform(-1e4f, 1e4f), y + random.uniform(-1e4f, 1e4f), 100, 300);
    }
    Engine engine = engine_with(boxes);
    std::uint32_t deepest = 0;
    ASSERT_EQ(engine.frame().for_each_part([&](const FramePart& part) {
        if (part.kind == FramePartKind::island) deepest = std::max(deepest, part.depth);
    }),
              Status{});
    ASSERT_GE(deepest, 2u);
    expect_order(engine.frame());
    // Few edits are found by the numbers of cells, and many by the rows.
    for (const std::size_t edits : {std::size_t{1}, std::size_t{30}, std::size_t{300}, boxes.size()}) {
        std::vector<AgentId> ids(edits);
        std::iota(ids.begin(), ids.end(), 0u);
        std::vector<Box> to;
        for (std::size_t i = 0; i < edits; ++i) to.push_back(boxes[random.below(boxes.size())]);
        ASSERT_EQ(committed(engine, engine.move(ids, to)), Status{});
        expect_order(engine.frame());
        EXPECT_TRUE(engine.validate().sound());
    }
}

TEST(RowOrderOfFullRows, leaves_out_their_holes) {
    const std::vector<Box> pile(6000, Box{0, 0, 1, 1});
    Engine engine = engine_with(pile);
    for (AgentId id = 0; id < 40; ++id) {
        ASSERT_EQ(committed(engine, engine.remove(100 * id)), Status{});
        expect_order(engine.frame());
    }
}

TEST(RowOrderInLittleMemory, writes_as_many_as_fit) {
    const Scene scene = make_scene("giants_over_small", 500);
    Engine engine = engine_with(scene.boxes());
    const std::vector<AgentId> all = visited(engine.frame());
    for (std::size_t room = 0; room <= all.size(); room += 1 + room / 3) {
        std::vector<AgentId> some(room + 1, no_agent);
        const Filled filled = engine.frame().row_order(std::span(some).first(room));
        EXPECT_EQ(filled.total, all.size());
        EXPECT_EQ(filled.written, room);
        EXPECT_TRUE(std::equal(some.begin(), some.end() - 1, all.begin()));
        EXPECT_EQ(some.back(), no_agent);
    }
    EXPECT_EQ(engine.frame().row_order({static_cast<AgentId*>(nullptr), 3}).status, Status{Code::null_view});
    EXPECT_EQ(Frame().row_order({}).total, 0u);
}

// One of them is the number that stands for ghosts where searches are made around these too.
TEST(ListsInRowOrder, have_one_for_every_agent_however_large_its_id) {
    const std::vector<AgentId> ids{5, 0x80000000u, 0x80000001u};
    const std::vector<Box> boxes(ids.size(), Box{0, 0, 1, 1});
    for (const std::size_t owned : {all_owned, std::size_t{2}}) {
        Engine engine;
        ASSERT_EQ(engine.update(ids, boxes, {.owned = owned}), Status{});
        for (const bool nearest : {false, true}) {
            NeighbourLists lists;
            const Frame frame = engine.frame();
            ASSERT_EQ(nearest ? frame.neighbours(Nearest{.count = 2, .in_row_order = true}, lists)
                              : frame.neighbours(Within{.radius = 1, .in_row_order = true}, lists),
                      Status{});
            ASSERT_EQ(lists.size(), std::min(owned, ids.size()));
            for (std::size_t i = 0; i < lists.size(); ++i) {
                std::vector<AgentId> others = ids;
                std::erase(others, lists.agents()[i]);
                std::vector<AgentId> found(lists[i].begin(), lists[i].end());
                std::sort(found.begin(), found.end());
                EXPECT_EQ(found, others) << lists.agents()[i];
            }
        }
    }
}

}  // namespace
}  // namespace throng::test
