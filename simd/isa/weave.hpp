// A stream becomes two, or two one: which lanes of a batch are taken, and which lane takes the next value of which stream.
#pragma once

#include <cstdint>

namespace throng::simd {
namespace {

// For a mask of eight bits: the lanes whose bit is clear count from 0 on, and those whose bit is set from 8 on.
struct WeaveTable {
    alignas(64) std::uint8_t from[256][8];
    constexpr WeaveTable() : from{} {
        for (unsigned mask = 0; mask < 256; ++mask) {
            unsigned next[2] = {0, 8};
            for (unsigned lane = 0; lane < 8; ++lane)
                from[mask][lane] = static_cast<std::uint8_t>(next[mask >> lane & 1]++);
        }
    }
};
constexpr WeaveTable weave_table;

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

// Eight values in two halves of what the set packs at once.
template <class V>
class TwoPacks {
public:
    explicit TwoPacks(std::uint32_t mask) : mask_(mask), low_(V::count_bits(mask & 15)) {}
    void operator()(float* out, const float* at) const {
        auto* to = reinterpret_cast<std::uint32_t*>(out);
        const auto* from = reinterpret_cast<const std::uint32_t*>(at);
        V::left_pack(to, from, mask_ & 15);
        V::left_pack(to + low_, from + 4, mask_ >> 4);
    }

private:
    std::uint32_t mask_, low_;
};

// Lane by lane, where no instruction takes lanes by a number from a register. Batch has four.
template <class Batch>
class FourWeave {
public:
    explicit FourWeave(std::uint32_t mask) : mask_(mask) {}
    Batch operator()(const float* a, const float* b) const {
        float lanes[4];
        for (std::uint32_t k = 0; k < 4; ++k) {
            const std::uint32_t from_b = mask_ >> k & 1;
            lanes[k] = *(from_b != 0 ? b : a);
            b += from_b;
            a += 1 - from_b;
        }
        return Batch::load_unaligned(lanes);
    }

private:
    std::uint32_t mask_;
};

}  // namespace
}  // namespace throng::simd
