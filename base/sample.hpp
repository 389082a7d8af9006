// Sorting by some bits of each element, and sampling. `radix_sort` goes digit by digit, the lowest first. It
// is stable, and has no branch that depends on the data, as std::sort has.
//
// Samples are stratified: a hash picks one agent from each stratum of ids. So the sample is spread over all
// ids, and no regular order of ids (ranks and files, squads, alternating teams) can bias it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
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

// Mixes the bits of a number (the finaliser of SplitMix64).
constexpr std::uint64_t mixed(std::uint64_t z) noexcept {
    z += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// The k-th of a sample of `wanted` out of `count` agents; ascending with k. `wanted` is not above `count`.
constexpr std::size_t sampled(std::size_t k, std::size_t wanted, std::size_t count) noexcept {
    if (wanted == count) return k;
    const std::uint64_t step = count / wanted, rest = count % wanted;
    const std::uint64_t begin = step * k + rest * k / wanted, end = step * (k + 1) + rest * (k + 1) / wanted;
    return static_cast<std::size_t>(begin + ((mixed(k) >> 32) * (end - begin) >> 32));
}

// How many pairs of some numbers are equal; they are sorted.
template <std::size_t most>
std::uint64_t pairs_of_equals(std::span<std::uint32_t> numbers) noexcept {
    sort_numbers<most>(numbers.data(), numbers.size());
    std::uint64_t pairs = 0, run = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i) {
        run = numbers[i] == numbers[i - 1] ? run + 1 : 0;
        pairs += run;
    }
    return pairs;
}

// Visits `most` of some elements, or all if they are fewer, and returns how many.
template <class Element, class Visit>
std::size_t visit_some(std::span<const Element> elements, std::size_t most, Visit&& visit) noexcept {
    const std::size_t count = elements.size();
    if (count <= most) {
        for (const Element& element : elements) visit(element);
        return count;
    }
    for (std::size_t k = 0; k < most; ++k) visit(elements[sampled(k, most, count)]);
    return most;
}

}  // namespace throng::detail
