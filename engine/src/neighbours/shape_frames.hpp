// Second frames. The grid and the tree of a frame are made for boxes. If these are much larger than the
// distances between agents, as ranges of sight are, or long and thin, a cell holds very many agents. A search
// by centres or circles would compare a large part of all. Then it looks in a second frame, of the centres or
// the circles alone (`ShapeFrame` in store/spaces.hpp). That is made when it pays, and lives as long as the
// first:
//
//     frame            [ large boxes, few cells ]      overlaps, casts; neighbours and pairs by boxes
//     of centres       [ points, cells for these ]     neighbours and pairs by centres
//     of circles       [ squares, cells for these ]    pairs of circles
//
// It follows from the first frame alone: each one is built as the first of an engine.
#pragma once

#include <cstddef>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/store/spaces.hpp"
#include "throng/agents_as.hpp"

namespace throng::detail {

// Whether a search by centres or circles may have to compare very many agents, since some boxes are wide. It
// takes a few loads.
inline constexpr std::size_t few_in_tree = 256;
inline bool may_have_wide_boxes(const FrameState& frame) noexcept {
    constexpr std::size_t fewest_agents = 2048, few_in_cell = 4;
    constexpr float long_from = 8;
    const simd::View& view = frame.view;
    return frame.agents >= fewest_agents &&
           (view.oversized.count > few_in_tree || frame.sharing > few_in_cell * frame.agents ||
            view.reach_x > long_from * view.reach_y || view.reach_y > long_from * view.reach_x);
}

// The frame of a frame's centres, or of its circles: the one that there is already, or a new one. Null
// without memory, and in a rounding mode that would round centres otherwise.
const ShapeFrame* known_shapes(const FrameState& frame, AgentsAs agents_as) noexcept;
const ShapeFrame* make_shapes(const FrameState& frame, AgentsAs agents_as) noexcept;

}  // namespace throng::detail
