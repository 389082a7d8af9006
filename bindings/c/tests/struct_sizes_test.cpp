// Structs of the first version that had them.

#include <cstdint>

#include "gtest/gtest.h"
#include "throng.h"

namespace throng::test {
namespace {

// These sizes never change: where a struct has grown, `first_size` must give its first size.
TEST(CStructs, of_the_first_header_are_taken) {
    if (sizeof(void*) != 8) GTEST_SKIP() << "the sizes are those of 64 bits";
    const auto is_taken = []<class Sized>(std::int32_t (*init)(Sized*, std::uint32_t), std::uint32_t size) {
        Sized sized;
        return size <= sizeof sized && init(&sized, size) == THRONG_OK &&
               init(&sized, size - 4) == THRONG_BAD_STRUCT;
    };
    EXPECT_TRUE(is_taken(throng_init_status_details, 24));
    EXPECT_TRUE(is_taken(throng_init_boxes, 104));
    EXPECT_TRUE(is_taken(throng_init_labels, 40));
    EXPECT_TRUE(is_taken(throng_init_filter, 40));
    EXPECT_TRUE(is_taken(throng_init_memory_report, 64));
    EXPECT_TRUE(is_taken(throng_init_tuning, 64));
    EXPECT_TRUE(is_taken(throng_init_validation, 32));
    EXPECT_TRUE(is_taken(throng_init_kept_neighbourhood, 16));
    EXPECT_TRUE(is_taken(throng_init_pair_query, 24));
    EXPECT_TRUE(is_taken(throng_init_within, 48));
    EXPECT_TRUE(is_taken(throng_init_nearest, 48));
    EXPECT_TRUE(is_taken(throng_init_points, 40));
    EXPECT_TRUE(is_taken(throng_init_explanation, 80));
    EXPECT_TRUE(is_taken(throng_init_origin_choice, 48));
    EXPECT_TRUE(is_taken(throng_init_links, 72));
    EXPECT_TRUE(is_taken(throng_init_fold, 24));
    EXPECT_TRUE(is_taken(throng_init_trial_rule, 64));
    throng_engine_config config;
    EXPECT_EQ(throng_init_engine_config(&config, 80, THRONG_C_VERSION), THRONG_OK);
}

}  // namespace
}  // namespace throng::test
