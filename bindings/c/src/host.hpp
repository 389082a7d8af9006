// A Host is what a C program gave an engine: its memory and its threads, as the library takes them.
//
// The engine, its frames and its result objects all need both, in whichever order they go. So they share a Host, and the last of
// them gives it back: to the very memory that it is the way to. All of them lie in that memory as well, so the calls to it are
// made one at a time: those of the library and those of frames that other threads ask for.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <utility>

#include "throng.h"
#include "throng/executor.hpp"
#include "throng/memory.hpp"

namespace throng::c_api {

class Host final : public MemoryResource {
public:
    // Null without memory.
    static Host* make(const throng_engine_config& config) noexcept;
    void retain() noexcept { held_.fetch_add(1, std::memory_order_relaxed); }
    void release() noexcept;

    const Executor& executor() const noexcept { return executor_; }
    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override;
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override;

private:
    explicit Host(const throng_engine_config& config) noexcept;
    static void run(void* host, std::size_t count, Executor::Body body, void* argument);

    std::atomic<std::uint64_t> held_{1};
    std::mutex one_at_a_time_;
    throng_allocate allocate_;
    throng_deallocate deallocate_;
    void* memory_context_;
    throng_parallel_for parallel_for_;
    void* executor_context_;
    Executor executor_;
};

// An object in the memory of a host, or on the global heap without one. Null without memory.
template <class Object, class... Arguments>
Object* make(Host* host, Arguments&&... arguments) noexcept {
    void* memory = allocate(host, sizeof(Object), alignof(Object));
    if (memory == nullptr) return nullptr;
    if (host != nullptr) host->retain();
    return new (memory) Object(host, std::forward<Arguments>(arguments)...);
}
template <class Object>
void destroy(Object* object) noexcept {
    if (object == nullptr) return;
    Host* host = object->host;
    object->~Object();
    give_back(host, object, sizeof(Object), alignof(Object));
    if (host != nullptr) host->release();
}

}  // namespace throng::c_api
