// The only source of the engine's memory: it forwards to the host's resource, one call at a time, and counts
// allocations. Everything in the engine allocates through this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "throng/memory.hpp"

namespace throng::detail {

class HostMemory final : public MemoryResource {
public:
    // Null is the global heap.
    explicit HostMemory(MemoryResource* host) noexcept : host_(host) {}

    MemoryResource* host() const noexcept { return host_; }
    std::size_t bytes() const noexcept {
        const std::lock_guard lock(mutex_);
        return bytes_;
    }
    std::uint64_t allocations() const noexcept {
        const std::lock_guard lock(mutex_);
        return allocations_;
    }

    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        const std::lock_guard lock(mutex_);
        void* memory = throng::allocate(host_, bytes, alignment);
        if (memory == nullptr) return nullptr;
        bytes_ += bytes;
        ++allocations_;
        return memory;
    }
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override {
        const std::lock_guard lock(mutex_);
        bytes_ -= bytes;
        throng::give_back(host_, memory, bytes, alignment);
    }

private:
    MemoryResource* host_;
    mutable std::mutex mutex_;
    std::size_t bytes_ = 0;
    std::uint64_t allocations_ = 0;
};

// Makes an object in the engine's memory; null if there is none.
template <class T, class... Arguments>
T* make(MemoryResource& memory, Arguments&&... arguments) noexcept {
    void* place = memory.allocate(sizeof(T), alignof(T));
    return place == nullptr ? nullptr : ::new (place) T(static_cast<Arguments&&>(arguments)...);
}
template <class T>
void destroy(MemoryResource& memory, T* object) noexcept {
    if (object == nullptr) return;
    object->~T();
    memory.deallocate(object, sizeof(T), alignof(T));
}

}  // namespace throng::detail
