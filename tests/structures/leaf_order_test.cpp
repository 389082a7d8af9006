#include "throng/structures/leaf_order.hpp"
#include "oracle/brute_index.hpp"
#include "structures/index_kinds.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

class LeafOrderOf : public TestOfKinds {};
INSTANTIATE_TEST_SUITE_P(Of, LeafOrderOf, ::testing::ValuesIn(index_kinds()), name_of_kind);

TEST_P(LeafOrderOf, has_every_element_once) {
    const std::unique_ptr<AnySpatialIndex> index =
        GetParam().make({.extents = {0, 0, 100, 100}, .elements = 1000}, nullptr);
    Random random(1);
    LeafOrder order;
    for (const std::size_t count : {1000u, 0u, 3u, 1500u}) {
        std::vector<Box> boxes;
        for (std::size_t i = 0; i < count; ++i)
            boxes.push_back(Box::around(random.uniform(0, 100), random.uniform(0, 100), 0.4f, 0.4f));
        ASSERT_TRUE(index->assign(Boxes::of(boxes)));
        ASSERT_TRUE(index->update(order));
        std::vector<ElementId> ids(order.ids().begin(), order.ids().end()), all(count);
        std::sort(ids.begin(), ids.end());
        std::iota(all.begin(), all.end(), ElementId{0});
        ASSERT_EQ(ids, all);
    }
}

TEST(LeafOrder, is_as_it_was_when_memory_runs_out_and_uses_it_again) {
    CountingResource memory;
    oracle::BruteIndex index;
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
}  // namespace throng::test
