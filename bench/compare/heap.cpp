#include "bench/compare/heap.hpp"

#include <atomic>
#include <cstdlib>

// The C library of GNU says what its heap holds, and lets a program put its own functions before it.
// Sanitizers have done that already.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED 0
#endif
#if defined(__GLIBC__) && !SANITIZED
#include <malloc.h>

#include <cerrno>
#define COUNTS_HEAP_CALLS 1
#else
#define COUNTS_HEAP_CALLS 0
#endif

namespace {

std::atomic<bool> counting{false};
std::atomic<std::uint64_t> calls{0};

}  // namespace

#if COUNTS_HEAP_CALLS

namespace {

void called() noexcept {
    if (counting.load(std::memory_order_relaxed)) calls.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

extern "C" {

void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) {
    called();
    return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
    called();
    return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
    called();
    return __libc_realloc(memory, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
    called();
    return __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    called();
    return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
    called();
    *memory = __libc_memalign(alignment, bytes);
    return *memory == nullptr ? ENOMEM : 0;
}

}  // extern "C"

#endif

namespace throng::bench {

#if COUNTS_HEAP_CALLS
std::size_t heap_bytes() noexcept {
    const struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
}
#else
std::size_t heap_bytes() noexcept { return 0; }
#endif

bool counts_heap_calls() noexcept { return COUNTS_HEAP_CALLS == 1; }

HeapCalls::HeapCalls() noexcept {
    calls = 0;
    counting = true;
}
HeapCalls::~HeapCalls() { counting = false; }
std::uint64_t HeapCalls::count() const noexcept { return calls; }

}  // namespace throng::bench
