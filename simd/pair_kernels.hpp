// The kernels that find the pairs of overlapping agents.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/box_tree.hpp"
#include "simd/types.hpp"

namespace throng::simd {

// Which pairs are found: see engine/include/throng/labels.hpp.
struct PairLabelFilter {
    std::uint32_t a, b;
    bool other_groups_only;
    bool by_height = false;  // in a frame with heights: whether the two have to share one
};

// The pairs of one world, of agents as boxes or as circles.
struct OwnPairKernels {
    // The pairs of all agents of a world with one row, by brute force: for few agents.
    void (*few)(const Row&, PairSink&);
    // The pairs of one row's common agents with each other and with those of later rows. If the scratch has
    // ghosts, pairs that may be of two ghosts go to its sink for mixed ones, and come last.
    void (*row)(const View&, std::uint32_t row, PairScratch&, PairSink&);
    // The pairs of the common agents of a row with those of other regions: all islands of its own region, and
    // the islands to the right of and above its own island. `row` counts from the first row of its region.
    void (*region)(const View&, std::uint32_t region, std::uint32_t row, PairSink&);
    // The pairs of the oversized agents [first, last) with all common agents and with later oversized ones.
    void (*oversized)(const View&, std::uint32_t first, std::uint32_t last, PairSink&);
};

struct PairKernels {
    OwnPairKernels boxes, circles;

    // --- Pairs with a filter, in a frame with labels, or with heights ---

    void (*row_pairs_filtered)(const View&, std::uint32_t row, const PairLabelFilter&, PairScratch&,
                               PairSink&);
    // The same with a filter by height alone, which is the fastest one.
    void (*row_pairs_at_heights)(const View&, std::uint32_t row, const PairLabelFilter&, PairScratch&,
                                 PairSink&);
    void (*region_pairs_filtered)(const View&, std::uint32_t region, std::uint32_t row,
                                  const PairLabelFilter&, PairSink&);
    // The same between storeys: the pairs of the agents of such a row with agents on storeys.
    void (*storey_pairs_filtered)(const View&, std::uint32_t row, const PairLabelFilter&, PairSink&);
    void (*oversized_pairs_filtered)(const View&, std::uint32_t first, std::uint32_t last,
                                     const PairLabelFilter&, PairSink&);

    // --- Pairs of two worlds ---

    // The pairs of a view's agents with the agents [begin, end) of a row of another. The row's agents come
    // first in their pairs, or second.
    void (*cross_pairs)(const View&, const Row& probing, std::uint32_t begin, std::uint32_t end,
                        bool probe_first, PairSink&);

    // --- Packed hierarchies of boxes ---

    // Continues a join of one with itself: writes pairs from `at` on, and returns their end. Writes at most
    // tree_pair_slack pairs past the limit, so the buffer needs that much more room. Call again until the
    // join has ended.
    Pair* (*tree_pairs)(const BoxTree&, TreePairs&, Pair* at, Pair* limit);
};

}  // namespace throng::simd
