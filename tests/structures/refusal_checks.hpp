// What a structure refuses, with which words, and that nothing has changed then.
#pragma once

#include "structures/any_spatial_index.hpp"

namespace throng::test {

void check_refusals(const IndexKind& kind);

}  // namespace throng::test
