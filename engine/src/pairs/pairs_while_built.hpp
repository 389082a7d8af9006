// Pairs of a frame that are found while it is built: a row is swept as soon as it and the rows below that it can reach
// are sorted, while they are still in a cache:
//
//     row r      swept after row r + 1 is sorted
//     row r+1    sorted
//     row r+2    records
//
// How far agents reach is only known when all are sorted. Until then the reach of the frame before serves, and a little
// more. Where the new frame's is not above that, and no cells were overfull, these are the pairs of Frame::pairs, in its
// order. In all other cases, and where a frame is built more than once, they are found again.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>

#include "engine/src/frame/row_watcher.hpp"
#include "engine/src/memory/pool.hpp"
#include "engine/src/pairs/kernel_scratch.hpp"
#include "engine/src/pairs/pair_output.hpp"
#include "engine/src/store/store.hpp"
#include "simd/kernels.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/executor.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class PairsWhileBuilt final : public RowWatcher {
public:
    // `before` is the frame before.
    PairsWhileBuilt(Store& store, const simd::Kernels& kernels, const FrameState& before,
                    Buffer<Pair>& list) noexcept;
    PairsWhileBuilt(const PairsWhileBuilt&) = delete;
    void begin(FrameState& frame) noexcept override;
    void sorted(std::size_t row) noexcept override {
        if (row >= ahead_) sweep(row + 1 - ahead_);
    }
    // Once the frame is finished: the list gets all its pairs.
    Status finish(const FrameState& frame, const Executor& executor) noexcept;
    // Whether rows were swept in vain.
    bool was_in_vain() const noexcept { return in_vain_; }

private:
    void sweep(std::size_t end) noexcept;
    bool has_all(const FrameState& frame) noexcept;

    Store& store_;
    const simd::Kernels& kernels_;
    Buffer<Pair>& list_;
    std::optional<Lease<PairSpace>> space_;
    std::optional<KernelScratch> scratch_;
    std::atomic<bool> out_of_memory_{false};
    KeepPairs keep_{&list_, &out_of_memory_};
    simd::PairSink sink_{};
    simd::View view_{};
    bool in_vain_ = false;
    std::size_t swept_ = 0, ahead_ = 1;  // a row is swept so many rows behind the sorted one
    float reach_x_, reach_y_;
};

}  // namespace throng::detail
