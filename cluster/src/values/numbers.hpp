// Sums of the host's numbers, wherever they lie in memory.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "throng/cluster/values.hpp"

namespace throng::cluster::detail {

// Makes the call with a zero of the type in which a number is added up. Integers wrap around.
template <class Call>
void with_number(Number number, const Call& call) noexcept {
    switch (number) {
    case Number::bytes: return;
    case Number::float32: return call(float{});
    case Number::float64: return call(double{});
    case Number::int8: return call(std::uint8_t{});
    case Number::int16: return call(std::uint16_t{});
    case Number::int32: return call(std::uint32_t{});
    case Number::int64: return call(std::uint64_t{});
    }
}

// A number or its opposite, without a branch: whether terms are taken away is as good as random.
template <class T>
T opposite_if(bool is, T number) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
        using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        const Bits sign = Bits{is} << (8 * sizeof(T) - 1);
        return std::bit_cast<T>(std::bit_cast<Bits>(number) ^ sign);
    } else {
        return static_cast<T>((number ^ static_cast<T>(-T{is})) + T{is});
    }
}

template <class T>
void add(std::byte* to, const void* value, std::size_t numbers, bool takes_away = false) noexcept {
    const std::byte* const from = static_cast<const std::byte*>(value);
    for (std::size_t k = 0; k < numbers; ++k) {
        T sum, one;
        std::memcpy(&sum, to + k * sizeof(T), sizeof(T));
        std::memcpy(&one, from + k * sizeof(T), sizeof(T));
        sum = static_cast<T>(sum + opposite_if(takes_away, one));
        std::memcpy(to + k * sizeof(T), &sum, sizeof(T));
    }
}

}  // namespace throng::cluster::detail
