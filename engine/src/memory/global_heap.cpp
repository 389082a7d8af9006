#include <cstring>
#include <new>

#include "throng/memory.hpp"

namespace throng {

MemoryResource::~MemoryResource() = default;
void* MemoryResource::enlarge(void*, std::size_t, std::size_t, std::size_t) noexcept { return nullptr; }

// By the operators that a host most likely replaces, which throw if there is no memory.
void* allocate(MemoryResource* from, std::size_t bytes, std::size_t alignment) noexcept {
    if (from != nullptr) return from->allocate(bytes, alignment);
    // More than there can be: some heaps round it up to an alignment, and overflow.
    if (bytes > ~std::size_t{0} / 2) return nullptr;
    try {
        if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator new(bytes);
        return ::operator new(bytes, std::align_val_t(alignment));
    } catch (...) {
        return nullptr;
    }
}

void* enlarge(MemoryResource* in, void* memory, std::size_t bytes, std::size_t more,
              std::size_t alignment) noexcept {
    return in == nullptr ? nullptr : in->enlarge(memory, bytes, more, alignment);
}

void give_back(MemoryResource* to, void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    if (to != nullptr)
        to->deallocate(memory, bytes, alignment);
    else if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__)
        ::operator delete(memory);
    else
        ::operator delete(memory, std::align_val_t(alignment));
}

void* grown(MemoryResource* in, void* memory, std::size_t used, std::size_t bytes, std::size_t more,
            std::size_t alignment) noexcept {
    if (memory != nullptr)
        if (void* const same = enlarge(in, memory, bytes, more, alignment); same != nullptr) return same;
    void* const other = allocate(in, more, alignment);
    if (other == nullptr || memory == nullptr) return other;
    if (used != 0) std::memcpy(other, memory, used);
    give_back(in, memory, bytes, alignment);
    return other;
}

}  // namespace throng
