#include "engine/src/places/shared_places.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>

#include "engine/src/base/box_math.hpp"
#include "engine/src/base/cell_math.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/tree_places.hpp"
#include "engine/src/places/mark_maker.hpp"
#include "engine/src/plan/sample.hpp"
#include "engine/src/plan/tuner.hpp"
#include "engine/src/store/store.hpp"

namespace throng::detail {

namespace {

// How many oversized agents are looked at, at most.
constexpr std::size_t max_sampled = 512;

// Some oversized agents of a frame, taken evenly from all rows. To look at one costs as much as to put it into the tree.
std::span<const Box> take_some_oversized(const FrameState& frame, std::span<Box> boxes) noexcept {
    const std::size_t all = frame.view.oversized.count;
    std::size_t r = 0, before = 0;
    for (std::size_t k = 0; k < boxes.size(); ++k) {
        const std::size_t number = sampled(k, boxes.size(), all);
        while (number - before >= frame.rows[r].oversized) before += frame.rows[r++].oversized;
        const simd::Row& row = frame.rows[r];
        boxes[k] = RowArrays(row).box(oversized_begin(row) + static_cast<std::uint32_t>(number - before));
    }
    return boxes;
}
// One of so many, or all of few.
std::span<const Box> take_some_oversized(const FrameState& frame,
                                         std::array<Box, max_sampled>& boxes) noexcept {
    constexpr std::size_t one_of = 4, few = 128;
    const std::size_t all = frame.view.oversized.count;
    return take_some_oversized(
        frame, std::span(boxes).first(std::min(all, std::clamp(all / one_of, few, max_sampled))));
}

// The pairs that share a place of a tree.
std::size_t pairs_sharing(const TreePlaces& tree_places, std::span<const Box> oversized) noexcept {
    std::array<std::uint32_t, max_sampled> places;
    tree_places.find(oversized, places.data());
    return pairs_of_equals<max_sampled>({places.data(), oversized.size()});
}

// The rows of some regions that follow each other.
std::span<const simd::Row> rows_of(const FrameState& frame, std::uint32_t region,
                                   std::uint32_t end) noexcept {
    const std::uint32_t first = frame.map.first_row(region),
                        behind = frame.map.first_row(end - 1) + frame.map.grid_of_region(end - 1).rows;
    return {frame.rows.data() + first, behind - first};
}

double agents_in_rows(std::span<const simd::Row> rows) noexcept {
    std::uint64_t agents = 0;
    for (const simd::Row& row : rows) agents += row.count;
    return static_cast<double>(agents);
}

double pairs_in_cells(std::span<const simd::Row> rows, std::uint32_t columns) noexcept {
    std::uint64_t pairs = 0;
    for (const simd::Row& row : rows)
        for (std::uint32_t c = 0; c < columns && row.count != 0; ++c) {
            const std::uint64_t agents = row.cells[c + 1] - row.cells[c];
            pairs += agents * (agents - (agents != 0)) / 2;
        }
    return static_cast<double>(pairs);
}

// What the search of an oversized agent compares in vain in the cells of its own region, as far as some rows and agents there tell.
double looks_in_vain(const FrameState& frame, const Box& box) noexcept {
    constexpr std::uint32_t some_rows = 16, some_agents = 8;
    const std::uint32_t region = frame.map.region_at(box.min_x, box.min_y);
    const simd::Grid& grid = frame.map.grid_of_region(region);
    const std::uint32_t low = row_at(grid, box.min_y - grid.common_height), high = row_at(grid, box.max_y),
                        left = column_at(grid, box.min_x - grid.common_width),
                        right = column_at(grid, box.max_x), row_step = (high - low) / some_rows + 1;
    double looks = 0;
    for (std::uint32_t r = low; r <= high; r += row_step) {
        const simd::Row& row = frame.rows[frame.map.first_row(region) + r];
        if (row.count == 0) continue;
        const std::uint32_t begin = row.cells[left], end = row.cells[right + 1],
                            step = (end - begin) / some_agents + 1;
        std::uint32_t compared = 0, found = 0;
        for (std::uint32_t i = begin; i < end; i += step, ++compared)
            found += overlap(box, RowArrays(row).box(i));
        if (compared != 0) looks += double(end - begin) * (compared - found) / compared * row_step;
    }
    return looks;
}

// A block with marks among a sample of the frame's oversized agents. Null if there is no memory.
Block* make_marks(const FrameState& frame) noexcept {
    constexpr std::size_t one_of = 16, few = 128;
    const std::size_t all = frame.view.oversized.count,
                      count = std::min(all, std::clamp(all / one_of, few, MarkMaker::most));
    Block* const scratch = frame.store->take(MarkMaker::scratch_for(count));
    if (scratch == nullptr) return nullptr;
    Block* const block = frame.store->take(MarkMaker::bytes_for(count));
    if (block != nullptr) {
        MarkMaker maker(count, scratch->memory);
        (void)take_some_oversized(frame, maker.boxes());
        maker.make(*::new (block->memory) simd::TreeMarks);
    }
    frame.store->put_back(scratch);
    return block;
}

// Whether a sample of oversized agents is at places of their own on the map, and they are not long beside what they are spread
// over: the map goes by their centres, so a leaf of it is as wide as its widest agent, and as high as its highest.
bool are_apart(const FrameState& frame) noexcept {
    std::array<Box, max_sampled> boxes;
    const std::span<const Box> oversized = take_some_oversized(frame, boxes);
    if (!frame.map.has_cells() || pairs_sharing({frame, nullptr}, oversized) >= oversized.size() / 4)
        return false;
    const auto width = [](const Box& box) { return double{box.max_x} - box.min_x; };
    const auto height = [](const Box& box) { return double{box.max_y} - box.min_y; };
    Box all = oversized[0];
    for (const Box& box : oversized) all = united(all, box);
    double length = 0;
    for (const Box& box : oversized) length += std::abs(width(box) / width(all) - height(box) / height(all));
    return !(length > static_cast<double>(oversized.size()) / 3);
}

}  // namespace

std::uint64_t pairs_that_share_places(const FrameState& frame) noexcept {
    const std::size_t all = frame.view.oversized.count;
    if (all <= frame.agents / 16) return 0;
    std::array<Box, max_sampled> boxes;
    const std::span<const Box> oversized = take_some_oversized(frame, boxes);
    const double sure = surely(pairs_sharing({frame, frame.tree_marks()}, oversized)),
                 weight = static_cast<double>(all) / static_cast<double>(oversized.size());
    return static_cast<std::uint64_t>(sure * weight * weight);
}

std::uint64_t looks_of_oversized(const FrameState& frame) noexcept {
    constexpr std::size_t sample = 128;
    const std::size_t all = frame.view.oversized.count;
    if (all <= frame.agents / 16 || !frame.map.has_cells()) return 0;
    std::array<Box, sample> boxes;
    double looks = 0;
    const std::span<const Box> some =
        take_some_oversized(frame, std::span(boxes).first(std::min(all, sample)));
    for (const Box& box : some) looks += looks_in_vain(frame, box);
    const double each = looks / static_cast<double>(some.size()) - Tuner::work_of_oversized;
    return static_cast<std::uint64_t>(std::max(each, 0.0) * static_cast<double>(all));
}

bool renew_tree_marks(FrameState& frame) noexcept {
    Block* const block = make_marks(frame);
    if (block != nullptr) frame.store->set_marks(frame, block);
    return block != nullptr;
}

bool choose_tree_marks(FrameState& frame) noexcept {
    // So few agents are in a few leaves, wherever they are, or in a tree in one piece.
    constexpr std::size_t fewest = 64;
    const std::size_t count = frame.view.oversized.count;
    if (count > fewest && (count > few_oversized || !are_apart(frame)) && !renew_tree_marks(frame))
        return false;
    frame.sharing_places = pairs_that_share_places(frame);
    return true;
}

std::uint64_t pairs_beside_islands(const FrameState& frame) noexcept {
    double pairs = 0;
    for (std::uint32_t c = 0; c < frame.map.cuts(); ++c) {
        const WorldMap::Cut& cut = frame.map.tables().cuts[c];
        const std::span<const simd::Row> open = rows_of(frame, cut.region, cut.region + 1);
        const double agents = agents_in_rows(open);
        if (agents == 0) continue;
        pairs += pairs_in_cells(open, frame.map.grid_of_region(cut.region).columns) *
                 (agents_in_rows(rows_of(frame, cut.first_island, cut.end_island)) / agents);
    }
    return static_cast<std::uint64_t>(pairs);
}

}  // namespace throng::detail
