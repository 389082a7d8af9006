// The place of an agent on the curve that visits quadrant by quadrant (Morton order, Morton 1966).
//
// Flat agents, tall ones and all others each have a first-level quadrant of their own, and are divided by
// their centres there. Flat agents are divided by x only down to their width, and below that by y alone; tall
// ones the other way round:
//
//     +-----------+-----------+
//     | --------- |           |       Each node of flat agents is a band as high as holds a few of them. In a square
//     |-----------|-----------|       quadrant of as many, each would lie across all the others' bands, and all nodes
//     |           | --------- |       of a row of quadrants would overlap.
//     +-----------+-----------+
//
// In most worlds the divided square is that of the grid; agents outside it are clamped to its edge. In a
// world with islands it is that of their tiles, since the background grid may have one cell of any size if it
// is empty. Islands within islands have scales far below the finest quadrant: there the distance from the middle of the innermost
// cut counts, by octaves. Where any of these leaves too many at one place, marks among the frame's oversized agents divide
// these instead (simd/types.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/frame/frame_state.hpp"

namespace throng::detail {

inline constexpr unsigned curve_levels = simd::curve_bits + 1;  // shapes are the first level
inline constexpr unsigned id_levels = 16;                       // for agents with the same place on the curve
inline constexpr unsigned tree_levels = curve_levels + id_levels;  // how deep a tree can be

class Curve {
public:
    // Of a frame's tree. `marks` is null where the map alone divides.
    Curve(const FrameState& frame, const simd::TreeMarks* marks) noexcept
        : find_(frame.kernels->curve_places),
          axes_{.x = {}, .y = {}, .by_octaves = frame.map.cuts() > 1, .marks = marks} {
        const WorldMap& map = frame.map;
        divide(map.open());
        if (map.has_islands()) divide(map.tables().tiles[0]);
        // Where places are even an agent's shape is measured in those, so in a flat world, whose places are wide and low,
        // agents as wide as high are tall.
        axes_.x.shape = axes_.by_octaves ? 1 : axes_.x.scale;
        axes_.y.shape = axes_.by_octaves ? 1 : axes_.y.scale;
        if (!axes_.by_octaves) return;
        const simd::Tiles& innermost = map.tables().tiles[map.cuts() - 1];
        axes_.x.origin =
            innermost.origin_x + static_cast<float>(innermost.columns) / innermost.inverse_width * 0.5f;
        axes_.y.origin =
            innermost.origin_y + static_cast<float>(innermost.rows) / innermost.inverse_height * 0.5f;
    }

    void places(const simd::Query* boxes, std::size_t count, std::uint32_t* places) const noexcept {
        find_(axes_, boxes, count, places);
    }
    void places(std::span<const Box> boxes, std::uint32_t* places) const noexcept {
        find_(axes_, reinterpret_cast<const simd::Query*>(boxes.data()), boxes.size(), places);
    }
    std::uint64_t operator()(const Box& box) const noexcept {
        std::uint32_t place;
        places({&box, 1}, &place);
        return place;
    }

private:
    // Of a grid, or of tiles.
    template <class Cells>
    void divide(const Cells& all) noexcept {
        constexpr float places = 1 << simd::curve_bits;
        axes_.x.origin = all.origin_x;
        axes_.y.origin = all.origin_y;
        axes_.x.scale = all.inverse_width / static_cast<float>(all.columns) * places;
        axes_.y.scale = all.inverse_height / static_cast<float>(all.rows) * places;
    }

    void (*find_)(const simd::Curve&, const simd::Query*, std::size_t, std::uint32_t*);
    simd::Curve axes_;
};

// Whether all agents are in a tree with marks, and not on a grid: then its places tell which queries are near each other.
inline bool is_all_in_places(const FrameState& frame) noexcept {
    return frame.tree_marks() != nullptr && !frame.map.has_cells();
}

}  // namespace throng::detail
