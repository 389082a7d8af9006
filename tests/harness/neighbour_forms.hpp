// What the calls for neighbours of agents alone and those with a static layer have in common.
#pragma once

#include "harness/calls.hpp"
#include "oracle/neighbours.hpp"
#include "support/test.hpp"

namespace throng::test {

using F = const Frame&;
using A = const Asked&;
using R = Results&;
using Twin = oracle::BruteForceFrame;
using Expected = std::vector<Numbers>;

inline constexpr std::size_t large_block = std::size_t{1} << 24, small_block = 2500;

// The same neighbourhood with the lists in row order, or by id.
inline Neighbourhood rows(const OwnNeighbourhood& own, bool in_row_order) {
    Neighbourhood wanted = own.wanted();
    wanted.in_row_order = in_row_order;
    return wanted;
}

// Lists in row order have none for ids without an agent, nor for ghosts: those are empty.
inline void give_missing(F f, R r, bool in_row_order) {
    if (in_row_order) r.make_room(f.id_bound());
}

// Without the distance if lists have none.
inline std::uint64_t number_of(const Neighbour& one, const Neighbourhood& wanted, bool is_static = false) {
    return number(one.id, wanted.distances ? one.squared_distance : 0, is_static);
}
inline Expected as_numbers(const oracle::NeighbourLists& lists, const Neighbourhood& wanted,
                           bool is_static = false) {
    Expected expected;
    for (const std::vector<Neighbour>& list : lists) {
        expected.emplace_back();
        for (const Neighbour& one : list) expected.back().push_back(number_of(one, wanted, is_static));
    }
    return expected;
}

inline std::size_t bytes_of(const NeighbourLists& some) {
    return some.offsets().size_bytes() + some.ids().size_bytes() + some.squared_distances().size_bytes() +
           some.agents().size_bytes();
}
// Gives what is in each block.
inline auto noted_block(R r, std::size_t& next, std::size_t max_bytes) {
    return [&r, &next, max_bytes](std::size_t first, const NeighbourLists& some) {
        note_block(r, next, first, some, bytes_of(some), max_bytes);
        r.give(some, false, first);
    };
}

}  // namespace throng::test
