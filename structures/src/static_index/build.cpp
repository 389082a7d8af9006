// Builds the memory of a StaticIndex.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>

#include "base/box_reader.hpp"
#include "structures/src/static_index/state.hpp"

namespace throng::structures {

namespace detail {

using simd::block_lanes;
using simd::BoxBlock;

namespace {

constexpr float absent = std::numeric_limits<float>::quiet_NaN();

void put(BoxBlock& block, std::size_t lane, const Box& box) noexcept {
    block.min_x[lane] = box.min_x, block.min_y[lane] = box.min_y;
    block.max_x[lane] = box.max_x, block.max_y[lane] = box.max_y;
}
void pad(BoxBlock& block, std::size_t lanes) noexcept {
    for (std::size_t lane = lanes; lane < block_lanes; ++lane)
        put(block, lane, {absent, absent, absent, absent});
}
// Sorts in the memory that the elements' blocks will take, which is more.
void order(const Boxes& boxes, void* scratch, std::uint32_t* ids) noexcept {
    static_assert(sizeof(Placed) * block_lanes <= sizeof(BoxBlock));
    Placed* placed = static_cast<Placed*>(scratch);
    const std::size_t count = boxes.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Box box = boxes[i];
        // Halved first: the sum of two large coordinates could overflow.
        new (placed + i) Placed{{box.min_x * 0.5f + box.max_x * 0.5f, box.min_y * 0.5f + box.max_y * 0.5f},
                                static_cast<AgentId>(i)};
    }
    sort_into_tiles(placed, count);
    for (std::size_t i = 0; i < count; ++i) ids[i] = placed[i].id;
}

void fill_elements(const Boxes& boxes, const std::uint32_t* ids, BoxBlock* blocks,
                   std::uint32_t* places) noexcept {
    const std::size_t count = boxes.size();
    for (std::size_t i = 0; i < count; ++i) {
        put(blocks[i / block_lanes], i % block_lanes, boxes[ids[i]]);
        places[ids[i]] = static_cast<std::uint32_t>(i);
    }
    pad(blocks[blocks_for(count) - 1], lanes_of(blocks_for(count) - 1, count));
}

// The median width and height of the blocks of elements, from a sample of 63.
void measure_blocks(simd::BoxTree& tree) noexcept {
    tree.cover_width = tree.cover_height = 0;
    if (tree.top == 0) return;
    const std::size_t blocks = blocks_for(tree.count), samples = std::min<std::size_t>(blocks, 63);
    float widths[63], heights[63];
    for (std::size_t i = 0; i < samples; ++i) {
        const std::size_t block = blocks * i / samples;
        const Box box = lane_box(tree.levels[1][block / block_lanes], block % block_lanes);
        widths[i] = box.max_x - box.min_x, heights[i] = box.max_y - box.min_y;
    }
    const std::size_t middle = samples / 2;
    std::nth_element(widths, widths + middle, widths + samples);
    std::nth_element(heights, heights + middle, heights + samples);
    tree.cover_width = widths[middle], tree.cover_height = heights[middle];
}

}  // namespace

Box enclosing(const BoxBlock& block, std::size_t lanes) noexcept {
    Box box = lane_box(block, 0);
    for (std::size_t lane = 1; lane < lanes; ++lane) {
        box.min_x = std::min(box.min_x, block.min_x[lane]);
        box.min_y = std::min(box.min_y, block.min_y[lane]);
        box.max_x = std::max(box.max_x, block.max_x[lane]);
        box.max_y = std::max(box.max_y, block.max_y[lane]);
    }
    return box;
}

std::size_t static_set_bytes(std::size_t count) noexcept {
    const std::size_t ids = count + block_lanes;  // whole vectors of them are read
    return sizeof(StaticSet) + StaticLevels(count).all * sizeof(BoxBlock) +
           (ids + count) * sizeof(std::uint32_t);
}

void build_static_set(const Boxes& boxes, unsigned char* memory) noexcept {
    const std::size_t count = boxes.size();
    const StaticLevels levels(count);
    StaticSet& set = *new (memory) StaticSet{};
    BoxBlock* blocks = reinterpret_cast<BoxBlock*>(memory + sizeof set);
    std::uint32_t* ids = reinterpret_cast<std::uint32_t*>(blocks + levels.all);
    std::uint32_t* places = ids + count + block_lanes;
    set.tree.count = static_cast<std::uint32_t>(count);
    set.tree.top = levels.top;
    set.tree.roots = static_cast<std::uint32_t>(levels.blocks[levels.top]);
    set.tree.ids = ids;
    set.places = places;

    order(boxes, blocks, ids);
    std::fill_n(ids + count, block_lanes, no_element);
    fill_elements(boxes, ids, blocks, places);
    set.tree.levels[0] = blocks;
    for (std::uint32_t level = 1; level <= levels.top; ++level) {
        const BoxBlock* below = blocks;
        blocks += levels.blocks[level - 1];
        set.tree.levels[level] = blocks;
        const std::size_t lanes = levels.blocks[level - 1],
                          below_lanes = level == 1 ? count : levels.blocks[level - 2];
        for (std::size_t i = 0; i < lanes; ++i)
            put(blocks[i / block_lanes], i % block_lanes, enclosing(below[i], lanes_of(i, below_lanes)));
        pad(blocks[levels.blocks[level] - 1], lanes_of(levels.blocks[level] - 1, lanes));
    }
    measure_blocks(set.tree);
}

}  // namespace detail

Status StaticIndex::State::assign_all(const Boxes& boxes) noexcept {
    if (const Status legal = detail::check_all(boxes); !legal) return legal;
    if (boxes.empty()) {
        clear();
        return {};
    }
    const std::size_t bytes = detail::static_set_bytes(boxes.size());
    if (bytes > block_.capacity()) {
        // The old content is not copied to the new memory; it is only kept if there is no memory.
        block_.clear();
        if (!block_.resize_exactly(bytes)) return {Code::out_of_memory};
    }
    detail::build_static_set(boxes, block_.data());
    count_ = boxes.size();
    return {};
}

}  // namespace throng::structures
