// Stratified sampling: a hash picks one agent from each stratum of ids. So the sample is spread over all ids,
// and no regular order of ids (ranks and files, squads, alternating teams) can bias it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/radix_sort.hpp"

namespace throng::detail {

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
