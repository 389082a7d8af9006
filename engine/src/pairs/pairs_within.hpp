// Pairs of two frames within a distance, or with a filter: each agent of the smaller frame searches its own
// box, grown by the distance, and its answers are measured. The work is one of those in pair_output.hpp.
#pragma once

#include <cstddef>

#include "engine/src/pairs/closeness.hpp"
#include "engine/src/pairs/smaller_searches.hpp"
#include "throng/queries/pairs.hpp"
#include "engine/src/store/spaces.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// Checks the distance and `agents_as`.
Status check(const PairQuery& wanted) noexcept;

class PairsWithin : public SmallerSearches {
public:
    // `a` is of one frame, `b` of the other, which may be the same.
    PairsWithin(const FrameState& one, const FrameState& other, const simd::View* owned,
                const Executor& executor, const PairQuery& wanted) noexcept;

    bool run(std::size_t block, PairSpace& space, simd::PairSink& sink) const noexcept override;

private:
    class Search;

    // The possible partners of an agent, only by its category and its height.
    Filter filter_for(const Traits& traits) const noexcept;

    const PairFilter filter_;
    const float within_;
    const Closeness are_close_;
    const bool labelled_;
    // For the searched frame, if labels count: which of the two has which category is seen from both.
    const AgentTable* traits_ = nullptr;
};

}  // namespace throng::detail
