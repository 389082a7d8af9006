#include "throng/adapters/huge_pages.hpp"

#include <cstdint>

#include "throng/compiler.hpp"

#if THRONG_MOVES_PAGES
#include <sys/mman.h>
#endif

namespace throng {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

#if THRONG_MOVES_PAGES

bool is_mapped(std::size_t bytes, std::size_t alignment) noexcept {
    return bytes >= huge_page && bytes <= ~std::size_t{0} / 2 && alignment <= huge_page;
}
std::size_t whole_pages(std::size_t bytes) noexcept {
    return (bytes + huge_page - 1) / huge_page * huge_page;
}

// Addresses from a boundary on, with this access; null if there are none.
void* map(std::size_t whole, int access) noexcept {
    void* const all = mmap(nullptr, whole + huge_page, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return nullptr;
    std::byte* const begin = static_cast<std::byte*>(all);
    const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(all) % huge_page) % huge_page;
    if (before != 0) (void)munmap(begin, before);
    (void)munmap(begin + before + whole, huge_page - before);
    return begin + before;
}

void* allocate_mapped(std::size_t bytes) noexcept {
    void* const memory = map(whole_pages(bytes), PROT_READ | PROT_WRITE);
    // A request: if it is not granted, the pages are small.
    if (memory != nullptr) (void)madvise(memory, whole_pages(bytes), MADV_HUGEPAGE);
    return memory;
}

// The pages move to a place with room behind them.
void* enlarge_mapped(void* memory, std::size_t bytes, std::size_t more) noexcept {
    if (whole_pages(more) <= whole_pages(bytes)) return memory;
    void* const to = map(whole_pages(more), PROT_NONE);
    if (to == nullptr) return nullptr;
    void* const moved =
        mremap(memory, whole_pages(bytes), whole_pages(more), MREMAP_MAYMOVE | MREMAP_FIXED, to);
    if (moved != MAP_FAILED) return moved;
    (void)munmap(to, whole_pages(more));
    return nullptr;
}

void give_back_mapped(void* memory, std::size_t bytes) noexcept { (void)munmap(memory, whole_pages(bytes)); }

#else

bool is_mapped(std::size_t, std::size_t) noexcept { return false; }
void* allocate_mapped(std::size_t) noexcept { return nullptr; }
void* enlarge_mapped(void*, std::size_t, std::size_t) noexcept { return nullptr; }
void give_back_mapped(void*, std::size_t) noexcept {}

#endif

}  // namespace

void* HugePages::allocate(std::size_t bytes, std::size_t alignment) noexcept {
    return is_mapped(bytes, alignment) ? allocate_mapped(bytes) : throng::allocate(nullptr, bytes, alignment);
}

void HugePages::deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    if (is_mapped(bytes, alignment))
        give_back_mapped(memory, bytes);
    else
        throng::give_back(nullptr, memory, bytes, alignment);
}

void* HugePages::enlarge(void* memory, std::size_t bytes, std::size_t more, std::size_t alignment) noexcept {
    const bool both = is_mapped(bytes, alignment) && is_mapped(more, alignment);
    return both ? enlarge_mapped(memory, bytes, more) : nullptr;
}

}  // namespace throng
