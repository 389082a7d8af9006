// So many pairs that several workers list them in waves: the list is that of one thread, to the last byte.
#include "support/test.hpp"

namespace throng::test {
namespace {

// Planks: so flat that there are many rows, and so wide that nearly all in a row overlap.
std::vector<Box> planks() {
    Random random(3);
    std::vector<Box> agents;
    for (int i = 0; i < 16000; ++i) {
        const float x = random.uniform(0, 30), y = random.uniform(0, 60);
        agents.push_back(Box::around(x, y, 15, 0.25f));
    }
    return agents;
}

// In one call, since this file may be compiled without optimisation.
bool same(std::span<const Pair> some, std::span<const Pair> others) {
    static_assert(std::has_unique_object_representations_v<Pair>);
    return some.size() == others.size() && std::memcmp(some.data(), others.data(), some.size_bytes()) == 0;
}

void expect_one_order(const PairQuery& wanted) {
    const std::vector<Box> agents = planks();
    Engine engine = engine_with(agents, {.executor = serial_executor()});
    PairList reference = listed_pairs(engine.frame(), wanted);
    ASSERT_GT(reference.size(), std::size_t{24} << 16) << "more blocks than a wave has";
    std::vector<std::unique_ptr<Workplace>> places = all_workplaces({2, 3});
    places.push_back(shuffled_workplace(2, 7));
    for (const auto& place : places)
        place->run([&] {
            const Frame frame = engine.frame().on(place->executor());
            PairList list = listed_pairs(frame, wanted);
            EXPECT_TRUE(same(list.pairs(), reference.pairs())) << place->name();
            std::vector<Pair> some(1000000);
            const Filled found = frame.pairs(std::span(some), wanted);
            EXPECT_EQ(found.status, Status{});
            EXPECT_EQ(found.total, reference.size());
            EXPECT_TRUE(same(some, reference.pairs().first(some.size()))) << place->name();
        });
}

TEST(ManyPairs, are_listed_in_the_same_order_by_any_number_of_workers) { expect_one_order({}); }
TEST(ManyPairs, within_a_distance_are_listed_in_the_same_order_by_any_number_of_workers) {
    expect_one_order({.within = 0.1f});
}

}  // namespace
}  // namespace throng::test
