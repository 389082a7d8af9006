#include "engine/src/memory/ids.hpp"
#include "support/test.hpp"

namespace throng::detail {
namespace {

using test::CountingResource;
using test::Random;
using test::scaled;

// A pool beside a plain set of the ids that are free below the bound.
class TwoPools {
public:
    explicit TwoPools(std::size_t count) : bound_(count) { pool_.reset(count); }

    void reset(std::size_t count) {
        pool_.reset(count);
        free_.clear();
        bound_ = count;
        EXPECT_EQ(pool_.lowest(), count);
    }
    void reserve(std::size_t more) { ASSERT_TRUE(pool_.reserve(more)); }
    AgentId take() {
        const AgentId id = lowest();
        EXPECT_EQ(pool_.lowest(), id);
        EXPECT_EQ(pool_.take(), id);
        if (free_.erase(id) == 0) ++bound_;
        return id;
    }
    void give_back(AgentId id) {
        pool_.give_back(id);
        free_.insert(id);
    }
    void take_back(AgentId id) {
        pool_.take_back(id);
        free_.erase(id);
    }
    void shrink(std::size_t bound) {
        pool_.shrink(bound);
        free_.erase(free_.lower_bound(static_cast<AgentId>(bound)), free_.end());
        bound_ = bound;
    }
    AgentId any(Random& random) const { return static_cast<AgentId>(random.below(bound_)); }
    std::size_t bound() const { return bound_; }
    bool empty() const { return bound_ == 0; }
    void expect_alike(Random& random) const {
        ASSERT_EQ(pool_.bound(), bound_);
        ASSERT_EQ(pool_.lowest(), lowest());
        ASSERT_EQ(pool_.new_among(free_.size() + 7), 7u);
        for (int i = 0; i < 8; ++i) {
            const auto id = static_cast<AgentId>(random.below(bound_ + 100));
            ASSERT_EQ(pool_.is_free(id), free_.count(id) != 0) << id;
        }
    }
    void expect_all_alike() const {
        for (AgentId id = 0; id < bound_ + 100; ++id)
            ASSERT_EQ(pool_.is_free(id), free_.count(id) != 0) << id;
    }

private:
    AgentId lowest() const { return free_.empty() ? static_cast<AgentId>(bound_) : *free_.begin(); }

    IdPool pool_{nullptr};
    std::set<AgentId> free_;
    std::size_t bound_;
};

void do_anything(TwoPools& pools, Random& random) {
    switch (random.below(pools.empty() ? 2 : 12)) {
    case 0:
    case 1: {
        std::size_t count = random.below(200);
        pools.reserve(count);
        for (; count > 0; --count) pools.take();
        break;
    }
    case 2: pools.take_back(pools.any(random)); break;
    case 3:
        if (random.one_in(4))
            pools.shrink(pools.bound() - random.below(std::min<std::size_t>(pools.bound(), 300)));
        break;
    case 4:
        if (!random.one_in(40)) break;
        pools.reset(random.below(20000));
        pools.reserve(0);
        break;
    case 5: {  // neighbours, so that whole words are free
        const AgentId first = pools.any(random);
        for (AgentId id = first; id < first + 150 && id < pools.bound(); ++id) pools.give_back(id);
        break;
    }
    default:
        for (std::size_t count = random.below(20); count > 0; --count) pools.give_back(pools.any(random));
    }
}

TEST(IdPool, agrees_with_a_plain_set_whatever_is_done_to_both) {
    for (std::uint64_t seed = 0; seed < scaled(40, 4); ++seed) {
        Random random(seed);
        TwoPools pools(random.below(10000));
        pools.reserve(0);
        for (int step = 0; step < 1000; ++step) {
            do_anything(pools, random);
            pools.expect_alike(random);
            ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed << ", step " << step;
        }
        pools.expect_all_alike();
        ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(IdPool, finds_free_ids_that_are_millions_apart) {
    constexpr std::size_t count = 40'000'000;
    IdPool pool(nullptr);
    pool.reset(count);
    ASSERT_TRUE(pool.reserve(1));
    for (const AgentId id : {39'999'999u, 0u, 20'000'000u, 262'143u}) pool.give_back(id);
    pool.take_back(20'000'000);
    for (const AgentId id : {0u, 262'143u, 39'999'999u, 40'000'000u}) EXPECT_EQ(pool.take(), id);
    // A bit for each, and few above them.
    EXPECT_LE(pool.bytes(), count / 8 + count / 256);
}

TEST(IdPool, keeps_room_that_was_reserved_before) {
    IdPool pool(nullptr);
    ASSERT_TRUE(pool.reserve(100));
    ASSERT_TRUE(pool.reserve(0));
    for (AgentId id = 0; id < 100; ++id) ASSERT_EQ(pool.take(), id);
    for (AgentId id = 0; id < 100; ++id) pool.give_back(id);
    for (AgentId id = 0; id < 100; ++id) ASSERT_EQ(pool.take(), id);
}

TEST(IdPool, needs_no_memory_but_to_reserve_and_reports_it) {
    CountingResource memory;
    IdPool pool(&memory);
    pool.reset(100'000);
    EXPECT_EQ(memory.calls(), 0u);
    ASSERT_TRUE(pool.reserve(1000));
    EXPECT_EQ(pool.bytes(), memory.bytes_out());
    const std::uint64_t calls = memory.calls();
    memory.fail_after(0);
    for (int frame = 0; frame < 10; ++frame) {
        ASSERT_TRUE(pool.reserve(1000));
        for (AgentId id = 0; id < 100'000; id += 100) pool.give_back(id);
        for (AgentId id = 0; id < 100'000; id += 100) ASSERT_EQ(pool.take(), id);
        for (AgentId id = 100'000; id < 101'000; ++id) ASSERT_EQ(pool.take(), id);
        pool.shrink(100'000);
        pool.reset(100'000);
    }
    EXPECT_EQ(memory.calls(), calls);
}

TEST(IdPool, is_as_it_was_when_there_is_no_memory_to_reserve) {
    CountingResource memory;
    IdPool pool(&memory);
    pool.reset(1000);
    ASSERT_TRUE(pool.reserve(0));
    pool.give_back(400);
    memory.fail_after(0);
    EXPECT_FALSE(pool.reserve(1'000'000));
    EXPECT_EQ(pool.bound(), 1000u);
    EXPECT_EQ(pool.lowest(), 400u);
    EXPECT_TRUE(pool.is_free(400));
    memory.stop_failing();
    ASSERT_TRUE(pool.reserve(1'000'000));
    EXPECT_EQ(pool.take(), 400u);
    EXPECT_EQ(pool.take(), 1000u);
    EXPECT_FALSE(memory.misused());
}

}  // namespace
}  // namespace throng::detail
