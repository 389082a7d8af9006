// Pairs of a frame with itself: those of one frame both ways round, from owned agents, and each with itself.
#include "support/test.hpp"
#include "support/twins.hpp"

namespace throng::test {
namespace {

using Both = std::vector<std::pair<AgentId, AgentId>>;

// Boxes at both sides of seams whose edges are within a few roundings of each other, and a few large ones.
std::vector<Box> boxes_that_hardly_touch(Random& random, float side, std::size_t large) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < 200; ++i) {
        const float edge = 0.95f * side + static_cast<float>(random.below(64)) * side * 0x1p-23f,
                    other = -0.05f * side + static_cast<float>(random.below(1024)) * side * 0x1p-27f,
                    y = random.uniform(0, side), size = side * random.uniform(0, 0.05f);
        const bool is_left = random.one_in(2), is_turned = random.one_in(2);
        const Box box = is_left ? Box{other, y, 0.08f * side, y + size} : Box{0.9f * side, y, edge, y + size};
        boxes.push_back(is_turned ? Box{box.min_y, box.min_x, box.max_y, box.max_x} : box);
    }
    for (std::size_t i = 0; i < large; ++i)
        boxes[9 * i] = Box::around(random.uniform(0, side), random.uniform(0, side),
                                   side * random.uniform(0.02f, 0.6f), side * random.uniform(0.02f, 0.6f));
    return boxes;
}

Both found_in(const PairList& pairs) {
    Both all;
    for (const Pair& pair : pairs) all.emplace_back(pair.a, pair.b);
    std::sort(all.begin(), all.end());
    return all;
}
Both expected_of(const Twins& twins, const PairQuery& wanted) {
    oracle::PairLists once;
    EXPECT_EQ(twins.twin().pairs(once, wanted), Status{});
    Both all;
    const auto add = [&](AgentId a, AgentId b) {
        if (!twins.frame().is_ghost(a)) all.emplace_back(a, b);
    };
    for (const Pair& pair : once) add(pair.a, pair.b), add(pair.b, pair.a);
    for (const AgentId id : twins.twin().ids())
        if (wanted.filter.admits(twins.frame().label(id), twins.frame().label(id))) add(id, id);
    std::sort(all.begin(), all.end());
    return all;
}

TEST(PairsWithItself, are_those_of_one_frame_both_ways_round) {
    Random random(5);
    for (int world = 0; world < 24; ++world) {
        const float side = world % 2 == 0 ? 100 : random.uniform(6, 150);
        const std::vector<Box> boxes = boxes_that_hardly_touch(random, side, world % 4 == 3 ? 6 : 0);
        std::vector<Label> labels;
        std::vector<Band> heights;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            labels.push_back({1u << random.below(3), 0});
            heights.push_back({static_cast<float>(random.below(3)), 2});
        }
        UpdateOptions options{.owned = world % 3 == 0 ? 120 : all_owned};
        if (world % 3 != 1) options.labels = labels;
        if (world % 5 == 1) options.heights = heights;
        Twins twins({.period_x = world % 6 == 2 ? 0 : side, .period_y = world % 6 == 4 ? 0 : side});
        ASSERT_EQ(twins.update(boxes, options), Code::ok);
        const Frame frame = twins.frame();
        for (const PairQuery& wanted :
             {PairQuery{}, PairQuery{.filter = {.a = 1, .b = 2}}, PairQuery{.within = 0.01f * side},
              PairQuery{.agents_as = AgentsAs::circles},
              PairQuery{.within = side, .agents_as = AgentsAs::centres}}) {
            PairList pairs;
            ASSERT_EQ(frame.pairs(pairs, with_other(frame, wanted)), Status{});
            ASSERT_EQ(found_in(pairs), expected_of(twins, wanted))
                << "world " << world << ", within " << wanted.within;
        }
    }
}

}  // namespace
}  // namespace throng::test
