// Who is common, and who is oversized: the size up to which agents are kept in the grid.
#pragma once

#include "engine/src/plan/grid_fit.hpp"
#include "engine/src/plan/survey.hpp"

namespace throng::detail {

// A larger limit makes every search reach further; a smaller one leaves more agents to the tree, which every
// search walks through and which has to be made in every frame. Both are estimated in agents looked at.
Sizes common_size(const Survey& survey) noexcept;

}  // namespace throng::detail
