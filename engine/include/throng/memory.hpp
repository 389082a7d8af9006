// MemoryResource: where the library gets its memory from. A host derives its own; without one the library
// uses the global heap. It returns null if there is no memory, and never throws, so it works in hosts without
// exceptions too. throng/adapters/pmr.hpp makes one from a std::pmr::memory_resource.
//
//     struct Arena final : throng::MemoryResource {
//         void* allocate(std::size_t bytes, std::size_t alignment) noexcept override;
//         void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override;
//     };
//
// Memory is given back with the size and alignment of its request. The alignment is a power of two.
//
// The rows of a large frame are one block, and commits take slabs of up to 256 KiB. A resource may put large
// blocks into huge pages (throng/adapters/huge_pages.hpp), slabs too, by a pool of them. Queries then take
// some hundredths less, new memory costs a third to a sixth, and the system takes it back ten times as fast.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "throng/export.hpp"

namespace throng {

class THRONG_API MemoryResource {
public:
    virtual ~MemoryResource();
    // Null if there is none.
    [[nodiscard]] virtual void* allocate(std::size_t bytes, std::size_t alignment) noexcept = 0;
    virtual void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept = 0;
    // The same block with room for `more` than its `bytes`, with its content, maybe at another place. If it
    // returns null, the block is as it was, and the library asks for another one and copies. Answers grow
    // while they are found, so a resource with this saves touching memory two or three times.
    [[nodiscard]] virtual void* enlarge(void* memory, std::size_t bytes, std::size_t more,
                                        std::size_t alignment) noexcept;
};

// From a resource, or from the global heap if it is null.
[[nodiscard]] THRONG_API void* allocate(MemoryResource* from, std::size_t bytes,
                                        std::size_t alignment) noexcept;
[[nodiscard]] THRONG_API void* enlarge(MemoryResource* in, void* memory, std::size_t bytes, std::size_t more,
                                       std::size_t alignment) noexcept;
THRONG_API void give_back(MemoryResource* to, void* memory, std::size_t bytes,
                          std::size_t alignment) noexcept;

// A block with room for `more` than the `bytes` of another one, which may be null, and with the first `used`
// of them. It is the same block, or that one is given back. If this is null, nothing has changed.
[[nodiscard]] THRONG_API void* grown(MemoryResource* in, void* memory, std::size_t used, std::size_t bytes,
                                     std::size_t more, std::size_t alignment) noexcept;

namespace detail {

// An array in memory that another object owns.
template <class T>
class Array {
public:
    Array() = default;
    Array(T* data, std::size_t size) noexcept : data_(data), size_(size) {}

    T* data() noexcept { return data_; }
    const T* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    T& operator[](std::size_t i) noexcept { return data_[i]; }
    const T& operator[](std::size_t i) const noexcept { return data_[i]; }
    T* begin() noexcept { return data_; }
    T* end() noexcept { return data_ + size_; }
    const T* begin() const noexcept { return data_; }
    const T* end() const noexcept { return data_ + size_; }

protected:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

// The array behind every result that the library fills: trivial values in memory from the host's resource. It
// grows without clearing, returns false if memory runs out, and keeps its memory when it is emptied. So a
// result that is reused every frame allocates nothing.
template <class T>
class Buffer : public Array<T> {
    static_assert(std::is_trivially_copyable_v<T>);
    using Array<T>::data_, Array<T>::size_;

public:
    static constexpr std::size_t alignment = 64;

    explicit Buffer(MemoryResource* memory = nullptr) noexcept : memory_(memory) {}
    // A moved-from buffer is empty and keeps its memory resource.
    Buffer(Buffer&& other) noexcept : memory_(other.memory_) { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        Buffer(std::move(other)).swap(*this);
        return *this;
    }
    ~Buffer() { release(); }

    std::size_t capacity() const noexcept { return capacity_; }
    std::size_t bytes() const noexcept { return capacity_ * sizeof(T); }

    void clear() noexcept { size_ = 0; }

    // Makes room for `count` values in all and keeps the present ones. Grows by at least half, so appending
    // is cheap. Returns false and changes nothing if there is no memory.
    [[nodiscard]] bool reserve(std::size_t count) noexcept {
        if (count <= capacity_) return true;
        const std::size_t half_more = capacity_ + capacity_ / 2;
        return allocate(count < half_more ? half_more : count);
    }
    // Sets the size; values beyond the old one are not initialised.
    [[nodiscard]] bool resize(std::size_t count) noexcept {
        if (!reserve(count)) return false;
        size_ = count;
        return true;
    }
    // As resize, but an allocation has room for exactly `count` values.
    [[nodiscard]] bool resize_exactly(std::size_t count) noexcept {
        if (count > capacity_ && !allocate(count)) return false;
        size_ = count;
        return true;
    }
    // Sets the size; values beyond the old one become `value`.
    [[nodiscard]] bool resize(std::size_t count, T value) noexcept {
        const std::size_t old = size_;
        if (!resize(count)) return false;
        for (std::size_t i = old; i < count; ++i) data_[i] = value;
        return true;
    }
    [[nodiscard]] bool push_back(T value) noexcept {
        if (!resize(size_ + 1)) return false;
        data_[size_ - 1] = value;
        return true;
    }
    void release() noexcept {
        if (data_ != nullptr) throng::give_back(memory_, data_, capacity_ * sizeof(T), alignment);
        data_ = nullptr;
        size_ = capacity_ = 0;
    }
    void swap(Buffer& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

private:
    bool allocate(std::size_t capacity) noexcept {
        if (capacity > static_cast<std::size_t>(-1) / 2 / sizeof(T)) return false;
        void* const memory =
            grown(memory_, data_, size_ * sizeof(T), bytes(), capacity * sizeof(T), alignment);
        if (memory == nullptr) return false;
        data_ = static_cast<T*>(memory);
        capacity_ = capacity;
        return true;
    }

    MemoryResource* memory_ = nullptr;
    std::size_t capacity_ = 0;
};

}  // namespace detail

}  // namespace throng
