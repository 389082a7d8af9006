// A pool of work spaces. A call takes one for each running block and puts it back. Spaces keep their memory,
// so repeating the same work allocates nothing. Results do not depend on which space a block gets. The one
// that lies first in memory is taken first. So a call that takes several gets the same ones in the same order
// as the last time, in whatever order they came back. When half of a population has left, all spaces are
// freed: spaces in the pool in eight portions, since pages that answers filled take long to give back, and
// taken spaces when they come back. A host that asks for it gets all at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

#include "engine/src/memory/host_memory.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

template <class T>
class Pool;

// The base of a work space: `struct SortSpace : WorkSpace<SortSpace>`. Its buffers are made from `host`.
template <class T>
struct WorkSpace {
    explicit WorkSpace(MemoryResource* memory) noexcept : host(memory) {}
    WorkSpace(const WorkSpace&) = delete;

    MemoryResource* const host;

private:
    friend class Pool<T>;
    T* next_ = nullptr;
    std::uint32_t generation_ = 0;
};

template <class T>
class Pool {
public:
    explicit Pool(MemoryResource& memory) noexcept : memory_(memory) {}
    Pool(const Pool&) = delete;
    ~Pool() {
        destroy_all(free_);
        destroy_all(old_);
    }

    // Makes sure that the next `count` spaces exist, and that `ready(space)` was true for each. So
    // allocations do not depend on how many blocks happen to run at the same time. Returns false if there is
    // no memory.
    template <class Ready>
    [[nodiscard]] bool prepare(std::size_t count, Ready&& ready) noexcept {
        const std::lock_guard lock(mutex_);
        std::size_t have = 0;
        for (const T* space = free_; space != nullptr && have < count; space = space->next_) ++have;
        for (; have < count; ++have) {
            T* const space = make_space(generation_);
            if (space == nullptr) return false;
            insert(space);
        }
        T* space = free_;
        for (std::size_t i = 0; i < count; ++i, space = space->next_)
            if (!ready(*space)) return false;
        return true;
    }
    // Null if a new one is needed and there is no memory.
    T* take() noexcept {
        std::uint32_t generation = 0;
        {
            const std::lock_guard lock(mutex_);
            if (free_ != nullptr) return std::exchange(free_, free_->next_);
            generation = generation_;
        }
        return make_space(generation);
    }
    // Frees the space instead if `max_free` are in the pool already.
    void put_back(T* space, std::size_t max_free = any_number) noexcept {
        {
            const std::lock_guard lock(mutex_);
            std::size_t count = 0;
            if (max_free != any_number)
                for (const T* other = free_; other != nullptr && count < max_free; other = other->next_)
                    ++count;
            if (count < max_free && is_current(space)) return insert(space);
        }
        destroy(memory_, space);
    }

    // Puts back what `taken` has, and takes `count` spaces. Returns false if there is no memory; `taken` then
    // has as many as there was memory for.
    [[nodiscard]] bool take_all(Buffer<T*>& taken, std::size_t count) noexcept {
        put_back_all(taken);
        if (!taken.resize(count, nullptr)) return false;
        std::size_t have = 0;
        std::uint32_t generation = 0;
        {
            const std::lock_guard lock(mutex_);
            generation = generation_;
            for (; have < count && free_ != nullptr; ++have) taken[have] = std::exchange(free_, free_->next_);
        }
        for (; have < count; ++have)
            if ((taken[have] = make_space(generation)) == nullptr) return false;
        return true;
    }
    // In reverse: the pool is in order of addresses, and taken spaces mostly too, so each finds its place.
    void put_back_all(Buffer<T*>& taken) noexcept {
        T* old = nullptr;
        {
            const std::lock_guard lock(mutex_);
            for (std::size_t i = taken.size(); i-- > 0;) {
                if (T* const space = taken[i]; space != nullptr && is_current(space))
                    insert(space);
                else if (space != nullptr)
                    space->next_ = std::exchange(old, space);
            }
        }
        destroy_all(old);
        taken.clear();
    }

    // For the writing thread. No space is used again, since all were made for more agents than there are now.
    // Returns how many are to be freed.
    std::size_t start_again() noexcept {
        const std::lock_guard lock(mutex_);
        ++generation_;
        while (free_ != nullptr) {
            T* const space = std::exchange(free_, free_->next_);
            space->next_ = std::exchange(old_, space);
        }
        std::size_t count = 0;
        for (const T* space = old_; space != nullptr; space = space->next_) ++count;
        return count;
    }
    // The same, and all in the pool are freed. Taken spaces are freed when they come back.
    void release() noexcept {
        std::size_t all = start_again();
        free_old(all);
    }
    // For the writing thread. Frees some of these, at most `count`, which it lowers by their number.
    void free_old(std::size_t& count) noexcept {
        for (; count != 0 && old_ != nullptr; --count) destroy(memory_, std::exchange(old_, old_->next_));
    }

private:
    static constexpr std::size_t any_number = ~std::size_t{0};

    T* make_space(std::uint32_t generation) noexcept {
        T* const space = make<T>(memory_, &memory_);
        if (space != nullptr) space->generation_ = generation;
        return space;
    }
    void destroy_all(T* first) noexcept {
        while (first != nullptr) destroy(memory_, std::exchange(first, first->next_));
    }
    bool is_current(const T* space) const noexcept { return space->generation_ == generation_; }
    void insert(T* space) noexcept {
        T** link = &free_;
        while (*link != nullptr && std::less<>()(*link, space)) link = &(*link)->next_;
        space->next_ = std::exchange(*link, space);
    }

    MemoryResource& memory_;
    std::mutex mutex_;
    T* free_ = nullptr;
    T* old_ = nullptr;  // not used again
    std::uint32_t generation_ = 0;
};

// Holds a work space for its lifetime (RAII), from when it is first needed. Each copy takes its own.
template <class T>
class LateLease {
public:
    explicit LateLease(Pool<T>& pool) noexcept : pool_(&pool) {}
    LateLease(const LateLease& other) noexcept : pool_(other.pool_) {}
    LateLease& operator=(const LateLease&) = delete;
    ~LateLease() {
        if (space_ != nullptr) pool_->put_back(space_);
    }
    // Null if there is no memory.
    T* get() noexcept {
        if (space_ == nullptr) space_ = pool_->take();
        return space_;
    }

protected:
    Pool<T>* pool_;
    T* space_ = nullptr;
};

// The same from the beginning, if there is memory.
template <class T>
class Lease : LateLease<T> {
public:
    explicit Lease(Pool<T>& pool) noexcept : LateLease<T>(pool) { (void)this->get(); }
    Lease(const Lease&) = delete;
    explicit operator bool() const noexcept { return this->space_ != nullptr; }
    T* operator->() const noexcept { return this->space_; }
    T& operator*() const noexcept { return *this->space_; }
};

}  // namespace throng::detail
