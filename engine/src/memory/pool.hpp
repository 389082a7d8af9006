// A pool of work spaces. A call takes as many as it has blocks at work, and puts them back; they keep their
// memory, so the same work done again allocates nothing. Which space a block gets cannot be seen in what it
// computes.
#pragma once

#include <cstddef>
#include <mutex>
#include <utility>

#include "engine/src/memory/host_memory.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

// T is made from a memory resource and has a member `T* next`.
template <class T>
class Pool {
public:
    explicit Pool(MemoryResource& memory) noexcept : memory_(memory) {}
    Pool(const Pool&) = delete;
    ~Pool() {
        while (free_ != nullptr) destroy(memory_, std::exchange(free_, free_->next));
    }

    // Makes sure that the next `count` spaces to be taken are there, and that `ready(space)` was true
    // for each: so how many blocks happen to be at work at once does not decide when memory is
    // needed. False if there is none.
    template <class Ready>
    [[nodiscard]] bool prepare(std::size_t count, Ready&& ready) noexcept {
        const std::lock_guard lock(mutex_);
        T** link = &free_;
        for (std::size_t i = 0; i < count; ++i) {
            if (*link == nullptr && (*link = make<T>(memory_, &memory_)) == nullptr) return false;
            if (!ready(**link)) return false;
            link = &(*link)->next;
        }
        return true;
    }
    // Null if a new one was needed and there is no memory.
    T* take() noexcept {
        {
            const std::lock_guard lock(mutex_);
            if (free_ != nullptr) return std::exchange(free_, free_->next);
        }
        return make<T>(memory_, &memory_);
    }
    void put_back(T* space) noexcept {
        const std::lock_guard lock(mutex_);
        space->next = free_;
        free_ = space;
    }

private:
    MemoryResource& memory_;
    std::mutex mutex_;
    T* free_ = nullptr;
};

// A work space for as long as this lives.
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
