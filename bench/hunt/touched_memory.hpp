// Memory whose pages are there: each was written to before it is handed out. What that takes, and what it
// takes to give memory back, is the heap's and the system's, and is told apart.
#pragma once

#include <cstddef>

#include "bench/hunt/subject.hpp"
#include "throng/memory.hpp"

namespace throng::hunt {

// For one thread.
class TouchedMemory final : public MemoryResource {
public:
    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override;
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override;

    std::size_t bytes() const { return bytes_; }
    // How long its calls took.
    double seconds() const { return seconds_; }

private:
    std::size_t bytes_ = 0;
    double seconds_ = 0;
};

// What is timed of it is without what its memory took.
class TimedSubject : public Subject {
public:
    double spent() const override { return thread_seconds() - memory_.seconds() - outputs_.seconds(); }

protected:
    TouchedMemory memory_, outputs_;
};

}  // namespace throng::hunt
