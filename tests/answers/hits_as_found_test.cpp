// A batch answered in the order of the search. All comparisons with brute force check the answers too: see
// harness/overlap_calls.cpp.
#include "support/test.hpp"

namespace throng::test {
namespace {

// More queries than one block takes.
class ManyFound : public ::testing::Test {
protected:
    ManyFound() {
        for (const Box& box : scene_.agents())
            queries_.push_back({box.min_x - 1, box.min_y - 1, box.max_x + 1, box.max_y + 1});
        EXPECT_EQ(engine_.update(scene_.boxes()), Status{});
        EXPECT_EQ(engine_.frame().on(serial_executor()).overlaps(queries_, wanted_), Status{});
    }
    const Scene scene_ = make_scene("uniform", 20000);
    std::vector<Box> queries_;
    Engine engine_;
    OverlapsAsFound wanted_;
};

// So that a host that works on one answer after the other reads the same memory again.
TEST_F(ManyFound, are_near_each_other) {
    double apart = 0, apart_before = 0;
    const auto distance = [&](std::size_t a, std::size_t b) {
        return std::abs(double{queries_[a].min_y} - double{queries_[b].min_y});
    };
    for (std::size_t k = 1; k < queries_.size(); ++k) {
        apart += distance(wanted_.queries()[k - 1], wanted_.queries()[k]);
        apart_before += distance(k - 1, k);
    }
    EXPECT_LT(apart, apart_before / 4);
}

TEST_F(ManyFound, are_none_if_one_query_is_illegal) {
    std::vector<Box> queries = queries_;
    queries[11234].max_x = std::numeric_limits<float>::quiet_NaN();
    queries[15000] = {1, 1, 0, 0};
    OverlapsAsFound found;
    ASSERT_EQ(engine_.frame().overlaps(queries_, found), Status{});
    EXPECT_EQ(engine_.frame().overlaps(queries, found), (Status{Code::not_finite, 11234}));
    EXPECT_TRUE(found.empty());
    EXPECT_TRUE(found.ids().empty());
    EXPECT_EQ(found.begin(), found.end());
}

TEST(FoundByNone, are_the_queries_in_their_order) {
    const std::vector<Box> queries(5, Box{0, 0, 1, 1});
    OverlapsAsFound found;
    ASSERT_EQ(Frame().overlaps(queries, found), Status{});
    ASSERT_EQ(found.size(), 5u);
    EXPECT_EQ(found[3].query, 3u);
    EXPECT_TRUE(found[3].agents.empty());
    EXPECT_EQ(found[5].query, OverlapsAsFound::no_query);
    EXPECT_TRUE(found[5].agents.empty());
    EXPECT_EQ(OverlapsAsFound()[0].query, OverlapsAsFound::no_query);
    const OverlapsAsFound moved(std::move(found));
    EXPECT_EQ(moved.size(), 5u);
    EXPECT_TRUE(found.empty());
    EXPECT_TRUE(found.ids().empty());
    ASSERT_EQ(Engine().frame().overlaps(Boxes(), found), Status{});
    EXPECT_TRUE(found.empty());
    EXPECT_EQ(Engine({.cell_width = -1}).frame().overlaps(queries, found), Status{Code::bad_config});
}

}  // namespace
}  // namespace throng::test
