// Which ids of a frame are those of ghosts (engine/include/throng/views/update_options.hpp): all in a range,
// as where they come behind those of owned agents; or a bit for each id, in pages:
//
//     pages     where the words of each page begin     4,096 ids each; those without a ghost share one
//     words     64 ids each
//
// Rows do not know which of their agents are ghosts. Mostly ghosts have the highest ids, so a comparison with
// the lowest one of a ghost says of nearly all others that they are none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "throng/compiler.hpp"

namespace throng::simd {

struct GhostIds {
    static constexpr std::uint32_t ids_in_a_page = 4096, words_in_a_page = ids_in_a_page / 64;

    const std::uint32_t* pages = nullptr;  // null: all between the lowest and the highest are
    const std::uint64_t* words = nullptr;
    std::uint32_t lowest = 0, bound = 0;  // the lowest one, and one more than the highest; 0 if there is none

    bool empty() const noexcept { return bound == 0; }
    bool is_range() const noexcept { return pages == nullptr; }
    bool has(std::uint32_t id) const noexcept {
        return id - lowest < bound - lowest && (is_range() || (words[word_of(id)] >> id % 64 & 1) != 0);
    }
    std::size_t word_of(std::uint32_t id) const noexcept {
        return pages[id / ids_in_a_page] + std::size_t{id / 64 % words_in_a_page};
    }
};

// Which of the next `lanes` ids are those of ghosts, as bits.
template <class V, std::uint32_t lanes>
std::uint32_t ghosts_among(const GhostIds& ghosts, const std::uint32_t* ids) {
    constexpr std::uint32_t all = (1u << lanes) - 1;
    // Those of them that are an id or above it.
    const auto from = [&](std::uint32_t id) {
        std::uint32_t found = id == 0 ? all : 0;
        for (std::uint32_t k = 0; k < lanes && id != 0; k += V::Wide::size)
            found |= V::above(ids + k, id - 1) << k;
        return found & all;
    };
    const std::uint32_t some = from(ghosts.lowest);
    if (some == 0) [[likely]]
        return 0;
    if (ghosts.is_range()) return some & ~from(ghosts.bound);
    std::uint32_t found = 0;
    for (std::uint32_t left = some; left != 0; left &= left - 1) {
        const std::uint32_t lane = V::first_bit(left);
        found |= std::uint32_t{ghosts.has(ids[lane])} << lane;
    }
    return found;
}

}  // namespace throng::simd
