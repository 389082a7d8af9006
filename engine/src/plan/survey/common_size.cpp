#include "engine/src/plan/survey/common_size.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "engine/src/plan/numbers.hpp"

namespace throng::detail {

namespace {

using namespace tuned;

// The tested agents that oversized agents add, for each agent: the rows that an oversized agent crosses, as
// far as these matter, and the agents in the cells along it that it looks at but does not overlap, as far as
// they are more than usual. If cells are as high as tall slivers, a wide one looks at all agents above and
// below it. If they are as wide as wide ones, and therefore low, a tall one crosses many rows.
double looked_at_along_oversized(const Survey& survey, const Sizes& common, double oversized) noexcept {
    if (oversized == 0) return 0;
    const Box& e = survey.extent();
    const Ground ground{
        .extent = e, .agents = survey.agents(), .density = survey.density(), .common = common};
    const Sizes cell = wanted_cell(ground), typical{survey.width_at(0.5), survey.height_at(0.5)};
    // The rows of the world's own grid: only in a crowd may cells be smaller.
    const double row_height = fit_grid(ground).height;
    const double across_leaf = std::sqrt(in_a_leaf / (oversized * std::max(survey.density(), 1 / huge)));
    const auto others_within = [&](const Sizes& box, const Sizes& beside) {
        return survey.others_within(std::min(box.width + beside.width, double(e.max_x) - e.min_x),
                                    std::min(box.height + beside.height, double(e.max_y) - e.min_y));
    };
    const double each = survey.mean_of_larger(common, oversized, [&](const Sizes& box) {
        const double rows = std::min(box.height + across_leaf, double(e.max_y) - e.min_y) / row_height;
        return std::min(looks_a_row * rows, looks_for_rows) + others_within(box, cell) -
               others_within(box, typical);
    });
    return oversized * std::max(each - usual_looks, 0.0);
}

// The cheapest common size so far.
class Cheapest {
public:
    Cheapest(const Survey& survey, const Sizes& largest) noexcept
        : survey_(survey),
          largest_(largest),
          query_{query_over_median * double(survey.width_at(0.5)),
                 query_over_median * double(survey.height_at(0.5))} {}

    // Smaller sizes come before larger ones.
    void consider(Sizes size) noexcept {
        size = {std::min(size.width, largest_.width), std::min(size.height, largest_.height)};
        // In a small sample many shares are the same agent.
        if (size.width == before_.width && size.height == before_.height) return;
        before_ = size;
        const double left = 1 - survey_.share_within(size.width, size.height);
        const double others = survey_.others_within(size.width + query_.width, size.height + query_.height);
        const double in_tree = cost_of_tree(left);
        double looked_at = others + in_tree;
        // A larger limit at the same cost is better if it lets in an eighth of the rest.
        const double same = left <= lets_in * left_ ? same_cost : 1;
        const auto is_worse = [&] { return looked_at > looked_at_ * same; };
        if (is_worse()) return;
        const double along = looked_at_along_oversized(survey_, size, left);
        looked_at += along;
        if (is_worse()) return;
        looked_at_ = std::min(looked_at_, looked_at);
        left_ = left;
        of_oversized_ = in_tree + along;
        size_ = size;
    }
    // None, if all agents in the tree would cost far less than the oversized ones.
    Sizes size() const noexcept { return of_oversized_ > far_less * cost_of_tree(1) ? Sizes{} : size_; }

private:
    // The cost of a share of the agents in the tree.
    double cost_of_tree(double share) const noexcept {
        if (!(share > 0)) return 0;
        // Its depth, by integer arithmetic, so that every machine gets the same.
        const auto agents = static_cast<std::uint64_t>(share * static_cast<double>(survey_.agents()));
        return walk + walk_deeper * static_cast<double>(std::bit_width(agents)) + agent_in_tree * share;
    }

    const Survey& survey_;
    const Sizes largest_;
    const Sizes query_;
    Sizes before_{-1, -1}, size_;
    double looked_at_ = std::numeric_limits<double>::infinity(), left_ = 2, of_oversized_ = 0;
};

}  // namespace

Sizes common_size(const Survey& survey, const Sizes& limit) noexcept {
    const Sizes largest = survey.largest_within(limit);
    // If none is twice as large as half of them, cells for that half are hardly smaller than for all.
    if (largest.width <= alike * survey.width_at(0.5) && largest.height <= alike * survey.height_at(0.5))
        return largest;
    Cheapest cheapest(survey, largest);
    for (const double share : shares) cheapest.consider({survey.width_at(share), survey.height_at(share)});
    return cheapest.size();
}

}  // namespace throng::detail
