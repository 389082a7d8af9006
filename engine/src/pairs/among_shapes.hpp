// Pairs of circles, or of centres, among boxes that are far larger than these. A search for boxes would find
// very many pairs, and few of them would be close. If that is so for a sample of agents, the pairs of the
// second frames come instead, whose boxes are the squares around the circles, or the centres
// (neighbours/shape_frames.hpp):
//
//     pairs of shapes within about the distance  -->  ClosePairs, by their own boxes  -->  output
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

class AmongShapes {
public:
    // Of two frames, or of one with itself.
    AmongShapes(const FrameState& one, const FrameState& other, const PairQuery& wanted) noexcept;

    // Whether to look there. Then there may be no memory for it.
    static bool pays(const FrameState& one, const FrameState& other, const PairQuery& wanted) noexcept;
    bool has_memory() const noexcept {
        return one_ != nullptr && other_ != nullptr && close_.one != nullptr && close_.other != nullptr;
    }

    // The second frames, what to look for in them, and what of that is close.
    const ShapeFrame& one() const noexcept { return *one_; }
    const ShapeFrame& other() const noexcept { return *other_; }
    const PairQuery& candidates() const noexcept { return candidates_; }
    const CloseByBoxes& close() const noexcept { return close_; }

private:
    CloseByBoxes close_;
    const ShapeFrame *one_, *other_;
    PairQuery candidates_;
};

// Hands on the close ones of the pairs that are found among shapes.
class ClosePairs final : public PairOutput {
public:
    ClosePairs(const AmongShapes& shapes, PairOutput& output) noexcept
        : close_(shapes.close()), output_(output) {}
    Status take(Store& store, const Executor& executor, const PairSearch& work) noexcept override;
    Status take(std::span<const Pair>) noexcept override { return {}; }

private:
    const CloseByBoxes& close_;
    PairOutput& output_;
};

}  // namespace throng::detail
