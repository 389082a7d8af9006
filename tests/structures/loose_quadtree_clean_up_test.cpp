// The loose quadtree's clean-up, spread over several calls.
#include "structures/loose_quadtree_support.hpp"

namespace throng::test {
namespace {

using namespace loose;

static_assert(SpreadsCleanUp<LooseQuadtree>);

// Most elements go, and most of the others to other places.
void stir(LooseQuadtree& tree, const std::vector<Box>& boxes) {
    for (ElementId id = 0; id < boxes.size(); ++id)
        ASSERT_TRUE(id % 5 != 0 ? tree.remove(id) : tree.move(id, boxes[boxes.size() - 1 - id]));
}

std::size_t branches_of(const LooseQuadtree& tree) {
    std::size_t branches = 0;
    for (const Part& part : parts_of(tree)) branches += !part.leaf;
    return branches;
}

void expect_same_parts(const LooseQuadtree& a, const LooseQuadtree& b) {
    const std::vector<Part> some = parts_of(a), others = parts_of(b);
    ASSERT_EQ(some.size(), others.size());
    for (std::size_t i = 0; i < some.size(); ++i) {
        EXPECT_EQ(some[i].box, others[i].box);
        EXPECT_EQ(some[i].depth, others[i].depth);
        EXPECT_EQ(some[i].elements, others[i].elements);
    }
}

TEST(LooseQuadtreeCleanUp, takes_as_many_calls_as_the_budget_asks_for_and_leaves_the_same_tree) {
    const std::vector<Box> boxes = some_boxes(2000, 100, 2);
    for (const std::size_t budget : {1u, 3u, 50u}) {
        LooseQuadtree tree(config_of(100)), at_once(config_of(100));
        ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
        ASSERT_TRUE(at_once.assign(Boxes::of(boxes)));
        stir(tree, boxes);
        stir(at_once, boxes);
        const std::size_t branches = branches_of(tree);
        std::size_t calls = 1;
        while (!tree.clean_up(budget)) {
            ++calls;
            const IndexValidation state = tree.validate();
            ASSERT_TRUE(state) << state.what << " at " << state.where;
            ASSERT_LE(calls, branches);
        }
        at_once.clean_up();
        EXPECT_EQ(calls, (branches + budget - 1) / budget);
        EXPECT_LT(branches_of(tree), branches / 2);
        expect_same_parts(tree, at_once);
        // Also in its own words: `validate` asks for tight bounds where nothing is left to clean up.
        expect_right(tree);
        EXPECT_TRUE(tree.clean_up(0));
    }
}

TEST(LooseQuadtreeCleanUp, does_nothing_without_a_budget_and_nothing_twice) {
    LooseQuadtree tree(config_of(100));
    EXPECT_TRUE(tree.clean_up(0));
    ASSERT_TRUE(fill(tree, some_boxes(500, 100, 1)));
    EXPECT_TRUE(tree.clean_up(0));
    ASSERT_TRUE(tree.remove(7));
    const Box before = tree.bounds();
    for (int calls = 0; calls < 3; ++calls) EXPECT_FALSE(tree.clean_up(0));
    EXPECT_EQ(tree.bounds(), before);
    EXPECT_TRUE(tree.clean_up(1000));
    EXPECT_TRUE(tree.clean_up(0));
}

TEST(LooseQuadtreeCleanUp, comes_round_though_the_tree_changes_all_the_time) {
    Random random(8);
    LooseQuadtree tree(config_of(64));
    std::vector<ElementId> ids;
    const auto somewhere = [&] {
        return Box::around(random.uniform(0, 64), random.uniform(0, 64), random.uniform(), random.uniform());
    };
    std::size_t rounds = 0;
    for (std::size_t step = 0; step < 3000; ++step) {
        const std::size_t what = random.below(4);
        if (ids.size() < 100 || what == 0) {
            ids.push_back(no_element);
            ASSERT_TRUE(tree.insert(somewhere(), ids.back()));
        } else if (what == 1) {
            std::swap(ids[random.below(ids.size())], ids.back());
            ASSERT_TRUE(tree.remove(ids.back()));
            ids.pop_back();
        } else {
            ASSERT_TRUE(tree.move(ids[random.below(ids.size())], somewhere()));
        }
        rounds += tree.clean_up(2);
        if (step % 100 == 0) expect_right(tree);
    }
    EXPECT_GT(rounds, 20u);
    // Nothing changes any more: the round that is under way, and one more.
    while (!tree.clean_up(2)) continue;
    while (!tree.clean_up(2)) continue;
    EXPECT_TRUE(tree.clean_up(0));
    expect_right(tree);
}

TEST(LooseQuadtreeCleanUp, starts_over_when_the_tree_is_rebuilt_or_cleaned_up_as_a_whole) {
    const std::vector<Box> boxes = some_boxes(1000, 100, 1);
    for (const int how : {0, 1, 2}) {
        LooseQuadtree tree(config_of(100));
        ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
        stir(tree, boxes);
        EXPECT_FALSE(tree.clean_up(10));
        if (how == 2) {
            // Also where the calls have been already.
            for (ElementId id = 5; id < boxes.size(); id += 5) ASSERT_TRUE(tree.remove(id));
            tree.clean_up();
            EXPECT_EQ(parts_of(tree).size(), 1u);
        }
        if (how == 1) tree.clear();
        if (how != 0) {
            EXPECT_TRUE(tree.clean_up(0));
        }
        ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
        EXPECT_TRUE(tree.clean_up(0));
        stir(tree, boxes);
        const std::size_t branches = branches_of(tree);
        for (std::size_t calls = 1; calls < branches; ++calls) ASSERT_FALSE(tree.clean_up(1));
        EXPECT_TRUE(tree.clean_up(1));
        EXPECT_TRUE(tree.clean_up(0));
        expect_right(tree);
    }
}

// A group whose leaves were looked at in different calls has to be counted before it is merged.
TEST(LooseQuadtreeCleanUp, merges_whatever_the_calls_fall_on) {
    const std::vector<Box> boxes = some_boxes(3000, 100, 0.1f);
    for (const std::size_t budget : {1u, 2u, 5u, 7u}) {
        LooseQuadtree tree(config_of(100));
        ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
        for (ElementId id = 1; id < boxes.size(); ++id) ASSERT_TRUE(tree.remove(id));
        while (!tree.clean_up(budget)) continue;
        EXPECT_EQ(parts_of(tree).size(), 1u);
        EXPECT_EQ(tree.bounds(), boxes[0]);
        expect_right(tree);
    }
}

}  // namespace
}  // namespace throng::test
