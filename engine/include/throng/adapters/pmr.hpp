// PmrMemory: a std::pmr::memory_resource as the library's MemoryResource. It has its own header because some
// standard libraries have no <memory_resource>, and it takes long to compile.
//
//     std::pmr::unsynchronized_pool_resource pool;
//     throng::PmrMemory memory(pool);
//     throng::Engine engine({.memory = &memory});
//
// Both must outlive what is made with them. The host needs exceptions: such a resource throws to refuse.
#pragma once

#include <cstddef>
#include <memory_resource>

#include "throng/memory.hpp"

namespace throng {

class PmrMemory final : public MemoryResource {
public:
    explicit PmrMemory(std::pmr::memory_resource& resource) noexcept : resource_(&resource) {}

    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        try {
            return resource_->allocate(bytes, alignment);
        } catch (...) {
            return nullptr;
        }
    }
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override {
        resource_->deallocate(memory, bytes, alignment);
    }

private:
    std::pmr::memory_resource* resource_;
};

}  // namespace throng
