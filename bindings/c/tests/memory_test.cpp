// Memory in huge pages, what results hold, blocks for the host's own arrays, and ids as 64-bit numbers.
#include "bindings/c/tests/both_worlds.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

TEST(CMemory, in_huge_pages_changes_no_answer) {
    const Scene scene = make_scene("uniform", 60000);
    throng_engine_config config = made_config();
    config.huge_pages = 1;
    CWorld plain, huge(config);
    plain.update(scene.agents());
    huge.update(scene.agents());
    auto query = made(throng_init_pair_query);
    query.within = 3;
    for (const CWorld* each : {&plain, &huge})
        ASSERT_EQ(throng_frame_pairs(each->frame, &query, each->pairs, nullptr), THRONG_OK);
    EXPECT_GT(throng_pairs_bytes(huge.pairs), std::uint64_t{2} << 20) << "blocks were large";
    expect_same_bytes(got(plain.pairs, throng_pairs_get), got(huge.pairs, throng_pairs_get));
}

TEST(CMemory, of_the_host_goes_before_huge_pages) {
    CountingResource memory;
    {
        throng_engine_config config = config_with(memory);
        config.huge_pages = 1;
        CWorld c(config);
        throng_memory* block = nullptr;
        const std::size_t before = memory.bytes_out();
        ASSERT_EQ(throng_memory_create(c.engine, 5 << 20, &block, nullptr), THRONG_OK);
        EXPECT_GE(memory.bytes_out() - before, std::size_t{5} << 20);
        throng_memory_destroy(block);
    }
    EXPECT_EQ(memory.blocks_out(), 0u);
    EXPECT_FALSE(memory.misused());
}

TEST(CMemory, that_results_hold_is_told) {
    Both both("uniform", 2000);
    auto nearest = made(throng_init_nearest);
    nearest.count = 4;
    EXPECT_EQ(throng_neighbours_bytes(both.c.lists), 0u);
    ASSERT_EQ(throng_frame_neighbours_nearest(both.c.frame, &nearest, nullptr, both.c.lists, nullptr),
              THRONG_OK);
    const std::uint64_t bytes = 8 * got(both.c.lists, throng_neighbours_offsets).size() +
                                4 * got(both.c.lists, throng_neighbours_ids).size();
    EXPECT_GE(throng_neighbours_bytes(both.c.lists), bytes);
    EXPECT_LE(throng_neighbours_bytes(both.c.lists), 2 * bytes + 10000);
    for (const std::uint64_t none :
         {throng_hits_bytes(both.c.hits), throng_cast_hits_bytes(both.c.cast_hits),
          throng_hits_bytes(nullptr), throng_pairs_bytes(nullptr), throng_neighbours_bytes(nullptr),
          throng_cast_hits_bytes(nullptr), throng_hits_as_found_bytes(nullptr)})
        EXPECT_EQ(none, 0u);
}

TEST(CMemory, comes_in_blocks_that_outlive_their_engine) {
    CWorld c;
    throng_memory* block = nullptr;
    ASSERT_EQ(throng_memory_create(c.engine, 1000, &block, nullptr), THRONG_OK);
    throng_engine_destroy(c.engine);
    c.engine = nullptr;
    std::uint64_t bytes = 0;
    void* const first = throng_memory_get(block, &bytes);
    EXPECT_EQ(bytes, 1000u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0u);
    std::memset(first, 1, 1000);
    throng_memory_destroy(block);
    ASSERT_EQ(throng_memory_create(nullptr, 0, &block, nullptr), THRONG_OK);
    throng_memory_destroy(block);
    throng_memory_destroy(nullptr);
}

TEST(CMemory, that_is_not_there_is_a_status) {
    throng_memory* block = nullptr;
    auto details = made(throng_init_status_details);
    // More than can exist: the heap might be asked for less, and some sanitizers do not survive that.
    EXPECT_EQ(throng_memory_create(nullptr, UINT64_MAX, &block, &details), THRONG_OUT_OF_MEMORY);
    EXPECT_EQ(details.code, THRONG_OUT_OF_MEMORY);
    EXPECT_EQ(block, nullptr);
    EXPECT_EQ(throng_memory_create(nullptr, 1, nullptr, nullptr), THRONG_NULL_POINTER);
    std::uint64_t bytes = 7;
    EXPECT_EQ(throng_memory_get(nullptr, &bytes), nullptr);
    EXPECT_EQ(bytes, 0u);
}

}  // namespace
}  // namespace throng::test
