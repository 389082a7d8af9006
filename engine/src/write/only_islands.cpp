#include "engine/src/write/only_islands.hpp"

#include <cmath>
#include <limits>

#include "engine/src/base/box_math.hpp"
#include "engine/src/base/cell_math.hpp"

namespace throng::detail {

namespace {

constexpr float far = std::numeric_limits<float>::infinity();
constexpr Box everything{-far, -far, far, far};

// A search's coordinates on one axis of the tiles of a cut.
struct Axis {
    float origin, inverse, last, reach;

    // Steps that round go this much astray at most, as a share of the numbers in them.
    static constexpr double astray = 0x1p-19;
    // Coordinates beyond are as good as infinite.
    static constexpr double farthest = 3e38;

    // From where on a box's lower edge and reach are in a tile, or behind it.
    float from(std::uint32_t tile) const noexcept {
        if (tile == 0) return -far;
        const double length = tile / double(inverse);
        const double at = origin + reach + length,
                     slack = astray * (std::abs(double(origin)) + reach + length);
        if (at + slack > farthest) return far;
        const auto from = static_cast<float>(at + slack);
        return place(from - reach, origin, inverse * simd::scaled_down, last) >= tile ? from : far;
    }
    // Up to where, exclusive, a box's upper edge is in a tile, or before it.
    float behind(std::uint32_t tile) const noexcept {
        if (static_cast<float>(tile) >= last) return far;
        const double length = (tile + 1.0) / double(inverse);
        const double at = origin + length, slack = astray * (std::abs(double(origin)) + length);
        if (std::abs(at - slack) > farthest) return -far;
        const auto behind = static_cast<float>(at - slack);
        return place(behind, origin, inverse * simd::scaled_up, last) <= tile ? behind : -far;
    }
};

std::size_t place_in_chain(const FrameState& frame, std::uint32_t cut) noexcept {
    return static_cast<std::size_t>(frame.map.tables().tiles[cut].nested - frame.map.tables().nested);
}
bool is_on_a_chain(const FrameState& frame, std::uint32_t cut) noexcept {
    return frame.map.tables().tiles[cut].nested != nullptr;
}
// The cut of the island that a place of a chain leads into, if that is the next of the chain; otherwise 0.
std::uint32_t next_in_chain(const FrameState& frame, std::size_t at) noexcept {
    const WorldMap::Tables& tables = frame.map.tables();
    const std::uint32_t inner = tables.regions[tables.nested[at].region].cut;
    return inner != 0 && tables.tiles[inner].nested == tables.nested + at + 1 ? inner : 0;
}

// The place in the chain of a cut, from what is around it.
simd::NestedIsland level_at(const FrameState& frame, std::uint32_t cut, std::size_t at) noexcept {
    Box around = everything;
    if (at != 0 && next_in_chain(frame, at - 1) == cut && cut != 0) {
        const simd::NestedIsland& outer = frame.only[at - 1];
        around = {outer.min_x, outer.min_y, outer.behind_x, outer.behind_y};
    }
    const Box all = common_part(around, frame.only_of_cut[at]);
    return {all.min_x, all.min_y, all.max_x, all.max_y, frame.map.tables().nested[at].region};
}

}  // namespace

void note_only_island(FrameState& frame, std::uint32_t cut, const simd::RowReach& reach) noexcept {
    if (!is_on_a_chain(frame, cut)) return;
    const WorldMap::Tables& tables = frame.map.tables();
    const simd::Tiles& t = tables.tiles[cut];
    const std::size_t at = place_in_chain(frame, cut);
    const std::uint32_t tile = tables.places[tables.nested[at].region].tile;
    const Axis x{t.origin_x, t.inverse_width, t.last_column, reach.width},
        y{t.origin_y, t.inverse_height, t.last_row, reach.height};
    const std::uint32_t column = tile % t.columns, row = tile / t.columns;
    frame.only_of_cut[at] = {x.from(column), y.from(row), x.behind(column), y.behind(row)};
}

void follow_chain(FrameState& frame, std::uint32_t cut) noexcept {
    if (!is_on_a_chain(frame, cut)) return;
    do {
        const std::size_t at = place_in_chain(frame, cut);
        const simd::NestedIsland now = level_at(frame, cut, at), before = frame.only[at];
        if (now == before) return;
        frame.only[at] = now;
        cut = next_in_chain(frame, at);
    } while (cut != 0);
}

// Cuts are numbered from the outside inwards, and so followed up in that order.
void follow_chains(FrameState& frame) noexcept {
    for (std::uint32_t cut = 0; cut < frame.map.cuts(); ++cut)
        if (is_on_a_chain(frame, cut)) {
            const std::size_t at = place_in_chain(frame, cut);
            frame.only[at] = level_at(frame, cut, at);
        }
}

}  // namespace throng::detail
