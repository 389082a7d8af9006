#include <new>

#include "throng/memory.hpp"

namespace throng {

MemoryResource::~MemoryResource() = default;

namespace detail {

void* allocate(MemoryResource* from, std::size_t bytes, std::size_t alignment) noexcept {
    if (from != nullptr) return from->allocate(bytes, alignment);
    if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator new(bytes, std::nothrow);
    return ::operator new(bytes, std::align_val_t(alignment), std::nothrow);
}

void give_back(MemoryResource* to, void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    if (to != nullptr)
        to->deallocate(memory, bytes, alignment);
    else if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__)
        ::operator delete(memory);
    else
        ::operator delete(memory, std::align_val_t(alignment));
}

}  // namespace detail

}  // namespace throng
