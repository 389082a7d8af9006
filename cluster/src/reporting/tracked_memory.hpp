// Memory of the host's resource, counted. Frames and lists of the engine may outlive the cluster and give
// their memory back later, so it ends only with the last of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "throng/memory.hpp"

namespace throng::cluster::detail {

class TrackedMemory final : public MemoryResource {
public:
    // Null without memory.
    static TrackedMemory* make(MemoryResource* host) noexcept {
        void* const memory = throng::allocate(host, sizeof(TrackedMemory), alignof(TrackedMemory));
        return memory == nullptr ? nullptr : new (memory) TrackedMemory(host);
    }
    // No more is taken.
    void end() noexcept { drop(sizeof *this); }

    std::uint64_t bytes() const noexcept { return bytes_.load(std::memory_order_relaxed); }
    std::uint64_t most_bytes() const noexcept { return most_.load(std::memory_order_relaxed); }

    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        void* const memory = throng::allocate(host_, bytes, alignment);
        if (memory != nullptr) add(bytes);
        return memory;
    }
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override {
        throng::give_back(host_, memory, bytes, alignment);
        drop(bytes);
    }
    void* enlarge(void* memory, std::size_t bytes, std::size_t more,
                  std::size_t alignment) noexcept override {
        void* const larger = throng::enlarge(host_, memory, bytes, more, alignment);
        if (larger != nullptr) add(more - bytes);
        return larger;
    }

private:
    explicit TrackedMemory(MemoryResource* host) noexcept : host_(host) {}

    void add(std::uint64_t bytes) noexcept {
        const std::uint64_t now = bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
        std::uint64_t most = most_.load(std::memory_order_relaxed);
        while (most < now && !most_.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
        }
    }
    void drop(std::uint64_t bytes) noexcept {
        if (bytes_.fetch_sub(bytes, std::memory_order_acq_rel) != bytes) return;
        MemoryResource* const host = host_;
        this->~TrackedMemory();
        throng::give_back(host, this, sizeof *this, alignof(TrackedMemory));
    }

    MemoryResource* const host_;
    // Its own, too, until it has ended.
    std::atomic<std::uint64_t> bytes_{sizeof(TrackedMemory)}, most_{sizeof(TrackedMemory)};
};

}  // namespace throng::cluster::detail
