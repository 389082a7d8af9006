#include "engine/src/plan/survey/common_size.hpp"

#include <algorithm>

#include "engine/src/plan/numbers.hpp"

namespace throng::detail {

namespace {

using namespace tuned;

// The tested agents that oversized agents add, per agent of all: what one of them looks at in the cells along
// it and does not overlap. Where cells are as high as tall slivers, a wide one looks at all agents above and
// below it.
double looked_at_along_oversized(const Survey& survey, const Sizes& common, double oversized) noexcept {
    if (oversized == 0) return 0;
    const Box& e = survey.extent();
    const Sizes cell = wanted_cell(
                    {.extent = e, .agents = survey.agents(), .density = survey.density(), .common = common}),
                typical{survey.width_at(0.5), survey.height_at(0.5)};
    const auto others_within = [&](const Sizes& box, const Sizes& beside) {
        return survey.others_within(std::min(box.width + beside.width, double(e.max_x) - e.min_x),
                                    std::min(box.height + beside.height, double(e.max_y) - e.min_y));
    };
    const double each = survey.mean_of_larger(common, oversized, [&](const Sizes& box) {
        return others_within(box, cell) - others_within(box, typical);
    });
    return oversized * std::max(each, 0.0);
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
        // In a small sample many shares come to one agent.
        if (size.width == before_.width && size.height == before_.height) return;
        before_ = size;
        const double left = 1 - survey_.share_within(size.width, size.height);
        double looked_at = survey_.others_within(size.width + query_.width, size.height + query_.height);
        if (left > 0) looked_at += way_to_tree + agent_in_tree * left;
        if (looked_at > looked_at_) return;
        looked_at += looked_at_along_oversized(survey_, size, left);
        if (looked_at > looked_at_) return;
        looked_at_ = looked_at;
        size_ = size;
    }
    Sizes size() const noexcept { return size_; }

private:
    const Survey& survey_;
    const Sizes largest_;
    const Sizes query_;
    Sizes before_{-1, -1}, size_;
    double looked_at_ = std::numeric_limits<double>::infinity();
};

}  // namespace

Sizes common_size(const Survey& survey, const Sizes& limit) noexcept {
    const Sizes largest = survey.largest_within(limit);
    // Where none is twice as large as half of them, cells for those are hardly smaller than for all.
    if (largest.width <= alike * survey.width_at(0.5) && largest.height <= alike * survey.height_at(0.5))
        return largest;
    Cheapest cheapest(survey, largest);
    for (const double share : shares) cheapest.consider({survey.width_at(share), survey.height_at(share)});
    return cheapest.size();
}

}  // namespace throng::detail
