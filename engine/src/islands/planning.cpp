#include "engine/src/islands/planning.hpp"

#include <cmath>

#include "engine/src/frame/row_layout.hpp"
#include "engine/src/places/shared_places.hpp"

namespace throng::detail {

std::uint64_t Planning::work_in_sample(std::span<CellNumber> cells, std::size_t oversized,
                                       double weight) noexcept {
    std::sort(cells.begin(), cells.end());
    std::size_t pairs = 0, run = 0;
    for (std::size_t i = 1; i < cells.size(); ++i) {
        run = cells[i] == cells[i - 1] ? run + 1 : 0;
        pairs += run;
    }
    // Both reduced by what may be due to chance.
    const auto sure = [](std::size_t found) {
        const auto all = static_cast<double>(found);
        return std::max(all - 2 * std::sqrt(all), 0.0);
    };
    return static_cast<std::uint64_t>(sure(pairs) * weight * weight +
                                      sure(oversized) * weight * Tuner::work_of_oversized);
}

namespace {

// Far below the length of nearly all oversized agents of a frame.
float less_than_oversized(const FrameState& frame) noexcept {
    constexpr std::size_t one_in = 16;
    constexpr float share = 0.25f;
    std::array<Box, max_sampled> boxes;
    std::array<float, max_sampled> lengths{};
    const std::span<const Box> oversized = take_some_oversized(frame, boxes);
    for (std::size_t k = 0; k < oversized.size(); ++k)
        lengths[k] =
            std::max(oversized[k].max_x - oversized[k].min_x, oversized[k].max_y - oversized[k].min_y);
    float* const shortest = lengths.data() + oversized.size() / one_in;
    std::nth_element(lengths.data(), shortest, lengths.data() + oversized.size());
    return share * *shortest;
}

// The common agents of a frame without holes in the order of its rows, and no box for those that are about as long as oversized
// ones: cells for them would hold these, too. Numbers are asked for in ascending order.
class CommonAgents {
public:
    explicit CommonAgents(const FrameState& frame) noexcept
        : frame_(frame), shorter_than_(less_than_oversized(frame)) {}
    Box operator()(std::size_t number) noexcept {
        if (number < before_) row_ = before_ = 0;
        while (number - before_ >= frame_.rows[row_].count) before_ += frame_.rows[row_++].count;
        const Box box = RowArrays(frame_.rows[row_]).box(static_cast<std::uint32_t>(number - before_));
        return std::max(box.max_x - box.min_x, box.max_y - box.min_y) < shorter_than_ ? box : no_box;
    }

private:
    const FrameState& frame_;
    float shorter_than_;
    std::size_t row_ = 0, before_ = 0;
};

}  // namespace

Status Planning::start_again_for_common(Store& store, const FrameState& frame, Plan& plan,
                                        bool& made) noexcept {
    const std::size_t common = frame.agents - frame.view.oversized.count;
    CommonAgents box_at(frame);
    taken_ = 0;
    made = look(common, Survey::at_most(Survey::at_first, common), box_at) &&
           plan.tuner.may_part_common(survey_, frame.sharing);
    taken_ = 0;
    if (!made) return {};
    plan.tuner.start_again_for_common(survey_, frame.agents);
    return draw(store, common, box_at, IslandPlanner::points_at_first(common), plan);
}

}  // namespace throng::detail
