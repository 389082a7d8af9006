// The pairs of a grown frame that are wanted by the definition, with the ids of their agents: a sink between
// the kernels and that of a call. It looks at the labels too if there is a filter: where `a` and `b` are all
// categories together, the kernels also find agents without any. It looks at heights, too: kernels for pairs
// know none.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/unwritten.hpp"
#include "engine/src/pairs/closeness.hpp"
#include "engine/src/pairs/grown_frame.hpp"
#include "simd/types.hpp"
#include "throng/labels.hpp"

namespace throng::detail {

class MeasuredPairs {
public:
    // Pairs of two of these ghosts are left out.
    MeasuredPairs(const GrownFrame& frame, const PairQuery& wanted, bool filtered,
                  const simd::GhostIds& ghosts, simd::PairSink& out) noexcept
        : boxes_(frame.boxes()),
          ids_(frame.ids()),
          traits_(filtered ? frame.traits() : nullptr),
          closeness_(wanted),
          filter_(wanted.filter),
          ghosts_(ghosts),
          out_(out) {}

    simd::PairSink sink() noexcept {
        return {candidates_.data(), candidates_.data() + at_once, full, this, out_.stopped};
    }
    static void full(simd::PairSink& sink) {
        MeasuredPairs& self = *static_cast<MeasuredPairs*>(sink.context);
        const simd::Pair* const begin = self.candidates_.data();
        for (const simd::Pair* at = begin; at < sink.at && !self.out_.stopped; at += simd::pair_slack) {
            const simd::Pair* const end =
                std::min(at + simd::pair_slack, static_cast<const simd::Pair*>(sink.at));
            if (self.closeness_.is_of_boxes())
                self.measure<false>(at, end);
            else
                self.measure<true>(at, end);
        }
        sink.at = self.candidates_.data();
        sink.stopped = self.out_.stopped;
    }

private:
    static constexpr std::size_t at_once = 1024;

    // Not more than there is room for.
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
    // `further`: by a filter, or whether they are ghosts.
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
    Unwritten<simd::Pair, at_once + simd::pair_slack> candidates_;
};

}  // namespace throng::detail
