// The state that a Frame points to. The builder writes it once. After publication it never changes, except
// that readers may add a table of boxes by id. A reader needs only `view`; the rest describes the frame and
// the ownership of its memory.
//
// `references` counts the Frame objects, on any thread; the drop of the last one returns the state to its
// store. All other counts and links here belong to the writing thread (see store.hpp).
//
// The state and its tables are one block of the store, so a frame is allocated and freed as a whole, without
// destructors:
//
//     [ FrameState | rows | reach | bounds | blocks | islands | layers | stretches | row heights ]
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/fold.hpp"
#include "engine/src/frame/world_map.hpp"
#include "engine/src/memory/block_store.hpp"
#include "simd/kernels.hpp"
#include "simd/row_kernels.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"
#include "throng/reports.hpp"

namespace throng::detail {

struct AgentTable;
struct CentreTable;
struct ShapeFrame;
class Store;

// In a frame's block.
template <class T>
using Table = Array<T>;

// What a frame knows of a world that wraps around: its periods, and how far its agents reach over a seam.
struct Torus {
    Period period;
    // The widest and the highest agent that is narrower, or lower, than the period; and whether there is one
    // that is not. The circle in a box that covers everything in one direction does not: the radius of the
    // largest one.
    float width = 0, height = 0, circle = 0;
    bool has_wide = false, has_high = false;

    bool wraps() const noexcept { return period.wraps(); }
    // Takes account of a folded box.
    void add(const Box& box) noexcept {
        add(box.max_x - box.min_x, period.x, width, has_wide);
        add(box.max_y - box.min_y, period.y, height, has_high);
        circle = std::max(circle, circle_in(box));
    }
    void add(const Torus& other) noexcept {
        width = std::max(width, other.width);
        height = std::max(height, other.height);
        circle = std::max(circle, other.circle);
        has_wide |= other.has_wide;
        has_high |= other.has_high;
    }
    // How far an agent may reach beyond [0, period], with room for rounding.
    double reach_x() const noexcept { return 0.5 * double{width} + slack(period.x); }
    double reach_y() const noexcept { return 0.5 * double{height} + slack(period.y); }
    // The same as circles.
    double circles_x() const noexcept { return double{circle} + slack(period.x); }
    double circles_y() const noexcept { return double{circle} + slack(period.y); }
    static float circle_in(const Box& box) noexcept {
        return 0.5f * std::min(box.max_x - box.min_x, box.max_y - box.min_y);
    }
    // The squares of distances below 1e-22 are zero, as if things that near touched.
    static double slack(float period) noexcept { return double{period} * 0x1p-18 + 0x1p-62; }

private:
    static void add(float size, float period, float& largest, bool& has_all) noexcept {
        if (period == 0) return;
        // A box that covers everything has twice the period.
        if (size > 1.5f * period)
            has_all = true;
        else if (size > largest)
            largest = size;
    }
};

// The writing thread's record of a grove (oversized_tree.hpp). A full rank is a rank in the tree followed by
// an id. The full ranks in the grove's quadrant equal its first agent's when shifted.
struct GroveNote {
    simd::Node root;  // of its nodes; kept here since the crown reads all roots
    Block* block;
    std::uint64_t first_full_rank;
    std::uint8_t shift;
};

// The largest common agents on all islands of a cut, and the bounds of all.
struct CutExtremes {
    simd::RowReach reach;  // negative while unknown
    simd::Bounds bounds;
};

struct FrameState {
    // How the tree over the oversized agents divides the axes; null if only by the map.
    const simd::TreeMarks* tree_marks() const noexcept {
        return marks == nullptr ? nullptr : reinterpret_cast<const simd::TreeMarks*>(marks->memory);
    }

    const simd::View& view_of(std::uint32_t region) const noexcept {
        return region == 0 ? view : islands[region - 1].view;
    }
    bool labelled() const noexcept { return has_labels(extras); }
    bool has_heights() const noexcept { return simd::has_heights(extras); }

    // Whether so many common agents share cells that one may be crowded (simd/types.hpp): more than in many
    // dense cells, where a search would ask for crowded cells in vain.
    bool may_be_crowded() const noexcept {
        constexpr std::uint64_t least = simd::least_crowded;
        return sharing >= least * (least - 1) / 2 + std::uint64_t{4} * agents;
    }

    // The pieces of `view`, one entry a row of the grid.
    Table<simd::Row> rows;
    Table<simd::RowReach> reach;
    Table<simd::Bounds> bounds;  // of every row's common agents; only in a world with islands
    Table<Block*> blocks;        // null for a row without agents
    Table<simd::Island> islands;
    Table<simd::Islands> cuts;  // the world's own islands, and those of every island that is cut
    Table<CutExtremes> cut_extremes;
    Table<simd::View> layers;        // what is between storeys, and each storey, region by region; else empty
    Table<std::uint32_t> stretches;  // which categories are where; only in a frame with labels
    Table<simd::SharedHeights> row_heights;  // what all agents of a row share; only in a frame with heights
    // The tree over the oversized agents, in `tree_block`: either the whole tree, or its crown and the
    // list of its groves.
    Table<simd::Node> nodes;
    Table<simd::Grove> groves;
    Table<GroveNote> grove_notes;

    // Maps a box to its row. Its tables are shared by all frames with this map.
    WorldMap map;

    simd::View view{};
    simd::Storeys storeys{};  // of region 0, if there are any
    const simd::Kernels* kernels = nullptr;
    Tuning tuning;
    std::size_t agents = 0;
    std::size_t id_bound = 0;  // one more than the largest id in use so far
    std::uint64_t number = 0;
    std::size_t pairs_expected = 0;            // an estimate, for reserving memory
    std::uint64_t sharing = 0;                 // pairs of common agents that share a cell
    simd::Extras extras = simd::Extras::none;  // what rows have
    // Categories that all agents have, if there are labels. After edits more categories may be common to all.
    std::uint32_t shared_categories = 0xFFFFFFFFu;

    // Heights that all agents have. After edits more may be shared, here and in a row.
    simd::SharedHeights shared_heights;

    // Which agents are ghosts, in a block that frames share as long as these do not change.
    simd::GhostIds ghosts;
    std::size_t ghost_count = 0;
    Block* ghost_block = nullptr;

    Torus torus;

    // The static layer, if there is one: a reference to a frame of another store.
    FrameState* layer = nullptr;

    Store* store = nullptr;
    Block* self = nullptr;           // the block of this state
    Block* tree_block = nullptr;     // shared by frames that have the same oversized agents
    std::size_t edits_on_marks = 0;  // of oversized agents, since the marks were made
    Block* marks = nullptr;  // of the tree over them, shared by the frames that commits make of this one

    // For the writing thread: the list of live frames by age, and the rows that this frame is the last to
    // use.
    FrameState *older = nullptr, *newer = nullptr;
    Block* used_last = nullptr;

    // The boxes of agents by id, and the piles, each made by the first call that needs it
    // (engine/src/frame/lookup).
    simd::PileFinder piles;
    mutable std::atomic<AgentTable*> by_id{nullptr};
    // Their centres by id, from the update that made the frame; null if no reader wanted them lately.
    CentreTable* centres = nullptr;
    // The centres alone, and the circles alone, for searches among very large boxes
    // (engine/src/neighbours/shape_frames.hpp). Searches by centres get one once they have looked at enough
    // agents to pay.
    mutable std::atomic<ShapeFrame*> centre_frame{nullptr}, circle_frame{nullptr};
    mutable std::atomic<std::uint64_t> looks_at_centres{0};

    FrameState* next = nullptr;  // in the list of dropped frames
    std::atomic<std::uint32_t> references{0};
};

}  // namespace throng::detail
