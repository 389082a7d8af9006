// What a commit changes of the oversized agents: the edited ones, and, in the order of the tree, the agents
// that leave it and come to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "engine/src/frame/frame_state.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// An oversized agent that was inserted, removed or changed, and the row whose tail has it. They are listed by
// row, in a row by id.
struct OversizedEdit {
    std::uint32_t row;
    AgentId id;
    bool was, is;
};

// An agent that a commit takes from the tree or brings to it: its rank (tree_ranks.hpp) followed by its id,
// and its place in its row.
struct OversizedChange {
    std::uint64_t full_rank;
    std::uint32_t row, at;
};

using OversizedChanges = std::span<const OversizedChange>;

// Shifted in two halves, since the whole shift may be 64 bits.
inline std::uint64_t quadrant_of(std::uint64_t full_rank, unsigned shift) noexcept {
    const unsigned half = shift / 2;
    return full_rank >> half >> half;
}
// The changes in the quadrant of a full rank.
inline OversizedChanges changes_in(OversizedChanges all, std::uint64_t full_rank, unsigned shift) noexcept {
    const std::uint64_t quadrant = quadrant_of(full_rank, shift);
    const auto* begin = std::partition_point(
        all.data(), all.data() + all.size(),
        [&](const OversizedChange& c) { return quadrant_of(c.full_rank, shift) < quadrant; });
    const auto* end = std::partition_point(begin, all.data() + all.size(), [&](const OversizedChange& c) {
        return quadrant_of(c.full_rank, shift) == quadrant;
    });
    return {begin, end};
}
inline OversizedChanges changes_in(OversizedChanges all, const GroveNote& note) noexcept {
    return changes_in(all, note.first_full_rank, note.shift);
}

}  // namespace throng::detail
