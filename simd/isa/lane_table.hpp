// Which lanes a mask of eight bits keeps, in order: one row of eight bytes for every mask.
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

}  // namespace
}  // namespace throng::simd
