// A world as both interfaces see it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gtest/gtest.h"
#include "throng.h"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"

namespace throng::test {

// An initialised struct of options: `made(throng_init_filter)`.
template <class Sized>
Sized made(int32_t (*init)(Sized*, uint32_t)) {
    Sized sized;
    EXPECT_EQ(init(&sized, sizeof sized), THRONG_OK);
    return sized;
}

inline throng_engine_config made_config() {
    throng_engine_config config;
    EXPECT_EQ(throng_engine_config_init(&config), THRONG_OK);
    return config;
}

// With the memory of a C++ resource behind the host's two functions.
inline throng_engine_config config_with(MemoryResource& memory) {
    throng_engine_config config = made_config();
    config.allocate = [](void* resource, std::uint64_t bytes, std::uint64_t alignment) {
        return static_cast<MemoryResource*>(resource)->allocate(bytes, alignment);
    };
    config.deallocate = [](void* resource, void* block, std::uint64_t bytes, std::uint64_t alignment) {
        static_cast<MemoryResource*>(resource)->deallocate(block, bytes, alignment);
    };
    config.memory_context = &memory;
    return config;
}

// Both libraries' boxes are four floats.
inline throng_boxes boxes_in_c(const std::vector<Box>& boxes) {
    auto given = made(throng_init_boxes);
    const float* first = boxes.empty() ? nullptr : &boxes.front().min_x;
    throng_boxes_min_max(&given, first, first == nullptr ? nullptr : first + 1,
                         first == nullptr ? nullptr : first + 2, first == nullptr ? nullptr : first + 3,
                         boxes.size(), sizeof(Box));
    return given;
}

// The same with bands of heights, as many.
inline throng_boxes with_heights(throng_boxes boxes, const std::vector<Band>& bands) {
    if (bands.empty()) return boxes;
    boxes.min_z = &bands.front().min_z;
    boxes.max_z = &bands.front().max_z;
    boxes.stride_z = sizeof(Band);
    return boxes;
}

// An engine, a frame and one result of each kind, destroyed together.
struct CWorld {
    explicit CWorld(const throng_engine_config& config = made_config()) {
        EXPECT_EQ(throng_engine_create(&config, &engine, nullptr), THRONG_OK);
        EXPECT_EQ(make_results(), THRONG_OK);
    }
    // For an engine that may fail.
    struct Empty {};
    explicit CWorld(Empty) {}
    std::int32_t make_results() {
        std::int32_t status = throng_hits_create(engine, &hits, nullptr);
        if (status == THRONG_OK) status = throng_pairs_create(engine, &pairs, nullptr);
        if (status == THRONG_OK) status = throng_neighbours_create(engine, &lists, nullptr);
        if (status == THRONG_OK) status = throng_cast_hits_create(engine, &cast_hits, nullptr);
        return status;
    }
    CWorld(const CWorld&) = delete;
    CWorld& operator=(const CWorld&) = delete;
    ~CWorld() {
        throng_engine_destroy(engine);
        throng_frame_release(frame);
        throng_hits_destroy(hits);
        throng_pairs_destroy(pairs);
        throng_neighbours_destroy(lists);
        throng_cast_hits_destroy(cast_hits);
    }
    void update(const std::vector<Box>& boxes, const throng_labels* labels = nullptr) {
        const throng_boxes given = boxes_in_c(boxes);
        ASSERT_EQ(throng_engine_update(engine, &given, labels, nullptr), THRONG_OK);
        ASSERT_EQ(throng_engine_frame(engine, &frame, nullptr), THRONG_OK);
    }

    throng_engine* engine = nullptr;
    throng_frame* frame = nullptr;
    throng_hits* hits = nullptr;
    throng_pairs* pairs = nullptr;
    throng_neighbours* lists = nullptr;
    throng_cast_hits* cast_hits = nullptr;
};

// What a getter gives, as a span.
template <class Object, class Element>
std::span<const Element> got(const Object* object, const Element* (*getter)(const Object*, uint64_t*)) {
    uint64_t count = 0;
    const Element* first = getter(object, &count);
    return {first, static_cast<std::size_t>(count)};
}

}  // namespace throng::test
