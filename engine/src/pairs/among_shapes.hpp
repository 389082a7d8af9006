// Pairs of circles, or of centres, among boxes that are far larger than these. A search for boxes would find
// very many pairs, and few of them would be close. If that is so for a sample of agents, the pairs of the
// second frames come instead, whose boxes are the squares around the circles, or the centres
// (neighbours/shape_frames.hpp):
//
//     pairs of shapes within about the distance  -->  AmongShapes: close, by their own boxes  -->  output
//
// All else is as in any frame: filters, heights and ghosts are those of the second frames too. The sample
// follows from the frames and the query alone, and so does the order of the pairs.
#pragma once

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/pairs/pair_output.hpp"
#include "engine/src/store/spaces.hpp"
#include "simd/pair_kernels.hpp"

namespace throng::detail {

// Whether a sample of agents meets very many boxes of agents that are not close to them.
bool are_few_close(const FrameState& one, const FrameState& other, const PairQuery& wanted) noexcept;

// Whether a pair is close, by the boxes of the frames that the host asked.
struct CloseByBoxes {
    const AgentTable *one = nullptr, *other = nullptr;
    simd::Closeness close;

    bool operator()(const simd::Pair& pair) const noexcept {
        return close(one->box(pair.a), other->box(pair.b));
    }
};

class AmongShapes final : public PairOutput {
public:
    // Of two frames, or of one with itself. The output gets what is found among the shapes, and hands on the
    // close ones.
    AmongShapes(const FrameState& one, const FrameState& other, const PairQuery& wanted,
                PairOutput& output) noexcept;

    // Whether to look there. Then there may be no memory for it.
    static bool pays(const FrameState& one, const FrameState& other, const PairQuery& wanted) noexcept;
    bool has_memory() const noexcept {
        return one_ != nullptr && other_ != nullptr && close_.one != nullptr && close_.other != nullptr;
    }

    // The second frames, and what to look for in them.
    const FrameState& one() const noexcept { return one_->state(); }
    const FrameState& other() const noexcept { return other_->state(); }
    const PairQuery& candidates() const noexcept { return candidates_; }

    Status take(Store& store, const Executor& executor, const PairSearch& work) noexcept override;
    Status take(std::span<const Pair>) noexcept override { return {}; }
    bool has_ended() const noexcept override { return output_.has_ended(); }

private:
    CloseByBoxes close_;
    const ShapeFrame *one_, *other_;
    PairQuery candidates_;
    PairOutput& output_;
};

}  // namespace throng::detail
