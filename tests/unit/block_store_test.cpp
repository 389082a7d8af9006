#include "engine/src/memory/block_store.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using detail::Block;
using detail::BlockStore;

TEST(BlockStore, gives_blocks_that_are_large_enough_and_no_more_than_an_eighth_too_large) {
    CountingResource memory;
    BlockStore store(memory);
    for (std::size_t bytes = 1; bytes < 3000000; bytes += 1 + bytes / 7) {
        const Block* block = store.take(bytes);
        ASSERT_NE(block, nullptr);
        EXPECT_GE(block->bytes, bytes);
        EXPECT_LE(block->bytes, bytes + bytes / 8 + 64) << bytes;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block->memory) % 64, 0u);
        std::memset(block->memory, 1, block->bytes);
    }
}

TEST(BlockStore, keeps_its_blocks_apart) {
    CountingResource memory;
    BlockStore store(memory);
    Random random(3);
    std::vector<Block*> taken;
    for (std::size_t step = 0, steps = scaled(20000, 4000); step < steps; ++step) {
        if (taken.size() < 300 || random.one_in(2)) {
            Block* block = store.take(1 + random.below(random.one_in(9) ? 60000 : 3000));
            ASSERT_NE(block, nullptr);
            block->born = random.below(1u << 20);
            std::memset(block->memory, static_cast<int>(block->born % 251), block->bytes);
            taken.push_back(block);
        } else {
            const std::size_t at = random.below(taken.size());
            Block* block = taken[at];
            const auto expected = static_cast<std::byte>(block->born % 251);
            for (std::size_t i = 0; i < block->bytes; ++i) ASSERT_EQ(block->memory[i], expected);
            store.put_back(block);
            taken[at] = taken.back();
            taken.pop_back();
            if (random.one_in(10)) store.trim(random.below(100000), 50000);
        }
    }
    EXPECT_EQ(store.bytes(), memory.bytes_out());
}

// A host that has many small worlds does not pay for large slabs.
TEST(BlockStore, takes_small_slabs_while_it_is_small) {
    CountingResource memory;
    BlockStore store(memory);
    std::size_t taken = 0, most = 0;
    while (taken < 4000000) {
        const std::size_t before = memory.bytes_out();
        ASSERT_NE(store.take(5000), nullptr);
        taken += 5000;
        most = std::max(most, memory.bytes_out() - before);
    }
    EXPECT_LE(most, 4000000u / 50);
}

// However many blocks are free, and of whatever sizes.
TEST(BlockStore, takes_and_puts_back_in_a_few_steps) {
    CountingResource memory;
    BlockStore store(memory);
    std::vector<Block*> taken;
    for (std::size_t i = 0; i < 50000; ++i) taken.push_back(store.take(500 + i % 9000));
    for (std::size_t i = 0; i < taken.size(); i += 2) store.put_back(taken[i]);
    for (std::size_t i = 0; i < 20000; ++i) {
        const std::uint64_t before = store.steps();
        Block* block = store.take(400 + i % 12000);
        EXPECT_LE(store.steps() - before, 8u);
        store.put_back(block);
        EXPECT_LE(store.steps() - before, 9u);
    }
}

TEST(BlockStore, gives_free_memory_back_in_portions) {
    CountingResource memory;
    BlockStore store(memory);
    std::vector<Block*> taken;
    for (std::size_t i = 0; i < 20000; ++i) taken.push_back(store.take(5000));
    for (Block* block : taken) store.put_back(block);
    const std::size_t held = memory.bytes_out();
    std::size_t calls = 0;
    for (; memory.bytes_out() != 0 && calls < 1000; ++calls) {
        const std::size_t before = memory.bytes_out();
        store.trim(0, 1000000);
        EXPECT_LT(memory.bytes_out(), before) << "it goes on";
        EXPECT_LE(before - memory.bytes_out(), 1000000u);
    }
    EXPECT_EQ(memory.bytes_out(), 0u);
    EXPECT_LE(calls, held / 500000);
}

TEST(BlockStore, keeps_a_stock_while_as_much_is_in_use) {
    CountingResource memory;
    BlockStore store(memory);
    std::vector<Block*> taken;
    for (std::size_t i = 0; i < 1000; ++i) taken.push_back(store.take(5000));
    for (Block* block : taken) store.put_back(block);
    const std::uint64_t returns = memory.returns();
    store.trim(5000000, SIZE_MAX);
    EXPECT_EQ(memory.returns(), returns);
}

// Each frees what the others need, and only the largest has much in use.
TEST(BlockStore, keeps_a_stock_for_worlds_that_come_in_turns) {
    CountingResource memory;
    BlockStore store(memory);
    std::uint64_t calls = 0;
    for (int turn = 0; turn < 30; ++turn) {
        const std::size_t in_use = turn % 3 == 0 ? 1000000 : turn % 3 == 1 ? 600000 : 50000;
        Block* const block = store.take(in_use);
        store.trim(in_use, 1 << 20);
        store.put_back(block);
        if (turn == 3) calls = memory.calls();
    }
    EXPECT_EQ(memory.calls(), calls);
    for (int call = 0; call < 6; ++call) store.trim(0, 1 << 20);
    EXPECT_EQ(store.bytes(), 0u) << "it keeps it when no world comes back";
}

// The cost of a store's end follows the number of its slabs, not of its blocks.
TEST(BlockStore, ends_with_few_calls_to_its_resource) {
    CountingResource memory;
    std::uint64_t returns = 0;
    {
        BlockStore store(memory);
        for (std::size_t i = 0; i < 100000; ++i) ASSERT_NE(store.take(5000), nullptr);
        returns = memory.returns();
    }
    EXPECT_LE(memory.returns() - returns, 100000u / 40);
    EXPECT_EQ(memory.blocks_out(), 0u);
    EXPECT_FALSE(memory.misused());
}

TEST(BlockStore, says_so_when_there_is_no_memory) {
    CountingResource memory;
    BlockStore store(memory);
    memory.fail_after(0);
    EXPECT_EQ(store.take(100), nullptr);
    EXPECT_EQ(store.take(SIZE_MAX), nullptr);
    memory.stop_failing();
    EXPECT_NE(store.take(100), nullptr);
}

}  // namespace
}  // namespace throng::test
