// The common size: the size up to which agents are kept in the grid. Larger agents are oversized.
#pragma once

#include <cstddef>

#include "engine/src/plan/grid_fit.hpp"
#include "engine/src/plan/survey.hpp"

namespace throng::detail {

// A larger limit makes every search reach further. A smaller one leaves more agents to the tree, which every
// search walks and every frame rebuilds. Both costs are estimated in tested agents.
template <std::size_t most>
Sizes common_size(const SurveyUpTo<most>& survey) noexcept;

}  // namespace throng::detail
