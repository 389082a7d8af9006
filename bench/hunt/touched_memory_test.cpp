// What is timed does not wait for the system to give a page.
#include <sys/resource.h>

#include <cstring>
#include <random>

#include "bench/hunt/touched_memory.hpp"
#include "gtest/gtest.h"
#include "throng/engine.hpp"

namespace throng::hunt {
namespace {

long faults() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

TEST(TouchedMemory, has_all_of_its_pages) {
    constexpr std::size_t bytes = std::size_t{64} << 20;
    TouchedMemory memory;
    void* const place = memory.allocate(bytes, 64);
    ASSERT_NE(place, nullptr);
    EXPECT_EQ(memory.bytes(), bytes);
    const long before = faults();
    std::memset(place, 1, bytes);
    EXPECT_LE(faults() - before, 50) << "of 16,384 pages";
    memory.deallocate(place, bytes, 64);
    EXPECT_EQ(memory.bytes(), 0u);
    EXPECT_GT(memory.seconds(), 0);
}

// Its time on the thread is nearly all that its memory takes, and none of it is what the subject spent.
TEST(EngineSubject, spends_no_time_on_memory) {
    std::vector<Box> boxes;
    std::mt19937 random(1);
    std::uniform_real_distribution<float> anywhere(0, 1000);
    for (int i = 0; i < 3000; ++i) {
        const float x = anywhere(random), y = anywhere(random);
        boxes.push_back({x, y, x + 300, y + 300});
    }
    const worlds::Scene scene{boxes, {}, {}};
    const std::unique_ptr<Subject> subject = engine_subject()(scene);
    subject->update(scene);
    const double thread = thread_seconds(), spent = subject->spent();
    EXPECT_GT(subject->pairs(), 500'000u);
    const double thread_took = thread_seconds() - thread, took = subject->spent() - spent;
    EXPECT_GT(took, 0);
    EXPECT_LT(took, 0.9 * thread_took) << "some megabytes were taken";
}

}  // namespace
}  // namespace throng::hunt
