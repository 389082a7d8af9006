// What the heap of this program says: how much of it is in use, and how often it was called. Counting costs
// nothing where times are measured: it is switched on for the frames that are counted, which are not timed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace throng::bench {

// Bytes that the program holds; 0 where the C library does not say.
std::size_t heap_bytes() noexcept;

// Whether calls of the heap can be counted in this build.
bool counts_heap_calls() noexcept;

// Counts the calls for memory, of all threads, while it lives. One at a time.
class HeapCalls {
public:
    HeapCalls() noexcept;
    ~HeapCalls();
    HeapCalls(const HeapCalls&) = delete;
    HeapCalls& operator=(const HeapCalls&) = delete;
    std::uint64_t count() const noexcept;
};

}  // namespace throng::bench
