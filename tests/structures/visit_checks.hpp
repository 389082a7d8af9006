// How answers reach a visitor: in every form it may have, as long as it wants more, in an order that is always
// the same.
#pragma once

#include "structures/any_spatial_index.hpp"

namespace throng::test {

void check_visits(const IndexKind& kind);

}  // namespace throng::test
