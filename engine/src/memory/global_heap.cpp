#include <new>

#include "throng/memory.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace throng {

namespace {

// Large blocks begin at a boundary of huge pages, and those that they fill are marked; the rest of a block stays in small pages,
// so it takes no more memory than it has. That is a wish: where it is not granted, all pages are small.
constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t alignment_on_heap(std::size_t bytes, std::size_t alignment) noexcept {
    return bytes >= huge_page && alignment < huge_page ? huge_page : alignment;
}

void wish_for_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(MADV_HUGEPAGE)
    if (bytes >= huge_page) (void)madvise(memory, bytes / huge_page * huge_page, MADV_HUGEPAGE);
#endif
}

}  // namespace

MemoryResource::~MemoryResource() = default;

// By the operators that a host most likely replaces, which say by an exception that there is no memory.
void* allocate(MemoryResource* from, std::size_t bytes, std::size_t alignment) noexcept {
    if (from != nullptr) return from->allocate(bytes, alignment);
    // More than there can be; to round it up would overflow.
    if (bytes > ~std::size_t{0} / 2) return nullptr;
    alignment = alignment_on_heap(bytes, alignment);
    try {
        if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) return ::operator new(bytes);
        void* const memory = ::operator new(bytes, std::align_val_t(alignment));
        wish_for_huge_pages(memory, bytes);
        return memory;
    } catch (...) {
        return nullptr;
    }
}

void give_back(MemoryResource* to, void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    if (to != nullptr) return to->deallocate(memory, bytes, alignment);
    alignment = alignment_on_heap(bytes, alignment);
    if (alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__)
        ::operator delete(memory);
    else
        ::operator delete(memory, std::align_val_t(alignment));
}

}  // namespace throng
