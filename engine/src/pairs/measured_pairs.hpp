// The pairs of a grown frame that are as close as is wanted, by the definition, with the ids of their agents: a sink between the
// kernels and that of a call.
#pragma once

#include <algorithm>
#include <cstddef>

#include "engine/src/base/unwritten.hpp"
#include "engine/src/pairs/closeness.hpp"
#include "engine/src/pairs/grown_frame.hpp"
#include "simd/types.hpp"

namespace throng::detail {

class MeasuredPairs {
public:
    MeasuredPairs(const GrownFrame& frame, double within, simd::PairSink& out) noexcept
        : boxes_(frame.boxes()), ids_(frame.ids()), within_(within), out_(out) {}

    simd::PairSink sink() noexcept {
        return {candidates_.data(), candidates_.data() + at_once, full, this, out_.stopped};
    }
    static void full(simd::PairSink& sink) {
        MeasuredPairs& self = *static_cast<MeasuredPairs*>(sink.context);
        const simd::Pair* const begin = self.candidates_.data();
        for (const simd::Pair* at = begin; at < sink.at && !self.out_.stopped; at += simd::pair_slack)
            self.measure(at, std::min(at + simd::pair_slack, static_cast<const simd::Pair*>(sink.at)));
        sink.at = self.candidates_.data();
        sink.stopped = self.out_.stopped;
    }

private:
    static constexpr std::size_t at_once = 1024;

    // Not more than there is room for.
    void measure(const simd::Pair* at, const simd::Pair* end) noexcept {
        simd::Pair* to = out_.at;
        for (; at < end; ++at) {
            *to = {ids_[at->a], ids_[at->b]};
            to += are_within(boxes_[at->a], boxes_[at->b], within_);
        }
        out_.at = to;
        if (to > out_.limit) out_.full(out_);
    }

    const Box* const boxes_;
    const AgentId* const ids_;
    const double within_;
    simd::PairSink& out_;
    Unwritten<simd::Pair, at_once + simd::pair_slack> candidates_;
};

}  // namespace throng::detail
