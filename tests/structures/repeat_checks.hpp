// The same again: the same edits lead to the same answers in the same order, whenever and from
// whatever thread they are queried.
#pragma once

#include "structures/any_spatial_index.hpp"

namespace throng::test {

void check_determinism(const IndexKind& kind);
// Queries change nothing, so any number of threads may query.
void check_readers(const IndexKind& kind);

}  // namespace throng::test
