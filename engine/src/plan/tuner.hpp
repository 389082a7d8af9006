// The tuner chooses the grid from the agents alone, never from a clock or the machine, so the same history
// leads to the same grid everywhere.
//
// The choice stands until another one is clearly better (hysteresis). It is reviewed when the number of
// agents has changed by half, after 32 frames in which an eighth of them were updated, or edited since the last update,
// and at once after an expensive frame (planning.hpp). So a commit of one edit does not pay for reviews.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/src/plan/grid_fit.hpp"
#include "engine/src/plan/motion.hpp"
#include "engine/src/plan/survey.hpp"
#include "simd/types.hpp"
#include "throng/reports.hpp"

namespace throng::detail {

class Tuner {
public:
    // Zero for what the host does not fix.
    Tuner(float cell_width, float row_height, float common_size) noexcept
        : fixed_width_(cell_width), fixed_height_(row_height), fixed_common_(common_size) {}

    // Few agents need no survey: one cell and brute force are fastest.
    bool suits_few(std::size_t agents) const noexcept;
    // Returns true if the grid changed.
    bool use_brute_force(std::size_t agents) noexcept;
    // Whether a survey is due before the next frame, which updates or edits so many agents.
    bool wants_survey(std::size_t agents, std::size_t changes) const noexcept;
    // The sample size of the next survey. What is compared with a choice is looked at as closely as that was.
    std::size_t survey_size(std::size_t agents) const noexcept {
        return tuning_.times_chosen == 0   ? Survey::at_first
               : is_another_number(agents) ? Survey::at_most(Survey::max_for_review, agents)
                                           : Survey::max_for_review;
    }
    // Than in the last review.
    bool is_another_number(std::size_t agents) const noexcept {
        return agents > agents_at_review_ + agents_at_review_ / 2 || agents + agents / 2 < agents_at_review_;
    }
    // Considers a survey. Returns true if the grid changed.
    bool review(const Survey& survey) noexcept;

    // --- The true cost of a frame ---
    //
    // Work is counted in pairs of agents that share a cell (planning.hpp). A normal crowd has about one for
    // each agent.

    // The cost of an oversized agent, in compared agents.
    static constexpr std::uint32_t work_of_oversized = 100;

    // Whether a frame has so much work that a search for a better plan may pay.
    bool is_expensive(std::uint64_t work, std::size_t agents) const noexcept;
    // If each agent costs what it did in the last frame.
    std::uint64_t work_as_at_last(std::size_t agents) const noexcept;
    bool was_expensive() const noexcept;  // the last one on this plan
    // Whether an expensive frame that was built from scratch deserves a full survey. Not in the first frames
    // after a survey found nothing, while work is within an eighth of what it was: a survey costs more than
    // building a thousand agents. `counts` is false where the same frame was asked about before.
    bool wants_close_look(std::uint64_t work, std::size_t agents, bool counts = true) noexcept;
    void count_vain_look(std::uint64_t work, std::size_t agents) noexcept;
    // The same for a commit with this many edits: not before an eighth of the agents were edited since the
    // last survey, or the work has grown by half.
    bool wants_look(std::uint64_t work, std::size_t agents, std::size_t edits) noexcept;
    void count_look(std::uint64_t work, std::size_t agents) noexcept {
        count_build(work, agents);
        frames_to_let_pass_ = 0;
    }
    // A frame was built from scratch, with a look where one was due: the first edit need not look again.
    void count_build(std::uint64_t work, std::size_t agents) noexcept {
        edits_since_look_ = 0;
        looked_at_ = static_cast<double>(work) / static_cast<double>(std::max<std::size_t>(agents, 1));
    }
    // Whether a new grid, or islands, promise at most half of that work, according to a survey. Not if that
    // was tried on such agents without success a few frames ago, or on the very same, nor if an equal promise has
    // failed before and little is at stake. The work is on this map, if it has islands; that of `places` is counted in pairs of
    // oversized agents at one place of the tree.
    bool may_do_better(const Survey& survey, std::uint64_t work, const WorldMap* map = nullptr,
                       std::uint64_t places = 0) noexcept;
    // Whether so much is at stake that a new plan is worth trying although the last survey promised nothing:
    // a survey assumes one cell size, and islands have sizes of their own. Not if that was tried on such
    // agents, nor if most of the work is true pairs. Where the plan was made for other agents, what came since then is enough if it
    // alone is expensive: those that are oversized by now may find islands of their size. And pairs do not matter there, if there
    // is half as much work of common agents, which share cells in so many pairs: it is these that another grid divides.
    bool is_worth_a_try(std::uint64_t work, std::size_t agents, std::uint64_t sharing) const noexcept {
        if (is_for_others_ && is_worth_a_closer_plan(2 * sharing, agents)) return true;
        const bool much = is_worth_a_closer_plan(work, agents) ||
                          (is_for_others_ && is_expensive(more_than_at_first(work, agents), agents));
        return !tried_before_ && much && static_cast<double>(work) > 4 * pairs_ * static_cast<double>(agents);
    }
    // Whether so much is at stake that planning again with a larger sample pays.
    bool is_worth_a_closer_plan(std::uint64_t work, std::size_t agents) const noexcept;
    // Whether so much is at stake that the best plan pays at once.
    bool is_much(std::uint64_t work, std::size_t agents) const noexcept {
        return is_worth_a_closer_plan(work / 4, agents);
    }
    // Whether a plan was tried on such agents, as many or as few as they may have been.
    bool has_tried_on(const Survey& survey) const noexcept {
        return accepted_ > 0 && survey.eighths().are_about(accepted_eighths_);
    }
    // Chooses without regard to the old grid, on which so many pairs shared cells.
    void start_again(const Survey& survey, std::uint64_t sharing = 0) noexcept;
    // Whether another plan's grid is so much like this one that as many agents share its cells, as far as neither has islands.
    bool has_such_a_grid(const Tuner& other) const noexcept;
    // A frame was rebuilt on another plan; `work` is the smallest reached for the agents surveyed last.
    void count_rebuild() noexcept { ++tuning_.times_rebuilt; }
    void accept(std::uint64_t work, const Survey& survey) noexcept;
    // After `accept`: whether what was tried was much better. If not, such agents are left alone for two frames, then for
    // four, and for 32 at most: a survey may take them for the same while they walk to where a plan serves them. While they
    // overlap as many others as they did, only the last of these is tried.
    void count_try(bool better) noexcept {
        pause_ = better ? 1 : pause_ < longest_pause ? 2 * pause_ : longest_pause;
        frames_to_next_try_ = pause_;
    }

    // How many times as much still counts as the same, and how many times is no reason for another plan.
    static constexpr double little_more = 1.25, half_as_much_again = 1.5;
    // Whether that much is no more than so many times what the last frame on this plan cost.
    bool would_cost_as_at_last(std::uint64_t work, std::size_t agents, double much) const noexcept {
        return static_cast<double>(work) <= (much * work_at_last_ + 1) * static_cast<double>(agents);
    }
    // The same for the first frame on this plan, which it was made for.
    bool would_cost_as_at_first(std::uint64_t work, std::size_t agents, double much) const noexcept {
        return static_cast<double>(work) <=
               (much * std::max(work_at_first_, 0.0) + 1) * static_cast<double>(agents);
    }
    // Whether that is so much less that it is not for such agents that the plan cost what it did at last.
    bool would_cost_far_less_than_at_last(std::uint64_t work, std::size_t agents) const noexcept {
        constexpr double far_less = 4;
        return far_less * static_cast<double>(work) < work_at_last_ * static_cast<double>(agents);
    }
    // The share of the pairs of agents that share a cell which is not counted in what frames cost at last, since this plan was
    // chosen because they overlap. Zero for most plans.
    double share_found() const noexcept { return share_found_; }
    void count_found(double share) noexcept { share_found_ = share; }

    // This plan takes the place of another one, and takes over its counts of frames until the next review and the next try.
    // With its own counts, a review that was due when this plan was left would be due each time it is taken back.
    void take_over_counts(const Tuner& last) noexcept {
        tuning_.times_chosen = last.tuning_.times_chosen + 1;
        tuning_.times_rebuilt = last.tuning_.times_rebuilt;
        tuning_.times_moved = last.tuning_.times_moved;
        frames_since_review_ = last.frames_since_review_;
        changes_since_review_ = last.changes_since_review_;
        agents_at_review_ = last.agents_at_review_;
        frames_to_next_try_ = last.frames_to_next_try_;
        pause_ = last.pause_;
    }

    // A frame with this much work was published, in which so many agents were updated or edited. The first one after a review
    // is the one that was reviewed.
    void count_frame(std::size_t changes, std::uint64_t work, std::size_t agents) noexcept {
        work_at_last_ = static_cast<double>(work) / static_cast<double>(std::max<std::size_t>(agents, 1));
        if (work_at_first_ < 0) work_at_first_ = work_at_last_;
        if (frames_since_review_++ != 0) changes_since_review_ += changes;
    }

    // What an oversized agent looked at in cells of that frame beyond work_of_oversized. A few agents do not tell it.
    void count_looks(std::uint64_t looks, std::size_t oversized) noexcept {
        looks_at_last_ =
            static_cast<double>(looks) / static_cast<double>(std::max<std::size_t>(oversized, 1));
    }
    double looks_of(double oversized) const noexcept { return looks_at_last_ * oversized; }

    // The grid moves with the agents.
    void move(const Motion& by) noexcept;
    void count_move() noexcept { ++tuning_.times_moved; }

    const simd::Grid& grid() const noexcept { return grid_; }
    const Tuning& tuning() const noexcept { return tuning_; }
    // The ground that the grid was fitted to.
    const Ground& ground() const noexcept { return ground_; }
    // Whether the world is so empty that its crowded spots should have their own grids.
    bool wants_islands() const noexcept;
    // Whether so many agents are common that cells pay: three eighths. With fewer the tree alone costs less, unless islands
    // hold them.
    bool fits_cells() const noexcept { return fits_cells_; }
    double shortage() const noexcept { return shortage_; }
    // The expected number of overlapping pairs.
    double pairs_expected(std::size_t agents) const noexcept {
        return partners_ / 2 * static_cast<double>(agents);
    }

private:
    std::uint64_t more_than_at_first(std::uint64_t work, std::size_t agents) const noexcept {
        const auto at_first =
            static_cast<std::uint64_t>(std::max(work_at_first_, 0.0) * static_cast<double>(agents));
        return work - std::min(work, at_first);
    }
    static constexpr std::uint32_t review_interval = 32;
    static constexpr std::size_t share_to_review = 8;  // an eighth of the agents
    static constexpr std::uint32_t longest_pause = 32;

    Ground ground_of(const Survey& survey) const noexcept;
    bool still_fits(const GridFit& fit, const Ground& ground) const noexcept;
    bool islands_still_fit(const GridFit& fit) const noexcept;
    bool are_such_agents(const Survey& survey, const Ground& ground) const noexcept;
    bool overlap_as_before(const Survey& survey, const Ground& ground) noexcept;
    void count_partners(const Survey& survey) noexcept;
    void choose(const Survey& survey, const Ground& ground, const GridFit& fit) noexcept;

    float fixed_width_, fixed_height_, fixed_common_;

    Ground ground_;
    double shortage_ = 0;
    bool fits_cells_ = true;
    double partners_ = 0;  // of an agent
    simd::Grid grid_{.inverse_width = 1, .inverse_height = 1, .columns = 1, .rows = 1};
    Tuning tuning_;
    // The work for each agent that was accepted as the best possible, and the ground it belongs to.
    double accepted_ = 0, accepted_pairs_ = 0;
    Sizes accepted_steps_;
    Survey::Eighths accepted_eighths_{};
    Ground accepted_on_;
    // The promise of the last survey, and the failed promise for the ground above.
    double promised_ = 0, promised_in_vain_ = 0;
    // Of the last survey: whether a plan was tried on such agents, and the overlapping pairs for each agent.
    bool tried_before_ = false;
    double pairs_ = 0;
    double share_found_ = 0;
    // Of the last survey: whether the plan was made for agents that stood elsewhere or had other sizes, and cost them less.
    bool is_for_others_ = false;
    // The work for each agent in the first frame on this plan, and in the last one; the first is negative until then.
    double work_at_first_ = 0, work_at_last_ = 0;
    double looks_at_last_ = 0;
    // How many expensive frames to let pass before a plan is tried on such agents again, and how many it was at last.
    std::uint32_t frames_to_next_try_ = 0, pause_ = 1;
    // The work for each agent when a survey found nothing, and how many more such frames to skip.
    double vain_work_ = 0;
    std::uint32_t frames_to_let_pass_ = 0;
    // The work for each agent when it was last looked for a better plan, and the number of edits since.
    double looked_at_ = 0;
    std::size_t edits_since_look_ = 0;
    std::size_t agents_at_review_ = 0;
    std::uint32_t frames_since_review_ = 0;
    std::size_t changes_since_review_ = 0;
};

}  // namespace throng::detail
