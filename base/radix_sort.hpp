// Sorts by some bits of each element, digit by digit, the lowest first. It is stable, and has no branch that
// depends on the data, as std::sort has.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "throng/compiler.hpp"

namespace throng::detail {

// `bits_of` gives the bits of an element. Above the lowest `bits` all elements are alike. Returns where the
// elements are at the end: `from` or `to`.
template <unsigned digit, unsigned bits = 32, class T, class BitsOf>
T* radix_sort(T* from, T* to, std::size_t count, BitsOf&& bits_of) noexcept {
    constexpr unsigned passes = (bits + digit - 1) / digit;
    constexpr std::uint32_t last = (1u << digit) - 1;
    std::array<std::array<std::uint32_t, last + 1>, passes> starts{};
    for (std::size_t i = 0; i < count; ++i) {
        THRONG_PREFETCH(to + i, 1);  // to be written soon
        const auto count_digits =
            [&, key = bits_of(from[i]) ]<unsigned... pass>(std::integer_sequence<unsigned, pass...>) {
            (++starts[pass][key >> digit * pass & last], ...);
        };
        count_digits(std::make_integer_sequence<unsigned, passes>{});
    }
    for (unsigned pass = 0; pass < passes; ++pass) {
        const auto digit_of = [&](const T& one) { return bits_of(one) >> digit * pass & last; };
        if (count == 0 || starts[pass][digit_of(from[0])] == count) continue;
        std::uint32_t before = 0;
        for (std::uint32_t& start : starts[pass]) before += std::exchange(start, before);
        for (std::size_t i = 0; i < count; ++i) to[starts[pass][digit_of(from[i])]++] = from[i];
        std::swap(from, to);
    }
    return from;
}

// The bits of a float that is no NaN, in the order of floats.
inline std::uint32_t ordered_bits(float number) noexcept {
    constexpr std::uint32_t sign = 0x80000000u;
    const auto bits = detail::bits_as<std::uint32_t>(number);
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

// Sorts up to `most` numbers: integers, or floats without a NaN.
template <std::size_t most, class Number>
void sort_numbers(Number* numbers, std::size_t count) noexcept {
    constexpr std::size_t few = 48;
    constexpr std::uint32_t sign = std::is_floating_point_v<Number> ? 0x80000000u : 0;
    if (count <= few) return std::sort(numbers, numbers + count);
    std::array<std::uint32_t, most> keys, spare;
    for (std::size_t i = 0; i < count; ++i)
        if constexpr (sign != 0)
            keys[i] = ordered_bits(numbers[i]);
        else
            keys[i] = detail::bits_as<std::uint32_t>(numbers[i]);
    const std::uint32_t* const sorted =
        radix_sort<8>(keys.data(), spare.data(), count, [](std::uint32_t key) { return key; });
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t key = sorted[i];
        numbers[i] = detail::bits_as<Number>((key & sign) != 0 || sign == 0 ? key ^ sign : ~key);
    }
}

}  // namespace throng::detail
