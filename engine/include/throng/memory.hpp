// MemoryResource: where the library gets its memory from. A host derives its own, or gives none and gets the
// global heap. It answers with null where there is no memory, and never throws, so it works in hosts without
// exceptions too. throng/adapters/pmr.hpp makes one of a std::pmr::memory_resource.
//
//     struct Arena final : throng::MemoryResource {
//         void* allocate(std::size_t bytes, std::size_t alignment) noexcept override;
//         void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override;
//     };
//
// Memory comes back with the size and the alignment that it was asked for with. The alignment is a power of
// two.
//
// The rows of a large frame are one block, and what commits make comes in slabs of up to 256 KiB. A resource
// may put large blocks into huge pages, and slabs as well (examples/huge_pages): queries take a few
// hundredths less, and the system takes memory back in a tenth of the time.
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
