#include <map>

#include "structures/tests/test.hpp"
#include "structures/tests/tracked.hpp"
#include "throng/structures/containers/free_list.hpp"

namespace throng::structures::test {
namespace of_free_list {

using Index = FreeList<Tracked>::Index;
constexpr Index none = FreeList<Tracked>::none;

std::map<Index, int> content(const FreeList<Tracked>& list) {
    std::map<Index, int> all;
    list.for_each([&](Index index, const Tracked& value) { all.emplace(index, value.number()); });
    return all;
}

class FreeLists : public TrackedTest {};

TEST_F(FreeLists, holds_what_a_map_holds_after_any_history) {
    Random random(1);
    FreeList<Tracked> list(&memory_);
    std::map<Index, int> twin;
    std::vector<Index> stale;
    for (std::size_t step = 0; step < scaled(40000, 8000); ++step) {
        const int number = static_cast<int>(step);
        const bool growing = step % 4000 < 2000;
        if (twin.empty() || random.below(10) < (growing ? 7u : 3u)) {
            const bool again = !twin.empty() && random.one_in(3);
            const Index from = again ? twin.begin()->first : none;
            const Index index = again ? list.emplace(list[from]) : list.emplace(number);
            ASSERT_NE(index, none);
            ASSERT_TRUE(twin.emplace(index, again ? twin[from] : number).second) << "it was taken";
        } else {
            const Index near = static_cast<Index>(random.below(list.range()));
            auto it = twin.lower_bound(near);
            if (it == twin.end()) it = twin.begin();
            ASSERT_TRUE(list.erase(it->first));
            ASSERT_FALSE(list.erase(it->first)) << "it is gone";
            twin.erase(it);
        }
        if (random.one_in(2000)) list.clear(), twin.clear();
        if (random.one_in(500)) {
            ASSERT_TRUE(list.reserve(random.below(8192)));
        }
        if (random.one_in(500)) {
            FreeList<Tracked> other(std::move(list));
            ASSERT_TRUE(list.empty() && list.validate());
            list = std::move(other);
        }
        ASSERT_EQ(list.size(), twin.size());
        if (step % 64 == 0) {
            ASSERT_TRUE(list.validate());
            ASSERT_EQ(content(list), twin);
            for (Index i = 0; i < list.range() + 70; ++i) ASSERT_EQ(list.contains(i), twin.contains(i));
        }
    }
}

TEST_F(FreeLists, fills_the_hole_that_was_left_last) {
    FreeList<Tracked> list(&memory_);
    for (int i = 0; i < 6; ++i) ASSERT_EQ(list.emplace(i), static_cast<Index>(i));
    ASSERT_TRUE(list.erase(4) && list.erase(2));
    EXPECT_EQ(list.emplace(10), 2u);
    EXPECT_EQ(list.emplace(11), 4u);
    EXPECT_EQ(list.emplace(12), 6u);
    EXPECT_EQ(list.range(), 7u);
}

TEST_F(FreeLists, does_not_move_its_elements_when_others_go) {
    FreeList<Tracked> list(&memory_);
    ASSERT_TRUE(list.reserve(100));
    for (int i = 0; i < 100; ++i) ASSERT_NE(list.emplace(i), none);
    const Tracked* const fifty = &list[50];
    for (Index i = 0; i < 100; ++i)
        if (i != 50) {
            ASSERT_TRUE(list.erase(i));
        }
    for (int i = 0; i < 99; ++i) ASSERT_NE(list.emplace(i), none);
    EXPECT_EQ(&list[50], fifty);
    EXPECT_EQ(memory_.calls(), 2u) << "the slots and their bits, once";
}

TEST_F(FreeLists, takes_an_element_of_itself_when_it_must_grow) {
    FreeList<Tracked> throwing(&memory_);
    ASSERT_EQ(throwing.emplace(7), 0u);
    FreeList<std::unique_ptr<std::string>> pointers(&memory_);
    ASSERT_EQ(pointers.emplace(std::make_unique<std::string>("seven")), 0u);
    for (Index last = 0; last < 200; ++last) {
        const bool inserted = last % 2 != 0;
        ASSERT_EQ(inserted ? throwing.insert(throwing[last]) : throwing.emplace(throwing[last]), last + 1);
        ASSERT_EQ(throwing[last + 1].number(), 7);
        std::unique_ptr<std::string>& from = pointers[last];
        ASSERT_EQ(inserted ? pointers.insert(std::move(from)) : pointers.emplace(std::move(from)), last + 1);
        ASSERT_EQ(pointers[last], nullptr);
        ASSERT_EQ(*pointers[last + 1], "seven");
    }
}

TEST_F(FreeLists, leaves_all_as_it_was_when_memory_runs_out) {
    FreeList<std::unique_ptr<int>> list(&memory_);
    auto waiting = std::make_unique<int>(0);
    for (int number = 0; number < 300; ++number) {
        *waiting = number;
        for (std::uint64_t successes = 0;; ++successes) {
            const std::size_t size = list.size(), range = list.range();
            memory_.fail_after(successes);
            const bool inserted = (number + static_cast<int>(successes)) % 2 != 0;
            const Index index = inserted ? list.insert(std::move(waiting)) : list.emplace(std::move(waiting));
            memory_.stop_failing();
            ASSERT_TRUE(list.validate());
            if (index != none) break;
            ASSERT_NE(waiting, nullptr) << "what was not inserted stays with its owner";
            ASSERT_EQ(list.size(), size);
            ASSERT_EQ(list.range(), range);
        }
        for (Index i = 0; i < list.range(); ++i) ASSERT_EQ(*list[i], static_cast<int>(i));
        waiting = std::make_unique<int>(0);
    }
    memory_.fail_after(1);
    EXPECT_FALSE(list.reserve(100000)) << "the bits were had, the slots were not";
    EXPECT_TRUE(list.validate());
    memory_.stop_failing();
    list.clear();
    EXPECT_TRUE(list.validate());
}

TEST_F(FreeLists, refuses_more_than_there_are_indices_for) {
    FreeList<Tracked> list(&memory_);
    ASSERT_EQ(list.emplace(1), 0u);
    const auto calls = memory_.calls();
    EXPECT_FALSE(list.reserve(std::size_t{1} << (sizeof(std::size_t) > 4 ? 33 : 31)));
    EXPECT_FALSE(list.reserve(static_cast<std::size_t>(-1)));
    EXPECT_EQ(memory_.calls(), calls);
    FreeList<int> plain(&memory_);
    EXPECT_FALSE(plain.fill(none));
    EXPECT_EQ(plain.size(), 0u);
}

TEST_F(FreeLists, survives_constructors_that_throw) {
    FreeList<Tracked> list(&memory_);
    for (int i = 0; i < 10; ++i) {
        ASSERT_NE(list.emplace(i), none);
        const auto before = content(list);
        Tracked::copies_until_throw = 0;
        EXPECT_THROW((void)list.emplace(99), std::runtime_error);  // beyond the end, with room and without
        EXPECT_EQ(content(list), before);
        EXPECT_TRUE(list.validate());
    }
    ASSERT_TRUE(list.erase(3) && list.erase(5));
    Tracked::copies_until_throw = 0;
    EXPECT_THROW((void)list.emplace(99), std::runtime_error);  // in a hole
    EXPECT_TRUE(list.validate());
    EXPECT_EQ(list.emplace(5), 5u);
    EXPECT_EQ(list.emplace(3), 3u);
}

TEST_F(FreeLists, lets_a_visitor_erase_what_it_is_given) {
    FreeList<Tracked> list(&memory_);
    for (int i = 0; i < 1000; ++i) ASSERT_NE(list.emplace(i), none);
    int visited = 0;
    list.for_each([&](Index index, Tracked& value) {
        EXPECT_EQ(value.number(), visited++);
        if (index % 3 != 0) {
            EXPECT_TRUE(list.erase(index));
        }
    });
    EXPECT_EQ(visited, 1000);
    EXPECT_EQ(list.size(), 334u);
    EXPECT_TRUE(list.validate());
    list.for_each([&](Index index, Tracked&) { EXPECT_TRUE(list.erase(index)); });
    EXPECT_TRUE(list.empty());
    EXPECT_TRUE(list.validate());
}

TEST_F(FreeLists, can_be_moved_and_used_after_that) {
    CountingResource other;
    FreeList<Tracked> from(&memory_), to(&other);
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(from.emplace(i) != none && to.emplace(-i) != none);
    ASSERT_TRUE(from.erase(7));
    const auto before = content(from);
    to = std::move(from);
    EXPECT_EQ(other.bytes_out(), 0u);
    EXPECT_EQ(content(to), before);
    EXPECT_EQ(to.emplace(1), 7u);
    const auto calls = memory_.calls();
    EXPECT_EQ(from.emplace(1), 0u);
    EXPECT_GT(memory_.calls(), calls) << "it goes on with the same resource";
    auto& same = to;
    to = std::move(same);
    EXPECT_EQ(to.size(), 100u);
    EXPECT_TRUE(to.validate() && from.validate());
    EXPECT_FALSE(other.misused());
}

TEST_F(FreeLists, keeps_its_memory_when_it_is_emptied) {
    FreeList<Tracked> list(&memory_);
    for (int i = 0; i < 500; ++i) ASSERT_NE(list.emplace(i), none);
    const auto calls = memory_.calls();
    const std::size_t bytes = list.bytes();
    EXPECT_EQ(bytes, memory_.bytes_out());
    for (int round = 0; round < 3; ++round) {
        list.clear();
        for (int i = 0; i < 500; ++i) ASSERT_EQ(list.emplace(i), static_cast<Index>(i));
    }
    EXPECT_EQ(memory_.calls(), calls);
    EXPECT_EQ(list.bytes(), bytes);
}

TEST_F(FreeLists, is_filled_to_any_size_with_no_more_memory_than_it_takes) {
    FreeList<std::uint64_t> list(&memory_);
    for (const Index count : {0u, 1u, 63u, 64u, 65u, 1000u, 130u, 128u, 2u, 0u, 500u}) {
        ASSERT_TRUE(list.fill(count));
        ASSERT_TRUE(list.validate());
        ASSERT_EQ(list.size(), count);
        for (Index i = 0; i < 1100; ++i) ASSERT_EQ(list.contains(i), i < count);
        for (Index i = 0; i < count; i += 2) ASSERT_TRUE(list.erase(i));
        ASSERT_TRUE(list.validate());
    }
    FreeList<std::uint64_t> exact(&memory_);
    ASSERT_TRUE(exact.fill(1000));
    EXPECT_EQ(exact.bytes(), 1000 * 8 + 16 * 8u);
    memory_.fail_after(0);
    ASSERT_TRUE(exact.erase(5));
    EXPECT_FALSE(exact.fill(1001));
    EXPECT_EQ(exact.size(), 999u);
    EXPECT_FALSE(exact.contains(5));
}

TEST_F(FreeLists, keeps_what_cannot_be_copied_and_must_lie_on_a_cache_line) {
    FreeList<Wide> list(&memory_);
    for (int i = 0; i < 100; ++i) {
        const Index index = list.emplace(i);
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(&list[index]) % 64, 0u);
        if (i % 4 == 1) {
            ASSERT_TRUE(list.erase(index - 1));
        }
    }
    int sum = 0;
    std::as_const(list).for_each([&](Index, const Wide& value) { sum += value.number; });
    int expected = 0;
    for (Index i = 0; i < list.range(); ++i)
        if (list.contains(i)) expected += list[i].number;
    EXPECT_EQ(sum, expected);
    EXPECT_EQ(list.size(), 75u);
}

// Once erased, the bytes of an element say which hole comes next, so a test can reach the links.
TEST_F(FreeLists, finds_holes_that_lead_astray) {
    FreeList<std::uint32_t> list(&memory_);
    ASSERT_TRUE(list.fill(100));
    ASSERT_TRUE(list.erase(10) && list.erase(20) && list.erase(30));
    ASSERT_TRUE(list.validate());
    const auto planted = [&list](Index at, std::uint32_t link) {
        const std::uint32_t before = std::exchange(list[at], link);
        const bool sound = list.validate();
        list[at] = before;
        return !sound;
    };
    EXPECT_TRUE(planted(20, 30)) << "a circle";
    EXPECT_TRUE(planted(20, 20)) << "a hole behind itself";
    EXPECT_TRUE(planted(20, none)) << "a hole is lost";
    EXPECT_TRUE(planted(20, 50)) << "an element among the holes";
    EXPECT_TRUE(planted(20, 100)) << "beyond the end";
    EXPECT_TRUE(planted(10, 0xFFFFFFF0u)) << "far beyond the end";
    EXPECT_TRUE(list.validate());
}

}  // namespace of_free_list
}  // namespace throng::structures::test
