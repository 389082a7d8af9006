// The checks that all structures have in common. Each ends with the first thing that it finds wrong
// (finding.hpp).
#pragma once

#include "structures/tests/any_spatial_index.hpp"
#include "structures/tests/witness.hpp"
#include "support/global_allocations.hpp"
#include "worlds/scenes/random.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::structures::test {

// --- Right answers, whatever was done before ---------------------------------------------------------------

// Every scene there is, and for each of them a host that is right about it and some that are not.
void check_all_assignments(const IndexKind& kind);
void check_all_histories(const IndexKind& kind);

// The worst worlds for a structure: right answers, in bounded memory, within the test's timeout. Few elements
// are enough for checks that depend on the numbers in the boxes, and not on how many there are.
void check_degenerate_worlds(const IndexKind& kind);
void check_degenerate_worlds_by_edits(const IndexKind& kind);
void check_small_degenerate_worlds(const IndexKind& kind);
void check_small_degenerate_worlds_by_edits(const IndexKind& kind);

// --- What is refused, with which words, and that nothing has changed then ----------------------------------

void check_odd_expectations(const IndexKind& kind);
// Every structure with extents must refuse extents without a meaning.
void check_bad_extents(const IndexKind& kind);
void check_refusals(const IndexKind& kind);
// Edits under another rounding mode than the one that the structure was made under, or with subnormals
// flushed where they were not.
void check_edits_under_other_modes(const IndexKind& kind);

// --- How answers come --------------------------------------------------------------------------------------

// To a visitor in every form it may have, as long as it wants more, in an order that is always the same.
void check_visits(const IndexKind& kind);
// The same edits lead to the same answers in the same order, whenever they are queried.
void check_determinism(const IndexKind& kind);
// Queries change nothing, so any number of threads may query.
void check_readers(const IndexKind& kind);

// --- Memory ------------------------------------------------------------------------------------------------

// All memory that it holds comes from the resource, and is counted.
void check_accounts(const IndexKind& kind);
void check_the_global_heap(const IndexKind& kind, HeapCount global);
// A call that ran out of memory has changed nothing.
void check_out_of_memory(const IndexKind& kind);
void check_moves_of_the_structure(const IndexKind& kind);
// Once it has settled, no frame asks for memory, from the resource or the global heap: not if the same frames
// come again, and not if a crowd moves without end and never repeats itself. In such a crowd a structure's
// need varies, and now and then is larger than ever before. Without spare room it would ask for memory once
// in hundreds of frames. Everything is drawn from a few fixed seeds, so a fault that is found once is always
// found.
void check_steady_state(const IndexKind& kind, HeapCount global);
void check_wandering_crowds(const IndexKind& kind, HeapCount global);

// --- What they use -----------------------------------------------------------------------------------------

// What it says of itself, queries of all kinds, and pairs.
void check_all_of(Witness& witness, Random& random, std::size_t queries = 20);
// Leaves out the elements that a structure may refuse, where the host expected others.
void assign_acceptable(Witness& witness, std::vector<Box> boxes);
// Of a dynamic structure.
void edit_somehow(Witness& witness, const Scene& scene, Random& random);
// What a structure may take for so many elements, wherever they are.
std::size_t max_bytes_for(const IndexKind& kind, std::size_t elements);

}  // namespace throng::structures::test
