// The module has no exceptions: it throws none, no visitor of a host's is inside, and without them it is
// smaller and loads in more browsers. So without memory these return nullptr, which the library's allocate()
// passes on.
#include <cstddef>
#include <cstdlib>
#include <new>

void* operator new(std::size_t bytes) { return std::malloc(bytes); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    void* memory = nullptr;
    return posix_memalign(&memory, static_cast<std::size_t>(alignment), bytes) == 0 ? memory : nullptr;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
