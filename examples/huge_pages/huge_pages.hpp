// Memory in huge pages, for hosts on Linux: to be copied into a host as it is. Blocks of a megabyte and more
// begin at a boundary of two megabytes and are marked for huge pages of that size, so the processor looks up
// fewer addresses. All else comes from the heap, and so do large blocks on other systems.
//
//     HugePages pages;                                   // outlives the engine and its frames
//     throng::Engine engine({.memory = &pages});
//
// The frames that commits make lie in slabs of up to 256 KiB. A host that holds thousands of frames may cut
// those from huge pages too, with a pool whose upstream is a std::pmr::memory_resource that asks HugePages:
//
//     std::pmr::unsynchronized_pool_resource pool({.largest_required_pool_block = 256 << 10}, &upstream);
//     throng::PmrMemory memory(pool);               // throng/adapters/pmr.hpp; asked by one thread at a time
//
// The system gives huge pages where /sys/kernel/mm/transparent_hugepage/enabled says `madvise` or `always`.
// Up to two megabytes of each large block may be left over, so a host with many engines of a few megabytes
// pays for it.
#pragma once

#include <cstddef>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <throng/memory.hpp>

class HugePages final : public throng::MemoryResource {
public:
    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        if (bytes < least) return ::operator new (bytes, std::align_val_t{alignment}, std::nothrow);
        if (bytes > ~std::size_t{0} - page) return nullptr;
        const std::size_t whole = (bytes + page - 1) / page * page;
        void* memory = ::operator new(whole, place(alignment), std::nothrow);
#if defined(MADV_HUGEPAGE)
        // A wish: where it is not granted, the pages are small.
        if (memory != nullptr) (void)madvise(memory, whole, MADV_HUGEPAGE);
#endif
        return memory;
    }
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override {
        ::operator delete(memory, bytes < least ? std::align_val_t{alignment} : place(alignment));
    }

private:
    static constexpr std::size_t page = std::size_t{2} << 20, least = std::size_t{1} << 20;

    static constexpr std::align_val_t place(std::size_t alignment) noexcept {
        return std::align_val_t{alignment < page ? page : alignment};
    }
};
