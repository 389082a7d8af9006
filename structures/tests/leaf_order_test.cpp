#include "throng/structures/leaf_order.hpp"
#include "structures/tests/brute_index.hpp"
#include "structures/tests/test.hpp"

namespace throng::structures::test {
namespace {

TEST(LeafOrder, is_as_it_was_when_memory_runs_out_and_uses_it_again) {
    CountingResource memory;
    BruteIndex index;
    ElementId id = no_element;
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(index.insert({0, 0, 1, 1}, id));
    LeafOrder order(&memory);
    ASSERT_TRUE(order.update(index));
    const auto calls = memory.calls();
    ASSERT_TRUE(order.update(index));
    EXPECT_EQ(memory.calls(), calls);
    EXPECT_EQ(order.bytes(), memory.bytes_out());
    for (int i = 0; i < 400; ++i) ASSERT_TRUE(index.insert({0, 0, 1, 1}, id));
    memory.fail_after(0);
    EXPECT_FALSE(order.update(index));
    EXPECT_EQ(order.ids().size(), 100u);
    EXPECT_EQ(order.ids()[99], 99u);
}

}  // namespace
}  // namespace throng::structures::test
