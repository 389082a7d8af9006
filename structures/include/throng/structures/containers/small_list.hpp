// SmallList: a growing array that keeps its first N elements inside itself, so a short list allocates
// nothing: the stack of a traversal, the few answers of a query.
//
//     throng::structures::SmallList<NodeRef, 64> stack;
//     if (!stack.push_back(root)) return out_of_memory;
//     while (!stack.empty()) { const NodeRef node = stack.take_back(); ... }
//
// Beyond N the elements move to memory of the given resource (null is the global heap) and stay there until
// the list ends. So a pointer to an element is valid until the next insertion, as with a std::vector.
//
// The element type needs a move constructor that does not throw. Only the element's own constructor may
// throw. If the list cannot grow, the insertion returns false, and neither the list nor the arguments have
// changed. The new element may be made from an element of the same list. A moved-from list is empty and keeps
// its memory resource.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "throng/memory.hpp"
#include "throng/structures/containers/unless_kept.hpp"

namespace throng::structures {

template <class T, std::size_t N>
class SmallList {
    static_assert(N > 0 && std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>);

public:
    explicit SmallList(MemoryResource* memory = nullptr) noexcept : memory_(memory) {}
    SmallList(SmallList&& other) noexcept : memory_(other.memory_) { take(other); }
    SmallList& operator=(SmallList&& other) noexcept {
        if (this == &other) return *this;
        release();
        memory_ = other.memory_;
        take(other);
        return *this;
    }
    ~SmallList() { release(); }

    // Returns false and changes nothing if there is no memory.
    template <class... Arguments>
    [[nodiscard]] bool emplace_back(Arguments&&... arguments) noexcept(
        std::is_nothrow_constructible_v<T, Arguments...>) {
        if (size_ == capacity_) return emplace_growing(std::forward<Arguments>(arguments)...);
        std::construct_at(data_ + size_, std::forward<Arguments>(arguments)...);
        ++size_;
        return true;
    }
    [[nodiscard]] bool push_back(const T& value) noexcept(std::is_nothrow_copy_constructible_v<T>) {
        return emplace_back(value);
    }
    [[nodiscard]] bool push_back(T&& value) noexcept { return emplace_back(std::move(value)); }
    void pop_back() noexcept { std::destroy_at(data_ + --size_); }
    // Removes and returns the last element.
    T take_back() noexcept {
        T value(std::move(data_[size_ - 1]));
        pop_back();
        return value;
    }

    [[nodiscard]] bool reserve(std::size_t count) noexcept {
        if (count <= capacity_) return true;
        return grow(count > 2 * capacity_ ? count : 2 * capacity_);
    }
    // Removes everything and keeps the memory.
    void clear() noexcept {
        std::destroy_n(data_, size_);
        size_ = 0;
    }

    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    std::size_t capacity() const noexcept { return capacity_; }
    // Whether all elements are still in the list itself.
    bool is_small() const noexcept { return capacity_ == N; }
    T* data() noexcept { return data_; }
    const T* data() const noexcept { return data_; }
    T& operator[](std::size_t i) noexcept { return data_[i]; }
    const T& operator[](std::size_t i) const noexcept { return data_[i]; }
    T& back() noexcept { return data_[size_ - 1]; }
    const T& back() const noexcept { return data_[size_ - 1]; }
    T* begin() noexcept { return data_; }
    T* end() noexcept { return data_ + size_; }
    const T* begin() const noexcept { return data_; }
    const T* end() const noexcept { return data_ + size_; }

private:
    T* inside() noexcept { return reinterpret_cast<T*>(inside_); }

    // The new element is made before the others move, since it may be made from one of them.
    template <class... Arguments>
    bool emplace_growing(Arguments&&... arguments) {
        T* const data = allocate(2 * capacity_);
        if (data == nullptr) return false;
        detail::GivenBackUnlessKept memory(memory_, data, 2 * capacity_ * sizeof(T), alignof(T));
        std::construct_at(data + size_, std::forward<Arguments>(arguments)...);
        memory.keep();
        adopt(data, 2 * capacity_);
        ++size_;
        return true;
    }
    bool grow(std::size_t capacity) noexcept {
        T* const data = allocate(capacity);
        if (data == nullptr) return false;
        adopt(data, capacity);
        return true;
    }
    T* allocate(std::size_t capacity) noexcept {
        if (capacity > static_cast<std::size_t>(-1) / 2 / sizeof(T)) return nullptr;
        return static_cast<T*>(throng::allocate(memory_, capacity * sizeof(T), alignof(T)));
    }
    void adopt(T* data, std::size_t capacity) noexcept {
        relocate(data_, data, size_);
        free_outside();
        data_ = data;
        capacity_ = capacity;
    }
    static void relocate(T* from, T* to, std::size_t count) noexcept {
        if constexpr (std::is_trivially_copyable_v<T>) {
            if (count != 0) std::memcpy(static_cast<void*>(to), from, count * sizeof(T));
        } else {
            std::uninitialized_move_n(from, count, to);
            std::destroy_n(from, count);
        }
    }
    // Takes the content of the other list. This one is empty and has the same resource.
    void take(SmallList& other) noexcept {
        if (other.is_small()) {
            relocate(other.data_, data_, other.size_);
        } else {
            data_ = other.data_;
            capacity_ = other.capacity_;
            other.data_ = other.inside();
            other.capacity_ = N;
        }
        size_ = std::exchange(other.size_, 0);
    }
    void free_outside() noexcept {
        if (!is_small()) throng::give_back(memory_, data_, capacity_ * sizeof(T), alignof(T));
    }
    void release() noexcept {
        clear();
        free_outside();
        data_ = inside();
        capacity_ = N;
    }

    MemoryResource* memory_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = N;
    alignas(T) std::byte inside_[N * sizeof(T)];  // not initialised
    T* data_ = inside();
};

}  // namespace throng::structures
