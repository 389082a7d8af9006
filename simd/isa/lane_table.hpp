// Tables with eight bytes for each mask of eight bits: the lanes that it keeps, and how many bits are set
// below each.
#pragma once

#include <cstdint>

namespace throng::simd {
namespace {

// The lanes that a mask keeps, in order.
struct LaneTable {
    alignas(64) std::uint8_t lanes[256][8];
    constexpr LaneTable() : lanes{} {
        for (unsigned mask = 0; mask < 256; ++mask) {
            unsigned kept = 0;
            for (unsigned lane = 0; lane < 8; ++lane)
                if (mask >> lane & 1) lanes[mask][kept++] = static_cast<std::uint8_t>(lane);
        }
    }
};
constexpr LaneTable lane_table;

// How many bits of a mask are set below each.
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

// The eighth to which three levels of halves lead, by the bits of marks: number 1 halves the whole, 2 and 3
// its halves.
struct HalfTable {
    alignas(64) std::uint8_t halves[256];
    constexpr HalfTable() : halves{} {
        for (unsigned mask = 0; mask < 256; ++mask) {
            unsigned mark = 1;
            while (mark < 8) mark = 2 * mark + (mask >> mark & 1);
            halves[mask] = static_cast<std::uint8_t>(mark - 8);
        }
    }
};
constexpr HalfTable half_table;

}  // namespace
}  // namespace throng::simd
