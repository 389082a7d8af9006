// For masks of eight bits, a row of eight bytes for each: which lanes it keeps, in order, and their ranks.
#pragma once

#include <cstdint>

namespace throng::simd {
namespace {

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

// How many bits of a mask of eight are set below each.
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

}  // namespace
}  // namespace throng::simd
