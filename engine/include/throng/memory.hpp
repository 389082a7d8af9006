// MemoryResource: where the library gets its memory from. A host derives its own, or gives none and gets the
// global heap. It answers with null where there is no memory, and never throws, so it works in hosts without
// exceptions too. throng/adapters/pmr.hpp makes one of a std::pmr::memory_resource.
//
//     struct Arena final : throng::MemoryResource {
//         void* allocate(std::size_t bytes, std::size_t alignment) noexcept override;
//         void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override;
//     };
//
// Memory comes back with the size and the alignment that it was asked for with. The alignment is a power of two.
//
// On Linux the global heap's blocks of 2 MiB and more begin at a boundary of huge pages, and the system is asked (by madvise)
// to back the whole huge pages in them by such: the processor looks up fewer addresses, and the system takes them back in a
// twentieth of the time. It does so where /sys/kernel/mm/transparent_hugepage/enabled says `madvise` or `always`. No block takes
// more memory than it has, but a huge page is taken as a whole once it is written to. An engine's small blocks share such
// blocks once they hold 8 MiB, so a host with many small engines pays nothing. A host that wants small pages gives a
// resource of its own, such as PmrMemory with std::pmr::new_delete_resource(), or has the system leave the process alone
// (prctl, PR_SET_THP_DISABLE).
#pragma once

#include <cstddef>

#include "throng/export.hpp"

namespace throng {

class THRONG_API MemoryResource {
public:
    virtual ~MemoryResource();
    // Null if there is none.
    [[nodiscard]] virtual void* allocate(std::size_t bytes, std::size_t alignment) noexcept = 0;
    virtual void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept = 0;
};

// From a resource, or from the global heap if there is none.
[[nodiscard]] THRONG_API void* allocate(MemoryResource* from, std::size_t bytes,
                                        std::size_t alignment) noexcept;
THRONG_API void give_back(MemoryResource* to, void* memory, std::size_t bytes,
                          std::size_t alignment) noexcept;

}  // namespace throng
