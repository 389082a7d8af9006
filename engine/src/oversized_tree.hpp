// The tree over a frame's oversized agents: a loose quadtree, made for being searched.
//
// Each agent is in one leaf, by its centre; a node's bounds hold the whole boxes of what is in it, and no
// more than that. Nodes stand in one array in preorder and know where their subtree ends, and the agents
// stand in the order of the leaves, so that every subtree is one run of agents:
//
//     nodes    0 . . . . . . . . . . . .  next = 13
//                1 . . . .  6 . . . . .
//                  2 3 4 5    7 8 9 ...          a search goes forwards, and leaps where it finds nothing
//     agents   | leaf 2 | leaf 3 | leaf 4 | ...
//
// A search needs neither recursion nor a stack, and a subtree that lies inside the question is taken as a
// run. Agents with the same centre share a leaf, however many they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "engine/src/frame_state.hpp"
#include "simd/kernels.hpp"
#include "throng/buffer.hpp"
#include "throng/labels.hpp"

namespace throng::detail {

class OversizedTree {
public:
    explicit OversizedTree(std::pmr::memory_resource* memory) noexcept
        : row_of_(memory), first_of_row_(memory), labels_(memory), keys_(memory), other_keys_(memory) {}

    // Gathers the oversized agents of all rows of a frame, and builds its tree over them.
    // False if there is no memory.
    [[nodiscard]] bool build(FrameState& frame) noexcept;

    // A leaf is split when it holds more: a vector's worth.
    static constexpr std::uint32_t leaf_size = 16;

private:
    bool gather(const FrameState& frame) noexcept;
    bool sort() noexcept;
    bool emit(FrameState& frame) noexcept;
    void emit_labels(std::uint32_t* categories, std::size_t stride) const noexcept;
    bool split(Buffer<simd::Node>& nodes) noexcept;
    static void link(Buffer<simd::Node>& nodes) noexcept;
    static void bound(FrameState& frame) noexcept;
    std::uint32_t first_with(std::uint64_t key, std::uint32_t begin, std::uint32_t end) const noexcept;

    // The oversized agents are numbered in the order of the rows.
    Buffer<std::uint16_t> row_of_;
    Buffer<std::uint32_t> first_of_row_;
    Buffer<Label> labels_;                     // only in a frame with labels
    Buffer<std::uint64_t> keys_, other_keys_;  // where a centre is on the curve, and its agent's number
};

}  // namespace throng::detail
