#include "engine/src/plan/common_size.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

namespace throng::detail {

namespace {

// Pairs in a cell cost the square where it is overfull.
template <std::size_t most>
class OverfullCells {
public:
    OverfullCells(const SurveyUpTo<most>& survey, const Sizes& largest) noexcept
        : survey_(survey), largest_(largest) {}

    // How many others more than answers are worth a search looks at in its two cells, where all agents up to that size are common. A
    // cell is larger than what an agent overlaps, so it may be overfull where `others` seem few.
    double looked_at_in_vain(const Sizes& common, double others) noexcept {
        constexpr double cells = 2, full_cell = 64, worth_of_an_answer = 4, seem_few = full_cell / 4;
        if (others < seem_few) return 0;
        const Sizes cell = wanted_cell({.extent = survey_.extent(), .density = 1e30, .common = common});
        const double crowd = survey_.others_within(cell.width, cell.height);
        if (crowd <= full_cell) return 0;
        if (!answers_) answers_ = 2 * survey_.overlapping_pairs(largest_).of_common;
        return cells * std::max(crowd - full_cell - worth_of_an_answer * *answers_, 0.0);
    }

private:
    const SurveyUpTo<most>& survey_;
    const Sizes largest_;
    std::optional<double> answers_;  // how many others an agent overlaps, known on demand
};

// The cost of an agent in the tree for each frame: measured in tested agents.
constexpr double agent_in_tree = 200;

// The tested agents that oversized agents add, per agent of all: what one of them looks at in the cells along it but does not overlap, as far
// as that is more than agent_in_tree. Where cells are as high as tall slivers, a wide one looks at all agents above and below it.
template <std::size_t most>
double looked_at_along_oversized(const SurveyUpTo<most>& survey, const Sizes& common,
                                 double oversized) noexcept {
    if (oversized == 0) return 0;
    const Box& e = survey.extent();
    const Sizes cell = wanted_cell({.extent = e, .density = survey.density(), .common = common}),
                typical{survey.width_at(0.5), survey.height_at(0.5)};
    const auto others_within = [&](const Sizes& box, const Sizes& beside) {
        return survey.others_within(std::min(box.width + beside.width, double(e.max_x) - e.min_x),
                                    std::min(box.height + beside.height, double(e.max_y) - e.min_y));
    };
    const double each = survey.mean_of_larger(common, oversized, [&](const Sizes& box) {
        return others_within(box, cell) - others_within(box, typical);
    });
    return oversized * std::max(each - agent_in_tree, 0.0);
}

}  // namespace

template <std::size_t most>
Sizes common_size(const SurveyUpTo<most>& survey, const Sizes& limit) noexcept {
    constexpr std::array shares = {0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 1.0};
    // The cost of a walk through the tree: measured.
    constexpr double walk = 16, walk_deeper = 2;
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
    OverfullCells overfull_cells(survey, largest);
    for (const double share : shares) {
        const double width = std::min(double(survey.width_at(share)), largest.width),
                     height = std::min(double(survey.height_at(share)), largest.height);
        // In a small sample many shares come to one agent.
        if (share > shares[0] && width == before.width && height == before.height) continue;
        before = {width, height};
        const double left = 1 - survey.share_within(width, height);
        const double others = survey.others_within(width + query_width, height + query_height);
        double looked_at = others;
        if (left > 0) {
            // The depth of the tree, by integer arithmetic, so that every machine gets the same.
            const auto in_tree = static_cast<std::uint64_t>(left * static_cast<double>(survey.agents()));
            looked_at +=
                walk + walk_deeper * static_cast<double>(std::bit_width(in_tree)) + agent_in_tree * left;
        }
        // A larger limit that costs the same is better.
        const auto is_worse = [&] { return looked_at > best * 1.02; };
        if (is_worse()) continue;
        looked_at += overfull_cells.looked_at_in_vain({width, height}, others);
        if (is_worse()) continue;
        looked_at += looked_at_along_oversized(survey, {width, height}, left);
        if (is_worse()) continue;
        best = std::min(best, looked_at);
        size = {width, height};
    }
    return size;
}

template Sizes common_size(const Survey& survey, const Sizes& limit) noexcept;
template Sizes common_size(const RegionSurvey& survey, const Sizes& limit) noexcept;

}  // namespace throng::detail
