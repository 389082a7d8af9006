#include "engine/src/structures/static_index/set.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include "engine/src/base/box_check.hpp"
#include "engine/src/structures/static_index/order.hpp"

namespace throng::detail {

using simd::block_lanes;
using simd::BoxBlock;

namespace {

constexpr float absent = std::numeric_limits<float>::quiet_NaN();

std::size_t blocks_for(std::size_t lanes) noexcept { return (lanes + block_lanes - 1) / block_lanes; }

// How many blocks each level has.
struct Levels {
    std::size_t blocks[simd::max_tree_levels];
    std::uint32_t top = 0;
    std::size_t all;

    explicit Levels(std::size_t count) noexcept {
        all = blocks[0] = blocks_for(count);
        // There is always a level above the blocks of elements, unless there is only one block.
        for (; blocks[top] > (top == 0 ? 1 : simd::max_roots); ++top)
            all += blocks[top + 1] = blocks_for(blocks[top]);
    }
};

void put(BoxBlock& block, std::size_t lane, const Box& box) noexcept {
    block.min_x[lane] = box.min_x, block.min_y[lane] = box.min_y;
    block.max_x[lane] = box.max_x, block.max_y[lane] = box.max_y;
}
void pad(BoxBlock& block, std::size_t lanes) noexcept {
    for (std::size_t lane = lanes; lane < block_lanes; ++lane)
        put(block, lane, {absent, absent, absent, absent});
}
std::size_t lanes_of(std::size_t block, std::size_t lanes) noexcept {
    return std::min<std::size_t>(block_lanes, lanes - block * block_lanes);
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
    return sizeof(StaticSet) + Levels(count).all * sizeof(BoxBlock) + (ids + count) * sizeof(std::uint32_t);
}

void build_static_set(const Boxes& boxes, unsigned char* memory) noexcept {
    const std::size_t count = boxes.size();
    const Levels levels(count);
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

// --- Validation --------------------------------------------------------------------------------------------

namespace {

bool is_absent(const Box& box) noexcept {
    return box.min_x != box.min_x && box.min_y != box.min_y && box.max_x != box.max_x &&
           box.max_y != box.max_y;
}

// Whether the memory layout is right for that many elements; if not, none of its pointers may be followed.
bool laid_out(const StaticSet& set, std::size_t count) noexcept {
    const Levels levels(count);
    if (set.tree.count != count || set.tree.top != levels.top || set.tree.roots != levels.blocks[levels.top])
        return false;
    const BoxBlock* blocks = reinterpret_cast<const BoxBlock*>(&set + 1);
    for (std::uint32_t level = 0; level <= levels.top; ++level) {
        if (set.tree.levels[level] != blocks) return false;
        blocks += levels.blocks[level];
    }
    const std::uint32_t* ids = reinterpret_cast<const std::uint32_t*>(blocks);
    return set.tree.ids == ids && set.places == ids + count + block_lanes;
}

void validate_ids(const StaticSet& set, IndexValidation& state) noexcept {
    const std::size_t count = set.tree.count;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t id = set.tree.ids[i];
        if (id >= count)
            state.note("an id that no element has", i);
        else if (set.places[id] != i)
            state.note("an element that is not at its place", id);
    }
    for (std::size_t i = 0; i < block_lanes; ++i)
        if (set.tree.ids[count + i] != no_element) state.note("an id behind the last", count + i);
}

void validate_level(const StaticSet& set, std::uint32_t level, std::size_t lanes,
                    IndexValidation& state) noexcept {
    const BoxBlock* blocks = set.tree.levels[level];
    for (std::size_t i = 0; i < blocks_for(lanes) * block_lanes; ++i) {
        const Box box = lane_box(blocks[i / block_lanes], i % block_lanes);
        if (i >= lanes) {
            if (!is_absent(box)) state.note("a box behind the last of a level", i);
        } else if (check(box) != Code::ok) {
            state.note("a box that is not legal", i);
        } else if (level != 0) {
            const std::size_t below = level == 1 ? set.tree.count : set.level_size(level - 1);
            if (!(box == enclosing(set.tree.levels[level - 1][i], lanes_of(i, below))))
                state.note("a box that does not fit what is below", i);
        }
    }
}

}  // namespace

IndexValidation validate_static_set(const StaticSet& set, std::size_t count) noexcept {
    IndexValidation state;
    if (!laid_out(set, count)) {
        state.note("a memory that is not laid out for its elements", 0);
        return state;
    }
    validate_ids(set, state);
    std::size_t lanes = count;
    for (std::uint32_t level = 0; level <= set.tree.top; ++level) {
        validate_level(set, level, lanes, state);
        lanes = blocks_for(lanes);
    }
    if (!(set.tree.cover_width >= 0) || !(set.tree.cover_height >= 0))
        state.note("a size of blocks that none can have", 0);
    return state;
}

}  // namespace throng::detail
