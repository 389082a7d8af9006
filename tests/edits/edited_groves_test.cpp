// The tree over the oversized agents after many commits: each node is what it would be if it were made anew,
// and all answers are those of brute force.
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "support/engine_inside.hpp"
#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using detail::OversizedTree;
using detail::RowArrays;
using detail::RowLabels;

// Agents of all directions and sizes, some of them at a few points. Many share a place of the tree.
Box giant(Random& random) {
    const float x = random.uniform(0, 2000), y = random.uniform(0, 2000), half = random.decades(1, 2);
    if (random.one_in(5)) return Box::around(500, 700, half, half);
    if (random.one_in(5)) return Box::around(100 + x / 40, 900, 30, 30);
    return random.one_in(2) ? Box::around(x, y, half, 3) : Box::around(x, y, 3, half);
}

// A node's bounds and categories by a look at its agents.
simd::Node node_over(const simd::Grove& grove, const simd::Node& node, bool labelled) {
    constexpr float far = std::numeric_limits<float>::infinity();
    simd::Node all{far,        far,      far,       far,
                   node.begin, node.end, node.next, labelled ? 0 : simd::default_category};
    for (std::uint32_t i = node.begin; i < node.end; ++i) {
        const Box box = RowArrays(grove.oversized).box(i);
        all.min_x = std::min(all.min_x, box.min_x);
        all.min_y = std::min(all.min_y, box.min_y);
        all.negated_max_x = std::min(all.negated_max_x, -box.max_x);
        all.negated_max_y = std::min(all.negated_max_y, -box.max_y);
        if (labelled) all.categories |= simd::noted(RowLabels(grove.oversized).categories[i]);
    }
    return all;
}

bool same(const simd::Node& a, const simd::Node& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Each node is as if it were made of the places. And how full they are: a leaf has at most as many agents as
// it may have, or all have one place; what is not a leaf has more.
void expect_nodes_as_made_anew(const simd::Grove& grove, bool labelled) {
    const std::span places = detail::ranks_in(grove, labelled ? simd::Extras::labels : simd::Extras::none);
    const std::uint32_t count = grove.oversized.count;
    ASSERT_TRUE(std::is_sorted(places.begin(), places.end()));
    std::vector<std::uint64_t> keys;
    for (std::uint32_t i = 0; i < count; ++i) keys.push_back(std::uint64_t{places[i]} << detail::rank_shift);
    detail::Buffer<simd::Node> made(nullptr);
    ASSERT_TRUE(detail::make_nodes<OversizedTree::grove_size>(keys, OversizedTree::leaf_size, made));
    ASSERT_EQ(made.size(), grove.node_count);
    for (std::uint32_t n = 0; n < grove.node_count; ++n) {
        const simd::Node& node = grove.nodes[n];
        const bool is_leaf = node.next == n + 1, is_small = node.end - node.begin <= OversizedTree::leaf_size;
        EXPECT_EQ(is_leaf, is_small || places[node.begin] == places[node.end - 1]) << n;
        EXPECT_EQ(made[n].next, node.next);
        EXPECT_EQ(made[n].begin, node.begin);
        EXPECT_EQ(is_leaf ? made[n].end : node.end, node.end);
        EXPECT_TRUE(same(node, node_over(grove, node, labelled))) << n;
    }
}

// Edits of one agent up to a third of those that may be edited by rows.
void edit(bool labelled) {
    Random random(31);
    const std::size_t count = scaled(9000, 3000), rounds = scaled(60, 24);
    std::vector<Box> agents;
    for (std::size_t i = 0; i < count; ++i)
        agents.push_back(i % 3 != 0
                             ? giant(random)
                             : Box::around(random.uniform(0, 2000), random.uniform(0, 2000), 0.5f, 0.5f));
    std::vector<Label> labels = random_labels(random, count);
    const Labels given = labelled ? Labels::of(labels) : Labels();
    Engine engine = engine_with(agents, given, {.executor = serial_executor(), .common_size = 1});
    oracle::BruteForce twin;
    ASSERT_EQ(twin.update(Boxes::of(agents), {.labels = given}), Status{});
    std::size_t kept = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
        SCOPED_TRACE(round);
        const std::uint64_t steps = store_behind(engine.frame()).oversized_tree.steps();
        for (std::size_t k = 0; k < (round % 4 == 0 ? count / 100 : 1 + round % 3); ++k) {
            const auto id = static_cast<AgentId>(random.below(count));
            agents[id] = random.one_in(3) ? giant(random) : agents[id];
            agents[id].max_x += 0.25f;
            ASSERT_EQ(engine.move(id, agents[id]), Status{});
            ASSERT_EQ(twin.move(id, agents[id]), Status{});
            const Label label = labelled && random.one_in(2) ? labels[random.below(count)] : labels[id];
            if (!labelled) continue;
            ASSERT_EQ(engine.relabel(id, label), Status{});
            ASSERT_EQ(twin.relabel(id, label), Status{});
        }
        ASSERT_EQ(engine.commit(), Status{});
        ASSERT_EQ(twin.commit(), Status{});
        ASSERT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
        const detail::FrameState& state = state_behind(engine.frame());
        ASSERT_GT(state.groves.size(), 4u);
        kept += state.store->oversized_tree.steps() - steps < count / 2;
        for (const simd::Grove& grove : state.groves)
            ASSERT_NO_FATAL_FAILURE(expect_nodes_as_made_anew(grove, labelled));
        if (round % 8 != 0) continue;
        const FilteredQueries asked = random_filters(random, count, {agents.begin(), agents.begin() + 60});
        ASSERT_TRUE(filters_agree(engine.frame(), twin.frame(), asked));
    }
    EXPECT_GT(kept, rounds / 2) << "few commits made the tree anew";
}

TEST(EditedGroves, have_the_nodes_that_they_would_have_if_they_were_made_anew) { edit(false); }
TEST(EditedGroves, have_the_categories_of_their_agents_in_their_nodes) { edit(true); }

}  // namespace
}  // namespace throng::test
