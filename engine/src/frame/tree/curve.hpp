// The place of an agent in the tree. Many are divided by marks among themselves (simd/types.hpp); a few by the curve that visits
// quadrant by quadrant (Morton 1966) of the square of the grid, or of the tiles where there are islands, by their centres.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/frame/frame_state.hpp"

namespace throng::detail {

inline constexpr unsigned curve_levels = simd::curve_bits;
inline constexpr unsigned id_levels = 16;                          // for agents with the same place
inline constexpr unsigned tree_levels = curve_levels + id_levels;  // how deep a tree can be

class Curve {
public:
    // Of a frame's tree. `marks` is null where the map alone divides.
    Curve(const FrameState& frame, const simd::TreeMarks* marks) noexcept
        : find_(frame.kernels->curve_places), axes_{.x = {}, .y = {}, .marks = marks} {
        divide(frame.map.open());
        if (frame.map.has_islands()) divide(frame.map.tables().tiles[0]);
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
