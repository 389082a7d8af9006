#include "engine/src/memory/ids.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using detail::IdTable;

TEST(IdTable, keeps_memory_for_those_that_are_there_and_not_for_the_largest_id) {
    CountingResource memory;
    IdTable table(&memory);
    constexpr std::size_t many = 3000000;
    ASSERT_TRUE(table.grow(many, 0));
    for (std::size_t id = 0; id < many; ++id) table.set(id, 7);
    EXPECT_GE(memory.bytes_out(), 4 * many);
    for (std::size_t id = 0; id + 1 < many; ++id) {
        table.set(id, IdTable::none);
        table.sweep(id);
    }
    table.give_back_excess(0);
    EXPECT_EQ(table[many - 1], 7u);
    EXPECT_EQ(table[5], IdTable::none);
    EXPECT_LE(memory.bytes_out(), 400000u);
    EXPECT_EQ(table.bytes(), memory.bytes_out());
}

TEST(IdTable, needs_no_memory_for_ids_that_come_and_go) {
    CountingResource memory;
    IdTable table(&memory);
    ASSERT_TRUE(table.grow(100000, 0));
    for (std::size_t id = 0; id < 100000; ++id) table.set(id, 1);
    const std::uint64_t calls = memory.calls() + memory.returns();
    for (int round = 0; round < 20; ++round) {
        for (std::size_t id = 0; id < 40000; ++id) {
            table.set(id, IdTable::none);
            table.sweep(id);
        }
        table.give_back_excess(0);
        for (std::size_t id = 0; id < 40000; ++id) {
            ASSERT_TRUE(table.prepare(id));
            table.set(id, 2);
        }
    }
    EXPECT_EQ(memory.calls() + memory.returns(), calls);
}

TEST(IdTable, says_so_when_there_is_no_memory_for_a_page) {
    CountingResource memory;
    IdTable table(&memory);
    ASSERT_TRUE(table.grow(100, 0));
    memory.fail_after(0);
    EXPECT_FALSE(table.grow(10000, 100));
    EXPECT_EQ(table.size(), 100u);
}

}  // namespace
}  // namespace throng::test
