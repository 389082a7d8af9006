#include "throng/try_allocate.hpp"

namespace throng {

void* try_allocate(std::pmr::memory_resource& memory, std::size_t bytes, std::size_t alignment) noexcept {
    try {
        return memory.allocate(bytes, alignment);
    } catch (...) {
        return nullptr;
    }
}

}  // namespace throng
