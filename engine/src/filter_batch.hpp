// The filters of a batch as the kernels read them: filter n is filters[n * step]. None
// where the plain kernels do.
#pragma once

#include <cstddef>

#include "engine/src/frame_state.hpp"
#include "engine/src/question_batch.hpp"
#include "simd/kernels.hpp"
#include "throng/labels.hpp"

namespace throng::detail {

inline const simd::LabelFilter* as_kernel(const Filter* filters) noexcept {
    return reinterpret_cast<const simd::LabelFilter*>(filters);
}
// Where nobody has a label but the default one, and nobody is left out.
inline bool admits_all(const FrameState& frame, const Filter& filter) noexcept {
    return !frame.labelled && (filter.categories & simd::default_category) != 0 && filter.self == no_agent;
}

struct FilterBatch {
    const simd::LabelFilter* filters = nullptr;
    std::size_t step = 0;

    FilterBatch() noexcept = default;
    // `wanted` may be null, and must otherwise live as long as this.
    FilterBatch(const FrameState& frame, const Filters* wanted) noexcept {
        if (wanted == nullptr || (wanted->one_for_all() && admits_all(frame, (*wanted)[0]))) return;
        filters = as_kernel(wanted->data());
        step = wanted->one_for_all() ? 0 : 1;
    }
    bool any() const noexcept { return filters != nullptr; }
    // Those of the questions from `first` on.
    FilterBatch from(std::size_t first) const noexcept {
        FilterBatch rest = *this;
        rest.filters += first * step;
        return rest;
    }
    // Whether hardly anybody is admitted. Such questions are best asked as they come: they read
    // little but the table of stretches, which stays in the cache in any order, and to sort them
    // would cost more. Some of them tell.
    bool are_selective(const FrameState& frame, const QuestionBatch& batch) const noexcept;
};

}  // namespace throng::detail
