// A commit of one edit costs about the same in every world, and everywhere in it.
#include <cstring>

#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// A third of the agents are giants over a much larger country.
std::vector<Box> third_of_giants(std::size_t count, Random& random) {
    std::vector<Box> agents = make_scene("uniform", count).agents();
    const float side = 40 * std::sqrt(static_cast<float>(count));
    for (std::size_t i = 0; i < count; i += 3) {
        const float x = random.uniform(0, side), y = random.uniform(0, side), half = random.uniform(30, 40);
        agents[i] = Box::around(x, y, half, half);
    }
    return agents;
}

TEST(CommitOfOneEdit, rebuilds_a_few_groves_of_giants) {
    Random random(2);
    std::vector<Box> agents = third_of_giants(scaled(60000, 12000), random);
    Engine engine = engine_with(agents, {.executor = serial_executor(), .common_size = 2});
    ASSERT_GE(engine.frame().tuning().oversized, agents.size() / 4);
    detail::Store& store = store_behind(engine.frame());
    ASSERT_GT(state_behind(engine.frame()).groves.size(), 8u);
    for (std::size_t k = 0; k < 200; ++k) {
        const auto id = static_cast<AgentId>(random.below(agents.size() / 3) * 3);
        Box& box = agents[id];
        if (k % 4 == 0)
            box = agents[random.below(agents.size() / 3) * 3];  // to the other end of the country
        else
            box.max_x += 1;
        ASSERT_EQ(engine.move(id, box), Status{});
        const std::uint64_t steps = store.oversized_tree.steps();
        ASSERT_EQ(engine.commit(), Status{});
        EXPECT_LE(store.oversized_tree.steps() - steps, 8 * detail::OversizedTree::grove_size);
    }
    ASSERT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
    const std::vector<Box> given = third_of_giants(agents.size(), random);
    Engine bulk = engine_with(given, {.executor = serial_executor()});
    ASSERT_EQ(bulk.update(Boxes::of(agents)), Status{});
    EXPECT_EQ(engine.frame().count_pairs().total, bulk.frame().count_pairs().total);
}

// The crown is copied as long as a new one would divide the agents in the same way, whether readers hold all
// frames or none.
TEST(CommitOfOneEdit, enters_few_groves_into_the_crown) {
    for (const bool holds_all : {false, true}) {
        Random random(12);
        std::vector<Box> agents = third_of_giants(scaled(120000, 60000), random);
        Engine engine = engine_with(agents, {.executor = serial_executor(), .common_size = 2});
        const std::size_t groves = state_behind(engine.frame()).groves.size();
        ASSERT_GT(groves, 40u);
        const detail::Store& store = store_behind(engine.frame());
        std::vector<Frame> held;
        std::vector<std::uint64_t> pairs;
        std::uint64_t before = 0;
        constexpr std::size_t warm = 4, edits = 100;
        for (std::size_t k = 0; k < warm + edits; ++k) {
            const std::size_t id = random.below(agents.size() / 3) * 3;
            agents[id].max_x += 1;
            ASSERT_EQ(engine.move(static_cast<AgentId>(id), agents[id]), Status{});
            if (k == warm) before = store.oversized_tree.entries();
            ASSERT_EQ(engine.commit(), Status{});
            if (holds_all) held.push_back(engine.frame());
            if (holds_all && k % 26 == 0) pairs.push_back(engine.frame().count_pairs().total);
        }
        const std::uint64_t entered = store.oversized_tree.entries() - before;
        EXPECT_LE(entered, 12 * edits);
        ASSERT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
        for (std::size_t k = 0; k < pairs.size(); ++k) ASSERT_EQ(held[26 * k].count_pairs().total, pairs[k]);
        EXPECT_EQ(
            engine.frame().fingerprint(),
            engine_with(agents, {.executor = serial_executor(), .common_size = 2}).frame().fingerprint());
    }
}

// An agent goes where no other is, and comes back. That shifts the groves between both places, or divides
// quadrants and joins them. No grove is written twice.
TEST(CommitOfOneEdit, writes_no_part_of_a_crown_twice) {
    Random random(14);
    std::vector<Box> agents = third_of_giants(60000, random);
    const float side = 40 * std::sqrt(60000.0f);
    const auto somewhere = [&](float x, float y, float within) {
        return Box::around(x + random.uniform(0, within), y + random.uniform(0, within), 35, 35);
    };
    // Two corners of the country have giants.
    for (std::size_t i = 0; i < agents.size(); i += 3)
        agents[i] = i % 2 == 0 ? somewhere(0, 0, side / 4) : somewhere(side * 0.75f, side * 0.75f, side / 4);
    Engine engine = engine_with(agents, {.executor = serial_executor(), .common_size = 2});
    ASSERT_GT(state_behind(engine.frame()).groves.size(), 60u);
    const detail::Store& store = store_behind(engine.frame());
    for (std::size_t k = 0; k < scaled(200, 40); ++k) {
        const std::size_t id = random.below(agents.size() / 3) * 3;
        const Box home = agents[id], away = somewhere(side / 2, k % 2 == 0 ? 0 : side / 2, side / 4);
        for (const Box& to : {away, home}) {
            const std::uint64_t before = store.oversized_tree.entries();
            ASSERT_EQ(committed(engine, engine.move(static_cast<AgentId>(id), to)), Status{});
            EXPECT_LE(store.oversized_tree.entries() - before,
                      state_behind(engine.frame()).groves.size() + 8);
            if (k % 8 == 0) {
                ASSERT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
            }
        }
    }
    EXPECT_EQ(engine.frame().fingerprint(),
              engine_with(agents, {.executor = serial_executor(), .common_size = 2}).frame().fingerprint());
}

// Two rows with hardly any agents but giants, which go from one to the other: there are holes among them.
TEST(CommitOfOneEdit, moves_few_of_the_giants_in_a_row) {
    Random random(15);
    std::vector<Box> agents;
    for (std::size_t i = 0; i < 12000; ++i)
        agents.push_back(Box::around(random.uniform(0, 4000), i % 2 == 0 ? 0.0f : 1000.0f,
                                     i % 100 == 0 ? 0.5f : random.uniform(20, 30), 0.5f));
    const EngineConfig config{.executor = serial_executor(), .row_height = 500, .common_size = 2};
    Engine engine = engine_with(agents, config);
    ASSERT_GE(engine.frame().tuning().oversized, agents.size() * 9 / 10);
    std::vector<std::uint64_t> written;
    for (std::size_t k = 0; k < 400; ++k) {
        const std::uint64_t before = store_behind(engine.frame()).agents_written();
        const std::size_t id = random.below(agents.size());
        const float by = agents[id].min_y < 500 ? 1000.0f : -1000.0f;
        agents[id] = {agents[id].min_x, agents[id].min_y + by, agents[id].max_x, agents[id].max_y + by};
        ASSERT_EQ(committed(engine, engine.move(static_cast<AgentId>(id), agents[id])), Status{});
        written.push_back(store_behind(engine.frame()).agents_written() - before);
    }
    std::sort(written.begin(), written.end());
    EXPECT_LE(written[written.size() * 9 / 10], 200u) << "half of the giants of two rows";
    ASSERT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
    EXPECT_EQ(engine.frame().fingerprint(), engine_with(agents, config).frame().fingerprint());
    for (std::size_t id = 0; id < agents.size(); ++id)
        ASSERT_EQ(engine.frame().box(static_cast<AgentId>(id)), agents[id]);
}

// A third of the agents are giants of many sizes around one point.
std::vector<Box> giants_of_one_centre(std::size_t count, Random& random) {
    std::vector<Box> agents = make_scene("uniform", count).agents();
    for (std::size_t i = 0; i < count; i += 3) {
        const float half = random.uniform(30, 40);
        agents[i] = Box::around(50, 50, half, half);
    }
    return agents;
}

TEST(CommitOfOneEdit, rebuilds_one_grove_where_all_giants_have_one_centre) {
    Random random(4);
    std::vector<Box> agents = giants_of_one_centre(scaled(60000, 12000), random);
    CountingResource memory;
    Engine engine = engine_with(agents, {.executor = serial_executor(), .memory = &memory, .common_size = 2});
    ASSERT_GE(engine.frame().tuning().oversized, agents.size() / 4);
    std::size_t bytes = 0;
    detail::Store& store = store_behind(engine.frame());
    for (const simd::Grove& grove : state_behind(engine.frame()).groves)
        EXPECT_LE(grove.oversized.count, detail::OversizedTree::grove_size);
    for (std::size_t k = 0; k < 100; ++k) {
        if (k == 50) bytes = memory.bytes_out();
        const auto id = static_cast<AgentId>(random.below(agents.size() / 3) * 3);
        const float half = random.uniform(30, 40);
        ASSERT_EQ(engine.move(id, Box::around(50, 50, half, half)), Status{});
        const std::uint64_t steps = store.oversized_tree.steps();
        ASSERT_EQ(engine.commit(), Status{});
        EXPECT_LE(store.oversized_tree.steps() - steps, 2 * detail::OversizedTree::grove_size);
    }
    EXPECT_LE(memory.bytes_out(), bytes + bytes / 20) << "what was edited is given back";
    EXPECT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
}

void expect_the_same_hits(const Engine& one, const Engine& other, const std::vector<Box>& agents) {
    const std::size_t asked = std::min<std::size_t>(300, agents.size());
    OverlapLists hits, expected;
    const Boxes queries = Boxes::of(agents).part(0, asked);
    ASSERT_EQ(one.frame().overlaps(queries, hits), Status{});
    ASSERT_EQ(other.frame().overlaps(queries, expected), Status{});
    for (std::size_t i = 0; i < asked; ++i) ASSERT_TRUE(equal_ranges(hits[i], expected[i]));
}

// The nodes with their bounds and categories, the leaves and the agents of both.
void expect_the_same_grove(const simd::Grove& one, const simd::Grove& other) {
    const auto same = [](const void* a, const void* b, std::size_t bytes) {
        return std::memcmp(a, b, bytes) == 0;
    };
    ASSERT_EQ(one.first, other.first);
    ASSERT_EQ(one.node_count, other.node_count);
    EXPECT_TRUE(same(one.nodes, other.nodes, one.node_count * sizeof(simd::Node)));
    for (const auto& [a, b] :
         {std::pair(one.oversized, other.oversized), std::pair(one.leaves, other.leaves)}) {
        ASSERT_EQ(a.count, b.count);
        ASSERT_EQ(a.stride, b.stride);
        EXPECT_TRUE(same(a.data, b.data, 5 * std::size_t{a.stride} * sizeof(float)));
    }
}

// The groves depend on the agents and the marks alone: they are those of a frame built from nothing, and so
// are the answers.
void expect_the_same_groves(const Engine& edited, const EngineConfig& config,
                            const std::vector<Box>& at_first, const std::vector<Box>& agents) {
    ASSERT_TRUE(edited.validate().sound()) << ::testing::PrintToString(edited.validate());
    Engine fresh = engine_with(at_first, config);
    ASSERT_EQ(fresh.update(Boxes::of(agents)), Status{});
    const detail::FrameState& one = state_behind(edited.frame());
    detail::FrameState& other = state_behind(fresh.frame());
    ASSERT_EQ(one.marks == nullptr, other.marks == nullptr);
    if (one.marks != nullptr) {
        ASSERT_EQ(one.tree_marks()->levels, other.tree_marks()->levels);
        std::memcpy(other.marks->memory, one.marks->memory, std::min(one.marks->bytes, other.marks->bytes));
        ASSERT_TRUE(other.store->oversized_tree.build(other));
    }
    ASSERT_EQ(one.groves.size(), other.groves.size());
    ASSERT_EQ(one.nodes.size(), other.nodes.size());
    for (std::size_t g = 0; g < one.groves.size(); ++g) {
        SCOPED_TRACE(g);
        expect_the_same_grove(one.groves[g], other.groves[g]);
    }
    expect_the_same_hits(edited, fresh, agents);
}

// Now and then many come to one place, so that groves split, and leave it, so that they join. A commit has a
// few of them, or so many that most groves are edited.
TEST(GrovesOfGiants, are_the_same_after_edits_as_in_a_new_frame) {
    for (const bool many : {false, true}) {
        Random random(11);
        std::vector<Box> agents = third_of_giants(many ? scaled(48000, 24000) : scaled(24000, 6000), random);
        const std::size_t giants = agents.size() / 3;
        const EngineConfig config{.executor = serial_executor(), .common_size = many ? 2.0f : 0.0f};
        const std::vector<Box> at_first = agents;
        Engine edited = engine_with(agents, config);
        detail::Store& store = store_behind(edited.frame());
        const float side = 40 * std::sqrt(static_cast<float>(agents.size()));
        for (std::size_t round = 0; round < 24; ++round) {
            SCOPED_TRACE(round);
            const float spot = round % 4 == 0           ? side
                               : many || round % 2 != 0 ? side / 64
                                                        : 1.0f,
                        x = random.uniform(0, side - spot);
            for (std::size_t k = 0; k < (many ? giants / 17 : 1 + round % 7); ++k) {
                const auto id = static_cast<AgentId>(random.below(giants) * 3);
                agents[id] = Box::around(x + random.uniform(0, spot), random.uniform(0, spot), 35, 35);
                ASSERT_EQ(edited.move(id, agents[id]), Status{});
            }
            const std::uint64_t steps = store.oversized_tree.steps();
            ASSERT_EQ(edited.commit(), Status{});
            EXPECT_LE(store.oversized_tree.steps() - steps, 2 * giants);
            expect_the_same_groves(edited, config, at_first, agents);
        }
    }
}

// So many around one point that one grove just can or cannot hold them. They come and go one by one and by
// dozens. The planner looks again after 32 frames, and edits then give it another sample.
TEST(GrovesOfGiants, of_one_centre_are_the_same_after_edits_as_in_a_new_frame) {
    Random random(10);
    std::vector<Box> agents = giants_of_one_centre(3240, random);
    const std::vector<Box> elsewhere = third_of_giants(3240, random);
    const EngineConfig config{.executor = serial_executor(), .common_size = 2};
    const std::vector<Box> at_first = agents;
    Engine edited = engine_with(agents, config);
    std::size_t most = 0, least = agents.size();
    for (std::size_t round = 0; round < 28; ++round) {
        SCOPED_TRACE(round);
        for (std::size_t k = 0; k < 1 + round % 5 * 8; ++k) {
            const std::size_t id = random.below(agents.size() / 3) * 3;
            const float half = random.uniform(30, 40);
            agents[id] = round / 5 % 2 == 0 ? elsewhere[id] : Box::around(50, 50, half, half);
            ASSERT_EQ(edited.move(static_cast<AgentId>(id), agents[id]), Status{});
        }
        ASSERT_EQ(edited.commit(), Status{});
        expect_the_same_groves(edited, config, at_first, agents);
        const std::size_t groves = state_behind(edited.frame()).groves.size();
        most = std::max(most, groves);
        least = std::min(least, groves);
    }
    EXPECT_LT(least, most);
    std::uint64_t pairs = 0;
    for (std::size_t i = 0; i < agents.size(); ++i)
        for (std::size_t k = 0; k < i; ++k) pairs += agents[i].overlaps(agents[k]);
    EXPECT_EQ(edited.frame().count_pairs().total, pairs);
}

// Four corners of four corners, each an eighth as large: islands within islands.
std::vector<Box> dust(std::size_t count, Random& random) {
    std::vector<Box> agents;
    for (std::size_t i = 0; i < count; ++i) {
        float x = 0, y = 0, scale = 1;
        for (int level = 0; level < 7; ++level, scale *= 8) {
            x += random.one_in(2) ? 6 * scale : 0;
            y += random.one_in(2) ? 6 * scale : 0;
        }
        agents.push_back(Box::around(x, y, 0.4f, 0.4f));
    }
    return agents;
}

void expect_the_same_islands(const detail::FrameState& one, const detail::FrameState& other) {
    const auto edges = [](const simd::Bounds& b) {
        return std::array{b.min_x, b.min_y, b.negated_max_x, b.negated_max_y};
    };
    for (std::size_t i = 0; i < one.islands.size(); ++i) {
        ASSERT_EQ(edges(one.islands[i].bounds), edges(other.islands[i].bounds));
        ASSERT_EQ(one.islands[i].view.reach_x, other.islands[i].view.reach_x);
        ASSERT_EQ(one.islands[i].reaches_out, other.islands[i].reaches_out);
    }
    for (std::size_t c = 0; c < one.cuts.size(); ++c) {
        ASSERT_EQ(one.cuts[c].reach_x, other.cuts[c].reach_x);
        ASSERT_EQ(one.cuts[c].reach_y, other.cuts[c].reach_y);
        ASSERT_EQ(one.cuts[c].open_is_empty, other.cuts[c].open_is_empty);
    }
}

// The tables of rows and islands are those of an older frame, brought up to date. If readers hold all of
// these, there is one copy for each that they hold. In both cases the tables lead to the same as copied ones
// would.
TEST(CommitOfOneEdit, copies_no_tables_of_rows_and_islands) {
    for (const bool labelled : {false, true}) {
        Random random(6);
        std::vector<Box> agents = dust(scaled(40000, 20000), random);
        Engine engine({.executor = serial_executor()}), twin({.executor = serial_executor()});
        std::vector<Frame> held, history;
        for (Engine* each : {&engine, &twin}) {
            ASSERT_EQ(each->update(Boxes::of(agents)), Status{});
            if (labelled) {
                ASSERT_EQ(each->relabel(7, {2, 7}), Status{});
            }
            ASSERT_EQ(each->commit(), Status{});
        }
        ASSERT_GT(engine.frame().tuning().islands, 40u);
        ASSERT_GT(state_behind(engine.frame()).cuts.size(), 1u) << "islands within islands";
        const detail::Store& store = store_behind(engine.frame());
        const std::uint64_t copied = store.tables_copied();
        for (std::size_t k = 0; k < 200; ++k) {
            // The same few again and again, so that the largest of an island and of all islands shrinks, too.
            const std::size_t id = random.below(40) * (agents.size() / 40),
                              other = random.below(agents.size());
            agents[id] = agents[k % 2 == 0 ? id : other];
            agents[id].max_x += k % 3 == 0 ? 0.01f : -0.01f;
            for (Engine* each : {&engine, &twin}) {
                ASSERT_EQ(each->move(static_cast<AgentId>(id), agents[id]), Status{});
                if (labelled && k % 3 == 0) {
                    ASSERT_EQ(each->relabel(static_cast<AgentId>(other), {4, 1}), Status{});
                }
                ASSERT_EQ(each->commit(), Status{});
            }
            history.push_back(twin.frame());  // so that the twin has no frame to take tables from
            if (k % 5 == 0) held.push_back(engine.frame());
            if (held.size() > 3) held.erase(held.begin() + static_cast<std::ptrdiff_t>(random.below(4)));
            ASSERT_EQ(engine.frame().fingerprint(), twin.frame().fingerprint());
            expect_the_same_islands(state_behind(engine.frame()), state_behind(twin.frame()));
            if (k % 10 != 0) continue;
            ASSERT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
            expect_the_same_hits(engine, twin, agents);
        }
        EXPECT_LE(store.tables_copied() - copied, 40u) << "one for each that was held";
        EXPECT_GE(store_behind(twin.frame()).tables_copied(), 190u);
        EXPECT_EQ(engine.frame().count_pairs().total, twin.frame().count_pairs().total);
    }
}

TEST(CommitOfManyRows, looks_at_a_few_blocks_for_each) {
    // A long road.
    std::vector<Box> agents;
    Random random(3);
    const std::size_t count = scaled(60000, 10000);
    for (std::size_t i = 0; i < count; ++i)
        agents.push_back(Box::around(random.uniform(0, 30), random.uniform(0, static_cast<float>(count) / 8),
                                     0.45f, 0.45f));
    Engine engine = engine_with(agents, {.executor = serial_executor()});
    const std::uint32_t rows = engine.frame().tuning().rows;
    ASSERT_GT(rows, 200u);
    for (std::size_t c = 0; c < 12; ++c) {
        // One agent in a hundred, in one half of the road or in the other.
        std::size_t edits = 0;
        const float half = static_cast<float>(count) / 16;
        for (std::size_t i = 0; i < count && edits < count / 100; ++i) {
            if ((agents[i].min_y < half) != (c % 2 == 0)) continue;
            agents[i].max_x += 0.001f;
            ASSERT_EQ(engine.move(static_cast<AgentId>(i), agents[i]), Status{});
            ++edits;
        }
        const std::uint64_t steps = store_behind(engine.frame()).blocks.steps();
        ASSERT_EQ(engine.commit(), Status{});
        EXPECT_LE(store_behind(engine.frame()).blocks.steps() - steps, 12 * std::uint64_t{rows});
    }
}

}  // namespace
}  // namespace throng::test
