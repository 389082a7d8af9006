// The only source of the engine's memory. It forwards to the host's resource, one call at a time, and counts
// allocations. Reserved memory is used first.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

#include "throng/memory.hpp"

namespace throng::detail {

// A part of what Engine::reserve took: one block of the host's memory. HostMemory serves calls from it before
// it asks the host. It fits any world, since it is not cut into sizes in advance.
//
//     [ part | a bit for each KiB | KiB | KiB | KiB | ... ]       1: in use
//
// A call gets the first free piece that is long enough. Whoever gives a piece back says how long it is, so
// pieces have no headers.
class alignas(std::uint64_t) ReservedPart {
public:
    // The alignment of the block and of pieces; no call of the engine wants more.
    static constexpr std::size_t alignment = 64;

    // How much a part with a piece of `bytes` takes from the host.
    static std::size_t bytes_with(std::size_t bytes) noexcept {
        return begin(units_in(bytes)) + units_in(bytes) * unit;
    }
    // `memory` has bytes_with(bytes). Writes to each page of it, so that the system gives them all now.
    static ReservedPart* make(void* memory, std::size_t bytes) noexcept {
        constexpr std::size_t page = 4096;
        auto* const at = static_cast<volatile std::byte*>(memory);
        const std::size_t whole = bytes_with(bytes);
        for (std::size_t i = 0; i < whole; i += page) at[i] = std::byte{};
        at[whole - 1] = std::byte{};
        auto* const part = ::new (memory) ReservedPart(units_in(bytes));
        std::fill_n(part->words(), words_in(part->units_), Word{0});
        return part;
    }
    std::size_t bytes() const noexcept { return begin(units_) + units_ * unit; }
    bool is_unused() const noexcept { return used_ == 0; }
    bool holds(const void* memory) const noexcept {
        const auto at = reinterpret_cast<std::uintptr_t>(memory),
                   from = reinterpret_cast<std::uintptr_t>(this);
        return at >= from && at - from < bytes();
    }

    // Null if there is no room.
    void* take(std::size_t bytes) noexcept {
        const std::size_t count = units_in(bytes);
        if (count > units_ - used_) return nullptr;
        std::size_t first = none_below_ = next(none_below_, units_, false);
        for (;;) {
            if (count > units_ - first) return nullptr;
            const std::size_t end = next(first, first + count, true);
            if (end == first + count) break;
            first = next(end, units_, false);
        }
        mark(first, count, ~Word{0});
        used_ += count;
        if (first == none_below_) none_below_ += count;
        return reinterpret_cast<std::byte*>(this) + begin(units_) + first * unit;
    }
    void give_back(void* memory, std::size_t bytes) noexcept {
        const auto at =
            static_cast<std::size_t>(static_cast<std::byte*>(memory) - reinterpret_cast<std::byte*>(this));
        const std::size_t first = (at - begin(units_)) / unit, count = units_in(bytes);
        mark(first, count, 0);
        used_ -= count;
        none_below_ = std::min(none_below_, first);
    }

    ReservedPart* next_part = nullptr;
    bool kept = true;  // also while it is unused

private:
    using Word = std::uint64_t;
    static constexpr std::size_t unit = 1024;

    explicit ReservedPart(std::size_t units) noexcept : units_(units) {}
    static constexpr std::size_t units_in(std::size_t bytes) noexcept {
        return std::max<std::size_t>(1, bytes / unit + (bytes % unit != 0));
    }
    static constexpr std::size_t words_in(std::size_t units) noexcept { return (units + 63) / 64; }
    // Where the first unit is.
    static constexpr std::size_t begin(std::size_t units) noexcept {
        return (sizeof(ReservedPart) + words_in(units) * sizeof(Word) + alignment - 1) / alignment *
               alignment;
    }
    Word* words() noexcept { return reinterpret_cast<Word*>(this + 1); }

    // The first unit from `at` on that is in use, or is not; `end` if there is none before it.
    std::size_t next(std::size_t at, std::size_t end, bool used) noexcept {
        while (at < end) {
            const Word word = words()[at / 64], bits = (used ? word : ~word) >> at % 64;
            if (bits != 0) return std::min(end, at + static_cast<std::size_t>(std::countr_zero(bits)));
            at = (at / 64 + 1) * 64;
        }
        return end;
    }
    void mark(std::size_t first, std::size_t count, Word bits) noexcept {
        for (std::size_t at = first, end = first + count; at < end;) {
            const std::size_t some = std::min(end - at, 64 - at % 64);
            const Word mask = (~Word{0} >> (64 - some)) << at % 64;
            Word& word = words()[at / 64];
            word = (word & ~mask) | (bits & mask);
            at += some;
        }
    }

    std::size_t units_, used_ = 0;
    std::size_t none_below_ = 0;  // no unit before is free
};

class HostMemory final : public MemoryResource {
public:
    // Null is the global heap.
    explicit HostMemory(MemoryResource* host) noexcept : host_(host) {}
    HostMemory(const HostMemory&) = delete;
    ~HostMemory() { let_go(); }

    MemoryResource* host() const noexcept { return host_; }
    // What the host gave, including all that is reserved.
    std::size_t bytes() const noexcept {
        const std::lock_guard lock(mutex_);
        return bytes_;
    }
    // By the host.
    std::uint64_t allocations() const noexcept {
        const std::lock_guard lock(mutex_);
        return allocations_;
    }

    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override;
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override;
    void* enlarge(void* memory, std::size_t bytes, std::size_t more, std::size_t alignment) noexcept override;

    // For the writing thread. Keeps `count` parts, each with room for `bytes` in one piece, until they are
    // let go or larger ones are reserved. Returns false and changes nothing if there is no memory.
    [[nodiscard]] bool reserve(std::size_t count, std::size_t bytes) noexcept;
    // Parts go back to the host as soon as nothing in them is in use. Until then they serve calls.
    void let_go() noexcept;

private:
    static constexpr std::size_t all = ~std::size_t{0};

    ReservedPart* take_part(std::size_t bytes) noexcept;
    // These are called under the lock.
    void* ask_host(std::size_t bytes, std::size_t alignment) noexcept;
    void give_to_host(void* memory, std::size_t bytes, std::size_t alignment) noexcept;
    void let_go(ReservedPart*& parts, std::size_t below) noexcept;
    bool return_if_unused(ReservedPart** link) noexcept;

    MemoryResource* host_;
    mutable std::mutex mutex_;
    ReservedPart* parts_ = nullptr;
    std::size_t bytes_ = 0;
    std::uint64_t allocations_ = 0;
};

// Makes an object in the engine's memory; null if there is none.
template <class T, class... Arguments>
T* make(MemoryResource& memory, Arguments&&... arguments) noexcept {
    void* place = memory.allocate(sizeof(T), alignof(T));
    return place == nullptr ? nullptr : ::new (place) T(static_cast<Arguments&&>(arguments)...);
}
template <class T>
void destroy(MemoryResource& memory, T* object) noexcept {
    if (object == nullptr) return;
    object->~T();
    memory.deallocate(object, sizeof(T), alignof(T));
}

}  // namespace throng::detail
