// The checks that all structures have in common. Each ends with the first thing that it finds wrong, as a
// Finding says.
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

// The worst worlds there are for a structure: right answers, in bounded memory, and in a time that the test's
// timeout bounds. With few elements, for what depends on the numbers in their boxes, and not on how many they
// are.
void check_degenerate_worlds(const IndexKind& kind);
void check_degenerate_worlds_by_edits(const IndexKind& kind);
void check_small_degenerate_worlds(const IndexKind& kind);
void check_small_degenerate_worlds_by_edits(const IndexKind& kind);

// --- What is refused, with which words, and that nothing has changed then ----------------------------------

void check_odd_expectations(const IndexKind& kind);
// Extents without a meaning have to be refused by every structure that has extents.
void check_bad_extents(const IndexKind& kind);
void check_refusals(const IndexKind& kind);
// Edits under another rounding mode than the structure was made under, or with subnormals flushed where they
// were not.
void check_edits_under_other_modes(const IndexKind& kind);

// --- How answers come --------------------------------------------------------------------------------------

// To a visitor in every form it may have, as long as it wants more, in an order that is always the same.
void check_visits(const IndexKind& kind);
// The same edits lead to the same answers in the same order, whenever they are queried.
void check_determinism(const IndexKind& kind);
// Queries change nothing, so any number of threads may query.
void check_readers(const IndexKind& kind);

// --- Memory ------------------------------------------------------------------------------------------------

// All memory that it holds is of the resource, and counted.
void check_accounts(const IndexKind& kind);
void check_the_global_heap(const IndexKind& kind, HeapCount global);
// A call that ran out of memory has changed nothing.
void check_out_of_memory(const IndexKind& kind);
void check_moves_of_the_structure(const IndexKind& kind);
// No frame asks for memory, of the resource or of the global heap, once the structure has settled: not if the
// same frames come again, and not if a crowd moves without end and never does the same twice. Then whatever a
// structure needs varies, and now and then is more than it ever was: one that has room for just what it
// needed until then asks for memory once in hundreds of frames. Everything is drawn from a few fixed seeds,
// so what is found once is found always.
void check_steady_state(const IndexKind& kind, HeapCount global);
void check_wandering_crowds(const IndexKind& kind, HeapCount global);

// --- What they use -----------------------------------------------------------------------------------------

// What it says of itself, queries of all kinds, and pairs.
void check_all_of(Witness& witness, Random& random, std::size_t queries = 20);
// Where the host expected other elements, those that a structure may refuse are left out.
void assign_acceptable(Witness& witness, std::vector<Box> boxes);
// Of a dynamic structure.
void edit_somehow(Witness& witness, const Scene& scene, Random& random);
// What a structure may take for so many elements, wherever they are.
std::size_t max_bytes_for(const IndexKind& kind, std::size_t elements);

}  // namespace throng::structures::test
