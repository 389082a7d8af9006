// HugePages: memory whose large blocks lie in huge pages, if the system has them. New memory then costs a
// third to a sixth, which is most of the time of a first call. The processor looks up fewer addresses, and a
// block that grows is moved by its pages instead of copied.
//
//     throng::HugePages pages;                           // outlives the engine, its frames and results
//     throng::Engine engine({.memory = &pages});
//     throng::PairList touching(&pages);
//
// Blocks of two megabytes and more begin at a boundary of two megabytes, and are marked for huge pages. Up to
// two megabytes of each may be unused, which matters to a host with many engines of a few megabytes. Smaller
// blocks come from the global heap, and so do large ones on systems other than Linux. Linux gives huge pages
// if /sys/kernel/mm/transparent_hugepage/enabled says `madvise` or `always`; otherwise the pages are small.
//
// The frames that commits make lie in slabs of up to 256 KiB. A host with thousands of frames may cut these
// from huge pages too, with a pool whose upstream is a std::pmr::memory_resource that asks HugePages:
//
//     std::pmr::unsynchronized_pool_resource pool({.largest_required_pool_block = 256 << 10}, &upstream);
//     throng::PmrMemory memory(pool);  // throng/adapters/pmr.hpp; asked by one thread at a time
//
// HugePages has no state, so any threads may share one.
#pragma once

#include <cstddef>

#include "throng/memory.hpp"

namespace throng {

class THRONG_API HugePages final : public MemoryResource {
public:
    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override;
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override;
    void* enlarge(void* memory, std::size_t bytes, std::size_t more, std::size_t alignment) noexcept override;
};

}  // namespace throng
