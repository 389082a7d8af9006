// A Host is what a C program gave an engine: its memory and its threads, as the library takes them.
//
// The engine, its frames, its static layers and its result objects all need both. They may go in any order,
// and a layer may be in the frames of another engine. So they share a Host, which lives as long as any memory
// from it is in use. The last block that comes back frees the Host too, through the memory that the Host
// leads to. Only one call to that memory is made at a time: those of the library and those of frames that
// other threads ask for.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <utility>

#include "throng.h"
#include "throng/adapters/huge_pages.hpp"
#include "throng/engine.hpp"
#include "throng/executor.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::c_api {

class Host final : public MemoryResource {
public:
    // Null without memory.
    static Host* make(const throng_engine_config& config) noexcept;
    // For the time of a call.
    explicit Host(const throng_engine_config& config) noexcept;
    // Called by its maker, once the object that it is for has memory.
    void release() noexcept;

    const Executor& executor() const noexcept { return executor_; }
    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override;
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override;
    void* enlarge(void* memory, std::size_t bytes, std::size_t more, std::size_t alignment) noexcept override;

private:
    static void run(void* host, std::size_t count, Executor::Body body, void* argument);

    std::atomic<std::uint64_t> held_{1};  // by its maker, and by each block of memory
    std::mutex one_at_a_time_;
    throng_allocate allocate_;
    throng_deallocate deallocate_;
    void* memory_context_;
    HugePages huge_pages_;
    MemoryResource* memory_;  // null for the global heap, where the host gave no functions
    throng_parallel_for parallel_for_;
    void* executor_context_;
    LimitedThreads threads_;
    Executor executor_;
};

// An object in the memory of a host, or on the global heap without one. Null without memory.
template <class Object, class... Arguments>
Object* make(Host* host, Arguments&&... arguments) noexcept {
    void* memory = allocate(host, sizeof(Object), alignof(Object));
    if (memory == nullptr) return nullptr;
    return new (memory) Object(host, std::forward<Arguments>(arguments)...);
}
template <class Object>
void destroy(Object* object) noexcept {
    if (object == nullptr) return;
    Host* host = object->host;
    object->~Object();
    give_back(host, object, sizeof(Object), alignof(Object));
}

// Checks what only C can have wrong in a configuration. The engine checks the rest.
Status read_config(const throng_engine_config* given, throng_engine_config& own,
                   EngineConfig& config) noexcept;

}  // namespace throng::c_api
