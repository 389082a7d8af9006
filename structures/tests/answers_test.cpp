// Answers on their way to a visitor, in every way that they are written.
#include "structures/tests/test.hpp"
#include "throng/structures/queries.hpp"

namespace throng::structures::test {
namespace of_answers {

constexpr std::size_t capacity = detail::IdAnswers::capacity;

// Notes what it is given, and how much of it at once.
struct Taken {
    std::vector<ElementId> ids;
    std::size_t most = 0;
    bool operator()(std::span<const ElementId> some) {
        ids.insert(ids.end(), some.begin(), some.end());
        most = std::max(most, some.size());
        return true;
    }
};

std::vector<ElementId> all_below(std::size_t count) {
    std::vector<ElementId> ids(count);
    std::iota(ids.begin(), ids.end(), 0u);
    return ids;
}

TEST(Answers, arrive_in_order_whether_put_one_by_one_or_some_at_once_or_all_where_they_lie) {
    for (const std::size_t some : {std::size_t{1}, std::size_t{7}, std::size_t{32}, capacity}) {
        Taken taken;
        auto answers = detail::IdAnswers(detail::any_visitor<ElementId>(taken));
        ElementId next = 0;
        for (int round = 0; round < 100; ++round) {
            ASSERT_TRUE(answers.put(next++));
            ElementId* const to = answers.room(some);
            ASSERT_NE(to, nullptr);
            for (std::size_t i = 0; i < some; ++i) to[i] = next++;
            answers.wrote(some);
            const ElementId lying[2] = {next, next + 1};
            if (round % 10 == 0) {
                ASSERT_TRUE(answers.put_all(lying, 2));
                next += 2;
            }
        }
        EXPECT_TRUE(answers.flush());
        EXPECT_EQ(taken.ids, all_below(next));
        EXPECT_LE(taken.most, capacity);
    }
}

TEST(Answers, fit_into_their_block_when_one_follows_some_that_filled_it) {
    Taken taken;
    auto answers = detail::IdAnswers(detail::any_visitor<ElementId>(taken));
    ElementId* const to = answers.room(capacity);
    ASSERT_NE(to, nullptr);
    std::iota(to, to + capacity, 0u);
    answers.wrote(capacity);
    EXPECT_TRUE(answers.put(capacity));
    EXPECT_TRUE(answers.flush());
    EXPECT_EQ(taken.ids, all_below(capacity + 1));
    EXPECT_LE(taken.most, capacity);
}

TEST(Answers, end_when_the_visitor_has_enough) {
    std::size_t calls = 0;
    auto visitor = [&](ElementId) { return ++calls < 3; };
    auto answers = detail::IdAnswers(detail::any_visitor<ElementId>(visitor));
    std::size_t put = 0;
    while (answers.put(0)) ASSERT_LE(++put, capacity);
    EXPECT_FALSE(answers.flush());
    EXPECT_FALSE(answers.put_all(nullptr, 0));
    EXPECT_EQ(calls, 3u);
}

}  // namespace of_answers
}  // namespace throng::structures::test
