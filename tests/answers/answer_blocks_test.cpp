// A batch whose answers come in blocks: how they are cut, and what is refused. All comparisons with brute
// force check the answers too: see harness/overlap_calls.cpp.
#include "support/test.hpp"

namespace throng::test {
namespace {

// All answers, put together from blocks. The sizes of the blocks are noted.
struct Joined {
    std::vector<std::uint64_t> offsets{0};
    std::vector<AgentId> ids;
    std::vector<std::size_t> blocks;

    template <class Queries>
    Status ask(const Frame& frame, const Queries& queries, OverlapLists& block, std::size_t max_bytes,
               const Filters& filters = {}) {
        return frame.for_each_answer(
            queries, block,
            [&](std::size_t first, const OverlapLists& some) {
                EXPECT_EQ(first + 1, offsets.size());
                EXPECT_GT(some.size(), 0u);
                const std::size_t bytes = some.offsets().size_bytes() + some.ids().size_bytes();
                EXPECT_TRUE(bytes <= max_bytes || some.size() == 1) << bytes;
                for (std::span<const AgentId> answer : some) {
                    ids.insert(ids.end(), answer.begin(), answer.end());
                    offsets.push_back(ids.size());
                }
                blocks.push_back(some.size());
            },
            {.max_bytes = max_bytes}, filters);
    }
    void expect_those_of(const OverlapLists& hits) const {
        ASSERT_EQ(hits.size() + 1, offsets.size());
        ASSERT_TRUE(std::equal(offsets.begin(), offsets.end(), hits.offsets().begin()));
        ASSERT_TRUE(equal_ranges(ids, hits.ids()));
    }
};

TEST(AnswerBlocks, are_fewer_where_the_bound_is_larger) {
    const Scene scene = make_scene("clustered", 20000);
    const Frame frame = frame_of(scene);
    Joined small, large;
    OverlapLists block;
    ASSERT_EQ(small.ask(frame, scene.boxes(), block, 100000), Status{});
    EXPECT_LT(block.bytes(), 200000u);
    ASSERT_EQ(large.ask(frame, scene.boxes(), block, 1 << 20), Status{});
    EXPECT_GT(small.blocks.size(), large.blocks.size());
}

TEST(AnswerBlocks, take_memory_for_their_answers_where_there_is_no_bound) {
    const Scene scene = make_scene("uniform", 20000);
    const Frame frame = frame_of(scene);
    const std::vector<Box> boxes(400, Box{-1e6f, -1e6f, 1e6f, 1e6f});
    Joined joined;
    OverlapLists block, all;
    ASSERT_EQ(joined.ask(frame, boxes, block, static_cast<std::size_t>(-1)), Status{});
    const std::size_t largest = *std::max_element(joined.blocks.begin(), joined.blocks.end());
    EXPECT_LT(block.bytes(), 2 * largest * scene.boxes().size() * sizeof(AgentId));
    ASSERT_EQ(frame.overlaps(boxes, all), Status{});
    joined.expect_those_of(all);
}

TEST(AnswerBlocks, end_when_the_visitor_has_enough) {
    const Scene scene = make_scene("uniform", 2000);
    Engine engine = engine_with(scene.boxes());
    OverlapLists block;
    std::size_t calls = 0;
    const auto twice = [&](std::size_t, const OverlapLists&) { return ++calls < 2; };
    ASSERT_EQ(engine.frame().for_each_answer(scene.boxes(), block, twice, {.max_bytes = 2000}), Status{});
    EXPECT_EQ(calls, 2u);
    const auto throwing = [](std::size_t, const OverlapLists&) { throw std::runtime_error("enough"); };
    EXPECT_THROW((void)engine.frame().for_each_answer(scene.boxes(), block, throwing), std::runtime_error);
}

TEST(AnswerBlocks, do_not_come_if_a_query_is_illegal) {
    std::vector<Box> boxes(3000, Box{0, 0, 1, 1});
    const Frame frame = engine_with(boxes).frame();
    boxes[2900] = {1, 0, 0, 1};
    OverlapLists block;
    const auto none = [](std::size_t, const OverlapLists&) { FAIL(); };
    EXPECT_EQ(frame.for_each_answer(boxes, block, none), (Status{Code::inverted, 2900}));
    EXPECT_EQ(Frame().for_each_answer(boxes, block, none), (Status{Code::inverted, 2900}));
    const std::vector<Circle> circles{{0, 0, 1}, {0, 0, -1}};
    EXPECT_EQ(frame.for_each_answer(circles, block, none), (Status{Code::inverted, 1}));
    const std::vector<Filter> two(2);
    EXPECT_EQ(frame.for_each_answer(boxes, block, none, {}, Filters::of(two)).code, Code::size_mismatch);
    EXPECT_EQ(frame.for_each_answer(Boxes::points(nullptr, nullptr, 1, 5), block, none).code,
              Code::null_view);
    EXPECT_EQ(frame.for_each_answer(Boxes(), block, none), Status{});
    const Engine unusable({.cell_width = -1});
    EXPECT_EQ(unusable.frame().for_each_answer(boxes, block, none), unusable.status());
}

TEST(AnswerBlocks, of_an_empty_frame_have_an_empty_answer_to_every_query) {
    const std::vector<Box> boxes(1000, Box{0, 0, 1, 1});
    OverlapLists block;
    Joined joined;
    ASSERT_EQ(joined.ask(Frame(), boxes, block, 1000), Status{});
    EXPECT_EQ(joined.offsets.size(), 1001u);
    EXPECT_TRUE(joined.ids.empty());
}

}  // namespace
}  // namespace throng::test
