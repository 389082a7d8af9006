#include "engine/src/frame/tree/tree_marks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>

#include "base/box_math.hpp"
#include "base/sample.hpp"
#include "engine/src/frame/tree/mark_maker.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "engine/src/frame/tree/some_oversized.hpp"
#include "engine/src/frame/tree/tree_ranks.hpp"

namespace throng::detail {

namespace {

// How many oversized agents are looked at, at most.
constexpr std::size_t max_sampled = 512;

// One agent of each `one_of`, or all of `few`.
std::span<const Box> take_some_oversized(const FrameState& frame,
                                         std::array<Box, max_sampled>& boxes) noexcept {
    constexpr std::size_t one_of = 4, few = 128;
    const std::size_t all = frame.view.oversized.count;
    return take_some_oversized(
        frame, std::span(boxes).first(std::min(all, std::clamp(all / one_of, few, max_sampled))));
}

// The pairs that share a rank of a tree.
std::size_t pairs_sharing(const TreeRanks& tree_ranks, std::span<const Box> oversized) noexcept {
    std::array<std::uint32_t, max_sampled> ranks;
    tree_ranks.find(oversized, ranks.data());
    return static_cast<std::size_t>(pairs_of_equals<max_sampled>({ranks.data(), oversized.size()}));
}

// A block with marks among a sample of the frame's oversized agents. Null if there is no memory.
Block* make_marks(const FrameState& frame, TreeBlocks& blocks) noexcept {
    constexpr std::size_t one_of = 16, few = 128;
    const std::size_t all = frame.view.oversized.count,
                      count = std::min(all, std::clamp(all / one_of, few, MarkMaker::most));
    Block* const scratch = blocks.take(MarkMaker::scratch_for(count));
    if (scratch == nullptr) return nullptr;
    Block* const block = blocks.take(MarkMaker::bytes_for(count));
    if (block != nullptr) {
        MarkMaker maker(count, scratch->memory);
        (void)take_some_oversized(frame, maker.boxes());
        maker.make(*::new (block->memory) simd::TreeMarks);
    }
    blocks.put_back(scratch);
    return block;
}

// Whether the agents of a sample of the oversized have a rank each on the map, and are not long compared with
// the area that they are spread over. The map goes by their centres, so a leaf of it is as wide as its widest
// agent, and as high as its highest.
bool are_apart(const FrameState& frame) noexcept {
    std::array<Box, max_sampled> boxes;
    const std::span<const Box> oversized = take_some_oversized(frame, boxes);
    if (!frame.map.has_cells() || pairs_sharing({frame, nullptr}, oversized) >= oversized.size() / 4)
        return false;
    const auto width = [](const Box& box) { return double{box.max_x} - box.min_x; };
    const auto height = [](const Box& box) { return double{box.max_y} - box.min_y; };
    Box all = oversized[0];
    for (const Box& box : oversized) all = all.united(box);
    double length = 0;
    for (const Box& box : oversized) length += std::abs(width(box) / width(all) - height(box) / height(all));
    return !(length > static_cast<double>(oversized.size()) / 3);
}

}  // namespace

bool renew_tree_marks(FrameState& frame, TreeBlocks& blocks) noexcept {
    Block* const block = make_marks(frame, blocks);
    if (block != nullptr) blocks.set_marks(frame, block);
    return block != nullptr;
}

bool choose_tree_marks(FrameState& frame, TreeBlocks& blocks) noexcept {
    // So few are in a few leaves, wherever they are, or in a tree in one piece.
    constexpr std::size_t fewest = 64;
    const std::size_t count = frame.view.oversized.count;
    return count <= fewest || (count <= few_oversized && are_apart(frame)) || renew_tree_marks(frame, blocks);
}

}  // namespace throng::detail
