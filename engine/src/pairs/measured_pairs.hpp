// The wanted pairs of a grown frame, by their definition, with the ids of their agents: a sink between the
// kernels and the sink of a call. With a filter it checks labels too: if `a` and `b` are all categories
// together, the kernels also find agents without any. It checks heights, which kernels for pairs do not know.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/kernels.hpp"
#include "engine/src/answers/lists/sinks.hpp"
#include "engine/src/pairs/closeness.hpp"
#include "engine/src/pairs/grown_frame.hpp"
#include "simd/types.hpp"
#include "throng/queries/pairs.hpp"

namespace throng::detail {

class MeasuredPairs : public HandOn<MeasuredPairs, simd::PairSink, 1024> {
public:
    // Pairs of two of these ghosts are left out.
    MeasuredPairs(const GrownFrame& frame, const PairQuery& wanted, bool filtered,
                  const simd::GhostIds& ghosts, simd::PairSink& out) noexcept
        : HandOn(out.stopped),
          boxes_(frame.boxes()),
          ids_(frame.ids()),
          traits_(filtered ? frame.traits() : nullptr),
          closeness_(wanted),
          filter_(wanted.filter),
          ghosts_(ghosts),
          out_(out) {}

    bool take(const Pair* pairs, const NothingBeside*, std::size_t count) noexcept {
        const simd::Pair* const begin = as_kernel(pairs);
        for (std::size_t i = 0; i < count && !out_.stopped; i += simd::pair_slack) {
            const simd::Pair* const end = begin + std::min(i + simd::pair_slack, count);
            if (closeness_.is_of_boxes())
                measure<false>(begin + i, end);
            else
                measure<true>(begin + i, end);
        }
        return !out_.stopped;
    }

private:
    // At most as many as there is room for.
    template <bool of_circles>
    void measure(const simd::Pair* at, const simd::Pair* end) noexcept {
        if (traits_ == nullptr && ghosts_.empty())
            measure<of_circles, false>(at, end);
        else
            measure<of_circles, true>(at, end);
    }
    bool are_wanted(const Traits& a, const Traits& b) const noexcept {
        return filter_.admits(a.label, b.label) && a.height.overlaps(b.height);
    }
    // `further`: by a filter, or because they are ghosts.
    template <bool of_circles, bool further>
    void measure(const simd::Pair* at, const simd::Pair* end) noexcept {
        simd::Pair* to = out_.at;
        [[maybe_unused]] const simd::GhostIds ghosts = ghosts_;
        for (; at < end; ++at) {
            const Box &a = boxes_[at->a], &b = boxes_[at->b];
            bool is_wanted = of_circles ? closeness_.of_circles(a, b) : closeness_.of_boxes(a, b);
            *to = {ids_[at->a], ids_[at->b]};
            if constexpr (further) {
                if (traits_ != nullptr) is_wanted = is_wanted && are_wanted(traits_[at->a], traits_[at->b]);
                is_wanted = static_cast<bool>(static_cast<int>(is_wanted) &
                                              static_cast<int>(!ghosts.has_both(to->a, to->b)));
            }
            to += is_wanted;
        }
        out_.at = to;
        if (to > out_.limit) out_.full(out_);
    }

    const Box* const boxes_;
    const AgentId* const ids_;
    const Traits* const traits_;
    const Closeness closeness_;
    const PairFilter filter_;
    const simd::GhostIds ghosts_;
    simd::PairSink& out_;
};

}  // namespace throng::detail
