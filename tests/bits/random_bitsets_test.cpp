// Random histories of a HierarchicalBitset and of a std::vector<bool>: both must agree in all that can be
// read, and the coarse levels must be right after every step.
#include "base/bits/hierarchical_bitset.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr std::size_t no_bit = HierarchicalBitset::npos;

// A set and its twin.
struct Both {
    explicit Both(MemoryResource* memory = nullptr) : set(memory) {}

    void resize(std::size_t size) {
        ASSERT_TRUE(set.resize(size));
        twin.resize(size);
    }
    void put(std::size_t begin, std::size_t end, bool value) {
        const bool inside = value ? set.set_range(begin, end) : set.reset_range(begin, end);
        ASSERT_EQ(inside, end <= twin.size() || begin >= end);
        for (std::size_t i = begin; i < std::min(end, twin.size()); ++i) twin[i] = value;
    }
    void put(std::size_t i, bool value) {
        ASSERT_EQ(value ? set.set(i) : set.reset(i), i < twin.size());
        if (i < twin.size()) twin[i] = value;
    }

    HierarchicalBitset set;
    std::vector<bool> twin;
};

class BitsetHistory {
public:
    BitsetHistory(std::size_t size, std::uint64_t seed) : size_(size), random_(seed) {
        one_.resize(size);
        other_.resize(random_.one_in(2) ? size : random_.below(2 * size + 2));
    }

    void run(std::size_t steps) {
        for (std::size_t step = 0; step < steps; ++step) {
            take_a_step(random_.one_in(3) ? other_ : one_);
            check_shape();
            for (int i = 0; i < 4; ++i) check_a_place(one_);
            if (step % 8 == 7) check_all(one_);
            if (::testing::Test::HasFailure()) return;
        }
        check_all(one_);
        check_all(other_);
    }

private:
    // Near the edges of words, of coarse words and of the set itself more often than anywhere.
    std::size_t some_index(const Both& both) {
        const std::size_t size = both.twin.size();
        switch (random_.below(8)) {
        case 0: return size + random_.below(3);
        case 1: return size - std::min(size, random_.below(3));
        case 2: return std::min(size, random_.below(3));
        case 3: return random_.below(size / 64 + 1) * 64 + random_.below(3);
        case 4: return random_.below(size / 4096 + 1) * 4096 + random_.below(3);
        case 5: return random_.one_in(4) ? no_bit - random_.below(2) : random_.below(size + 1);
        default: return random_.below(size + 1);
        }
    }
    std::size_t some_end(const Both& both, std::size_t begin) {
        if (random_.one_in(3) || begin >= no_bit - 70) return some_index(both);
        return begin + random_.below(random_.one_in(2) ? 70 : both.twin.size() / 8 + 2);
    }
    void take_a_step(Both& both) {
        const std::size_t i = some_index(both);
        switch (random_.below(13)) {
        case 0: return both.put(i, some_end(both, i), true);
        case 1:
        case 2: return both.put(i, some_end(both, i), false);
        case 3: return empty(both);
        case 4: return change_size(both);
        case 5: return std::swap(one_.twin, other_.twin), one_.set.swap(other_.set);
        case 6: return thin_out(both);
        case 7:
        case 8: return both.put(i, false);
        default:
            for (int k = 0; k < 5; ++k) both.put(some_index(both), true);
        }
    }
    void empty(Both& both) {
        if (!random_.one_in(4)) return;
        both.set.clear();
        std::fill(both.twin.begin(), both.twin.end(), false);
    }
    void change_size(Both& both) {
        if (!random_.one_in(3)) return;
        both.resize(random_.one_in(2) ? size_ : random_.below(2 * size_ + 2));
    }
    // One by one, as they are visited.
    void thin_out(Both& both) {
        both.set.for_each([&](std::size_t i) {
            if (i % 3 != 0) return;
            both.put(i, false);
        });
    }

    void check_shape() {
        for (const Both* both : {&one_, &other_}) {
            ASSERT_EQ(both->set.size(), both->twin.size());
            ASSERT_TRUE(both->set.validate().sound())
                << "level " << both->set.validate().level << ", word " << both->set.validate().word;
        }
    }
    void check_a_place(const Both& both) {
        const std::vector<bool>& twin = both.twin;
        const std::size_t i = some_index(both);
        ASSERT_EQ(both.set.test(i), i < twin.size() && twin[i]) << i;
        std::size_t next = i;
        while (next < twin.size() && !twin[next]) ++next;
        ASSERT_EQ(both.set.find_next(i), next < twin.size() ? next : no_bit) << i;
        const std::size_t end = some_end(both, i);
        std::size_t count = 0, visited = 0;
        for (std::size_t k = i; k < std::min(end, twin.size()); ++k)
            if (twin[k]) ++count;
        ASSERT_EQ(both.set.count_in(i, end), count) << i << ", " << end;
        both.set.for_each_in(i, end, [&](std::size_t k) { visited += twin[k] ? 1 : count + 1; });
        ASSERT_EQ(visited, count) << i << ", " << end;
    }
    void check_all(const Both& both) {
        std::vector<std::size_t> expected, seen;
        for (std::size_t i = 0; i < both.twin.size(); ++i)
            if (both.twin[i]) expected.push_back(i);
        both.set.for_each([&](std::size_t i) { seen.push_back(i); });
        ASSERT_EQ(seen, expected);
        ASSERT_EQ(both.set.count(), expected.size());
        ASSERT_EQ(both.set.any(), !expected.empty());
        ASSERT_EQ(both.set.first(), expected.empty() ? no_bit : expected.front());
    }

    std::size_t size_;
    Random random_;
    CountingResource memory_;
    Both one_{&memory_}, other_;
};

class RandomBitset : public ::testing::TestWithParam<std::size_t> {};

TEST_P(RandomBitset, agrees_with_a_vector_of_bool) {
    const bool large = GetParam() > 10000;
    for (std::size_t seed = 0; seed < (large ? scaled(2, 1) : scaled(40, 8)); ++seed) {
        BitsetHistory(GetParam(), seed).run(large ? scaled(120, 24) : 300);
        ASSERT_FALSE(HasFailure()) << "size " << GetParam() << ", seed " << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(of_size, RandomBitset,
                         ::testing::Values(0, 1, 63, 64, 65, 4095, 4096, 4097, 262144, 262145, 3000000),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace throng::test
