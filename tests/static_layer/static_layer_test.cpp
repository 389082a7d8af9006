// The static layer: how long it lives, and what is refused.
#include "support/test.hpp"

namespace throng::test {
namespace {

// Walls among the agents of a scene: elements of the same kind, and a few that cross half of it.
std::vector<Box> walls_for(const Scene& scene, std::size_t count, Random& random) {
    std::vector<Box> walls;
    for (std::size_t i = 0; i < count; ++i) {
        Box wall = scene.place(random);
        const Box end = scene.agents().empty() ? wall : scene.agents()[random.below(scene.agents().size())];
        if (i % 7 == 0) wall.max_x = std::max(wall.max_x, end.max_x);
        if (i % 11 == 0) wall.max_y = std::max(wall.max_y, end.max_y);
        walls.push_back(wall);
    }
    return walls;
}

const std::vector<Box>& two_walls() {
    static const std::vector<Box> walls{{0, 0, 10, 1}, {0, 0, 1, 10}};
    return walls;
}
constexpr Box everywhere{-1e30f, -1e30f, 1e30f, 1e30f};

TEST(StaticLayer, is_empty_until_it_is_made) {
    const StaticLayer none;
    EXPECT_EQ(none.status(), Status{});
    EXPECT_EQ(none.size(), 0u);
    EXPECT_EQ(none.frame().count(everywhere).total, 0u);
    const Frame frame = engine_with_layer(none, Boxes::of(two_walls())).frame();
    PairList list;
    EXPECT_EQ(frame.pairs(list, with_other(frame.static_layer())), Status{});
    EXPECT_EQ(list.size(), 0u);
    EXPECT_EQ(frame.with_static().count(everywhere).total, 2u);
    OverlapLists hits, elements;
    EXPECT_EQ(frame.with_static().overlaps(Boxes::of({&everywhere, 1}), hits, elements), Status{});
    EXPECT_EQ(elements.size(), 1u);
    EXPECT_EQ(elements.ids().size(), 0u);
    EXPECT_EQ(Frame().count_pairs(with_other(frame.static_layer())).total, 0u);
    EXPECT_EQ(Frame().with_static().count(everywhere).total, 0u);
}

TEST(StaticLayer, names_the_element_at_fault) {
    std::vector<Box> walls = two_walls();
    walls[1].max_x = std::numeric_limits<float>::infinity();
    const StaticLayer layer{Boxes::of(walls)};
    EXPECT_EQ(layer.status(), (Status{Code::not_finite, 1}));
    EXPECT_EQ(layer.size(), 0u);
    EXPECT_EQ(layer.frame().count(everywhere).status.code, Code::not_finite)
        << "not the answer of an empty layer";
    Engine engine;
    EXPECT_EQ(engine.set_static_layer(layer), (Status{Code::not_finite, 1}));
    const std::vector<Label> labels(5);
    EXPECT_EQ(StaticLayer(Boxes::of(two_walls()), {.labels = Labels::of(labels)}).status().code,
              Code::size_mismatch);
}

TEST(StaticLayer, belongs_to_the_frames_that_were_published_since) {
    const StaticLayer layer{Boxes::of(two_walls())};
    Engine engine = engine_with(Boxes::of(two_walls()));
    ASSERT_EQ(engine.set_static_layer(layer), Status{});
    EXPECT_EQ(engine.frame().static_layer().size(), 0u) << "the frame was there before";
    AgentId id = 0;
    ASSERT_EQ(committed(engine, engine.insert({5, 5, 6, 6}, id)), Status{});
    const Frame with = engine.frame();
    EXPECT_EQ(with.static_layer().size(), 2u);
    engine.clear_static_layer();
    ASSERT_EQ(engine.update(Boxes::of(two_walls())), Status{});
    EXPECT_EQ(engine.frame().static_layer().size(), 0u);
    EXPECT_EQ(with.static_layer().size(), 2u);
    EXPECT_EQ(with.count_pairs(with_other(with.static_layer())).total, 4u);
}

TEST(StaticLayer, is_published_by_a_commit_without_edits) {
    Engine engine;
    const std::uint64_t before = engine.frame().number();
    ASSERT_EQ(engine.set_static_layer(StaticLayer{Boxes::of(two_walls())}), Status{});
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(engine.frame().with_static().count(everywhere).total, 2u) << "walls, and no agents yet";
    ASSERT_EQ(engine.update(Boxes::of(two_walls())), Status{});
    engine.clear_static_layer();
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(engine.frame().static_layer().size(), 0u);
    EXPECT_EQ(engine.frame().count(everywhere).total, 2u);
    EXPECT_EQ(engine.frame().number(), before + 3);
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(engine.frame().number(), before + 3) << "nothing has changed";
    EXPECT_TRUE(engine.validate().sound());
}

TEST(StaticLayer, lives_as_long_as_a_frame_that_has_it) {
    CountingResource memory, layer_memory;
    {
        Frame frame, alone;
        {
            Engine engine({.executor = serial_executor(), .memory = &memory});
            auto layer = std::make_unique<StaticLayer>(
                Boxes::of(two_walls()),
                StaticLayerConfig{.executor = serial_executor(), .memory = &layer_memory});
            const StaticLayer copy = *layer;
            layer.reset();
            ASSERT_EQ(copy.size(), 2u);
            ASSERT_EQ(engine.set_static_layer(copy), Status{});
            ASSERT_EQ(engine.update(Boxes::of(two_walls())), Status{});
            frame = engine.frame();
        }
        EXPECT_EQ(frame.count_pairs(with_other(frame.static_layer())).total, 4u);
        alone = frame.static_layer();
        frame = Frame();
        EXPECT_EQ(memory.blocks_out(), 0u);
        EXPECT_EQ(alone.count(everywhere).total, 2u);
        EXPECT_GT(layer_memory.blocks_out(), 0u);
    }
    EXPECT_EQ(layer_memory.blocks_out(), 0u);
    EXPECT_FALSE(layer_memory.misused());
}

TEST(StaticLayer, may_have_labels) {
    const std::vector<Label> labels{{1, 0}, {2, 0}};
    const StaticLayer layer(Boxes::of(two_walls()), {.labels = Labels::of(labels)});
    EXPECT_EQ(layer.frame().count(everywhere, {.categories = 2}).total, 1u);
}

TEST(StaticLayer, is_found_by_a_visitor_of_its_own) {
    const StaticLayer layer{Boxes::of(two_walls())};
    int agents = 0, elements = 0;
    const Frame frame = engine_with_layer(layer, Boxes::of(two_walls())).frame();
    ASSERT_EQ(frame.with_static().for_each_overlap(
                  everywhere, [&](AgentId) { return ++agents < 1; }, [&](AgentId) { ++elements; }),
              Status{});
    EXPECT_EQ(agents, 1);
    EXPECT_EQ(elements, 2) << "ending one part does not end the other";
    const Box bad{1, 0, 0, 0};
    EXPECT_EQ(frame.with_static().for_each_overlap(
                  bad, [&](AgentId) {}, [&](AgentId) {}),
              (Status{Code::inverted, 0}));
    OverlapLists hits, walls;
    EXPECT_EQ(frame.with_static().overlaps(Boxes::of({&bad, 1}), hits, walls), (Status{Code::inverted, 0}));
    EXPECT_EQ(hits.size() + walls.size(), 0u);
    std::uint32_t counts[2];
    const Box two[2]{bad, bad};
    EXPECT_EQ(frame.with_static().count(two, std::span(counts).first(1)).code, Code::size_mismatch);
    std::uint8_t answers[2];
    EXPECT_EQ(frame.with_static().any(two, std::span(answers).first(1)).code, Code::size_mismatch);
}

TEST(PairsOfTwoFrames, name_the_agents_of_this_one_first) {
    const std::vector<Box> few{{0, 0, 1, 1}}, many{{5, 5, 6, 6}, {7, 7, 8, 8}, {1, 1, 2, 2}};
    Engine one, other;
    ASSERT_EQ(one.update(Boxes::of(few)), Status{});
    ASSERT_EQ(other.update(Boxes::of(many)), Status{});
    PairList list;
    ASSERT_EQ(one.frame().pairs(list, with_other(other.frame())), Status{});
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0], (Pair{0, 2}));
    ASSERT_EQ(other.frame().pairs(list, with_other(one.frame())), Status{});
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0], (Pair{2, 0}));
    EXPECT_EQ(other.frame().count_pairs(with_other(other.frame())).total, 3u) << "with itself, each once";
    EXPECT_EQ(
        one.frame().pairs(std::span(static_cast<Pair*>(nullptr), 3), with_other(other.frame())).status.code,
        Code::null_view);
}

TEST(StaticLayer, answers_many_threads_while_the_engine_writes) {
    THRONG_SKIP_WITHOUT_THREADS();
    Scene scene = make_scene("uniform", 500);
    Random random(3);
    const std::vector<Box> walls = walls_for(scene, 100, random);
    const StaticLayer layer{Boxes::of(walls), {.executor = serial_executor()}};
    Engine engine = engine_with_layer(layer, scene.boxes(), {.executor = serial_executor()});
    std::atomic<bool> done = false, wrong = false;
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i)
        readers.emplace_back([&] {
            std::vector<std::uint32_t> counts(walls.size());
            do {
                const Frame frame = engine.frame();
                PairList list;
                if (!frame.pairs(list, with_other(frame.static_layer())) ||
                    frame.static_layer().size() != walls.size() ||
                    !frame.with_static().count(Boxes::of(walls), counts) ||
                    frame.count_pairs(with_other(frame.static_layer())).total != list.size())
                    wrong = true;
            } while (!done);
        });
    for (std::size_t frame = 0; frame < scaled(100, 20); ++frame) {
        scene.step();
        if (frame % 10 == 0) {
            EXPECT_EQ(engine.set_static_layer(StaticLayer(Boxes::of(walls))), Status{});
        }
        EXPECT_EQ(engine.update(scene.boxes()), Status{});
    }
    done = true;
    for (std::thread& reader : readers) reader.join();
    EXPECT_FALSE(wrong);
}

// Ids of agents and ids of elements have nothing to do with each other.
TEST(StaticLayerQueries, leave_out_an_agent_and_not_the_element_of_the_same_number) {
    const std::vector<Box> here(3, Box{0, 0, 1, 1});
    Engine engine;
    ASSERT_EQ(engine.set_static_layer(StaticLayer(here)), Status{});
    for (const bool labelled : {false, true}) {
        const std::vector<Label> labels(3, Label{.categories = 3, .group = 1});
        ASSERT_EQ(labelled ? engine.update(here, {.labels = labels}) : engine.update(here), Status{});
        const WithStatic both = engine.frame().with_static();
        const Filter filter{.self = 1};
        EXPECT_EQ(both.count(here[0], filter).total, 5u);
        std::size_t agents = 0, elements = 0;
        const auto count_agents = [&](AgentId) { ++agents; };
        const auto count_elements = [&](AgentId) { ++elements; };
        ASSERT_EQ(both.for_each_overlap(here[0], count_agents, count_elements, filter), Status{});
        EXPECT_EQ(agents, 2u);
        EXPECT_EQ(elements, 3u);
        const std::vector<Filter> one_each = {{.self = 0}, {.self = 1}, {.self = 2}};
        for (const Filters& filters :
             {Filters(filter), Filters::of(one_each), Filters::each_without_itself()}) {
            OverlapLists of_agents, of_elements;
            ASSERT_EQ(both.overlaps(here, of_agents, of_elements, filters), Status{});
            std::vector<std::uint32_t> counts(3);
            ASSERT_EQ(both.count(here, counts, filters), Status{});
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_EQ(of_agents[i].size(), 2u);
                EXPECT_EQ(of_elements[i].size(), 3u);
                EXPECT_EQ(counts[i], 5u);
            }
        }
    }
}

}  // namespace
}  // namespace throng::test
