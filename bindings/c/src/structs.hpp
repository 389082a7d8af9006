// Structs that begin with their size, as a host of any version gives them.
//
// A size below that of the first version means that the struct was not initialised. A struct smaller than
// this library's comes from an older header: what it lacks has the defaults. A larger one comes from a newer
// header: what this library does not know must be zero, as init leaves it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "bindings/c/src/statuses.hpp"
#include "throng.h"

namespace throng::c_api {

// The defaults of each struct, with its size.
template <class Sized>
Sized defaults() noexcept;

// The size in the first version that had the struct. A struct that grows gets a line of its own, which names
// the first member that was new.
template <class Sized>
inline constexpr std::uint32_t first_size = sizeof(Sized);
template <>
inline constexpr std::uint32_t first_size<throng_boxes> = offsetof(throng_boxes, double_x);
template <>
inline constexpr std::uint32_t first_size<throng_points> = offsetof(throng_points, double_x);
template <>
inline constexpr std::uint32_t first_size<throng_filter> = offsetof(throng_filter, min_z);
template <>
inline constexpr std::uint32_t first_size<throng_engine_config> = offsetof(throng_engine_config, threads);

// No struct will ever be larger, so a larger number was not initialised.
inline constexpr std::uint32_t largest_size = 4096;

// Copies what the host gave over the defaults. False if it is not such a struct.
template <class Sized>
bool read_sized(const Sized* given, Sized& own) noexcept {
    own = defaults<Sized>();
    if (given == nullptr || given->size < first_size<Sized> || given->size > largest_size) return false;
    const std::uint32_t size = given->size;
    const char* bytes = reinterpret_cast<const char*>(given);
    for (std::size_t i = sizeof(Sized); i < size; ++i)
        if (bytes[i] != 0) return false;
    std::memcpy(&own, bytes, size < sizeof(Sized) ? size : sizeof(Sized));
    own.size = sizeof(Sized);
    return true;
}

// Writes as much as the host's struct holds, and leaves its size as it is. If this is false, as above, it
// writes nothing.
template <class Sized>
bool write_sized(const Sized& own, Sized* to) noexcept {
    const std::uint32_t size = to->size;
    if (size < first_size<Sized> || size > largest_size) return false;
    std::memcpy(to, &own, size < sizeof(Sized) ? size : sizeof(Sized));
    to->size = size;
    return true;
}

// The init macros call it: zeroes what is behind the part that this library knows.
template <class Sized>
std::int32_t init(Sized* to, std::uint32_t size) noexcept {
    if (to == nullptr) return THRONG_NULL_POINTER;
    if (size < first_size<Sized> || size > largest_size) return THRONG_BAD_STRUCT;
    std::memset(static_cast<void*>(to), 0, size);
    to->size = size;
    write_sized(defaults<Sized>(), to);
    return THRONG_OK;
}

// Reads an option struct; NULL may stand for the defaults.
template <class Sized>
Status read(const Sized* given, Sized& own, Argument which, bool may_be_null) noexcept {
    const bool is_legal = read_sized(given, own);
    if (given == nullptr) return may_be_null ? Status{} : Status{null_pointer, which};
    return is_legal ? Status{} : Status{bad_struct, which};
}

}  // namespace throng::c_api
