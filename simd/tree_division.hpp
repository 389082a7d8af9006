// The division of the oversized agents into the ranks of their tree: engine/src/frame/tree/tree_ranks.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "throng/compiler.hpp"

namespace throng::simd {

inline constexpr unsigned map_bits = 16;  // of a coordinate

// Marks divide a sample of the frame's own oversized agents in two again and again. A mark goes by the edges
// of boxes on one side, and so parts larger agents, or those further out, from the rest, at any scale. Or it
// goes by how upright boxes are, if boxes that lie across each other share their edges' ranges. A part is
// divided in ranks by two edges, in the order of floats, around the edges of the sample there.
struct alignas(64) TreeMarks {
    static constexpr std::uint32_t rank_bits = 11;  // of an edge in a part

    // The first mark is number 1, and those of its halves are 2 and 3. A branch has three levels of marks,
    // numbered likewise, to be compared at once; the first branch may have fewer. Edges are numbered as the
    // members of a box, and `upright` follows.
    static constexpr std::uint32_t levels_at_once = 3;
    struct alignas(64) Branch {
        std::uint32_t edge[8], at[8];  // from there on is the upper half; in ordered bits
    };
    // Divided by the first edge, and by the one of the other axis beside it. If agents are long on that axis,
    // a shift leaves next to nothing of it.
    struct Part {
        std::uint32_t first_edge, first[2], shift[2];
    };

    std::uint32_t levels;

    static constexpr std::uint32_t upright = 4;
    // Half the difference of their bits is nearly that of their logarithms. A host may flush subnormal
    // numbers in one call and not in the next, so the smallest extents are one.
    static std::uint32_t how_upright(float width, float height) {
        const auto half = [](float extent) {
            return detail::bits_as<std::uint32_t>(extent < 0x1p-100f ? 0x1p-100f : extent) >> 1;
        };
        return half(height) - half(width) + 0x80000000u;
    }

    // By the number of the first mark of each.
    static std::size_t branches_for(std::uint32_t levels) { return (std::size_t{1} << levels) / 4 + 2; }
    const Branch* branches() const { return reinterpret_cast<const Branch*>(this + 1); }
    const Part* parts() const { return reinterpret_cast<const Part*>(branches() + branches_for(levels)); }
};
struct MapAxis {
    float origin, scale;
};
struct TreeDivision {
    MapAxis x, y;
    const TreeMarks* marks;  // null if the map divides
};

}  // namespace throng::simd
