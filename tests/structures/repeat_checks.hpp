// The same again: the same edits lead to the same answers in the same order, whenever and by whichever thread
// they are asked.
#pragma once

#include "structures/any_spatial_index.hpp"

namespace throng::test {

void check_determinism(const IndexKind& kind);
// Queries change nothing, so any number of threads may ask.
void check_readers(const IndexKind& kind);

}  // namespace throng::test
