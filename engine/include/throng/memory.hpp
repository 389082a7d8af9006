// MemoryResource: where the library gets its memory from. A host derives its own; without one the library
// uses the global heap. It returns null if there is no memory, and never throws, so it works in hosts without
// exceptions too. throng/adapters/pmr.hpp makes one from a std::pmr::memory_resource.
//
//     struct Arena final : throng::MemoryResource {
//         void* allocate(std::size_t bytes, std::size_t alignment) noexcept override;
//         void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override;
//     };
//
// Memory is given back with the size and alignment of its request. The alignment is a power of two.
//
// The rows of a large frame are one block, and commits take slabs of up to 256 KiB. A resource may put large
// blocks into huge pages (throng/adapters/huge_pages.hpp), slabs too, by a pool of them. Queries then take
// some hundredths less, new memory costs a third to a sixth, and the system takes it back ten times as fast.
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
    // The same block with room for `more` than its `bytes`, with its content, maybe at another place. If it
    // returns null, the block is as it was, and the library asks for another one and copies. Answers grow
    // while they are found, so a resource with this saves touching memory two or three times.
    [[nodiscard]] virtual void* enlarge(void* memory, std::size_t bytes, std::size_t more,
                                        std::size_t alignment) noexcept;
};

// From a resource, or from the global heap if it is null.
[[nodiscard]] THRONG_API void* allocate(MemoryResource* from, std::size_t bytes,
                                        std::size_t alignment) noexcept;
[[nodiscard]] THRONG_API void* enlarge(MemoryResource* in, void* memory, std::size_t bytes, std::size_t more,
                                       std::size_t alignment) noexcept;
THRONG_API void give_back(MemoryResource* to, void* memory, std::size_t bytes,
                          std::size_t alignment) noexcept;

}  // namespace throng
