#include "engine/src/islands/region_sizes.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/src/base/box_math.hpp"
#include "engine/src/islands/extents.hpp"
#include "engine/src/plan/common_size.hpp"
#include "engine/src/plan/sample.hpp"
#include "throng/compiler.hpp"

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
// region's agents are spread evenly, or all of them are no more than may share a cell, whatever their sizes.
constexpr double roomy_cell = 6, one_cell = 64;

// Sizes on one axis, in quarters of octaves, by the highest bits of the floats.
class SizesOnAxis {
public:
    void add(float size) noexcept { ++counts_[step(size)]; }
    // When all have been added.
    void end(float largest, std::size_t counted) noexcept {
        largest_ = step(largest);
        counted_ = counted;
    }
    // The size below which nearly all agents are. Sizes have the rounding error of their coordinates.
    double nearly_all_within(float low, float high) const noexcept {
        std::uint32_t at = largest_;
        std::size_t left = counted_ / 128;
        while (at > 0 && counts_[at] <= left) left -= counts_[at--];
        return double(least_at(std::min(at + 2, steps - 1))) +
               2.5e-7 * std::max(std::abs(double(low)), std::abs(double(high)));
    }
    // The share of the agents that are larger than a size, each times the part of `length` it covers.
    double covered_by_larger(double size, double length) const noexcept {
        double covered = 0;
        for (std::uint32_t at = largest_; at > 0 && least_at(at) > size; --at)
            covered += counts_[at] * std::min(double(least_at(at)), length);
        return covered / (length * static_cast<double>(counted_));
    }

private:
    static constexpr unsigned shift = 21;
    static constexpr std::uint32_t steps = 0x7F800000u >> shift;

    // By integers, since whether a size is zero, where it is near the rounding error, is as good as random: a branch would often be wrong.
    static std::uint32_t step(float size) noexcept {
        return static_cast<std::uint32_t>(
            std::clamp(detail::bits_as<std::int32_t>(size) >> shift, std::int32_t{0}, std::int32_t{steps}));
    }
    static float least_at(std::uint32_t at) noexcept { return detail::bits_as<float>(at << shift); }

    std::array<std::uint32_t, steps + 1> counts_{};
    std::uint32_t largest_ = 0;
    std::size_t counted_ = 0;
};

// Agents far outside a tile at the edge of the world would hide the crowd inside from a survey, unless they are the crowd.
Box where_most_are(std::span<const Box> points, const Box& extent) noexcept {
    constexpr float far = std::numeric_limits<float>::infinity();
    std::size_t inside = 0;
    const std::size_t looked_at = visit_some(
        points, enough_points, [&](const Box& box) { inside += std::size_t{is_inside(box, extent)}; });
    return 2 * inside > looked_at ? extent : Box{-far, -far, far, far};
}

// Of a region's points. Returns false if there are no steps left for it, or if it saw none.
bool take_survey(std::span<const Box> points, const Box& extent, double agents, RegionSurveys& surveys,
                 std::size_t most = for_most_agents) noexcept {
    const Box within = where_most_are(points, extent);
    return surveys.take(
               points.size(), sample_of(points.size(), most),
               [&](std::size_t i) { return is_inside(points[i], within) ? points[i] : no_box; },
               static_cast<std::size_t>(agents)) &&
           !surveys.last().empty();
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
    double looked_at(const SizesOnAxis& widths, const SizesOnAxis& heights) const noexcept {
        const double tall = heights.covered_by_larger(common_.height, region_.height),
                     wide = widths.covered_by_larger(common_.width, region_.width);
        return agents_ * (tall * across_ + wide * up_);
    }

private:
    double agents_, across_, up_;
    Sizes common_, region_;
};

Sizes smaller_of(const Sizes& a, const Sizes& b) noexcept {
    return {std::min(a.width, b.width), std::min(a.height, b.height)};
}

bool is_survey_of_use(double agents, const Box& extent, const Sizes& nearly_all, const Sizes& most) noexcept {
    if (agents <= one_cell) return false;
    return nearly_all.width > most.width || nearly_all.height > most.height ||
           SmallestCells(agents, extent, nearly_all).agents_in_one() > roomy_cell;
}

}  // namespace

Sizes common_size_in(std::span<const Box> points, double weight, const Box& extent, const Sizes& around,
                     const Sizes& most, RegionSurveys& surveys) noexcept {
    SizesOnAxis widths, heights;
    std::size_t too_large = 0;
    const float common_width = float_at_most(around.width), common_height = float_at_most(around.height);
    float largest_width = 0, largest_height = 0;
    const std::size_t looked_at = visit_some(points, enough_points, [&](const Box& box) {
        const float width = box.max_x - box.min_x, height = box.max_y - box.min_y;
        widths.add(width);
        heights.add(height);
        largest_width = std::max(largest_width, width);
        largest_height = std::max(largest_height, height);
        too_large += std::size_t{width > common_width} | std::size_t{height > common_height};
    });
    widths.end(largest_width, looked_at);
    heights.end(largest_height, looked_at);
    const bool are_larger = too_large * 16 > looked_at;
    const double agents = static_cast<double>(points.size()) * weight;
    const double width = widths.nearly_all_within(extent.min_x, extent.max_x),
                 height = heights.nearly_all_within(extent.min_y, extent.max_y);
    if (are_larger) {
        const Sizes nearly_all{width, height};
        return is_survey_of_use(agents, extent, nearly_all, most) &&
                       take_survey(points, extent, agents, surveys)
                   ? common_size(surveys.last(), most)
                   : smaller_of(nearly_all, most);
    }
    constexpr double much = 1.5;
    const Sizes largest{width * much < around.width ? width : around.width,
                        height * much < around.height ? height : around.height};
    if (agents < min_to_survey) return largest;
    Sizes size = largest;
    if (SmallestCells(agents, extent, size).agents_in_one() > overfull_cell &&
        take_survey(points, extent, agents, surveys))
        size = common_size(surveys.last(), largest);
    if (SmallestCells(agents, extent, size).looked_at(widths, heights) > much_looked_at &&
        take_survey(points, extent, agents, surveys, for_few_agents))
        size = common_size(surveys.last(), largest);
    return size;
}

Sizes common_size_of_crowd(std::span<const Box> points, double weight, const Box& extent, const Sizes& before,
                           RegionSurveys& surveys) noexcept {
    if (!take_survey(points, extent, static_cast<double>(points.size()) * weight, surveys)) return before;
    return common_size(surveys.last());
}

}  // namespace throng::detail
