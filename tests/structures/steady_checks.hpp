// The same work again takes no more memory: not from the resource, and not from the global heap.
#pragma once

#include "structures/any_spatial_index.hpp"
#include "support/global_allocations.hpp"

namespace throng::test {

void check_steady_state(const IndexKind& kind, HeapCount global);

}  // namespace throng::test
