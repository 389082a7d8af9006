#include "throng/structures/static_index.hpp"
#include "structures/index_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using Spans = std::vector<Ids>;

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

// Unit squares on a grid, a little apart, in an order that has nothing to do with where they are.
std::vector<Box> pebbles(std::size_t count, Random& random) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = static_cast<float>(i % 100), y = static_cast<float>(i / 100);
        boxes.push_back({x, y, x + 0.75f, y + 0.75f});
    }
    for (std::size_t i = count; i > 1; --i) std::swap(boxes[i - 1], boxes[random.below(i)]);
    return boxes;
}

constexpr Box everywhere{-1e30f, -1e30f, 1e30f, 1e30f};

// --- Answers -----------------------------------------------------------------------------------------------

class StaticIndexOn : public ::testing::TestWithParam<SceneRecipe> {};

// Each number of elements has a last block, a last level and a highest level that are
// full, or begun, or not there.
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

TEST(StaticIndex, answers_the_same_when_a_search_is_interrupted_by_every_full_block) {
    // Squares so large that most of them overlap the query, and few blocks lie inside of it.
    Random random(3);
    std::vector<Box> boxes;
    for (int i = 0; i < 6000; ++i)
        boxes.push_back(Box::around(random.uniform(0, 100), random.uniform(0, 100), 60, 60));
    for (const Isa isa : instruction_sets()) {
        StaticIndex index(StaticIndex::Config{isa});
        ASSERT_TRUE(index.assign(Boxes::of(boxes)));
        for (const float half : {0.0f, 20.0f, 70.0f, 130.0f}) {
            const Box box = Box::around(40, 55, half, half);
            ASSERT_EQ(overlapping(index, box, 77), overlapping(boxes, box, 77))
                << to_string(isa) << ", " << half;
        }
    }
}

// --- Runs --------------------------------------------------------------------------------------------------

Spans spans(const StaticIndex& index, const Box& box, ElementId omitted) {
    Spans all;
    EXPECT_TRUE(index.for_each_overlap(
        box, [&](std::span<const ElementId> ids) { all.emplace_back(ids.begin(), ids.end()); }, omitted));
    return all;
}

TEST(StaticIndex, hands_over_what_lies_inside_a_query_as_one_run) {
    Random random(4);
    const std::vector<Box> boxes = pebbles(10'000, random);
    StaticIndex index;
    ASSERT_TRUE(index.assign(Boxes::of(boxes)));
    const Spans whole = spans(index, everywhere, no_element);
    ASSERT_EQ(whole.size(), 1u);
    EXPECT_EQ(whole[0].size(), 10'000u);
    Ids order;
    index.for_each_element([&](ElementId id) { order.push_back(id); });
    EXPECT_EQ(whole[0], order);

    const Spans without = spans(index, everywhere, order[5000]);
    ASSERT_EQ(without.size(), 2u);
    EXPECT_EQ(without[0], Ids(order.begin(), order.begin() + 5000));
    EXPECT_EQ(without[1], Ids(order.begin() + 5001, order.end()));
}

TEST(StaticIndex, leaves_out_the_first_and_the_last_of_a_run) {
    Random random(5);
    const std::vector<Box> boxes = pebbles(1000, random);
    StaticIndex index;
    ASSERT_TRUE(index.assign(Boxes::of(boxes)));
    for (const bool last : {false, true}) {
        const Spans whole = spans(index, everywhere, no_element);
        ASSERT_EQ(whole.size(), 1u);
        const ElementId omitted = last ? whole[0].back() : whole[0].front();
        EXPECT_EQ(overlapping(index, everywhere, omitted), overlapping(boxes, everywhere, omitted));
    }
}

// --- What it is made of ------------------------------------------------------------------------------------

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
// halves; those of a row after row would be more than twice as long.
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

TEST(StaticIndex, has_the_same_order_whatever_order_the_elements_come_in) {
    Random one(10), two(11);
    const std::vector<Box> first = pebbles(3000, one), second = pebbles(3000, two);
    ASSERT_NE(first, second);
    const auto leaves = [](const std::vector<Box>& boxes) {
        StaticIndex index;
        EXPECT_TRUE(index.assign(Boxes::of(boxes)));
        std::vector<Box> all;
        index.for_each_part([&](const Part& part) {
            if (part.leaf) all.push_back(part.box);
        });
        return all;
    };
    // Squares of one column have one x, and where the cut goes through a column the id
    // decides; so let no two be alike.
    const auto skewed = [](std::vector<Box> boxes) {
        for (Box& b : boxes) {
            const float x = b.min_x + b.min_y / 256, y = b.min_y + b.min_x / 256;
            b = {x, y, x + 0.5f, y + 0.5f};
        }
        return boxes;
    };
    EXPECT_EQ(leaves(skewed(first)), leaves(skewed(second)));
}

// --- Failures and memory -----------------------------------------------------------------------------------

TEST(StaticIndex, refuses_an_instruction_set_that_the_machine_lacks) {
    const Isa foreign = is_supported(Isa::neon64) ? Isa::avx2 : Isa::neon64;
    StaticIndex index(StaticIndex::Config{foreign});
    EXPECT_EQ(index.status().code, Code::unsupported_isa);
    const Box box{0, 0, 1, 1};
    EXPECT_EQ(index.assign(Boxes::of({&box, 1})).code, Code::unsupported_isa);
    EXPECT_EQ(index.size(), 0u);
    EXPECT_TRUE(StaticIndex().status());
}

TEST(StaticIndex, refuses_every_query_if_it_could_not_be_made) {
    StaticIndex index(StaticIndex::Config{is_supported(Isa::neon64) ? Isa::avx2 : Isa::neon64});
    const Box box{0, 0, 1, 1};
    static_cast<void>(index.assign(Boxes::of({&box, 1})));
    EXPECT_EQ(index.for_each_overlap(box, [](ElementId) {}).code, Code::unsupported_isa);
    EXPECT_EQ(index.for_each_pair([](Pair) {}).code, Code::unsupported_isa);
    EXPECT_EQ(index.count(box).status.code, Code::unsupported_isa);
    EXPECT_EQ(index.any(box).status.code, Code::unsupported_isa);
}

TEST(StaticIndex, keeps_what_it_had_when_boxes_are_refused) {
    Random random(13);
    const std::vector<Box> boxes = pebbles(500, random);
    StaticIndex index;
    ASSERT_TRUE(index.assign(Boxes::of(boxes)));
    std::vector<Box> bad = pebbles(700, random);
    bad[600].max_x = bad[600].min_x - 1;
    EXPECT_EQ(index.assign(Boxes::of(bad)), (Status{Code::inverted, 600}));
    bad[300].min_y = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(index.assign(Boxes::of(bad)), (Status{Code::not_finite, 300}));
    EXPECT_EQ(index.assign(Boxes::of(std::span<const Box>(static_cast<const Box*>(nullptr), 3))).code,
              Code::null_view);
    EXPECT_EQ(overlapping(index, {10, 1, 20, 3}), overlapping(boxes, {10, 1, 20, 3}));
    EXPECT_TRUE(index.validate());
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(index.for_each_overlap({0, 0, infinity, 1}, [](ElementId) {}), (Status{Code::not_finite, 0}));
    EXPECT_EQ(index.count({1, 0, 0, 1}).status, (Status{Code::inverted, 0}));
    EXPECT_EQ(index.any({0, 1, 0, 0}).status, (Status{Code::inverted, 0}));
}

TEST(StaticIndex, takes_25_bytes_an_element_in_one_allocation) {
    Random random(14);
    CountingResource memory;
    StaticIndex index(StaticIndex::Config{}, &memory);
    EXPECT_EQ(memory.calls(), 1u) << "for the index itself";
    const std::vector<Box> boxes = pebbles(100'000, random);
    ASSERT_TRUE(index.assign(Boxes::of(boxes)));
    EXPECT_EQ(memory.calls(), 2u);
    EXPECT_EQ(memory.bytes_out(), index.bytes());
    EXPECT_LT(static_cast<double>(index.bytes()) / 100'000, 25.1);
    // However they lie.
    ASSERT_TRUE(fill(index, std::vector<Box>(100'000, everywhere)));
    EXPECT_EQ(memory.calls(), 2u);
}

}  // namespace
}  // namespace throng::test
