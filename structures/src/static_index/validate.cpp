// Checks the memory of a StaticIndex. Nothing is trusted: an index out of range is a fault.
#include <cstdint>

#include "structures/src/static_index/state.hpp"

namespace throng::structures {

namespace detail {

using simd::block_lanes;
using simd::BoxBlock;

namespace {

bool is_absent(const Box& box) noexcept {
    return box.min_x != box.min_x && box.min_y != box.min_y && box.max_x != box.max_x &&
           box.max_y != box.max_y;
}

// Whether the memory layout is right for that many elements; if not, none of its pointers may be followed.
bool laid_out(const StaticSet& set, std::size_t count) noexcept {
    const StaticLevels levels(count);
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

}  // namespace detail

IndexValidation StaticIndex::State::validate() const noexcept {
    if (count_ == 0) return {};
    if (block_.bytes() < detail::static_set_bytes(count_)) {
        IndexValidation state;
        state.note("less memory than its elements take", 0);
        return state;
    }
    return detail::validate_static_set(set(), count_);
}

}  // namespace throng::structures
