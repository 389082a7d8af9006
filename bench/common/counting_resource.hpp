// A memory resource that counts: how often it was called, and how many bytes are out. It hands every request
// on to the global heap. Counting is atomic, since a resource may be called from any of the library's threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace throng::bench {

class CountingResource final : public std::pmr::memory_resource {
public:
    std::uint64_t allocations() const noexcept { return allocations_.load(std::memory_order_relaxed); }
    std::size_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }

private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        void* memory = std::pmr::new_delete_resource()->allocate(bytes, alignment);
        allocations_.fetch_add(1, std::memory_order_relaxed);
        bytes_.fetch_add(bytes, std::memory_order_relaxed);
        return memory;
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
        bytes_.fetch_sub(bytes, std::memory_order_relaxed);
        std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
    }
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
        return this == &other;
    }

    std::atomic<std::uint64_t> allocations_{0};
    std::atomic<std::size_t> bytes_{0};
};

}  // namespace throng::bench
