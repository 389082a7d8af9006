// A pool of work spaces. A call takes one for each running block and puts it back. Spaces keep their memory,
// so repeating the same work allocates nothing. Results do not depend on which space a block gets. The one that lies
// first in memory is taken first: so a call that takes several gets the same ones in the same order as the last time,
// in whatever order they came back.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <utility>

#include "engine/src/memory/host_memory.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

// T is constructible from a memory resource and has a member `T* next`.
template <class T>
class Pool {
public:
    explicit Pool(MemoryResource& memory) noexcept : memory_(memory) {}
    Pool(const Pool&) = delete;
    ~Pool() {
        while (free_ != nullptr) destroy(memory_, std::exchange(free_, free_->next));
    }

    // Makes sure that the next `count` spaces exist, and that `ready(space)` was true for each. So
    // allocations do not depend on how many blocks happen to run at the same time. Returns false if there is
    // no memory.
    template <class Ready>
    [[nodiscard]] bool prepare(std::size_t count, Ready&& ready) noexcept {
        const std::lock_guard lock(mutex_);
        std::size_t have = 0;
        for (const T* space = free_; space != nullptr && have < count; space = space->next) ++have;
        for (; have < count; ++have) {
            T* const space = make<T>(memory_, &memory_);
            if (space == nullptr) return false;
            insert(space);
        }
        T* space = free_;
        for (std::size_t i = 0; i < count; ++i, space = space->next)
            if (!ready(*space)) return false;
        return true;
    }
    // Null if a new one is needed and there is no memory.
    T* take() noexcept {
        {
            const std::lock_guard lock(mutex_);
            if (free_ != nullptr) return std::exchange(free_, free_->next);
        }
        return make<T>(memory_, &memory_);
    }
    void put_back(T* space) noexcept {
        const std::lock_guard lock(mutex_);
        insert(space);
    }

    // The same, but frees the space instead if `most` are in the pool already.
    void put_back(T* space, std::size_t most) noexcept {
        {
            const std::lock_guard lock(mutex_);
            std::size_t count = 0;
            for (const T* other = free_; other != nullptr && count < most; other = other->next) ++count;
            if (count < most) {
                insert(space);
                return;
            }
        }
        destroy(memory_, space);
    }

private:
    void insert(T* space) noexcept {
        T** link = &free_;
        while (*link != nullptr && std::less<>()(*link, space)) link = &(*link)->next;
        space->next = std::exchange(*link, space);
    }

    MemoryResource& memory_;
    std::mutex mutex_;
    T* free_ = nullptr;
};

// Holds a work space for its lifetime (RAII).
template <class T>
class Lease {
public:
    explicit Lease(Pool<T>& pool) noexcept : pool_(&pool), space_(pool.take()) {}
    Lease(Lease&& other) noexcept : pool_(other.pool_), space_(std::exchange(other.space_, nullptr)) {}
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
        if (space_ != nullptr) pool_->put_back(space_);
    }
    explicit operator bool() const noexcept { return space_ != nullptr; }
    T* operator->() const noexcept { return space_; }
    T& operator*() const noexcept { return *space_; }

private:
    Pool<T>* pool_;
    T* space_;
};

}  // namespace throng::detail
