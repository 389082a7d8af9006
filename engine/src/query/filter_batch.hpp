// The filters of a batch as the kernels read them: filter n is filters[n * step]. Null if the plain kernels
// suffice.
#pragma once

#include <cstddef>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/query/batch_order.hpp"
#include "simd/kernels.hpp"
#include "throng/labels.hpp"

namespace throng::detail {

inline const simd::LabelFilter* as_kernel(const Filter* filters) noexcept {
    return reinterpret_cast<const simd::LabelFilter*>(filters);
}
// Without labels, all agents have the default category and no group.
inline bool admits_all(const FrameState& frame, const Filter& filter) noexcept {
    if (filter.self != no_agent) return false;
    if (frame.labelled) return filter == Filter{};
    return (filter.categories & simd::default_category) != 0;
}

struct FilterBatch {
    const simd::LabelFilter* filters = nullptr;
    std::size_t step = 0;

    FilterBatch() noexcept = default;
    // `wanted` must live as long as this.
    FilterBatch(const FrameState& frame, const Filters& wanted) noexcept {
        if (wanted.one_for_all() && admits_all(frame, wanted[0])) return;
        filters = as_kernel(wanted.data());
        step = wanted.one_for_all() ? 0 : 1;
    }
    bool any() const noexcept { return filters != nullptr; }
    // Those of the queries from `first` on.
    FilterBatch from(std::size_t first) const noexcept {
        FilterBatch rest = *this;
        rest.filters += first * step;
        return rest;
    }
    // Whether hardly any agent is admitted. Such queries run in the caller's order: they read little but the
    // table of stretches, which stays in the cache anyway, and sorting them would cost more. Judged from a
    // sample of the batch.
    bool are_selective(const FrameState& frame, const QueryBatch& batch) const noexcept;
};

}  // namespace throng::detail
