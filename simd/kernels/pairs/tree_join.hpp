// All pairs of a packed R-tree: the bounds of each block of elements are one query to the tree, for the
// blocks after it. Of two blocks that overlap, only the elements that overlap the other block's bounds are
// compared one by one.
#pragma once

#include "simd/kernels/search/tree_search.hpp"

namespace throng::simd {

template <class V>
struct TreeJoin : TreeBlocks<V> {
    using Base = TreeBlocks<V>;
    using typename Base::Probe;

    // The box of one lane in every lane.
    static Probe probe_of(const BoxBlock& b, std::uint32_t lane) {
        return {b.min_x[lane], b.min_y[lane], b.max_x[lane], b.max_y[lane]};
    }
    // The box that encloses a block of some level.
    static Probe around(const BoxTree& tree, std::uint32_t level, std::uint32_t block) {
        return probe_of(tree.levels[level + 1][block >> block_shift], block % block_lanes);
    }
    static const std::uint32_t* ids(const BoxTree& tree, std::uint32_t leaf) {
        return tree.ids + (std::size_t{leaf} << block_shift);
    }

    static Pair* put(std::uint32_t a, const std::uint32_t* others, std::uint32_t found, Pair* at) {
        for (; found != 0; found &= found - 1) *at++ = {a, others[Base::lowest(found)]};
        return at;
    }
    static Pair* within(const BoxTree& tree, std::uint32_t leaf, Pair* at) {
        const BoxBlock& boxes = tree.levels[0][leaf];
        const std::uint32_t* own = ids(tree, leaf);
        const std::uint32_t left = tree.count - (leaf << block_shift);
        const std::uint32_t elements = left < block_lanes ? left : block_lanes;
        for (std::uint32_t i = 0; i + 1 < elements; ++i) {
            const std::uint32_t found = Base::overlap(probe_of(boxes, i), boxes);
            at = put(own[i], own, found & ~0u << (i + 1), at);
        }
        return at;
    }
    static Pair* between(const BoxTree& tree, std::uint32_t leaf, std::uint32_t other, Pair* at) {
        const BoxBlock &boxes = tree.levels[0][leaf], &others = tree.levels[0][other];
        const std::uint32_t* own = ids(tree, leaf);
        for (std::uint32_t left = Base::overlap(around(tree, 0, other), boxes); left != 0; left &= left - 1) {
            const std::uint32_t i = Base::lowest(left);
            at = put(own[i], ids(tree, other), Base::overlap(probe_of(boxes, i), others), at);
        }
        return at;
    }

    // The lanes of a block that may hold leaves after this one: all, unless the leaf itself is below.
    static std::uint32_t behind(std::uint32_t level, std::uint32_t block, std::uint32_t leaf) {
        const std::uint32_t lane = leaf >> (level - 1) * block_shift;
        if (lane >> block_shift != block) return ~0u;
        return ~0u << (lane % block_lanes + (level == 1 ? 1 : 0));
    }

    // Continues with one leaf. Returns whether it is done; if not, the buffer is full.
    static bool join(const BoxTree& tree, TreePairs& s, Pair*& at, const Pair* limit) {
        const std::uint32_t leaf = s.leaf;
        const Probe probe = around(tree, 0, leaf);
        std::uint32_t level = s.level, block = s.block, mask;
        if (level == TreeSearch::nowhere) {
            at = within(tree, leaf, at);
            level = tree.top, block = leaf >> level * block_shift;
            mask = Base::overlap(probe, tree.levels[level][block]) & behind(level, block, leaf);
        } else {
            mask = s.pending[level];
        }
        for (;;) {
            while (mask == 0) {
                if (level == tree.top) {
                    if (++block == tree.roots) return true;
                    mask = Base::overlap(probe, tree.levels[level][block]);
                    continue;
                }
                mask = s.pending[++level];
                block >>= block_shift;
            }
            const std::uint32_t child = block << block_shift | Base::lowest(mask);
            mask &= mask - 1;
            if (level == 1) {
                at = between(tree, leaf, child, at);
                if (at <= limit) continue;
                s.level = level, s.block = block, s.pending[level] = mask;
                return false;
            }
            s.pending[level] = mask;
            block = child;
            --level;
            mask = Base::overlap(probe, tree.levels[level][block]) & behind(level, block, leaf);
        }
    }

    THRONG_KERNEL static Pair* pairs(const BoxTree& tree, TreePairs& s, Pair* at, Pair* limit) {
        const std::uint32_t leaves = ((tree.count - 1) >> block_shift) + 1;
        if (tree.top == 0) {
            at = within(tree, 0, at);
            s.leaf = 1;
        }
        while (s.leaf < leaves && at <= limit) {
            if (!join(tree, s, at, limit)) break;
            s.level = TreeSearch::nowhere;
            ++s.leaf;
        }
        return at;
    }
};

}  // namespace throng::simd
