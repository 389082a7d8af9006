// Room for values that are about to be written. An array of a type with initial values writes these first:
// for a buffer of a thousand answers that takes longer than a search.
#pragma once

#include <cstddef>
#include <type_traits>

namespace throng::detail {

template <class T, std::size_t count>
class Unwritten {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    Unwritten() noexcept {}  // does not clear the room

    static constexpr std::size_t size() noexcept { return count; }
    T* data() noexcept { return reinterpret_cast<T*>(room_); }
    const T* data() const noexcept { return reinterpret_cast<const T*>(room_); }
    T& operator[](std::size_t i) noexcept { return data()[i]; }
    const T& operator[](std::size_t i) const noexcept { return data()[i]; }

private:
    alignas(T) std::byte room_[count * sizeof(T)];
};

}  // namespace throng::detail
