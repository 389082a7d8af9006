// The common size: the size up to which agents are kept in the grid. Larger agents are oversized.
#pragma once

#include "engine/src/plan/grid_fit.hpp"
#include "engine/src/plan/survey.hpp"

namespace throng::detail {

// A larger limit makes every search reach further. A smaller one leaves more agents to the tree, which every
// search walks and every frame rebuilds. Both costs are estimated in tested agents.
Sizes common_size(const Survey& survey) noexcept;

}  // namespace throng::detail
