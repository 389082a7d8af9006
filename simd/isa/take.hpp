// For rows from which some agents leave and into which others come: ranks, and for sets without the instructions a look-up of
// bits and what stands for `Take`.
#pragma once

#include <cstdint>

namespace throng::simd {
namespace {

// For a mask of eight bits: how many are set below each.
struct RankTable {
    alignas(64) std::uint8_t ranks[256][8];
    constexpr RankTable() : ranks{} {
        for (unsigned mask = 0; mask < 256; ++mask) {
            unsigned below = 0;
            for (unsigned lane = 0; lane < 8; below += mask >> lane++ & 1)
                ranks[mask][lane] = static_cast<std::uint8_t>(below);
        }
    }
};
constexpr RankTable rank_table;

// What sets of four lanes do one by one.
inline void add_ranks(std::uint32_t* out, std::uint32_t first, std::uint32_t mask) {
    for (std::uint32_t k = 0; k < 8; ++k) {
        out[k] = first;
        first += mask >> k & 1;
    }
}
inline std::uint32_t find_marked(const std::uint32_t* words, const std::uint32_t* ids) {
    std::uint32_t bits = 0;
    for (std::uint32_t k = 0; k < 8; ++k) bits |= (words[ids[k] >> 5] >> (ids[k] & 31) & 1) << k;
    return bits;
}

// Where no instruction takes lanes by a number from a register.
template <class Window>
struct NoTake {
    NoTake(const std::uint32_t*, std::uint32_t) {}
    static constexpr bool is_near() { return false; }
    Window operator()(float*, const float* in) const { return Window::load_unaligned(in); }
};

}  // namespace
}  // namespace throng::simd
