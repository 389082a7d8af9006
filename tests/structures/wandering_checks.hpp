// A crowd that moves without end and never does the same twice: whatever a structure needs varies from frame to
// frame, and now and then is more than it ever was. A structure that has room for just what it needed until
// then asks for memory in the middle of a long simulation, once in hundreds of frames; none may once it has
// settled. Frames that come again (steady_checks.hpp) cannot show that.
//
// Everything is drawn from a few fixed seeds, so what is found once is found always.
#pragma once

#include "structures/any_spatial_index.hpp"
#include "support/global_allocations.hpp"

namespace throng::test {

void check_wandering_crowds(const IndexKind& kind, HeapCount global);

}  // namespace throng::test
