#include "engine/src/islands/region_sizes.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "engine/src/islands/extents.hpp"
#include "engine/src/plan/common_size.hpp"
#include "engine/src/plan/sample.hpp"

namespace throng::detail {

namespace {

// The sample size of a region's survey: no more than a few times what looking at its points costs. Larger where few agents
// matter: of one in 128, three are expected among so many.
constexpr std::size_t for_most_agents = 128, for_few_agents = RegionSurvey::capacity;
constexpr std::size_t sample_of(std::size_t points, std::size_t most) noexcept {
    return std::clamp<std::size_t>(points / 4, 32, most);
}
// A survey decides whether the largest agents should be oversized, if at least this many agents would share a
// cell as large as the largest of them, in a region with at least this many. Below, a survey costs more than
// it may save.
constexpr double overfull_cell = 16, min_to_survey = 512;
// So does a survey of more agents, if what those above the limit look at comes to so many tested agents for each agent of the region:
// flat agents make long cells, in which a tall one looks at all that is beside it.
constexpr double much_looked_at = 4;
// Where agents are larger than those around, a survey decides as well, unless cells that fit nearly all of them hold so few if the
// region's agents are spread evenly.
constexpr double roomy_cell = 6;
// Sizes in quarters of octaves, by the highest bits of the floats.
constexpr unsigned shift = 21;
constexpr std::uint32_t steps = 0x7F800000u >> shift;
using Histogram = std::array<std::uint32_t, steps + 1>;

std::uint32_t step(float size) noexcept {
    return std::min(std::bit_cast<std::uint32_t>(size) >> shift, steps);
}

// The size below which nearly all agents are; none is above the step `at`. Sizes have the rounding error of
// their coordinates.
double nearly_all_within(const Histogram& counts, std::uint32_t at, std::size_t points, float low,
                         float high) noexcept {
    std::size_t left = points / 128;
    while (at > 0 && counts[at] <= left) left -= counts[at--];
    const double size = std::bit_cast<float>(std::min(at + 2, steps - 1) << shift);
    return size + 2.5e-7 * std::max(std::abs(double(low)), std::abs(double(high)));
}

// The share of the agents that are larger than a size on one axis, each times the part of `length` it covers.
double covered_by_larger(const Histogram& counts, std::size_t looked_at, double size,
                         double length) noexcept {
    const auto least_at = [](std::uint32_t at) { return double(std::bit_cast<float>(at << shift)); };
    double covered = 0;
    for (std::uint32_t at = 0; at <= steps; ++at)
        if (counts[at] != 0 && least_at(at) > size) covered += counts[at] * std::min(least_at(at), length);
    return covered / (length * static_cast<double>(looked_at));
}

bool take_survey(std::span<const Box> points, double agents, RegionSurveys& surveys,
                 std::size_t most = for_most_agents) noexcept {
    return surveys.take(
        points.size(), sample_of(points.size(), most), [&](std::size_t i) { return points[i]; },
        static_cast<std::size_t>(agents));
}

// The smallest cells that a region may have, where its agents are evenly spread.
class SmallestCells {
public:
    SmallestCells(double agents, const Box& extent, const Sizes& common) noexcept
        : agents_(agents), common_(common) {
        const Sizes cell = wanted_cell({.extent = extent, .density = 1e30, .common = common});
        region_ = {std::max(width_of(extent), cell.width), std::max(height_of(extent), cell.height)};
        across_ = cell.width / region_.width;
        up_ = cell.height / region_.height;
    }
    double agents_in_one() const noexcept { return agents_ * across_ * up_; }
    // What agents larger than common ones look at along their way, for each agent of all.
    double looked_at(const Histogram& widths, const Histogram& heights, std::size_t counted) const noexcept {
        const double tall = covered_by_larger(heights, counted, common_.height, region_.height),
                     wide = covered_by_larger(widths, counted, common_.width, region_.width);
        return agents_ * (tall * across_ + wide * up_);
    }

private:
    double agents_, across_, up_;
    Sizes common_, region_;
};

Sizes smaller_of(const Sizes& a, const Sizes& b) noexcept {
    return {std::min(a.width, b.width), std::min(a.height, b.height)};
}

}  // namespace

Sizes common_size_in(std::span<const Box> points, double weight, const Box& extent, const Sizes& around,
                     const Sizes& most, RegionSurveys& surveys) noexcept {
    Histogram widths{}, heights{};
    std::size_t too_large = 0;
    std::uint32_t widest_step = 0, highest_step = 0;
    const std::size_t looked_at = visit_some(points, enough_points, [&](const Box& box) {
        const float width = std::max(box.max_x - box.min_x, 0.0f),
                    height = std::max(box.max_y - box.min_y, 0.0f);
        const std::uint32_t wide = step(width), high = step(height);
        ++widths[wide];
        ++heights[high];
        widest_step = std::max(widest_step, wide);
        highest_step = std::max(highest_step, high);
        too_large += width > around.width || height > around.height;
    });
    const bool are_larger = too_large * 16 > looked_at;
    const double agents = static_cast<double>(points.size()) * weight;
    const double width = nearly_all_within(widths, widest_step, looked_at, extent.min_x, extent.max_x),
                 height = nearly_all_within(heights, highest_step, looked_at, extent.min_y, extent.max_y);
    if (are_larger) {
        const Sizes all = smaller_of({width, height}, most);
        const bool fit = width <= most.width && height <= most.height &&
                         SmallestCells(agents, extent, all).agents_in_one() <= roomy_cell;
        return !fit && take_survey(points, agents, surveys) ? common_size(surveys.last(), most) : all;
    }
    constexpr double much = 1.5;
    const Sizes largest{width * much < around.width ? width : around.width,
                        height * much < around.height ? height : around.height};
    if (agents < min_to_survey) return largest;
    Sizes size = largest;
    if (SmallestCells(agents, extent, size).agents_in_one() > overfull_cell &&
        take_survey(points, agents, surveys))
        size = common_size(surveys.last(), largest);
    if (SmallestCells(agents, extent, size).looked_at(widths, heights, looked_at) > much_looked_at &&
        take_survey(points, agents, surveys, for_few_agents))
        size = common_size(surveys.last(), largest);
    return size;
}

Sizes common_size_of_crowd(std::span<const Box> points, double weight, const Sizes& before,
                           RegionSurveys& surveys) noexcept {
    if (!take_survey(points, static_cast<double>(points.size()) * weight, surveys)) return before;
    return common_size(surveys.last());
}

}  // namespace throng::detail
