// The common size: the size up to which agents are kept in the grid. Larger agents are oversized.
#pragma once

#include <cstddef>
#include <limits>

#include "engine/src/plan/grid_fit.hpp"
#include "engine/src/plan/survey/survey.hpp"

namespace throng::detail {

inline constexpr Sizes unlimited{std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::infinity()};

// A larger size makes every search reach further. A smaller one leaves more agents to the tree, which every
// search walks and every frame rebuilds. Both costs are estimated in tested agents. It is no larger than
// `limit`. If that cuts off the best size, the best one below it may be far smaller, since agents above it
// are no reason for larger cells.
Sizes common_size(const Survey& survey, const Sizes& limit = unlimited) noexcept;

}  // namespace throng::detail
