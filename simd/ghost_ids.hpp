// Which ids of a frame are ghosts (engine/include/throng/labels.hpp): all in a range, if they
// come behind owned agents; or a bit for each id; or, if ids are far apart, bits in pages:
//
//     pages     where the words of each page begin     4,096 ids each; those without a ghost share one
//     words     32 ids each
//
// Rows do not know which of their agents are ghosts. Mostly ghosts have the highest ids, so a comparison with
// the lowest id of a ghost settles nearly all others.
#pragma once

#include <throng/compiler.hpp>

#include <cstddef>
#include <cstdint>

namespace throng::simd {

struct GhostIds {
    static constexpr std::uint32_t ids_in_a_page = 4096, words_in_a_page = ids_in_a_page / 32;

    const std::uint32_t* words = nullptr;  // null: all between the lowest and the highest are
    const std::uint32_t* pages = nullptr;  // null: words are those of all ids up to the bound
    std::uint32_t lowest = 0, bound = 0;  // the lowest one, and one more than the highest; 0 if there is none

    THRONG_ALWAYS_INLINE bool empty() const noexcept { return bound == 0; }
    THRONG_ALWAYS_INLINE bool is_range() const noexcept { return words == nullptr; }
    THRONG_ALWAYS_INLINE bool has(std::uint32_t id) const noexcept {
        return id - lowest < bound - lowest && (is_range() || (words[word_of(id)] >> id % 32 & 1) != 0);
    }
    // Whether both are ghosts. Without a branch for a range: with ghosts everywhere it would be as good as
    // random.
    THRONG_ALWAYS_INLINE bool has_both(std::uint32_t one, std::uint32_t other) const noexcept {
        if (!is_range()) return has(one) && has(other);
        const std::uint32_t a = one - lowest, b = other - lowest;
        return (a < b ? b : a) < bound - lowest;
    }
    THRONG_ALWAYS_INLINE std::size_t word_of(std::uint32_t id) const noexcept {
        return pages == nullptr ? id / 32
                                : pages[id / ids_in_a_page] + std::size_t{id / 32 % words_in_a_page};
    }
};

}  // namespace throng::simd
