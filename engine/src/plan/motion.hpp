// How far agents moved since islands were made for them. If they moved together, the islands move with them: those of a ship, of an
// army on the march, or of a world whose host counts from the camera.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <tuple>

#include "engine/src/base/box_check.hpp"
#include "engine/src/plan/sample.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

struct Motion {
    float x, y;
};

// A coordinate, and a box, after that motion. They stay finite.
inline float moved(float at, float by) noexcept {
    constexpr float most = std::numeric_limits<float>::max();
    return std::clamp(at + by, -most, most);
}
inline Box moved(const Box& box, const Motion& by) noexcept {
    return {moved(box.min_x, by.x), moved(box.min_y, by.y), moved(box.max_x, by.x), moved(box.max_y, by.y)};
}

// Keeps a few agents as they were, by their places in the list of all.
class MotionTracker {
public:
    template <class BoxAt>
    void note(std::size_t agents, BoxAt&& box_at) noexcept {
        agents_ = agents;
        const std::size_t few = std::min(agents, most);
        for (std::size_t k = 0; k < few; ++k) boxes_[k] = box_at(sampled(k, few, agents));
    }
    // The motion that at least half of those share that moved at all, if there is one. Agents far out may not move: what is added to their
    // coordinates is rounded away. Where other agents are in those places, they share none.
    template <class BoxAt>
    std::optional<Motion> motion_to(std::size_t agents, BoxAt&& box_at) const noexcept {
        std::array<Step, most> steps;
        std::size_t found = 0;
        for (std::size_t k = 0, few = std::min(agents_, most); k < few; ++k) {
            const std::size_t at = sampled(k, few, agents_);
            if (at >= agents) break;
            const Box before = boxes_[k], now = box_at(at);
            if (check(before) != Code::ok || check(now) != Code::ok) continue;
            steps[found] = step_of(before, now);
            found += steps[found].x != 0 || steps[found].y != 0;
        }
        return found < fewest ? std::nullopt : common_motion({steps.data(), found});
    }

private:
    static constexpr std::size_t most = 64, fewest = 8;

    struct Step {
        double x, y;
        double rounding;  // by how much coordinates are rounded there
    };

    static Step step_of(const Box& before, const Box& now) noexcept {
        constexpr double of_float = 0x1p-23;
        const double farthest = std::max({std::abs(double(before.min_x)), std::abs(double(before.min_y)),
                                          std::abs(double(now.min_x)), std::abs(double(now.min_y))});
        return {double(now.min_x) - before.min_x, double(now.min_y) - before.min_y, of_float * farthest};
    }
    static Step median_of(std::span<Step> steps) noexcept {
        const auto median = [&](double Step::*of) {
            const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
            std::nth_element(steps.begin(), middle, steps.end(),
                             [of](const Step& a, const Step& b) { return a.*of < b.*of; });
            return (*middle).*of;
        };
        return {median(&Step::x), median(&Step::y), median(&Step::rounding)};
    }
    // The median of those that are told most precisely, among all that are much like the median of all.
    static std::optional<Motion> common_motion(std::span<Step> steps) noexcept {
        constexpr double much_like = 1.0 / 8;
        const Step all = median_of(steps);
        const double size = std::max(std::abs(all.x), std::abs(all.y));
        const auto end = std::partition(steps.begin(), steps.end(), [&](const Step& s) {
            const double room = much_like * size + s.rounding + all.rounding;
            return std::abs(s.x - all.x) <= room && std::abs(s.y - all.y) <= room;
        });
        const auto alike = static_cast<std::size_t>(end - steps.begin());
        if (size == 0 || 2 * alike < steps.size()) return {};
        std::sort(steps.begin(), end, [](const Step& a, const Step& b) {
            return std::tie(a.rounding, a.x, a.y) < std::tie(b.rounding, b.x, b.y);
        });
        const Step precise = median_of(steps.first((alike + 3) / 4));
        constexpr double largest = std::numeric_limits<float>::max();
        const auto as_float = [&](double by) {
            return static_cast<float>(std::clamp(by, -largest, largest));
        };
        return Motion{as_float(precise.x), as_float(precise.y)};
    }

    std::array<Box, most> boxes_;
    std::size_t agents_ = 0;
};

}  // namespace throng::detail
