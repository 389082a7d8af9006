// Where a structure's memory comes from, what it says of it, and what happens where there is none.
#pragma once

#include "structures/any_spatial_index.hpp"
#include "support/global_allocations.hpp"

namespace throng::test {

// All that it holds is of the resource, and counted.
void check_accounts(const IndexKind& kind);
void check_the_global_heap(const IndexKind& kind, HeapCount global);
// What ran out of memory has changed nothing.
void check_out_of_memory(const IndexKind& kind);
void check_moves_of_the_structure(const IndexKind& kind);

}  // namespace throng::test
