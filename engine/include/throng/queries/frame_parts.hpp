// The parts of a frame, to draw them. A picture shows why a query is slow, or whether a grid fits a world.
//
//     status = frame.for_each_part([&](const throng::FramePart& part) {
//         if (part.kind == throng::FramePartKind::row) draw(part.box, grey);
//     });
//
// First come the rows of the grid, then each island, followed by its own rows, and then the nodes of the tree
// over the oversized agents, parents first. A frame with all agents in the tree has neither rows nor islands.
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
    // For a row its place in the grid; agents beyond the grid's edges are in its outermost cells. Otherwise
    // the exact bounds of the agents.
    Box box;
    std::uint32_t depth = 0;   // of islands, their rows, and nodes: how many of the same kind are around it
    std::uint32_t agents = 0;  // in it; an island's number includes the islands within it
    std::uint32_t cells = 0;   // of a row
    FramePartKind kind = FramePartKind::row;
};

namespace detail {
using PartVisitor = AnyVisitor<FramePart>;
}

}  // namespace throng
