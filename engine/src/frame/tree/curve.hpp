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
// is empty. A world of islands within islands has scales far below the finest quadrant. There the curve uses the
// distance from the middle of the innermost cut, by the highest bits of its float: octave by octave, each
// divided into sixty-four. Where any of these leaves too many at one place, since most are in spots far from there, outside
// of the grid or much smaller than a tile, the axes are divided by marks among the frame's oversized agents
// (tree_marks.hpp). All mappings are monotonic.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/src/base/cell_math.hpp"
#include "engine/src/frame/tree_marks.hpp"
#include "engine/src/plan/world_map.hpp"
#include "throng/structures/detail/morton.hpp"

namespace throng::detail {

inline constexpr unsigned curve_bits = 15;                // of a coordinate
inline constexpr unsigned curve_levels = curve_bits + 1;  // shapes are the first level
inline constexpr unsigned id_levels = 16;                 // for agents with the same place on the curve
inline constexpr unsigned tree_levels = curve_levels + id_levels;  // how deep a tree can be

class Curve {
public:
    // `marks` is null where the axes are divided by the map alone.
    Curve(const WorldMap& map, const TreeMarks* marks) noexcept
        : marks_(marks), by_octaves_(map.cuts() > 1 && marks == nullptr) {
        divide(map.open());
        if (map.has_islands()) divide(map.tables().tiles[0]);
        if (!by_octaves_ && marks_ == nullptr) shape_x_ = scale_x_, shape_y_ = scale_y_;
        if (!by_octaves_) return;
        const simd::Tiles& innermost = map.tables().tiles[map.cuts() - 1];
        origin_x_ =
            innermost.origin_x + static_cast<float>(innermost.columns) / innermost.inverse_width * 0.5f;
        origin_y_ = innermost.origin_y + static_cast<float>(innermost.rows) / innermost.inverse_height * 0.5f;
    }

    std::uint64_t operator()(const Box& r) const noexcept {
        const float x = r.min_x * 0.5f + r.max_x * 0.5f, y = r.min_y * 0.5f + r.max_y * 0.5f;
        const float width = r.max_x - r.min_x, height = r.max_y - r.min_y;
        const bool flat = width * shape_x_ > long_from * (height * shape_y_),
                   tall = height * shape_y_ > long_from * (width * shape_x_);
        const std::uint32_t shape = std::uint32_t{flat} | std::uint32_t{tall} << 1;
        if (marks_ != nullptr) return shape << 2 * curve_bits | among_marks(r, {x, y}, flat, tall);
        std::uint32_t column = column_of(x), row = row_of(y);
        if (by_octaves_) {
            if (flat) column = rounded(column, column_of(r.max_x) - column_of(r.min_x));
            if (tall) row = rounded(row, row_of(r.max_y) - row_of(r.min_y));
        } else {
            if (flat) column = rounded(column, place(width, 0, scale_x_, last));
            if (tall) row = rounded(row, place(height, 0, scale_y_, last));
        }
        return shape << 2 * curve_bits | interleaved(column, row);
    }

private:
    // An agent counts as flat or tall from this ratio of its sides on.
    static constexpr float long_from = 8;
    static constexpr float last = (1 << curve_bits) - 1;

    // Most of what a frame of many oversized agents costs: so no more places are looked for than there have to be. A long one
    // is in the middle of its ends' places.
    std::uint32_t among_marks(const Box& r, const Point& centre, bool flat, bool tall) const noexcept {
        if (!flat && !tall) return interleaved(marks_->x.place_of(centre.x), marks_->y.place_of(centre.y));
        const AxisMarks &along = flat ? marks_->x : marks_->y, &across = flat ? marks_->y : marks_->x;
        const std::uint32_t low = along.place_of(flat ? r.min_x : r.min_y),
                            high = along.place_of(flat ? r.max_x : r.max_y),
                            middle = rounded((low + high) / 2, high - low),
                            other = across.place_of(flat ? centre.y : centre.x);
        return flat ? interleaved(middle, other) : interleaved(other, middle);
    }
    std::uint32_t column_of(float x) const noexcept {
        return by_octaves_ ? octaves(x - origin_x_) : place(x, origin_x_, scale_x_, last);
    }
    std::uint32_t row_of(float y) const noexcept {
        return by_octaves_ ? octaves(y - origin_y_) : place(y, origin_y_, scale_y_, last);
    }
    // Keeps the bits that are worth more than a length.
    static std::uint32_t rounded(std::uint32_t at, std::uint32_t length) noexcept {
        const auto bits = static_cast<unsigned>(std::bit_width(length));
        return at >> bits << bits;
    }
    // Of a grid, or of tiles.
    template <class Cells>
    void divide(const Cells& all) noexcept {
        origin_x_ = all.origin_x;
        origin_y_ = all.origin_y;
        scale_x_ = all.inverse_width / static_cast<float>(all.columns) * float{1 << curve_bits};
        scale_y_ = all.inverse_height / static_cast<float>(all.rows) * float{1 << curve_bits};
    }
    // The highest bits of a float, mapped to keep the order of floats: its sign, its exponent and six bits
    // more.
    static std::uint32_t octaves(float distance) noexcept {
        constexpr std::uint32_t sign = 0x80000000u;
        const auto bits = std::bit_cast<std::uint32_t>(distance + 0.0f);
        return ((bits & sign) != 0 ? ~bits : bits | sign) >> (32 - curve_bits);
    }

    const TreeMarks* marks_;
    bool by_octaves_;
    float origin_x_, origin_y_, scale_x_, scale_y_;
    // What a unit of each axis counts in the shape of an agent: where places are even it is measured in those, so in a flat
    // world, whose places are wide and low, agents as wide as high are tall.
    float shape_x_ = 1, shape_y_ = 1;
};

}  // namespace throng::detail
