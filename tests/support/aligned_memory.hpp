// Aligned memory of the C library, for tests that have to go past operator new.
#pragma once

#include <cstddef>
#include <cstdlib>

#if defined(_WIN32)
#include <malloc.h>
#endif

namespace throng::test {

// `bytes` need not be a multiple of the alignment. Null where there is none.
inline void* take_aligned(std::size_t bytes, std::size_t alignment) noexcept {
    const std::size_t whole = bytes == 0 ? alignment : (bytes + alignment - 1) / alignment * alignment;
#if defined(_WIN32)
    return _aligned_malloc(whole, alignment);
#else
    return std::aligned_alloc(alignment, whole);
#endif
}

inline void give_back_aligned(void* memory) noexcept {
#if defined(_WIN32)
    _aligned_free(memory);
#else
    std::free(memory);
#endif
}

}  // namespace throng::test
