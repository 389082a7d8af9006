#include "engine/src/memory/regions.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using detail::Regions;

struct Taken {
    Regions::Part part;
    std::size_t bytes;
};

TEST(Regions, keep_their_parts_apart) {
    CountingResource memory;
    {
        Regions regions(memory);
        Random random(5);
        std::vector<Taken> taken;
        for (std::size_t step = 0, steps = scaled(20000, 4000); step < steps; ++step) {
            if (taken.size() < 60 || random.one_in(2)) {
                const std::size_t bytes = 1 + random.below(random.one_in(3) ? Regions::most : 30000);
                const Regions::Part part = regions.take(bytes, std::size_t{1} << 20);
                ASSERT_NE(part.memory, nullptr);
                EXPECT_EQ(reinterpret_cast<std::uintptr_t>(part.memory) % 4096, 0u);
                // Its ends are enough to see that another part is there, too.
                std::memset(part.memory, static_cast<int>(bytes % 251), std::min<std::size_t>(bytes, 64));
                static_cast<std::byte*>(part.memory)[bytes - 1] = static_cast<std::byte>(bytes % 251);
                taken.push_back({part, bytes});
            } else {
                const std::size_t at = random.below(taken.size());
                const auto* bytes = static_cast<const std::byte*>(taken[at].part.memory);
                ASSERT_EQ(bytes[0], static_cast<std::byte>(taken[at].bytes % 251));
                ASSERT_EQ(bytes[taken[at].bytes - 1], static_cast<std::byte>(taken[at].bytes % 251));
                regions.put_back(taken[at].part, taken[at].bytes);
                taken[at] = taken.back();
                taken.pop_back();
                if (random.one_in(500)) regions.start_again();
            }
            ASSERT_EQ(regions.bytes(), memory.bytes_out());
        }
    }
    EXPECT_EQ(memory.blocks_out(), 0u);
    EXPECT_FALSE(memory.misused());
}

TEST(Regions, go_back_when_they_are_empty) {
    CountingResource memory;
    Regions regions(memory);
    std::vector<Regions::Part> parts;
    for (int i = 0; i < 300; ++i) parts.push_back(regions.take(250000, 0));
    EXPECT_GT(memory.blocks_out(), 10u);
    regions.start_again();
    for (int i = 0; i < 20; ++i) parts.push_back(regions.take(250000, 0));
    for (const Regions::Part& part : parts) regions.put_back(part, 250000);
    EXPECT_EQ(memory.blocks_out(), 0u);
    EXPECT_EQ(regions.bytes(), 0u);
}

// Whatever lengths come, parts that fit share a region.
TEST(Regions, are_filled) {
    CountingResource memory;
    Regions regions(memory);
    Random random(9);
    std::size_t taken = 0;
    while (taken < 60000000) {
        const std::size_t bytes = 4096 + random.below(200000);
        ASSERT_NE(regions.take(bytes, 0).memory, nullptr);
        taken += bytes;
    }
    EXPECT_LE(memory.bytes_out(), taken + taken / 5);
}

// What is left is used again, before there is another region.
TEST(Regions, serve_from_what_came_back) {
    CountingResource memory;
    Regions regions(memory);
    std::vector<Regions::Part> parts;
    for (int i = 0; i < 64; ++i) parts.push_back(regions.take(250000, 0));
    const std::size_t held = memory.bytes_out();
    for (std::size_t i = 0; i < parts.size(); i += 2) regions.put_back(parts[i], 250000);
    for (std::size_t i = 0; i < parts.size(); i += 2) ASSERT_NE(regions.take(200000, 0).memory, nullptr);
    EXPECT_EQ(memory.bytes_out(), held);
}

TEST(Regions, say_so_when_there_is_no_memory) {
    CountingResource memory;
    Regions regions(memory);
    memory.fail_after(0);
    EXPECT_EQ(regions.take(1000, 0).memory, nullptr);
    EXPECT_EQ(regions.bytes(), 0u);
    memory.stop_failing();
    EXPECT_NE(regions.take(1000, 0).memory, nullptr);
}

}  // namespace
}  // namespace throng::test
