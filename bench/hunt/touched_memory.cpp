#include "bench/hunt/touched_memory.hpp"

namespace throng::hunt {

void* TouchedMemory::allocate(std::size_t bytes, std::size_t alignment) noexcept {
    constexpr std::size_t page = 4096;
    const double begin = thread_seconds();
    void* const memory = throng::allocate(nullptr, bytes, alignment);
    if (memory != nullptr) {
        auto* const at = static_cast<volatile std::byte*>(memory);
        for (std::size_t i = 0; i < bytes; i += page) at[i] = std::byte{};
        if (bytes != 0) at[bytes - 1] = std::byte{};
        bytes_ += bytes;
    }
    seconds_ += thread_seconds() - begin;
    return memory;
}

void TouchedMemory::deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    const double begin = thread_seconds();
    throng::give_back(nullptr, memory, bytes, alignment);
    bytes_ -= bytes;
    seconds_ += thread_seconds() - begin;
}

}  // namespace throng::hunt
