// The only source of the engine's memory. It forwards to the host's resource, one call at a time, and counts
// allocations. Reserved memory is used first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "engine/src/memory/reserved_part.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

class HostMemory final : public MemoryResource {
public:
    // Null is the global heap.
    explicit HostMemory(MemoryResource* host) noexcept : host_(host) {}
    HostMemory(const HostMemory&) = delete;
    ~HostMemory() { let_go(); }

    MemoryResource* host() const noexcept { return host_; }
    // What the host gave, including all that is reserved.
    std::size_t bytes() const noexcept {
        const std::lock_guard lock(mutex_);
        return bytes_;
    }
    // By the host.
    std::uint64_t allocations() const noexcept {
        const std::lock_guard lock(mutex_);
        return allocations_;
    }

    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override;
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override;
    void* enlarge(void* memory, std::size_t bytes, std::size_t more, std::size_t alignment) noexcept override;

    // For the writing thread. Keeps `count` parts, each with room for `bytes` in one piece, until they are
    // let go or larger ones are reserved. Returns false and changes nothing if there is no memory.
    [[nodiscard]] bool reserve(std::size_t count, std::size_t bytes) noexcept;
    // Parts go back to the host as soon as nothing in them is in use. Until then they serve calls.
    void let_go() noexcept;

private:
    static constexpr std::size_t all = ~std::size_t{0};

    ReservedPart* take_part(std::size_t bytes) noexcept;
    // These are called under the lock.
    void* ask_host(std::size_t bytes, std::size_t alignment) noexcept;
    void give_to_host(void* memory, std::size_t bytes, std::size_t alignment) noexcept;
    void let_go(ReservedPart*& parts, std::size_t below) noexcept;
    bool return_if_unused(ReservedPart** link) noexcept;

    MemoryResource* host_;
    mutable std::mutex mutex_;
    ReservedPart* parts_ = nullptr;
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
