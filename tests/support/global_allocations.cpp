#include "support/global_allocations.hpp"

#include <atomic>
#include <cstddef>
#include <new>

#include "support/aligned_memory.hpp"

namespace {

std::atomic<std::uint64_t> count = 0;

void* counted(std::size_t bytes, std::size_t alignment) {
    ++count;
    if (void* memory = throng::test::take_aligned(bytes, alignment)) return memory;
    throw std::bad_alloc();
}

void give_back(void* memory) noexcept { throng::test::give_back_aligned(memory); }

}  // namespace

std::uint64_t throng::test::global_allocations() { return ::count; }

// The array forms end up in these, and so do the forms that do not throw. They are defined here since a
// sanitizer has such forms of its own, with another heap.
void* operator new(std::size_t bytes) { return counted(bytes, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return counted(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    try {
        return ::operator new(bytes);
    } catch (...) {
        return nullptr;
    }
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
