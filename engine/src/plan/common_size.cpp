#include "engine/src/plan/common_size.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace throng::detail {

template <std::size_t most>
Sizes common_size(const SurveyUpTo<most>& survey, const Sizes& limit) noexcept {
    constexpr std::array shares = {0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 1.0};
    // The cost of a walk through the tree, and of an agent in it for each frame: measured.
    constexpr double walk = 16, walk_deeper = 2, agent_in_tree = 200;
    // Where hardly any agent is within both medians, some are flat and the others tall, and no query is as large as both.
    const double part =
        survey.share_within(survey.width_at(0.5), survey.height_at(0.5), 4) < 0.125 ? 0.25 : 0.5;
    const double query_width = 4 * double(survey.width_at(part)),
                 query_height = 4 * double(survey.height_at(part));
    const Sizes largest = survey.largest_within(limit);
    // Where none is twice as large as half of them, cells for those are hardly smaller than for all.
    const auto are_alike = [](double most_of_all, double median) { return most_of_all <= 2 * median; };
    if (are_alike(largest.width, survey.width_at(0.5)) && are_alike(largest.height, survey.height_at(0.5)))
        return largest;
    double best = std::numeric_limits<double>::infinity();
    Sizes size, before;
    for (const double share : shares) {
        const double width = std::min(double(survey.width_at(share)), largest.width),
                     height = std::min(double(survey.height_at(share)), largest.height);
        // In a small sample many shares come to one agent.
        if (share > shares[0] && width == before.width && height == before.height) continue;
        before = {width, height};
        const double left = 1 - survey.share_within(width, height);
        double looked_at = survey.others_within(width + query_width, height + query_height);
        if (left > 0) {
            // The depth of the tree, by integer arithmetic, so that every machine gets the same.
            const auto in_tree = static_cast<std::uint64_t>(left * static_cast<double>(survey.agents()));
            looked_at +=
                walk + walk_deeper * static_cast<double>(std::bit_width(in_tree)) + agent_in_tree * left;
        }
        // A larger limit that costs the same is better.
        if (looked_at > best * 1.02) continue;
        best = std::min(best, looked_at);
        size = {width, height};
    }
    return size;
}

template Sizes common_size(const Survey& survey, const Sizes& limit) noexcept;
template Sizes common_size(const RegionSurvey& survey, const Sizes& limit) noexcept;

}  // namespace throng::detail
