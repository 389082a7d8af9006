#include <ranges>

#include "support/test.hpp"

namespace throng {
namespace {

using test::CountingResource;
using test::frame_of;

// Agent 0 and 1 overlap, 2 is alone.
Frame three_agents() { return frame_of({{0, 0, 1, 1}, {1, 1, 2, 2}, {5, 5, 6, 6}}); }

TEST(Found, says_neither_yes_nor_no_if_the_query_failed) {
    const Frame frame = three_agents();
    const Found hit = frame.any(Box{0, 0, 1, 1}), miss = frame.any(Box{3, 3, 4, 4}),
                failed = frame.any(Box{1, 0, 0, 1});
    EXPECT_TRUE(hit.found && !hit.no());
    EXPECT_TRUE(!miss.found && miss.no());
    EXPECT_TRUE(!failed.found && !failed.no());
}

TEST(Filled, is_truncated_when_less_was_written_than_there_is) {
    EXPECT_TRUE((Filled{{}, 5, 4}.truncated()));
    EXPECT_FALSE((Filled{{}, 5, 5}.truncated()));
    EXPECT_FALSE((Filled{}.truncated()));
}

TEST(Results, cannot_be_mistaken_for_an_answer_in_an_if) {
    EXPECT_FALSE((std::is_constructible_v<bool, Found>));
    EXPECT_FALSE((std::is_constructible_v<bool, Count>));
    EXPECT_FALSE((std::is_constructible_v<bool, Filled>));
}

TEST(OverlapLists, of_a_query_that_was_not_in_the_batch_are_none) {
    OverlapLists hits;
    EXPECT_TRUE(hits[0].empty());
    EXPECT_TRUE(hits[5].empty());
    EXPECT_EQ(hits.begin(), hits.end());
    const Frame frame = three_agents();
    const std::vector<Box> given{{0, 0, 9, 9}};
    ASSERT_EQ(frame.overlaps(given, hits), Status{});
    EXPECT_EQ(hits[0].size(), 3u);
    EXPECT_TRUE(hits[1].empty());
    EXPECT_TRUE(hits[static_cast<std::size_t>(-1)].empty());
}

TEST(OverlapLists, are_empty_before_the_first_batch) {
    const OverlapLists hits;
    EXPECT_EQ(hits.size(), 0u);
    EXPECT_TRUE(hits.offsets().empty());
    EXPECT_TRUE(hits.ids().empty());
}

TEST(OverlapLists, hold_each_answer_between_two_offsets) {
    const Frame frame = three_agents();
    const std::vector<Box> queries{{0, 0, 0.5f, 0.5f}, {9, 9, 9, 9}, {0, 0, 9, 9}};
    OverlapLists hits;
    ASSERT_EQ(frame.overlaps(Boxes::of(queries), hits), Status{});
    ASSERT_EQ(hits.size(), 3u);
    EXPECT_EQ(hits[0].size(), 1u);
    EXPECT_EQ(hits[0][0], 0u);
    EXPECT_TRUE(hits[1].empty());
    EXPECT_EQ(hits[2].size(), 3u);
    EXPECT_EQ(std::vector<std::uint64_t>(hits.offsets().begin(), hits.offsets().end()),
              (std::vector<std::uint64_t>{0, 1, 1, 4}));
    EXPECT_EQ(hits.ids().size(), 4u);
    std::vector<std::size_t> sizes;
    for (const std::span<const AgentId> ids : hits) sizes.push_back(ids.size());
    EXPECT_EQ(sizes, (std::vector<std::size_t>{1, 0, 3}));
    static_assert(std::ranges::forward_range<const OverlapLists>);
    ASSERT_EQ(frame.overlaps(Boxes(), hits), Status{});
    EXPECT_EQ(hits.size(), 0u);
    EXPECT_TRUE(hits.ids().empty());
}

TEST(OverlapLists, forget_the_batch_before) {
    const Frame frame = three_agents();
    OverlapLists hits;
    const std::vector<Box> many(10, Box{0, 0, 9, 9}), few{{9, 9, 9, 9}};
    ASSERT_EQ(frame.overlaps(Boxes::of(many), hits), Status{});
    ASSERT_EQ(frame.overlaps(Boxes::of(few), hits), Status{});
    EXPECT_EQ(hits.size(), 1u);
    EXPECT_TRUE(hits.ids().empty());
}

TEST(OverlapLists, take_their_memory_from_their_resource_and_keep_it_when_cleared) {
    CountingResource memory;
    {
        OverlapLists hits(&memory);
        const std::vector<Box> queries(10, Box{0, 0, 9, 9});
        ASSERT_EQ(three_agents().overlaps(Boxes::of(queries), hits), Status{});
        EXPECT_GT(memory.calls(), 0u);
        EXPECT_EQ(hits.bytes(), memory.bytes_out());
        const std::uint64_t calls = memory.calls();
        hits.clear();
        EXPECT_EQ(hits.size(), 0u);
        EXPECT_EQ(hits.bytes(), memory.bytes_out());
        ASSERT_EQ(three_agents().overlaps(Boxes::of(queries), hits), Status{});
        EXPECT_EQ(memory.calls(), calls);
    }
    EXPECT_EQ(memory.blocks_out(), 0u);
    EXPECT_FALSE(memory.misused());
}

TEST(OverlapLists, move_with_their_memory) {
    CountingResource memory;
    OverlapLists hits(&memory);
    const std::vector<Box> queries{{0, 0, 9, 9}};
    ASSERT_EQ(three_agents().overlaps(Boxes::of(queries), hits), Status{});
    OverlapLists moved(std::move(hits));
    EXPECT_EQ(moved.size(), 1u);
    EXPECT_EQ(moved[0].size(), 3u);
    OverlapLists assigned;
    assigned = std::move(moved);
    EXPECT_EQ(assigned[0].size(), 3u);
    EXPECT_FALSE(memory.misused());
}

TEST(PairList, holds_each_pair_once) {
    PairList list;
    EXPECT_TRUE(list.empty());
    ASSERT_EQ(three_agents().pairs(list), Status{});
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0].a + list[0].b, 1u);
    EXPECT_EQ(list.pairs().size(), 1u);
    EXPECT_EQ(list.end() - list.begin(), 1);
}

TEST(PairList, takes_its_memory_from_its_resource_and_keeps_it_when_cleared) {
    CountingResource memory;
    {
        PairList list(&memory);
        ASSERT_EQ(three_agents().pairs(list), Status{});
        EXPECT_EQ(list.bytes(), memory.bytes_out());
        const std::uint64_t calls = memory.calls();
        list.clear();
        EXPECT_TRUE(list.empty());
        ASSERT_EQ(three_agents().pairs(list), Status{});
        EXPECT_EQ(list.size(), 1u);
        EXPECT_EQ(memory.calls(), calls);
    }
    EXPECT_EQ(memory.blocks_out(), 0u);
    EXPECT_FALSE(memory.misused());
}

}  // namespace
}  // namespace throng
