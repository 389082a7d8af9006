// What makes the static index itself: blocks of neighbours in levels, and counts without a visit.
#include "structures/src/static_index/state.hpp"
#include "structures/tests/index_inside.hpp"
#include "structures/tests/test.hpp"

namespace throng::structures::test {
namespace of_static_index {

using State = StaticIndex::State;

Ids asked(const StaticIndex& index, const Box& box, ElementId omitted = no_element) {
    Ids ids;
    EXPECT_TRUE(index.for_each_overlap(
        box, [&](ElementId id) { ids.push_back(id); }, omitted));
    return ids;
}

// In the order of the index.
std::vector<Pair> all_pairs(StaticIndex& index) {
    std::vector<Pair> pairs;
    EXPECT_TRUE(index.for_each_pair([&](Pair pair) { pairs.push_back(pair); }));
    return pairs;
}

// Unit squares on a grid, a little apart, in random order.
std::vector<Box> pebbles(std::size_t count, Random& random) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = static_cast<float>(i % 100), y = static_cast<float>(i / 100);
        boxes.push_back({x, y, x + 0.75f, y + 0.75f});
    }
    for (std::size_t i = count; i > 1; --i) std::swap(boxes[i - 1], boxes[random.below(i)]);
    return boxes;
}

class StaticIndexOn : public ::testing::TestWithParam<SceneRecipe> {};

// For each number of elements the last block, the last level and the highest level are full, begun, or not
// there.
TEST_P(StaticIndexOn, any_scene_agrees_with_brute_force_on_every_instruction_set) {
    for (const std::size_t count :
         {1u, 15u, 16u, 17u, 63u, 64u, 65u, 255u, 257u, 1023u, 1025u, 1100u, 2500u}) {
        if (count > GetParam().max_count) continue;
        const Scene scene(GetParam(), count, count);
        const std::vector<Box>& boxes = scene.agents();
        const std::vector<Box> queries = scene.queries(scaled(60, 15));
        const IdPairs touching = pairs_of(boxes);
        std::vector<Ids> first_answers;
        std::vector<Pair> first_pairs;
        for (const Isa isa : instruction_sets()) {
            StaticIndex index(StaticIndex::Config{isa});
            ASSERT_TRUE(index.assign(scene.boxes()));
            ASSERT_EQ(index.isa(), isa);
            const IndexValidation state = index.validate();
            ASSERT_TRUE(state) << state.what << " at " << state.where;
            std::vector<Ids> answers;
            for (const Box& box : queries) {
                const ElementId omitted = static_cast<ElementId>(answers.size() * 7 % boxes.size());
                answers.push_back(asked(index, box));
                const Ids all = overlapping(boxes, box);
                ASSERT_EQ(overlapping(index, box), all) << count << " elements, " << to_string(isa);
                ASSERT_EQ(overlapping(index, box, omitted), overlapping(boxes, box, omitted));
                ASSERT_EQ(index.count(box).total, all.size());
                ASSERT_EQ(index.any(box).found, all.empty() ? 0u : 1u);
            }
            const std::vector<Pair> pairs = all_pairs(index);
            ASSERT_EQ(pairs_of(index), touching) << count << " elements, " << to_string(isa);
            if (isa == instruction_sets().front()) first_answers = answers, first_pairs = pairs;
            ASSERT_EQ(answers, first_answers) << "another order on " << to_string(isa);
            ASSERT_EQ(pairs, first_pairs) << "another order on " << to_string(isa);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, StaticIndexOn, ::testing::ValuesIn(scene_recipes()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(StaticIndex, lists_its_blocks_from_the_highest_level_down) {
    Random random(8);
    const std::vector<Box> boxes = pebbles(5000, random);
    StaticIndex index;
    ASSERT_TRUE(index.assign(Boxes::of(boxes)));
    std::vector<Part> parts;
    index.for_each_part([&](const Part& part) { parts.push_back(part); });
    // 5,000 elements make 313 blocks, these 20, and these 2: two are few enough for the highest level.
    ASSERT_EQ(parts.size(), 313u + 20 + 2);
    std::size_t in_leaves = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        EXPECT_EQ(parts[i].depth, i < 2 ? 0u : i < 22 ? 1u : 2u);
        EXPECT_EQ(parts[i].leaf, i >= 22);
        in_leaves += parts[i].elements;
        if (i < 2) continue;
        const Part& outer = parts[i < 22 ? (i - 2) / 16 : 2 + (i - 22) / 16];
        EXPECT_TRUE(outer.box.min_x <= parts[i].box.min_x && outer.box.min_y <= parts[i].box.min_y);
        EXPECT_TRUE(outer.box.max_x >= parts[i].box.max_x && outer.box.max_y >= parts[i].box.max_y);
    }
    EXPECT_EQ(in_leaves, 5000u);
}

// Sixteen pebbles fit into a square of side four. Blocks are longer than that where halves are not quite
// halves. Blocks made row by row would be more than twice as long.
TEST(StaticIndex, makes_blocks_of_neighbours) {
    Random random(9);
    StaticIndex index;
    ASSERT_TRUE(fill(index, pebbles(10'000, random)));
    float around = 0;
    std::size_t leaves = 0;
    index.for_each_part([&](const Part& part) {
        if (!part.leaf) return;
        around += part.box.max_x - part.box.min_x + part.box.max_y - part.box.min_y;
        ++leaves;
    });
    EXPECT_EQ(leaves, 625u);
    EXPECT_LT(around / static_cast<float>(leaves), 1.3f * 7.5f);
}

TEST(StaticIndex, counts_nothing_in_a_box_that_is_none) {
    StaticIndex index;
    ASSERT_TRUE(fill(index, {{0, 0, 1, 1}}));
    EXPECT_EQ(index.count({1, 0, 0, 1}).status, (Status{Code::inverted, 0}));
    EXPECT_EQ(index.any({0, 1, 0, 0}).status, (Status{Code::inverted, 0}));
}

// --- Planted faults ----------------------------------------------------------------------------------------

constexpr std::size_t elements = 1000;  // 63 blocks, which make 4

StaticIndex sound_index() {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < elements; ++i)
        boxes.push_back(Box::around(static_cast<float>(i % 40), static_cast<float>(i / 40), 0.4f, 0.4f));
    StaticIndex index;
    EXPECT_TRUE(index.assign(Boxes::of(boxes)));
    return index;
}

detail::StaticSet& set_of(State& index) { return const_cast<detail::StaticSet&>(index.set()); }

simd::BoxBlock& block(State& index, std::uint32_t level, std::size_t i) {
    return const_cast<simd::BoxBlock*>(index.set().tree.levels[level])[i];
}
std::uint32_t& id(State& index, std::size_t place) {
    return const_cast<std::uint32_t*>(index.set().tree.ids)[place];
}

const Corruption<State> corruptions[] = {
    {"an id that no element has", [](State& s) { id(s, 3) = elements; }},
    {"an element that is not at its place", [](State& s) { id(s, 3) = id(s, 4); }},
    {"an element that is not at its place",
     [](State& s) { ++const_cast<std::uint32_t*>(set_of(s).places)[id(s, 500)]; }},
    {"an id behind the last", [](State& s) { id(s, elements) = 0; }},
    {"a box behind the last of a level",
     [](State& s) {
         simd::BoxBlock& last = block(s, 0, 62);
         last.min_x[15] = last.max_x[15] = 0;
     }},
    {"a box behind the last of a level", [](State& s) { block(s, 1, 3).max_y[15] = 0; }},
    {"a box that is not legal",
     [](State& s) { block(s, 0, 10).min_x[2] = std::numeric_limits<float>::quiet_NaN(); }},
    {"a box that is not legal", [](State& s) { block(s, 0, 10).max_y[2] = -1e9f; }},
    {"a box that does not fit what is below", [](State& s) { block(s, 0, 10).max_y[2] = 1e9f; }},
    {"a box that does not fit what is below", [](State& s) { block(s, 1, 2).min_x[5] -= 1; }},
    {"a memory that is not laid out for its elements", [](State& s) { ++set_of(s).tree.top; }},
    {"a memory that is not laid out for its elements", [](State& s) { --set_of(s).tree.roots; }},
    {"a memory that is not laid out for its elements", [](State& s) { --set_of(s).tree.count; }},
    {"a memory that is not laid out for its elements", [](State& s) { ++set_of(s).tree.levels[1]; }},
    {"a memory that is not laid out for its elements", [](State& s) { ++set_of(s).tree.ids; }},
    {"a memory that is not laid out for its elements", [](State& s) { --set_of(s).places; }},
    {"a size of blocks that none can have", [](State& s) { set_of(s).tree.cover_width = -1; }},
    {"less memory than its elements take", [](State& s) { s.count_ = 1'000'000; }},
    {"a memory that is not laid out for its elements", [](State& s) { s.count_ = elements - 1; }},
};

TEST(StaticIndex, is_found_unsound_with_any_planted_fault) {
    expect_found<StaticIndex>(sound_index, corruptions);
}

}  // namespace of_static_index
}  // namespace throng::structures::test
