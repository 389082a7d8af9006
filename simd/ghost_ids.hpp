// Which ids of a frame are those of ghosts (engine/include/throng/views/update_options.hpp): a bit for each
// id, in pages.
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

    const std::uint32_t* pages = nullptr;
    const std::uint64_t* words = nullptr;
    std::uint32_t lowest = 0, bound = 0;  // the lowest one, and one more than the highest; no more if none is

    bool empty() const noexcept { return bound == 0; }
    bool has(std::uint32_t id) const noexcept {
        return id - lowest < bound - lowest && (words[word_of(id)] >> id % 64 & 1) != 0;
    }
    std::size_t word_of(std::uint32_t id) const noexcept {
        return pages[id / ids_in_a_page] + std::size_t{id / 64 % words_in_a_page};
    }
};

// Which of the next `lanes` ids are those of ghosts, as bits.
template <class V, std::uint32_t lanes>
std::uint32_t ghosts_among(const GhostIds& ghosts, const std::uint32_t* ids) {
    constexpr std::uint32_t at_once = V::Wide::size;
    std::uint32_t some = ghosts.lowest == 0 ? ~0u : 0;
    if (ghosts.lowest != 0) [[likely]]
        for (std::uint32_t k = 0; k < lanes; k += at_once) some |= V::above(ids + k, ghosts.lowest - 1) << k;
    std::uint32_t found = 0;
    for (some &= (1u << lanes) - 1; some != 0; some &= some - 1) {
        const std::uint32_t lane = V::first_bit(some);
        found |= std::uint32_t{ghosts.has(ids[lane])} << lane;
    }
    return found;
}

}  // namespace throng::simd
