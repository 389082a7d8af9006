// Memory in huge pages, and blocks that grow where they lie.
#include "throng/adapters/huge_pages.hpp"
#include "engine/src/memory/host_memory.hpp"
#include "support/test.hpp"
#include "throng/compiler.hpp"

namespace throng {
namespace {

using namespace test;

constexpr std::size_t page = std::size_t{2} << 20;

void fill(void* memory, std::size_t bytes) {
    auto* const words = static_cast<std::uint64_t*>(memory);
    for (std::size_t i = 0; i < bytes / 8; ++i) words[i] = i * 0x9E3779B97F4A7C15u;
}
bool is_filled(const void* memory, std::size_t bytes) {
    const auto* const words = static_cast<const std::uint64_t*>(memory);
    for (std::size_t i = 0; i < bytes / 8; ++i)
        if (words[i] != i * 0x9E3779B97F4A7C15u) return false;
    return true;
}

TEST(HugePages, give_blocks_of_all_sizes_which_keep_their_content_when_they_grow) {
    HugePages pages;
    Random random(4);
    for (int round = 0; round < 40; ++round) {
        std::size_t bytes = 8 * (1 + random.below(page / 2));
        void* memory = pages.allocate(bytes, 64);
        ASSERT_NE(memory, nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0u);
        fill(memory, bytes);
        for (int step = 0; step < 3; ++step) {
            const std::size_t more = bytes + 8 * random.below(page);
            void* const same = pages.enlarge(memory, bytes, more, 64);
            if (same == nullptr) continue;
            ASSERT_TRUE(is_filled(same, bytes));
            fill(same, more);
            memory = same;
            bytes = more;
        }
        pages.deallocate(memory, bytes, 64);
    }
}

#if THRONG_MOVES_PAGES
TEST(HugePages, move_the_pages_of_large_blocks_and_begin_at_their_boundary) {
    HugePages pages;
    void* memory = pages.allocate(2 * page, 64);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % page, 0u);
    fill(memory, 2 * page);
    memory = pages.enlarge(memory, 2 * page, 9 * page + 8, 64);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % page, 0u);
    EXPECT_TRUE(is_filled(memory, 2 * page));
    fill(memory, 9 * page + 8);
    pages.deallocate(memory, 9 * page + 8, 64);
}
#endif

TEST(HugePages, refuse_what_there_is_no_room_for_and_leave_the_block_as_it_was) {
    constexpr std::size_t too_much = ~std::size_t{0} / 4;
    HugePages pages;
    EXPECT_EQ(pages.allocate(too_much, 64), nullptr);
    EXPECT_EQ(pages.allocate(~std::size_t{0}, 64), nullptr);
    void* const memory = pages.allocate(3 * page, 64);
    ASSERT_NE(memory, nullptr);
    fill(memory, 3 * page);
    EXPECT_EQ(pages.enlarge(memory, 3 * page, too_much, 64), nullptr);
    EXPECT_EQ(pages.enlarge(memory, 3 * page, ~std::size_t{0}, 64), nullptr);
    EXPECT_TRUE(is_filled(memory, 3 * page));
    pages.deallocate(memory, 3 * page, 64);
}

TEST(HugePages, change_no_answer) {
    const Scene scene = make_scene("uniform", 60000);
    HugePages pages;
    Engine plain, huge({.memory = &pages});
    ASSERT_TRUE(plain.update(scene.boxes()));
    ASSERT_TRUE(huge.update(scene.boxes()));
    PairList own, in_pages(&pages);
    NeighbourLists near, near_in_pages(&pages);
    const Nearest wanted{.count = 8, .distances = true};
    ASSERT_TRUE(plain.frame().pairs(own, PairQuery{.within = 3}));
    ASSERT_TRUE(huge.frame().pairs(in_pages, PairQuery{.within = 3}));
    ASSERT_TRUE(plain.frame().neighbours(wanted, near));
    ASSERT_TRUE(huge.frame().neighbours(wanted, near_in_pages));
    EXPECT_GT(own.size() * sizeof(Pair), page) << "blocks were large";
    EXPECT_TRUE(std::equal(own.begin(), own.end(), in_pages.begin(), in_pages.end()));
    EXPECT_TRUE(std::equal(near.ids().begin(), near.ids().end(), near_in_pages.ids().begin(),
                           near_in_pages.ids().end()));
}

// Each block has room behind it.
class Roomy final : public MemoryResource {
public:
    static constexpr std::size_t room = std::size_t{64} << 20;
    std::size_t blocks = 0, grown = 0, out = 0;

    void* allocate(std::size_t bytes, std::size_t) noexcept override {
        ++blocks;
        out += bytes;
        return std::malloc(room);
    }
    void deallocate(void* memory, std::size_t bytes, std::size_t) noexcept override {
        out -= bytes;
        std::free(memory);
    }
    void* enlarge(void* memory, std::size_t bytes, std::size_t more, std::size_t) noexcept override {
        if (more > room) return nullptr;
        ++grown;
        out += more - bytes;
        return memory;
    }
};

TEST(Results, grow_where_they_lie_if_the_memory_can_do_that) {
    const Scene scene = make_scene("uniform", 20000);
    Engine engine = engine_with(scene.boxes());
    Roomy memory;
    {
        PairList pairs(&memory), others;
        ASSERT_TRUE(engine.frame().pairs(pairs, PairQuery{.within = 2}));
        ASSERT_TRUE(engine.frame().pairs(others, PairQuery{.within = 2}));
        EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), others.begin(), others.end()));
        EXPECT_EQ(memory.blocks, 1u);
        EXPECT_GT(memory.grown, 0u);
    }
    EXPECT_EQ(memory.out, 0u);
}

TEST(HostMemory, counts_what_grows_and_enlarges_nothing_that_is_reserved) {
    Roomy host;
    {
        detail::HostMemory memory(&host);
        void* block = memory.allocate(1000, 64);
        block = memory.enlarge(block, 1000, 5000, 64);
        ASSERT_NE(block, nullptr);
        EXPECT_EQ(memory.bytes(), 5000u);
        EXPECT_EQ(memory.enlarge(block, 5000, 2 * Roomy::room, 64), nullptr);
        EXPECT_EQ(memory.bytes(), 5000u);
        ASSERT_TRUE(memory.reserve(1, 100000));
        void* const reserved = memory.allocate(1000, 64);
        EXPECT_EQ(memory.enlarge(reserved, 1000, 2000, 64), nullptr);
        memory.deallocate(reserved, 1000, 64);
        memory.deallocate(block, 5000, 64);
    }
    EXPECT_EQ(host.out, 0u);
}

}  // namespace
}  // namespace throng
