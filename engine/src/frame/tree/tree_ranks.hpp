// The rank of an agent in the tree. Many agents are divided by marks among themselves
// (simd/row_kernels.hpp). A few are ordered by their centres, along the curve that visits quadrant by
// quadrant (Morton 1966) of the square of the grid, or of the tiles if there are islands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/kernels.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "simd/row_kernels.hpp"

namespace throng::detail {

inline constexpr unsigned rank_levels = simd::map_bits;
inline constexpr unsigned id_levels = 16;                         // for agents with the same rank
inline constexpr unsigned tree_levels = rank_levels + id_levels;  // how deep a tree can be

class TreeRanks {
public:
    // For a frame's tree. `marks` is null if only the map divides.
    TreeRanks(const FrameState& frame, const simd::TreeMarks* marks) noexcept
        : find_(frame.kernels->rows->tree_ranks), division_{.x = {}, .y = {}, .marks = marks} {
        divide(frame.map.open());
        if (frame.map.has_islands()) divide(frame.map.tables().tiles[0]);
    }

    void find(std::span<const Box> boxes, std::uint32_t* ranks) const noexcept {
        find_(division_, as_kernel(boxes.data()), boxes.size(), ranks);
    }

private:
    // For a grid, or for tiles.
    template <class Cells>
    void divide(const Cells& all) noexcept {
        constexpr float ranks = 1 << simd::map_bits;
        division_.x.origin = all.origin_x;
        division_.y.origin = all.origin_y;
        division_.x.scale = all.inverse_width / static_cast<float>(all.columns) * ranks;
        division_.y.scale = all.inverse_height / static_cast<float>(all.rows) * ranks;
    }

    void (*find_)(const simd::TreeDivision&, const simd::Query*, std::size_t, std::uint32_t*);
    simd::TreeDivision division_;
};

// Whether all agents are in a tree with marks instead of a grid: then its ranks tell which queries are near
// each other.
inline bool is_ordered_by_rank(const FrameState& frame) noexcept {
    return frame.tree_marks() != nullptr && !frame.map.has_cells();
}

}  // namespace throng::detail
