// The work spaces that parallel blocks use: plain buffers, pooled (see pool.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/kernels.hpp"
#include "throng/buffer.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// For sorting the records of a row.
struct SortSpace {
    explicit SortSpace(std::pmr::memory_resource* memory) noexcept : bytes(memory) {}
    Buffer<std::byte> bytes;
    SortSpace* next = nullptr;
};

// For the pairs of some rows: the agents that reach into later rows, and what was found.
struct PairSpace {
    explicit PairSpace(std::pmr::memory_resource* memory) noexcept : edge(memory), pairs(memory) {}
    Buffer<std::uint32_t> edge;
    Buffer<Pair> pairs;
    PairSpace* next = nullptr;
};

// Which spaces the blocks of one search for pairs have taken.
struct PairTable {
    explicit PairTable(std::pmr::memory_resource* memory) noexcept : spaces(memory) {}
    Buffer<PairSpace*> spaces;
    PairTable* next = nullptr;
};

// For a window of a batch of questions.
struct WindowSpace {
    explicit WindowSpace(std::pmr::memory_resource* memory) noexcept
        : questions(memory), keys(memory), starts(memory), order(memory), rank(memory), ends(memory), ids(memory) {}
    Buffer<simd::Question> questions;
    Buffer<std::uint16_t> keys;
    Buffer<std::uint32_t> starts;
    Buffer<std::uint32_t> order;
    Buffer<std::uint32_t> rank;
    Buffer<std::uint64_t> ends;
    Buffer<AgentId> ids;
    bool rank_valid = false;  // otherwise the answers are in the caller's order
    WindowSpace* next = nullptr;
};

// Which spaces the windows of one batch have taken.
struct WindowTable {
    explicit WindowTable(std::pmr::memory_resource* memory) noexcept : spaces(memory) {}
    Buffer<WindowSpace*> spaces;
    WindowTable* next = nullptr;
};

// Room for `count` values with a quarter to spare, so that a need which varies a little from frame to frame does not
// allocate again and again.
template <class T>
[[nodiscard]] bool reserve_amply(Buffer<T>& buffer, std::size_t count) noexcept {
    return count <= buffer.capacity() || buffer.reserve(count + count / 4);
}

// To be called when a result is complete: if it nearly fills its buffer, the buffer grows now, while the world is
// still settling. A lack of memory here is no failure.
template <class T>
void keep_ample(Buffer<T>& buffer, std::size_t used) noexcept {
    if (used + used / 8 > buffer.capacity()) (void)buffer.reserve(used + used / 4);
}

}  // namespace throng::detail
