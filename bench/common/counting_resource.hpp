// A memory resource that counts: how often it was called, and how many bytes are out. It hands every request
// on to the global heap. Counting is atomic, since a resource may be called from any of the library's
// threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "throng/memory.hpp"

namespace throng::bench {

class CountingResource final : public MemoryResource {
public:
    std::uint64_t allocations() const noexcept { return allocations_.load(std::memory_order_relaxed); }
    std::size_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }

private:
    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        void* memory = throng::allocate(nullptr, bytes, alignment);
        allocations_.fetch_add(1, std::memory_order_relaxed);
        bytes_.fetch_add(bytes, std::memory_order_relaxed);
        return memory;
    }
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override {
        bytes_.fetch_sub(bytes, std::memory_order_relaxed);
        throng::give_back(nullptr, memory, bytes, alignment);
    }

    std::atomic<std::uint64_t> allocations_{0};
    std::atomic<std::size_t> bytes_{0};
};

}  // namespace throng::bench
