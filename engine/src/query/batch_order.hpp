// A batch of queries as the kernels read them: an array of boxes with corners. A host's array in that layout
// is used in place; otherwise the boxes are copied once.
#pragma once

#include <algorithm>
#include <cstddef>

#include "engine/src/base/box_check.hpp"
#include "engine/src/base/cell_math.hpp"
#include "engine/src/base/query_box.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/scratch.hpp"
#include "throng/boxes.hpp"

namespace throng::detail {

class QueryBatch {
public:
    // Returns false if there is no memory for the copy.
    bool open(const Boxes& boxes, BatchSpace& space) noexcept {
        count_ = boxes.size();
        queries_ = as_they_lie(boxes);
        if (queries_ != nullptr) return true;
        if (!reserve_amply(space.queries, count_) || !space.queries.resize(count_)) return false;
        read_all(boxes, space.queries.data());
        queries_ = space.queries.data();
        return true;
    }
    std::size_t size() const noexcept { return count_; }
    const simd::Query* data() const noexcept { return queries_; }

    // The expected number of agents that a query tests, for an even spread, estimated from a few queries.
    double expected_candidates(const FrameState& frame) const noexcept;
    // Whether neighbours in the batch are mostly neighbours in the world, judged from a few short runs of the
    // batch.
    bool is_coherent(const FrameState& frame) const noexcept;

private:
    static void read_all(const Boxes& boxes, simd::Query* out) noexcept {
        if (!boxes.has_stride(sizeof(float)) || boxes.form() != Boxes::Form::centre_half) {
            for (std::size_t i = 0; i < boxes.size(); ++i) out[i] = query_of(boxes[i]);
            return;
        }
        // The most common layout.
        const float *x = boxes.coordinate(0), *y = boxes.coordinate(1), *half_x = boxes.coordinate(2),
                    *half_y = boxes.coordinate(3);
        for (std::size_t i = 0; i < boxes.size(); ++i)
            out[i] = {x[i] - half_x[i], y[i] - half_y[i], x[i] + half_x[i], y[i] + half_y[i]};
    }
    static const simd::Query* as_they_lie(const Boxes& boxes) noexcept {
        if (boxes.form() != Boxes::Form::min_max || !boxes.has_stride(sizeof(simd::Query))) return nullptr;
        const float* first = boxes.coordinate(0);
        // An empty batch may have no arrays, and nothing can be added to a null pointer.
        if (first == nullptr) return nullptr;
        for (std::size_t k = 1; k < 4; ++k)
            if (boxes.coordinate(k) != first + k) return nullptr;
        return reinterpret_cast<const simd::Query*>(first);
    }

    const simd::Query* queries_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace throng::detail
