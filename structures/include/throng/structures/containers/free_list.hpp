// FreeList: an array whose elements are removed in constant time, wherever they are, without moving the
// others. A removed element leaves a hole, and the holes form a list through themselves; the next insertion
// fills the hole that was left last. So an index stays valid as long as its element lives, and takes 32 bits
// where a pointer takes 64.
//
//     slots    [ a ][ b ][ -> 4 ][ d ][ -> none ][ f ]        the first hole is 2, then 4
//     used       1    1     0      1      0        1          a bit for each slot
//
//     throng::structures::FreeList<Node> nodes;
//     const auto n = nodes.insert({...});        // an index; `none` if there was no memory
//     nodes[n].next = ...;
//     nodes.erase(n);                            // false if there is no such element
//
// The element type needs a move constructor that does not throw. The bits tell which slots hold an element.
// They make `erase` of a stale index harmless, and they let the list call destructors.
//
// The new element may be made from an element of the same list. If there is no memory, the arguments are left
// as they were. A moved-from list is empty and keeps its memory resource.
//
// Indices: `operator[]` does not check them, as in an array; `contains` does. Threads: one may write, or any
// number may read. Only the element's own constructor may throw. Memory comes from the given resource (null
// is the global heap).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "throng/memory.hpp"
#include "throng/structures/containers/unless_kept.hpp"
#include "throng/structures/detail/names.hpp"

namespace throng::structures {

template <class T>
class FreeList {
    static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>);

public:
    using Index = std::uint32_t;
    static constexpr Index none = 0xFFFFFFFFu;

    explicit FreeList(MemoryResource* memory = nullptr) noexcept : memory_(memory), used_(memory) {}
    FreeList(FreeList&& other) noexcept : FreeList(other.memory_) { swap(other); }
    FreeList& operator=(FreeList&& other) noexcept {
        FreeList(std::move(other)).swap(*this);
        return *this;
    }
    ~FreeList() { release(); }
    void swap(FreeList& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(slots_, other.slots_);
        used_.swap(other.used_);
        std::swap(capacity_, other.capacity_);
        std::swap(range_, other.range_);
        std::swap(size_, other.size_);
        std::swap(first_free_, other.first_free_);
    }

    // The index of the new element, or `none` if there is no memory; then nothing has changed.
    template <class... Arguments>
    [[nodiscard]] Index emplace(Arguments&&... arguments) noexcept(
        std::is_nothrow_constructible_v<T, Arguments...>) {
        if (first_free_ != none) return emplace_in_hole(std::forward<Arguments>(arguments)...);
        if (range_ == capacity_) return emplace_growing(std::forward<Arguments>(arguments)...);
        std::construct_at(std::addressof(slots_[range_].value), std::forward<Arguments>(arguments)...);
        return took(range_++);
    }
    [[nodiscard]] Index insert(const T& value) noexcept(std::is_nothrow_copy_constructible_v<T>) {
        return emplace(value);
    }
    [[nodiscard]] Index insert(T&& value) noexcept { return emplace(std::move(value)); }

    // Returns false if there is no such element.
    bool erase(Index index) noexcept {
        if (!contains(index)) return false;
        std::destroy_at(std::addressof(slots_[index].value));
        std::construct_at(&slots_[index].next, first_free_);
        first_free_ = index;
        used_[index / 64] &= ~bit(index);
        --size_;
        return true;
    }

    bool contains(Index index) const noexcept {
        return index < range_ && (used_[index / 64] & bit(index)) != 0;
    }
    T& operator[](Index index) noexcept { return slots_[index].value; }
    const T& operator[](Index index) const noexcept { return slots_[index].value; }

    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    // All indices are below this: the largest number of elements held at once since `clear`.
    Index range() const noexcept { return range_; }
    std::size_t capacity() const noexcept { return capacity_; }
    std::size_t bytes() const noexcept { return capacity_ * sizeof(Slot) + used_.bytes(); }

    // Makes room for `count` elements in all. Grows by at least half, so inserting one by one is cheap.
    // Returns false and changes nothing if there is no memory.
    [[nodiscard]] bool reserve(std::size_t count) noexcept {
        return count <= capacity_ || grow(enough_for(count));
    }
    // The same, but an allocation has room for exactly `count` elements.
    [[nodiscard]] bool reserve_exactly(std::size_t count) noexcept {
        return count <= capacity_ || grow(count);
    }

    // Becomes a list of exactly the elements 0 to `count` - 1. An allocation has room for exactly as many.
    // For trivial types only: the caller writes the values.
    [[nodiscard]] bool fill(std::size_t count) noexcept
        requires(std::is_trivially_copyable_v<T>&& std::is_trivially_destructible_v<T>) {
        if (count >= none || (count > capacity_ && !grow(count))) return false;
        range_ = static_cast<Index>(count);
        size_ = count;
        first_free_ = none;
        for (std::size_t w = 0; w < used_.size(); ++w) used_[w] = bits_below(count, w);
        return true;
    }

    // Removes everything and keeps the memory.
    void clear() noexcept {
        if constexpr (!std::is_trivially_destructible_v<T>)
            for_each([](Index, T& value) { std::destroy_at(std::addressof(value)); });
        for (std::size_t w = 0; w < used_.size(); ++w) used_[w] = 0;
        range_ = 0;
        size_ = 0;
        first_free_ = none;
    }

    // `visitor(index, element)` for every element, by ascending index. It may erase the element that it is
    // given.
    template <class Visitor>
    void for_each(Visitor&& visitor) {
        for (Index i = next_used(0); i < range_; i = next_used(i + 1)) visitor(i, slots_[i].value);
    }
    template <class Visitor>
    void for_each(Visitor&& visitor) const {
        for (Index i = next_used(0); i < range_; i = next_used(i + 1))
            visitor(i, std::as_const(slots_[i].value));
    }

    // Whether the holes and the bits agree. Never reads out of bounds, even if the list was overwritten.
    bool validate() const noexcept {
        if (range_ > capacity_ || capacity_ > used_.size() * 64) return false;
        std::size_t holes = 0;
        for (Index i = first_free_; i != none; i = slots_[i].next)
            if (i >= range_ || contains(i) || ++holes > range_) return false;
        std::size_t elements = 0;
        for (std::size_t w = 0; w < used_.size(); ++w) {
            if ((used_[w] & ~bits_below(range_, w)) != 0) return false;
            elements += static_cast<std::size_t>(std::popcount(used_[w]));
        }
        return elements == size_ && elements + holes == range_;
    }

private:
    union Slot {
        Slot() noexcept {}
        ~Slot() {}
        T value;
        Index next;
    };

    static constexpr std::uint64_t bit(std::size_t i) noexcept { return std::uint64_t{1} << (i % 64); }
    // The bits of word `w` that stand for indices below `count`.
    static constexpr std::uint64_t bits_below(std::size_t count, std::size_t w) noexcept {
        return count >= (w + 1) * 64 ? ~std::uint64_t{0} : count > w * 64 ? bit(count) - 1 : 0;
    }
    Index next_used(Index i) const noexcept {
        for (std::size_t w = i / 64; w * 64 < range_; ++w, i = static_cast<Index>(w * 64))
            if (const std::uint64_t bits = used_[w] >> (i % 64); bits != 0)
                return i + static_cast<Index>(std::countr_zero(bits));
        return range_;
    }
    Index took(Index index) noexcept {
        used_[index / 64] |= bit(index);
        ++size_;
        return index;
    }
    template <class... Arguments>
    Index emplace_in_hole(Arguments&&... arguments) {
        const Index index = first_free_;
        const Index next = slots_[index].next;
        if constexpr (std::is_nothrow_constructible_v<T, Arguments...>) {
            std::construct_at(std::addressof(slots_[index].value), std::forward<Arguments>(arguments)...);
        } else {
            // The link lies where the element will be, so the element is made elsewhere first.
            T value(std::forward<Arguments>(arguments)...);
            std::construct_at(std::addressof(slots_[index].value), std::move(value));
        }
        first_free_ = next;
        return took(index);
    }
    // The new element is made before the others move, since it may be made from one of them.
    template <class... Arguments>
    Index emplace_growing(Arguments&&... arguments) {
        const std::size_t capacity = enough_for(range_ + std::size_t{1});
        Slot* const slots = allocate(capacity);
        if (slots == nullptr) return none;
        detail::GivenBackUnlessKept memory(memory_, slots, capacity * sizeof(Slot), alignof(Slot));
        std::construct_at(std::addressof(slots[range_].value), std::forward<Arguments>(arguments)...);
        memory.keep();
        adopt(slots, capacity);
        return took(range_++);
    }

    std::size_t enough_for(std::size_t count) const noexcept {
        const std::size_t grown = capacity_ + capacity_ / 2;
        return count > grown || grown > none ? count : grown;
    }
    bool grow(std::size_t capacity) noexcept {
        Slot* const slots = allocate(capacity);
        if (slots == nullptr) return false;
        adopt(slots, capacity);
        return true;
    }
    // Null if there is no memory, or the capacity exceeds the range of indices.
    Slot* allocate(std::size_t capacity) noexcept {
        if (capacity > none || capacity > static_cast<std::size_t>(-1) / 2 / sizeof(Slot)) return nullptr;
        // The bits first: if the slots cannot be allocated, the spare bits do no harm.
        if (!used_.resize((capacity + 63) / 64, 0)) return nullptr;
        return static_cast<Slot*>(throng::allocate(memory_, capacity * sizeof(Slot), alignof(Slot)));
    }
    void deallocate(Slot* slots, std::size_t capacity) noexcept {
        if (slots != nullptr) throng::give_back(memory_, slots, capacity * sizeof(Slot), alignof(Slot));
    }
    void adopt(Slot* slots, std::size_t capacity) noexcept {
        move_to(slots);
        deallocate(slots_, capacity_);
        slots_ = slots;
        capacity_ = capacity;
    }
    void move_to(Slot* slots) noexcept {
        if constexpr (std::is_trivially_copyable_v<T>) {
            if (range_ != 0) std::memcpy(static_cast<void*>(slots), slots_, range_ * sizeof(Slot));
        } else {
            for (Index i = 0; i < range_; ++i) {
                if (contains(i)) {
                    std::construct_at(std::addressof(slots[i].value), std::move(slots_[i].value));
                    std::destroy_at(std::addressof(slots_[i].value));
                } else {
                    std::construct_at(&slots[i].next, slots_[i].next);
                }
            }
        }
    }
    void release() noexcept {
        clear();
        deallocate(slots_, capacity_);
    }

    MemoryResource* memory_ = nullptr;
    Slot* slots_ = nullptr;
    detail::Buffer<std::uint64_t> used_;
    std::size_t capacity_ = 0;
    Index range_ = 0;
    std::size_t size_ = 0;
    Index first_free_ = none;
};

}  // namespace throng::structures
