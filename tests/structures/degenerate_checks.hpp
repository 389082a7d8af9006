// The worst worlds there are for a structure, and the worst configurations: right answers, in bounded memory,
// and in a time that the test's timeout bounds.
#pragma once

#include <cstddef>

#include "structures/any_spatial_index.hpp"

namespace throng::test {

void check_degenerate_worlds(const IndexKind& kind);
void check_degenerate_worlds_by_edits(const IndexKind& kind);
// With few elements: for what depends on the numbers in their boxes, and not on how many they are.
void check_small_degenerate_worlds(const IndexKind& kind);
void check_small_degenerate_worlds_by_edits(const IndexKind& kind);
void check_odd_expectations(const IndexKind& kind);
// Extents without a meaning have to be refused by every structure that has extents.
void check_bad_extents(const IndexKind& kind);

// What a structure may take for so many elements, wherever they are.
std::size_t max_bytes_for(const IndexKind& kind, std::size_t elements);

}  // namespace throng::test
