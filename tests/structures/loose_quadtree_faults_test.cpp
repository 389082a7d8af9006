// Faults planted into a loose quadtree are found, whatever they are, and looking for them ends.
#include "engine/src/structures/loose_quadtree/state.hpp"
#include "structures/loose_quadtree_support.hpp"
#include "support/test.hpp"

namespace throng {

template <>
struct IndexInspector<LooseQuadtree> {
    static auto& state(auto& index) { return index.template own<LooseQuadtree::State>(); }
    static auto& config(LooseQuadtree& tree) { return state(tree).config_; }
    static auto& scale(LooseQuadtree& tree) { return state(tree).scale_; }
    static auto& half_left(LooseQuadtree& tree) { return state(tree).half_left_; }
    static auto& quads(LooseQuadtree& tree) { return state(tree).quads_; }
    static auto& elements(LooseQuadtree& tree) { return state(tree).elements_; }
    static auto& slot_of(LooseQuadtree& tree) { return state(tree).slot_of_; }
    // Group 0 has the root alone, and group 1 its children.
    static auto& root(LooseQuadtree& tree) { return state(tree).quads_[0]; }
    static auto& children(LooseQuadtree& tree) { return state(tree).quads_[1]; }
    // Where the first leaf is.
    static std::pair<std::uint32_t, std::uint32_t> leaf(LooseQuadtree& tree) {
        for (std::uint32_t quad = 0; quad < state(tree).quads_.range(); ++quad)
            for (std::uint32_t lane = 0; lane < 4; ++lane)
                if (state(tree).quads_.contains(quad) && state(tree).quads_[quad].child[lane] < 0)
                    return {quad, lane};
        return {0, 0};
    }
    static std::int32_t& leaf_child(LooseQuadtree& tree) {
        const auto [quad, lane] = leaf(tree);
        return state(tree).quads_[quad].child[lane];
    }
};

namespace test {
namespace {

using Inspector = IndexInspector<LooseQuadtree>;
using namespace loose;

struct Fault {
    const char* what;
    void (*plant)(LooseQuadtree& tree);
};

// The last of a path down to the last level, on which there is nothing else.
std::uint32_t deepest_group(LooseQuadtree& tree) {
    for (int i = 0; i < 10; ++i) {
        ElementId id;
        EXPECT_TRUE(tree.insert({300, 300, 300, 300}, id));
    }
    return Inspector::quads(tree).range() - 1;
}

std::int32_t new_group(LooseQuadtree& tree) {
    return static_cast<std::int32_t>(Inspector::quads(tree).insert(detail::LooseQuad{}));
}

const Fault faults[] = {
    {"there is no root", [](LooseQuadtree& t) { Inspector::quads(t).clear(); }},
    {"the root has siblings", [](LooseQuadtree& t) { Inspector::root(t).child[2] = ~5; }},
    {"a branch has no children", [](LooseQuadtree& t) { Inspector::root(t).child[0] = 1'000'000; }},
    {"a node is too deep",
     [](LooseQuadtree& t) {
         const std::uint32_t last = deepest_group(t);
         for (std::int32_t& child : Inspector::quads(t)[last].child) child = new_group(t);
     }},
    {"a group has two parents",
     [](LooseQuadtree& t) {
         auto& children = Inspector::quads(t)[deepest_group(t) - 1].child;
         const std::int32_t group = new_group(t);
         for (std::int32_t& child : children)
             if (child == 0) child = group;
     }},
    {"a group is in no tree", [](LooseQuadtree& t) { Inspector::children(t).child[3] = 0; }},
    {"a group is in no tree", [](LooseQuadtree& t) { new_group(t); }},
    {"an element is in no leaf, or in two", [](LooseQuadtree& t) { Inspector::leaf_child(t) = 0; }},
    {"an element is in two leaves",
     [](LooseQuadtree& t) {
         const std::uint32_t slot = static_cast<std::uint32_t>(~Inspector::leaf_child(t));
         Inspector::elements(t)[slot].next = slot;
     }},
    {"a leaf holds an element that is not there",
     [](LooseQuadtree& t) { Inspector::leaf_child(t) = ~2'000'000; }},
    {"an element and its id disagree", [](LooseQuadtree& t) { ++Inspector::elements(t)[7].id; }},
    {"an element and its id disagree", [](LooseQuadtree& t) { Inspector::elements(t)[7].id = 4'000'000; }},
    {"an element and its id disagree", [](LooseQuadtree& t) { Inspector::slot_of(t)[3] = 4'000'000; }},
    {"an element has no legal box", [](LooseQuadtree& t) { Inspector::elements(t)[9].box.min_x = NAN; }},
    {"an element has no legal box", [](LooseQuadtree& t) { Inspector::elements(t)[9].box.max_y = -1e30f; }},
    {"an element is in a leaf that is not its own",
     [](LooseQuadtree& t) {
         Box& box = Inspector::elements(t)[9].box;
         box = {100 - box.max_x, 100 - box.max_y, 100 - box.min_x, 100 - box.min_y};
     }},
    {"a node's bounds do not hold all that is in it",
     [](LooseQuadtree& t) {
         const auto [quad, lane] = Inspector::leaf(t);
         Inspector::quads(t)[quad].max_x[lane] =
             std::nextafter(Inspector::quads(t)[quad].max_x[lane], -1e30f);
     }},
    {"a node's bounds do not hold all that is in it",
     [](LooseQuadtree& t) { Inspector::root(t).min_y[0] = NAN; }},
    {"a node's bounds are too large", [](LooseQuadtree& t) { Inspector::root(t).max_x[0] += 1; }},
    {"the cells are not those of the configuration",
     [](LooseQuadtree& t) { Inspector::config(t).max_depth = 200; }},
    {"the cells are not those of the configuration", [](LooseQuadtree& t) { Inspector::scale(t) *= 2; }},
    {"the cells are not those of the configuration", [](LooseQuadtree& t) { Inspector::half_left(t) += 1; }},
    {"there are not as many ids as elements", [](LooseQuadtree& t) { Inspector::slot_of(t).erase(3); }},
};

TEST(LooseQuadtreeFaults, are_found_and_named) {
    const std::vector<Box> boxes = some_boxes(500, 100, 1);
    for (const Fault& fault : faults) {
        LooseQuadtree tree(config_of(100));
        ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
        ASSERT_TRUE(tree.validate());
        fault.plant(tree);
        EXPECT_EQ(std::string_view(tree.validate().what), std::string_view(fault.what));
    }
}

TEST(LooseQuadtreeFaults, are_found_where_the_bounds_may_be_loose) {
    LooseQuadtree tree(config_of(100));
    ASSERT_TRUE(fill(tree, some_boxes(500, 100, 1)));
    ASSERT_TRUE(tree.move(3, {0, 0, 100, 100}));
    ASSERT_TRUE(tree.remove(4));
    Inspector::root(tree).max_x[0] += 1;
    EXPECT_TRUE(tree.validate());
    Inspector::root(tree).max_x[0] = 50;
    EXPECT_FALSE(tree.validate());
}

TEST(LooseQuadtreeFaults, in_bounds_are_found_again_once_all_is_tight) {
    const std::vector<Box> boxes = some_boxes(500, 100, 1);
    for (const bool assigned : {true, false}) {
        LooseQuadtree tree(config_of(100));
        ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
        ASSERT_TRUE(tree.move(3, {0, 0, 100, 100}));
        ASSERT_TRUE(assigned ? tree.assign(Boxes::of(boxes)) : (tree.clean_up(), Status{}));
        ASSERT_TRUE(tree.validate());
        Inspector::root(tree).max_x[0] += 1;
        EXPECT_FALSE(tree.validate());
    }
}

// Any number in any place: validation says something, and ends.
TEST(LooseQuadtreeFaults, of_any_kind_are_survived) {
    Random random(11);
    const std::vector<Box> boxes = some_boxes(200, 100, 1);
    for (int run = 0; run < 500; ++run) {
        LooseQuadtree tree(config_of(100));
        ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
        ASSERT_TRUE(tree.remove(5));
        const auto number = [&] {
            return static_cast<std::uint32_t>(random.next() >> random.between(32, 60));
        };
        auto& quads = Inspector::quads(tree);
        auto& elements = Inspector::elements(tree);
        const auto quad = static_cast<std::uint32_t>(random.below(quads.range()));
        const auto slot = static_cast<std::uint32_t>(random.below(elements.range()));
        auto& child = quads[quad].child[random.below(4)];
        const auto old_child = child;
        const auto old_next = elements[slot].next;
        if (random.one_in(2))
            child = static_cast<std::int32_t>(number());
        else if (elements.contains(slot))
            elements[slot].next = number();
        const bool changed =
            child != old_child || (elements.contains(slot) && elements[slot].next != old_next);
        EXPECT_EQ(tree.validate().sound(), !changed) << run;
    }
}

}  // namespace
}  // namespace test
}  // namespace throng
