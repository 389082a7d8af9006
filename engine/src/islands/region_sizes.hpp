// Which agents of one region are common: those that its cells are sized for. All others are oversized.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "engine/src/plan/effort.hpp"
#include "engine/src/plan/grid_fit.hpp"
#include "engine/src/plan/survey.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// So many points of a region tell its sizes, and how crowded it is.
inline constexpr std::size_t enough_points = 2048;

// Surveys of single regions, as long as there are steps left for them.
class RegionSurveys {
public:
    void start(Effort& effort) noexcept {
        effort_ = &effort;
        refused_ = false;
    }
    // As Survey::take. Returns false if there are no steps left.
    template <class BoxAt>
    [[nodiscard]] bool take(std::size_t count, std::size_t most, BoxAt&& box_at,
                            std::size_t agents) noexcept {
        if (!effort_->spend(Effort::of_survey(std::min(count, most)))) {
            refused_ = true;
            return false;
        }
        survey_.take(count, most, box_at, agents);
        return true;
    }
    const RegionSurvey& last() const noexcept { return survey_; }
    // Whether one was not taken.
    bool refused() const noexcept { return refused_; }

private:
    RegionSurvey survey_;
    Effort* effort_ = nullptr;
    bool refused_ = false;
};

// `points` are a sample of the region's agents; each stands for `weight` agents. The result is the size of
// the region `around` it unless that does not fit here, and at most `most`.
Sizes common_size_in(std::span<const Box> points, double weight, const Box& extent, const Sizes& around,
                     const Sizes& most, RegionSurveys& surveys) noexcept;

// The common size that a survey of these points chooses, whatever it is around them; `before` without one.
Sizes common_size_of_crowd(std::span<const Box> points, double weight, const Box& extent, const Sizes& before,
                           RegionSurveys& surveys) noexcept;

}  // namespace throng::detail
