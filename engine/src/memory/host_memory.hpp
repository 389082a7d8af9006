// The only source of the engine's memory: it forwards to the host's resource, one call at a time, and counts
// allocations. Everything in the engine allocates through this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <mutex>

namespace throng::detail {

class HostMemory final : public std::pmr::memory_resource {
public:
    explicit HostMemory(std::pmr::memory_resource* host) noexcept
        : host_(host != nullptr ? host : std::pmr::new_delete_resource()) {}

    std::pmr::memory_resource* host() const noexcept { return host_; }
    std::size_t bytes() const noexcept {
        const std::lock_guard lock(mutex_);
        return bytes_;
    }
    std::uint64_t allocations() const noexcept {
        const std::lock_guard lock(mutex_);
        return allocations_;
    }

private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        const std::lock_guard lock(mutex_);
        void* memory = host_->allocate(bytes, alignment);
        bytes_ += bytes;
        ++allocations_;
        return memory;
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
        const std::lock_guard lock(mutex_);
        bytes_ -= bytes;
        host_->deallocate(memory, bytes, alignment);
    }
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
        return this == &other;
    }

    std::pmr::memory_resource* host_;
    mutable std::mutex mutex_;
    std::size_t bytes_ = 0;
    std::uint64_t allocations_ = 0;
};

// Makes an object in the engine's memory; null if there is none.
template <class T, class... Arguments>
T* make(std::pmr::memory_resource& memory, Arguments&&... arguments) noexcept {
    try {
        return ::new (memory.allocate(sizeof(T), alignof(T))) T(static_cast<Arguments&&>(arguments)...);
    } catch (...) {
        return nullptr;
    }
}
template <class T>
void destroy(std::pmr::memory_resource& memory, T* object) noexcept {
    if (object == nullptr) return;
    object->~T();
    memory.deallocate(object, sizeof(T), alignof(T));
}

}  // namespace throng::detail
