#include "engine/src/edit/few_ids.hpp"
#include "support/test.hpp"

namespace throng::detail {
namespace {

using test::CountingResource;
using test::Random;

// The places of a list that have ids with a number, and the numbers.
std::vector<std::pair<std::uint32_t, std::size_t>> found_among(const FewIds& few,
                                                               std::span<const AgentId> ids) {
    std::vector<std::pair<std::uint32_t, std::size_t>> found;
    few.for_each_among(ids.data(), 0, ids.size(),
                       [&](std::uint32_t number, std::size_t i) { found.emplace_back(number, i); });
    return found;
}

// Apart from each other, side by side, and equal in the lower half of their bits.
TEST(FewIds, number_ids_in_the_order_in_which_they_came) {
    for (const AgentId step : {1u, 7u, 65536u, 0x9E3779B1u}) {
        CountingResource memory;
        ScratchList scratch(&memory);
        FewIds few(scratch);
        EXPECT_EQ(few.number_of(0), FewIds::none);
        std::vector<AgentId> ids;
        for (AgentId k = 0; k < FewIds::most; ++k) {
            ids.push_back(3 + k * step);
            ASSERT_TRUE(few.reserve(ids.size()));
            few.add(ids.back());
        }
        for (std::uint32_t k = 0; k < ids.size(); ++k) ASSERT_EQ(few.number_of(ids[k]), k) << step;
        EXPECT_EQ(few.number_of(2), FewIds::none);
        few.keep(100);
        for (std::uint32_t k = 0; k < ids.size(); ++k)
            ASSERT_EQ(few.number_of(ids[k]), k < 100 ? k : FewIds::none) << step;
        few.clear();
        for (const AgentId id : ids) ASSERT_EQ(few.number_of(id), FewIds::none);
        EXPECT_EQ(few.bytes(), memory.bytes_out());
    }
}

TEST(FewIds, are_found_among_many) {
    Random random(5);
    ScratchList scratch(nullptr);
    FewIds few(scratch);
    for (const std::size_t count : {1u, 2u, 10u, 900u}) {
        for (const std::size_t many : {1u, 7u, 8u, 9u, 5000u}) {
            few.clear();
            ASSERT_TRUE(few.reserve(count));
            std::vector<AgentId> ids, wanted;
            for (std::size_t i = 0; i < many; ++i) ids.push_back(static_cast<AgentId>(random.next()));
            std::vector<std::pair<std::uint32_t, std::size_t>> expected;
            for (std::uint32_t k = 0; k < std::min(count, many); ++k) {
                const std::size_t i = many / std::min(count, many) * k;
                expected.emplace_back(k, i);
                few.add(ids[i]);
            }
            EXPECT_EQ(found_among(few, ids), expected) << count << " of " << many;
        }
    }
}

// What was reserved for many is not kept for few.
TEST(FewIds, give_back_what_is_much_too_large) {
    CountingResource memory;
    ScratchList scratch(&memory);
    FewIds few(scratch);
    ASSERT_TRUE(few.reserve(FewIds::most));
    for (AgentId id = 0; id < FewIds::most; ++id) few.add(id);
    EXPECT_EQ(few.number_of(5), 5u);
    few.clear();
    scratch.release_excess(0, 0);
    EXPECT_LE(memory.bytes_out(), 20000u);
    ASSERT_TRUE(few.reserve(1));
    few.add(7);
    EXPECT_EQ(few.number_of(7), 0u);
    EXPECT_EQ(few.bytes(), memory.bytes_out());
}

}  // namespace
}  // namespace throng::detail
