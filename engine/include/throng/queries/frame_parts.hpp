// What a frame is made of, for a picture of it, which shows at once why a query is slow, or whether a grid
// fits a world.
//
//     status = frame.for_each_part([&](const throng::FramePart& part) {
//         if (part.kind == throng::FramePartKind::row) draw(part.box, grey);
//     });
//
// First the rows of the grid, then each island, before the rows of its own grid, and then the nodes of the
// tree over the oversized agents, parents first. A frame whose agents are all in the tree has neither rows
// nor islands.
#pragma once

#include <cstdint>

#include "throng/geometry.hpp"
#include "throng/views/visitors.hpp"

namespace throng {

enum class FramePartKind : std::uint8_t {
    row,     // a row of a grid, cut into cells of equal width
    island,  // agents with a grid of their own
    node     // a node of the tree over the oversized agents
};

struct FramePart {
    // Of a row its place in the grid: agents beyond the edges of a grid are in its outermost cells. Else the
    // exact bounds of the agents.
    Box box;
    std::uint32_t depth = 0;   // of an island and its rows, and of a node: how many of its kind are around it
    std::uint32_t agents = 0;  // in it; those of an island include those of islands within it
    std::uint32_t cells = 0;   // of a row
    FramePartKind kind = FramePartKind::row;
};

namespace detail {
using PartVisitor = AnyVisitor<FramePart>;
}

}  // namespace throng
