// The tuner chooses the grid, from the agents alone: never from a clock or the machine, so that the same
// history leads to the same grid everywhere.
//
//   - A cell is a quarter wider than the largest common agent, and as high as makes it hold about two agents
//     as an agent sees the crowd: rows several times higher than cells are wide (see simd/kernels/pairs.hpp
//     for why).
//   - There are never many more cells than agents, so an empty world costs no memory; where agents are far
//     apart, cells grow.
//   - Agents much larger than the others are oversized: the limit is where looking at each of them costs
//     about as much as the wider cells would.
//
// The choice stands until another would be clearly better (hysteresis). It is reviewed when the number of
// agents has changed by a half, and every 32 frames.
#pragma once

#include <cstdint>

#include "engine/src/survey.hpp"
#include "simd/kernels.hpp"
#include "throng/reports.hpp"

namespace throng::detail {

class Tuner {
public:
    Tuner(float cell_width, float row_height) noexcept
        : fixed_width_(cell_width), fixed_height_(row_height) {}

    // Whether it is time for a survey before the next frame of so many agents.
    bool wants_survey(std::size_t agents) const noexcept;
    // How many agents the survey should look at.
    std::size_t survey_size() const noexcept {
        return tuning_.times_chosen == 0 ? Survey::most : Survey::most_for_review;
    }
    // Considers a survey. True if the grid changed.
    bool review(const Survey& survey) noexcept;
    // A frame was published without a survey.
    void count_frame() noexcept { ++frames_since_review_; }

    // The world's origin moved, and the grid moves with the agents.
    void rebase(float dx, float dy) noexcept;

    const simd::Grid& grid() const noexcept { return grid_; }
    const Tuning& tuning() const noexcept { return tuning_; }

private:
    static constexpr std::uint32_t review_interval = 32;

    float fixed_width_, fixed_height_;
    simd::Grid grid_{.inverse_width = 1, .inverse_height = 1, .columns = 1, .rows = 1};
    Tuning tuning_;
    std::size_t agents_at_review_ = 0;
    std::uint32_t frames_since_review_ = 0;
};

}  // namespace throng::detail
