#include "throng/structures/containers/small_list.hpp"
#include "structures/tests/test.hpp"
#include "structures/tests/tracked.hpp"

namespace throng::structures::test {
namespace of_small_list {

template <std::size_t n>
std::vector<int> numbers(const SmallList<Tracked, n>& list) {
    std::vector<int> all;
    for (const Tracked& value : list) all.push_back(value.number());
    return all;
}

class SmallLists : public TrackedTest {};

TEST_F(SmallLists, holds_what_a_vector_holds_after_any_history) {
    Random random(1);
    SmallList<Tracked, 5> list(&memory_);
    std::vector<int> twin;
    for (std::size_t step = 0; step < scaled(20000, 4000); ++step) {
        const int number = static_cast<int>(step);
        switch (random.below(step % 2000 < 1000 ? 5 : 9)) {
        case 0:
        case 1:
            ASSERT_TRUE(list.emplace_back(number));
            twin.push_back(number);
            break;
        case 2:
            if (!twin.empty()) {
                const std::size_t k = random.below(twin.size());
                ASSERT_TRUE(list.push_back(list[k]));
                twin.push_back(twin[k]);
            }
            break;
        case 3:
            if (random.one_in(100)) list.clear(), twin.clear();
            break;
        case 4:
            if (random.one_in(20)) {
                SmallList<Tracked, 5> other(std::move(list));
                ASSERT_TRUE(list.empty());
                list = std::move(other);
            }
            break;
        case 5:
            if (!twin.empty()) list.pop_back(), twin.pop_back();
            break;
        default:
            if (!twin.empty()) {
                ASSERT_EQ(list.back().number(), twin.back());
                ASSERT_EQ(list.take_back().number(), twin.back());
                twin.pop_back();
            }
        }
        ASSERT_EQ(list.size(), twin.size());
        ASSERT_EQ(list.empty(), twin.empty());
        if (step % 16 == 0) {
            ASSERT_EQ(numbers(list), twin);
        }
    }
}

TEST_F(SmallLists, allocates_nothing_while_it_is_small_and_never_more_than_once_for_a_size) {
    SmallList<Tracked, 8> list(&memory_);
    for (int i = 0; i < 8; ++i) ASSERT_TRUE(list.emplace_back(i));
    EXPECT_TRUE(list.is_small());
    EXPECT_EQ(memory_.calls(), 0u);
    for (int i = 8; i < 1000; ++i) ASSERT_TRUE(list.emplace_back(i));
    EXPECT_FALSE(list.is_small());
    const auto calls = memory_.calls();
    EXPECT_LE(calls, 8u);
    for (int round = 0; round < 3; ++round) {
        list.clear();
        for (int i = 0; i < 1000; ++i) ASSERT_TRUE(list.emplace_back(i));
    }
    EXPECT_EQ(memory_.calls(), calls);
}

TEST_F(SmallLists, takes_an_element_of_itself_when_it_must_grow) {
    for (const bool move : {false, true}) {
        SmallList<Tracked, 2> list(&memory_);
        ASSERT_TRUE(list.emplace_back(7));
        while (list.size() < 64) {
            if (list.size() == list.capacity() && move)
                ASSERT_TRUE(list.push_back(std::move(list[0])));
            else
                ASSERT_TRUE(list.push_back(list[0]));
            ASSERT_EQ(list.back().number(), 7);
            if (move) list[0] = Tracked(7);
        }
    }
}

TEST_F(SmallLists, leaves_all_as_it_was_when_memory_runs_out) {
    SmallList<std::unique_ptr<int>, 2> list(&memory_);
    ASSERT_TRUE(list.push_back(std::make_unique<int>(0)));
    ASSERT_TRUE(list.push_back(std::make_unique<int>(1)));
    memory_.fail_after(0);
    auto refused = std::make_unique<int>(2);
    EXPECT_FALSE(list.push_back(std::move(refused)));
    ASSERT_NE(refused, nullptr) << "what was not inserted stays with its owner";
    EXPECT_FALSE(list.push_back(std::move(list[0])));
    ASSERT_EQ(list.size(), 2u);
    ASSERT_NE(list[0], nullptr);
    EXPECT_FALSE(list.reserve(3));
    EXPECT_TRUE(list.is_small());
    memory_.stop_failing();
    EXPECT_TRUE(list.push_back(std::move(refused)));
    EXPECT_EQ(*list[0] + *list[1] + *list[2], 3);
}

TEST_F(SmallLists, refuses_more_than_memory_can_be) {
    SmallList<std::uint64_t, 2> list(&memory_);
    EXPECT_FALSE(list.reserve(static_cast<std::size_t>(-1)));
    EXPECT_FALSE(list.reserve(static_cast<std::size_t>(-1) / 8));
    EXPECT_EQ(memory_.calls(), 0u);
}

TEST_F(SmallLists, survives_constructors_that_throw) {
    for (const int size : {1, 4}) {  // with room, and without
        SmallList<Tracked, 4> list(&memory_);
        for (int i = 0; i < size; ++i) ASSERT_TRUE(list.emplace_back(i));
        const std::vector<int> before = numbers(list);
        const Tracked value(9);
        Tracked::copies_until_throw = 0;
        EXPECT_THROW((void)list.push_back(value), std::runtime_error);
        EXPECT_EQ(numbers(list), before);
        EXPECT_EQ(memory_.bytes_out(), 0u);
    }
}

TEST_F(SmallLists, can_be_moved_small_or_grown_and_used_after_that) {
    for (const int size : {0, 3, 50}) {
        SmallList<Tracked, 4> from(&memory_), to(&memory_);
        for (int i = 0; i < size; ++i) ASSERT_TRUE(from.emplace_back(i));
        for (int i = 0; i < 9; ++i) ASSERT_TRUE(to.emplace_back(100));
        const std::vector<int> content = numbers(from);
        to = std::move(from);
        EXPECT_EQ(numbers(to), content);
        EXPECT_TRUE(from.empty());
        EXPECT_TRUE(from.is_small());
        for (int i = 0; i < 5; ++i) ASSERT_TRUE(from.emplace_back(i));
        EXPECT_EQ(numbers(from), (std::vector<int>{0, 1, 2, 3, 4}));
        auto& same = to;
        to = std::move(same);
        EXPECT_EQ(numbers(to), content);
    }
}

TEST_F(SmallLists, takes_the_resource_along_with_the_elements) {
    CountingResource other;
    SmallList<Tracked, 1> from(&other), to(&memory_);
    for (int i = 0; i < 9; ++i) ASSERT_TRUE(from.emplace_back(i) && to.emplace_back(i));
    to = std::move(from);
    EXPECT_EQ(memory_.bytes_out(), 0u);
    EXPECT_FALSE(other.misused());
}

TEST_F(SmallLists, keeps_what_cannot_be_copied_and_must_lie_on_a_cache_line) {
    SmallList<Wide, 3> list(&memory_);
    for (int i = 0; i < 40; ++i) {
        ASSERT_TRUE(list.emplace_back(i));
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(list.data()) % 64, 0u);
    }
    SmallList<Wide, 3> moved(std::move(list));
    for (int i = 40; i-- > 0;) ASSERT_EQ(moved.take_back().number, i);
}

}  // namespace of_small_list
}  // namespace throng::structures::test
