#include "engine/src/plan/common_size.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
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

// The tested agents that oversized agents add, per agent of all: the rows that one of them crosses, as far as these matter, and what it
// looks at in the cells along it but does not overlap, as far as that is more than is usual. Where cells are as high as tall slivers, a wide
// one looks at all agents above and below it; where they are as wide as wide ones, and therefore low, a tall one crosses many rows.
template <std::size_t most>
double looked_at_along_oversized(const SurveyUpTo<most>& survey, const Sizes& common,
                                 double oversized) noexcept {
    if (oversized == 0) return 0;
    // Measured. The agents of a leaf look into rows together.
    constexpr double per_row = 8, most_for_rows = 1000, usual = 100, in_a_leaf = 16;
    const Box& e = survey.extent();
    const Ground ground{
        .extent = e, .agents = survey.agents(), .density = survey.density(), .common = common};
    const Sizes cell = wanted_cell(ground), typical{survey.width_at(0.5), survey.height_at(0.5)};
    // The rows of the world's own grid: cells may be smaller where there is a crowd, and only there.
    const double row_height = fit_grid(ground).height;
    const double across_leaf = std::sqrt(in_a_leaf / (oversized * std::max(survey.density(), 1e-30)));
    const auto others_within = [&](const Sizes& box, const Sizes& beside) {
        return survey.others_within(std::min(box.width + beside.width, double(e.max_x) - e.min_x),
                                    std::min(box.height + beside.height, double(e.max_y) - e.min_y));
    };
    const double each = survey.mean_of_larger(common, oversized, [&](const Sizes& box) {
        const double rows = std::min(box.height + across_leaf, double(e.max_y) - e.min_y) / row_height;
        return std::min(per_row * rows, most_for_rows) + others_within(box, cell) -
               others_within(box, typical);
    });
    return oversized * std::max(each - usual, 0.0);
}

// The quantile at a share; but where agents at the end of the shares between two are many times as large as all below them, that of
// the last one below: it may be by chance alone that the share lets in a few of these.
template <class At>
double below_jump(At&& at, double from, double to) noexcept {
    constexpr double many = 8;
    constexpr int halvings = 11;  // to one agent of the largest sample
    const double upper = at(to);
    for (int k = 0; k < halvings && at(to) >= many * at(from); ++k) {
        const double between = (from + to) / 2, size = at(between);
        (at(from) * at(to) >= size * size ? from : to) = between;
    }
    return at(to) >= many * at(from) ? at(from) : upper;
}

// The cheapest common size so far.
template <std::size_t most>
class Cheapest {
public:
    Cheapest(const SurveyUpTo<most>& survey, const Sizes& largest) noexcept
        : survey_(survey), largest_(largest), overfull_cells_(survey, largest) {
        // Where hardly any agent is within both medians, some are flat and the others tall, and no query is as large as both.
        const double part =
            survey.share_within(survey.width_at(0.5), survey.height_at(0.5), 4) < 0.125 ? 0.25 : 0.5;
        query_ = {4 * double(survey.width_at(part)), 4 * double(survey.height_at(part))};
    }

    // Smaller sizes come before larger ones.
    void consider(Sizes size) noexcept {
        size = {std::min(size.width, largest_.width), std::min(size.height, largest_.height)};
        // In a small sample many shares come to one agent.
        if (size.width == before_.width && size.height == before_.height) return;
        before_ = size;
        const double left = 1 - survey_.share_within(size.width, size.height);
        const double others = survey_.others_within(size.width + query_.width, size.height + query_.height);
        const double in_tree = cost_of_tree(left);
        double looked_at = others + in_tree;
        // A larger limit that costs the same is better, if it lets in an eighth of what is left.
        const double same = left <= 0.875 * left_ ? 1.02 : 1;
        const auto is_worse = [&] { return looked_at > looked_at_ * same; };
        if (is_worse()) return;
        looked_at += overfull_cells_.looked_at_in_vain(size, others);
        if (is_worse()) return;
        const double along = looked_at_along_oversized(survey_, size, left);
        looked_at += along;
        if (is_worse()) return;
        looked_at_ = std::min(looked_at_, looked_at);
        left_ = left;
        of_oversized_ = in_tree + along;
        size_ = size;
    }
    // None, if it would cost far less to have all agents in the tree than what those do that would be oversized.
    Sizes size() const noexcept {
        constexpr double far_less = 2.5;
        return of_oversized_ > far_less * cost_of_tree(1) ? Sizes{} : size_;
    }

private:
    // What a share of the agents costs there.
    double cost_of_tree(double share) const noexcept {
        if (!(share > 0)) return 0;
        // The cost of a walk through the tree: measured.
        constexpr double walk = 16, walk_deeper = 2;
        // Its depth, by integer arithmetic, so that every machine gets the same.
        const auto agents = static_cast<std::uint64_t>(share * static_cast<double>(survey_.agents()));
        return walk + walk_deeper * static_cast<double>(std::bit_width(agents)) + agent_in_tree * share;
    }

    const SurveyUpTo<most>& survey_;
    const Sizes largest_;
    OverfullCells<most> overfull_cells_;
    Sizes query_, before_{-1, -1}, size_;
    double looked_at_ = std::numeric_limits<double>::infinity(), left_ = 2, of_oversized_ = 0;
};

}  // namespace

template <std::size_t most>
Sizes common_size(const SurveyUpTo<most>& survey, const Sizes& limit) noexcept {
    constexpr std::array shares = {0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 1.0};
    const Sizes largest = survey.largest_within(limit);
    // Where none is twice as large as half of them, cells for those are hardly smaller than for all.
    const auto are_alike = [](double most_of_all, double median) { return most_of_all <= 2 * median; };
    if (are_alike(largest.width, survey.width_at(0.5)) && are_alike(largest.height, survey.height_at(0.5)))
        return largest;
    Cheapest<most> cheapest(survey, largest);
    const auto width_at = [&](double share) { return double(survey.width_at(share)); };
    const auto height_at = [&](double share) { return double(survey.height_at(share)); };
    double last = shares[0];
    for (const double share : shares) {
        cheapest.consider({below_jump(width_at, last, share), below_jump(height_at, last, share)});
        cheapest.consider({width_at(share), height_at(share)});
        last = share;
    }
    return cheapest.size();
}

template Sizes common_size(const Survey& survey, const Sizes& limit) noexcept;
template Sizes common_size(const RegionSurvey& survey, const Sizes& limit) noexcept;

}  // namespace throng::detail
