// Which agents of one region are common: those that its cells are sized for. All others are oversized.
#pragma once

#include <span>

#include "engine/src/plan/grid_fit.hpp"
#include "engine/src/plan/survey.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// `points` are a sample of the region's agents; each stands for `weight` agents. The result is the size of
// the region `around` it unless that does not fit here, and at most `most`. `survey` is overwritten.
Sizes common_size_in(std::span<const Box> points, double weight, const Box& extent, const Sizes& around,
                     const Sizes& most, Survey& survey) noexcept;

// The common size that a survey of these points chooses, whatever it is around them. `survey` is overwritten.
Sizes common_size_of_crowd(std::span<const Box> points, double weight, Survey& survey) noexcept;

}  // namespace throng::detail
