#include "support/test.hpp"

namespace throng::detail {
namespace {

using test::CountingResource;

TEST(Buffer, keeps_its_values_when_it_grows) {
    Buffer<int> buffer;
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(buffer.push_back(i));
    ASSERT_EQ(buffer.size(), 1000u);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(buffer[static_cast<std::size_t>(i)], i);
}

TEST(Buffer, begins_at_a_whole_vector) {
    Buffer<char> buffer;
    ASSERT_TRUE(buffer.resize(3));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u);
}

TEST(Buffer, grows_by_at_least_half) {
    CountingResource memory;
    Buffer<int> buffer(&memory);
    for (int i = 0; i < 100000; ++i) ASSERT_TRUE(buffer.push_back(i));
    EXPECT_LT(memory.calls(), 40u);
}

TEST(Buffer, keeps_its_memory_when_it_is_emptied) {
    CountingResource memory;
    Buffer<int> buffer(&memory);
    ASSERT_TRUE(buffer.resize(100));
    buffer.clear();
    EXPECT_EQ(buffer.size(), 0u);
    EXPECT_GE(buffer.capacity(), 100u);
    ASSERT_TRUE(buffer.resize(100));
    EXPECT_EQ(memory.calls(), 1u);
}

TEST(Buffer, fills_only_what_is_new) {
    Buffer<int> buffer;
    ASSERT_TRUE(buffer.resize(2, 7));
    ASSERT_TRUE(buffer.resize(4, 9));
    EXPECT_EQ(buffer[0], 7);
    EXPECT_EQ(buffer[1], 7);
    EXPECT_EQ(buffer[2], 9);
    EXPECT_EQ(buffer[3], 9);
}

TEST(Buffer, is_as_it_was_when_memory_runs_out) {
    CountingResource memory;
    Buffer<int> buffer(&memory);
    ASSERT_TRUE(buffer.resize_exactly(4));
    for (std::size_t i = 0; i < 4; ++i) buffer[i] = static_cast<int>(i);
    memory.fail_after(0);
    EXPECT_FALSE(buffer.reserve(100));
    EXPECT_FALSE(buffer.resize(100));
    EXPECT_FALSE(buffer.resize_exactly(100));
    EXPECT_FALSE(buffer.push_back(4));
    ASSERT_EQ(buffer.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(buffer[i], static_cast<int>(i));
}

TEST(Buffer, refuses_a_size_that_no_address_space_has) {
    Buffer<std::uint64_t> buffer;
    EXPECT_FALSE(buffer.reserve(SIZE_MAX));
    EXPECT_FALSE(buffer.reserve(SIZE_MAX / 8));
    EXPECT_EQ(buffer.size(), 0u);
}

TEST(Buffer, gives_everything_back_with_the_size_it_was_given) {
    CountingResource memory;
    {
        Buffer<int> one(&memory), other(&memory);
        ASSERT_TRUE(one.resize(10));
        ASSERT_TRUE(other.resize(20));
        ASSERT_TRUE(other.reserve(1000));
        one = std::move(other);
        Buffer<int> third(std::move(one));
        EXPECT_EQ(third.size(), 20u);
        EXPECT_EQ(memory.blocks_out(), 1u);
        third.release();
        EXPECT_EQ(memory.blocks_out(), 0u);
        EXPECT_EQ(third.capacity(), 0u);
        ASSERT_TRUE(third.resize(1));
    }
    EXPECT_EQ(memory.blocks_out(), 0u);
    EXPECT_FALSE(memory.misused());
}

TEST(GlobalHeap, refuses_more_than_there_can_be) {
    for (const std::size_t alignment : {std::size_t{8}, std::size_t{64}, std::size_t{4096}})
        EXPECT_EQ(allocate(nullptr, SIZE_MAX - 10, alignment), nullptr);
}

}  // namespace
}  // namespace throng::detail
